//! Rewrite rules (RA: Dasgupta, Kumar, Sasturkar, KDD 2008).
//!
//! Every two URLs of a duplicate cluster make a rule: one is the context, and the
//! transformation turns it into the other (`pairs`). Rules that differ in one key alone become
//! one rule for any value of that key, if they have many values there (`fan_out`).
//!
//! As in the paper, keys count from the left alone, and a context pins the number of segments
//! and the names of all arguments. Decision trees add other addresses.

mod fan_out;
mod pairs;
#[cfg(test)]
mod tests;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use undust_rules::kind::RuleLearner;
use undust_rules::measured::Counting;
use undust_rules::rule::{CandidateRules, Rule};
use undust_util::plural::counted;

use super::learner::{Learner, Order};
use crate::config::RewriteConfig;
use crate::training::TrainingSet;
use fan_out::generalize;
use pairs::Book;

/// Its entry in the table of learners.
pub(crate) static LEARNER: Learner = Learner {
    name: RuleLearner::REWRITE.name,
    about: "Rewrite rules (Dasgupta, Kumar, Sasturkar, KDD 2008)",
    candidates: |set, config| candidates(set, &config.rewrite, config.seed),
    counting: Counting::Changed,
    support: |evidence| evidence.coverage,
    order: Order::NarrowFirst,
    from_urls: None,
};

/// Makes rules of the clusters of two URLs or more. At most `urls_per_cluster` URLs of a cluster
/// are used. Each of them is paired with the canonical URL first, and with at most
/// `pairs_per_url` URLs in all, so that the number of pairs grows with the URLs and not with
/// the squares of the clusters. Linear in the pairs, but for sorting them once a key.
pub(crate) fn candidates(
    set: &TrainingSet<'_>,
    settings: &RewriteConfig,
    seed: u64,
) -> CandidateRules {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut book = Book::default();
    let mut sampled = 0;
    for (cluster, members) in (0..).zip(set.clusters().iter()) {
        if members.len() < 2 {
            continue;
        }
        sampled += usize::from(members.len() > settings.urls_per_cluster);
        let urls = sample(set, cluster, members, settings, &mut random);
        pair_up(&mut book, &urls, settings, &mut random);
    }
    let general = generalize(&mut book, settings.fan_out.max(2));
    let rules = general.into_iter().map(|rule| Rule::Keys(book.rule(&rule))).collect();
    CandidateRules {
        rules,
        suggested: 0,
        learned_from: Vec::new(),
        notes: notes(sampled, settings),
    }
}

/// The URLs of a cluster that are paired, the canonical one first.
fn sample<'c>(
    set: &TrainingSet<'c>,
    cluster: u32,
    members: &[u32],
    settings: &RewriteConfig,
    random: &mut ChaCha8Rng,
) -> Vec<&'c str> {
    let canonical = set.canonical(cluster);
    let url = |member: u32| &*set.pages()[member as usize].url;
    let others: Vec<_> =
        members.iter().map(|member| url(*member)).filter(|url| *url != canonical).collect();
    let most = settings.urls_per_cluster.max(2) - 1;
    let chosen: Vec<&str> =
        if others.len() > most { others.sample(random, most).copied().collect() } else { others };
    std::iter::once(canonical).chain(chosen).collect()
}

/// Every ordered pair, or for each URL as many as allowed; see [`candidates`].
fn pair_up(book: &mut Book, urls: &[&str], settings: &RewriteConfig, random: &mut ChaCha8Rng) {
    let Some(canonical) = urls.first().and_then(|url| book.read(url)) else { return };
    let rest: Vec<_> = urls[1..].iter().filter_map(|url| book.read(url)).collect();
    for source in &rest {
        book.add(source, &canonical);
    }
    if !settings.all_pairs {
        return;
    }
    let keyed: Vec<_> = std::iter::once(canonical).chain(rest).collect();
    for (at, source) in keyed.iter().enumerate() {
        let others: Vec<usize> = (1..keyed.len()).filter(|other| *other != at).collect();
        for &target in others.sample(random, settings.pairs_per_url.saturating_sub(1)) {
            book.add(source, &keyed[target]);
        }
    }
}

fn notes(sampled: usize, settings: &RewriteConfig) -> Vec<String> {
    let (most, pairs) = (settings.urls_per_cluster, settings.pairs_per_url);
    let capped = format!("At most {pairs} pairs were made from a URL.");
    let clusters = counted(sampled, "cluster");
    let sample = format!("{clusters} with more than {most} URLs: {most} of each were paired.");
    let notes = [(settings.all_pairs, capped), (sampled > 0, sample)];
    notes.into_iter().filter(|(applies, _)| *applies).map(|(_, note)| note).collect()
}
