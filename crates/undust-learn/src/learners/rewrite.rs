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

use undust_rules::kind;
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
    name: kind::REWRITE,
    about: "Rewrite rules (Dasgupta, Kumar, Sasturkar, KDD 2008)",
    candidates: |set, config| candidates(set, &config.rewrite, config.seed),
    counting: Counting::Changed,
    support: |evidence| evidence.coverage,
    order: Order::NarrowFirst,
    from_urls: None,
};

/// URLs of a cluster that are paired; a sample where there are more.
const MOST_URLS: usize = 1000;

/// Makes rules of the clusters of two URLs or more. Each URL is paired with the canonical one alone, so that the
/// number of pairs grows with the URLs and not with the squares of the clusters. Linear in the pairs, but for
/// sorting them once a key.
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
        sampled += usize::from(members.len() > MOST_URLS);
        let urls = sample(set, cluster, members, &mut random);
        let Some(canonical) = book.read(set.canonical(cluster)) else { continue };
        let sources: Vec<_> = urls.into_iter().filter_map(|url| book.read(url)).collect();
        sources.iter().for_each(|source| book.add(source, &canonical));
    }
    let general = generalize(&mut book, settings.fan_out.max(2));
    let rules = general.into_iter().map(|rule| Rule::Keys(book.rule(&rule))).collect();
    let notes = (sampled > 0).then(|| note(sampled)).into_iter().collect();
    CandidateRules { rules, notes, ..CandidateRules::default() }
}

/// The URLs of a cluster that are paired with the canonical one.
fn sample<'c>(
    set: &TrainingSet<'c>,
    cluster: u32,
    members: &[u32],
    random: &mut ChaCha8Rng,
) -> Vec<&'c str> {
    let canonical = set.canonical(cluster);
    let url = |member: u32| &*set.pages()[member as usize].url;
    let others: Vec<_> =
        members.iter().map(|member| url(*member)).filter(|url| *url != canonical).collect();
    if others.len() < MOST_URLS {
        return others;
    }
    others.sample(random, MOST_URLS - 1).copied().collect()
}

fn note(sampled: usize) -> String {
    let clusters = counted(sampled, "cluster");
    format!("{clusters} with more than {MOST_URLS} URLs: {MOST_URLS} of each were paired.")
}
