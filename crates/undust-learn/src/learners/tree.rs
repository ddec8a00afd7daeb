//! Decision-tree rules (DTA): Koppula, Leela, Agarwal, Chitrapura, Garg, Sasturkar,
//! *Learning URL patterns for webpage de-duplication*, WSDM 2010.
//!
//! ```text
//! URLs ─► conventions ─► source ─► edits ─► addresses ─► classes ─► contexts ─► rules
//!         (deep tokens)  + target  (pairwise rules)      (by transformation)
//! ```
//!
//! Each sampled source of a cluster makes a pairwise rule with the cluster's canonical URL.
//! Pairwise rules with one transformation are a class. A tree over the keys of its sources gives
//! a class its contexts: few rules of large coverage.
//!
//! The paper takes the k best URLs of a cluster by page rank as targets. Here k is 1, and the
//! target is the canonical URL that all methods share.

mod absorb;
mod addresses;
mod alignment;
mod branch;
mod classes;
mod components;
mod context;
mod conventions;
mod order;
mod pairwise;
mod place;
mod sources;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use undust_rules::key_rule::KeyRule;
use undust_rules::kind;
use undust_rules::measured::Counting;
use undust_rules::rule::{CandidateRules, Rule};
use undust_util::plural::counted;

use super::learner::{Learner, Order};
use crate::config::TreeConfig;
use crate::training::TrainingSet;
use addresses::Addresses;
use classes::{Class, Pairwise};
use components::UrlComponents;
use context::{Source, Tree};
use conventions::Conventions;
use order::KeyOrder;
use place::PlaceChange;

/// Most sources of a class that its contexts are learned from.
const MAX_SOURCES: usize = 10_000;

/// Its entry in the table of learners.
pub(crate) static LEARNER: Learner = Learner {
    name: kind::TREE,
    about: "Decision-tree rules with deep tokens (Koppula et al., WSDM 2010)",
    candidates: |set, config| candidates(set, &config.tree, config.seed),
    counting: Counting::WithDuplicate,
    support: |evidence| evidence.coverage,
    order: Order::NarrowFirst,
    from_urls: None,
};

/// The candidates of a crawl, class by class. The same for the same crawl, settings and seed.
///
/// O(n log n) in the URLs, times their number of keys; contexts are learned from at most
/// 10,000 sources of a class, deep patterns from at most 2,000 values of a key.
pub(crate) fn candidates(
    set: &TrainingSet<'_>,
    settings: &TreeConfig,
    seed: u64,
) -> CandidateRules {
    let urls = set.pages().iter().map(|page| page.url.as_ref());
    let conventions = match settings.deep_tokens {
        true => Conventions::learn(urls),
        false => Conventions::default(),
    };
    let learner = TreeLearner { set, settings, conventions: &conventions, seed };
    let (rules, notes) = learner.rules();
    let mut seen = FxHashSet::default();
    let distinct = rules.into_iter().filter(|rule| seen.insert(rule.clone()));
    let rules = distinct.map(Rule::Keys).collect();
    CandidateRules { rules, notes, ..CandidateRules::default() }
}

struct TreeLearner<'l, 'a> {
    set: &'l TrainingSet<'a>,
    settings: &'l TreeConfig,
    conventions: &'a Conventions<'a>,
    seed: u64,
}

/// What turns one source of a cluster into its target.
struct Edited<'a> {
    source: &'a str,
    cluster: u32,
    edits: Vec<PlaceChange<'a>>,
}

/// What became of the URLs of one cluster.
#[derive(Default)]
struct ReadCluster<'a> {
    edited: Vec<Edited<'a>>,
    sampled: usize,
    unreadable: usize,
    alike: usize,
}

