//! DUSTER (Rodrigues, Cristo, de Moura, da Silva, TKDE 2015): rules from multiple alignment.
//!
//! The URLs of a cluster are aligned token by token, as genes are. Tokens on which all agree
//! name the page; the others are irrelevant. Each cluster yields one candidate. Generalised, the
//! candidates of many clusters become one rule.
//!
//! Cost: alignment takes K² L² steps for the K sampled URLs of a cluster, of at most L tokens
//! each. Both are bounded, so learning is linear in the number of clusters.

mod align;
mod consensus;
mod generalise;
mod sample;
mod sequence;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use undust_rules::duster::pattern::Pattern;
use undust_rules::kind;
use undust_rules::measured::Counting;
use undust_rules::rule::{CandidateRules, Rule};
use undust_util::plural::counted;

use super::learner::{Learner, Order};
use crate::config::DusterConfig;
use crate::training::TrainingSet;
use consensus::consensus;
use generalise::Generaliser;
use sample::{ClusterSample, Samples};
use sequence::Sequence;

/// Clusters whose rules are in memory before they are counted.
const BATCH: usize = 4096;

/// Its entry in the table of learners.
pub(crate) static LEARNER: Learner = Learner {
    name: kind::DUSTER,
    about: "DUSTER's rules from aligned URLs (Rodrigues et al., TKDE 2015)",
    candidates: |set, config| candidates(set, &config.duster, config.seed),
    counting: Counting::Buckets,
    // The paper's minsupp counts the URLs that a rule unites.
    support: |evidence| evidence.shared,
    order: Order::SafeFirst,
    from_urls: None,
};

/// The rules that at least `min_clusters` clusters yield, the most frequent first. The same
/// pages, settings and seed give the same rules.
pub(crate) fn candidates(
    set: &TrainingSet<'_>,
    settings: &DusterConfig,
    seed: u64,
) -> CandidateRules {
    let drawn = Samples::draw(set, settings, seed);
    let align = |sample: &ClusterSample| consensus(sample.sequences(&drawn.lexicon));
    let consensuses: Vec<Sequence> = drawn.samples.par_iter().map(align).collect();
    let generaliser = Generaliser::new(&drawn.lexicon, &consensuses, settings);
    let mut tally = PatternTally::default();
    for (samples, consensuses) in drawn.samples.chunks(BATCH).zip(consensuses.chunks(BATCH)) {
        let pattern = |(sample, consensus)| {
            let holds =
                |across_gaps| rule(set, sample, generaliser.pattern(consensus, across_gaps));
            holds(true).or_else(|| holds(false))
        };
        let rules: Vec<_> = samples.par_iter().zip(consensuses).map(pattern).collect();
        rules.into_iter().for_each(|rule| tally.add(rule));
    }
    let notes = notes(&drawn, &tally, settings);
    let rules = tally.most_frequent_first(settings.min_clusters);
    CandidateRules { rules, suggested: 0, learned_from: drawn.learned_from, notes }
}

/// The rule, if it is meaningful and maps the URLs that it was made of to their canonical URL.
/// It may fail to: a token can be matched by an optional piece that was meant for another.
fn rule(set: &TrainingSet<'_>, sample: &ClusterSample, pattern: Pattern) -> Option<Pattern> {
    let canonical = set.canonical(sample.cluster);
    let others = sample.others.iter().map(|&page| set.pages()[page as usize].url.as_ref());
    let mut urls = std::iter::once(canonical).chain(others);
    let right = |url: &str| pattern.image(url).as_deref() == Some(canonical);
    (pattern.check().is_ok() && urls.all(right)).then_some(pattern)
}

/// How many clusters yield each rule, and the first one that does.
#[derive(Debug, Default)]
struct PatternTally {
    rules: FxHashMap<Pattern, (usize, usize)>,
    clusters: usize,
    /// Clusters without a rule.
    without: usize,
}

impl PatternTally {
    fn add(&mut self, rule: Option<Pattern>) {
        self.clusters += 1;
        match rule {
            Some(rule) => self.rules.entry(rule).or_insert((0, self.clusters)).0 += 1,
            None => self.without += 1,
        }
    }

    fn most_frequent_first(self, least: usize) -> Vec<Rule> {
        let enough = |(_, (clusters, _)): &(Pattern, (usize, usize))| *clusters >= least;
        let mut rules: Vec<_> = self.rules.into_iter().filter(enough).collect();
        rules.sort_unstable_by_key(|(_, (clusters, first))| (Reverse(*clusters), *first));
        rules.into_iter().map(|(pattern, _)| Rule::Pattern(pattern)).collect()
    }
}

fn notes(drawn: &Samples<'_>, tally: &PatternTally, settings: &DusterConfig) -> Vec<String> {
    let sampled = (drawn.sampled > 0).then(|| {
        format!(
            "{} with more than {} URLs: a sample of each was aligned",
            counted(drawn.sampled, "cluster"),
            settings.urls_per_cluster
        )
    });
    let too_long = (drawn.too_long > 0)
        .then(|| format!("{} too long to be aligned", counted(drawn.too_long, "URL")));
    let without = (tally.without > 0).then(|| {
        format!(
            "{} of {} gave no rule that fits its own URLs and this site only",
            tally.without,
            counted(tally.clusters, "cluster")
        )
    });
    [sampled, too_long, without].into_iter().flatten().collect()
}