impl<'a> TreeLearner<'_, 'a> {
    fn rules(&self) -> (Vec<KeyRule>, Vec<String>) {
        let (edited, notes) = self.edited();
        let pairwise = address(edited);
        let mut classes =
            classes::generalise(&pairwise, classes::group(&pairwise), self.settings.max_values);
        classes = absorb::absorb(&pairwise, classes, self.conventions);
        classes = classes::delete_stars(classes);
        let order = self.order(&pairwise, &classes);
        let contexts = classes.par_iter().map(|class| {
            let tree = Tree {
                transformation: &class.transformation,
                order: &order,
                max_values: self.settings.max_values,
            };
            tree.rules(&self.sources(&pairwise, class))
        });
        (contexts.flatten_iter().collect(), notes)
    }

    /// The pairwise rules, cluster by cluster, not yet addressed.
    fn edited(&self) -> (Vec<Edited<'a>>, Vec<String>) {
        let clusters: Vec<u32> = (0..self.set.clusters().len() as u32).collect();
        let read: Vec<ReadCluster<'a>> =
            clusters.par_iter().map(|cluster| self.read(*cluster)).collect();
        let sum = |count: fn(&ReadCluster<'_>) -> usize| read.iter().map(count).sum::<usize>();
        let most = self.settings.sources_per_cluster;
        let notes = [
            (sum(|read| read.sampled), "duplicate cluster", format!("sampled: more than {most} sources")),
            (sum(|read| read.unreadable), "URL", "not used: not a URL, or more than 32 segments or arguments".into()),
            (sum(|read| read.alike), "URL", "not used: they differ from the canonical URL only in the order of arguments or the fragment".into()),
        ];
        let notes = notes.into_iter().filter(|(count, ..)| *count > 0);
        let notes =
            notes.map(|(count, what, why)| format!("{} {why}.", counted(count, what))).collect();
        (read.into_iter().flat_map(|read| read.edited).collect(), notes)
    }

    fn read(&self, cluster: u32) -> ReadCluster<'a> {
        let mut read = ReadCluster::default();
        let members = self.set.clusters().members(cluster).len();
        if members < 2 {
            return read;
        }
        let most = self.settings.sources_per_cluster;
        read.sampled = usize::from(members > most + 1);
        let target = UrlComponents::parse(self.set.canonical(cluster), self.conventions);
        for page in sources::sources(self.set, cluster, most, self.seed) {
            let source: &'a str = &self.set.pages()[page as usize].url;
            let components = UrlComponents::parse(source, self.conventions);
            let (Some(components), Some(target)) = (components, &target) else {
                read.unreadable += 1;
                continue;
            };
            match pairwise::edits(&components, target) {
                edits if edits.is_empty() => read.alike += 1,
                edits => read.edited.push(Edited { source, cluster, edits }),
            }
        }
        read
    }

    fn order(&self, pairwise: &[Pairwise<'a>], classes: &[Class<'a>]) -> KeyOrder<'a> {
        let of_classes = classes.iter().enumerate();
        let all: Vec<_> = of_classes
            .flat_map(|(number, class)| class.pairs.iter().map(move |pair| (*pair, number)))
            .collect();
        let sources = thin(&all, order::MAX_RULES).filter_map(|(pair, number)| {
            let source = pairwise[*pair as usize].source;
            Some((UrlComponents::parse(source, self.conventions)?, *number))
        });
        KeyOrder::learn(&sources.collect::<Vec<_>>())
    }

    fn sources(&self, pairwise: &[Pairwise<'a>], class: &Class<'a>) -> Vec<Source<'a>> {
        let sources = thin(&class.pairs, MAX_SOURCES).filter_map(|pair| {
            let Pairwise { source, cluster, .. } = pairwise[*pair as usize];
            let components = UrlComponents::parse(source, self.conventions)?;
            Some(Source { components, cluster })
        });
        sources.collect()
    }
}

/// Addresses every edit from the end from which more clusters agree on it.
fn address(edited: Vec<Edited<'_>>) -> Vec<Pairwise<'_>> {
    let mut addresses = Addresses::default();
    for rule in &edited {
        rule.edits.iter().for_each(|edit| addresses.count(edit, rule.cluster));
    }
    let pairwise = edited.into_iter().map(|rule| {
        let changes = rule.edits.iter().map(|edit| addresses.choose(edit));
        let mut transformation: Vec<_> = changes.collect();
        transformation.sort_unstable();
        Pairwise { source: rule.source, cluster: rule.cluster, transformation }
    });
    pairwise.collect()
}

/// At most `most` of the things, evenly spread.
fn thin<T>(things: &[T], most: usize) -> impl Iterator<Item = &T> {
    let kept = things.len().min(most);
    (0..kept).map(move |at| &things[at * things.len() / kept.max(1)])
}
