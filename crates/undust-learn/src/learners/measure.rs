//! What each rule does to a crawl, counted; and rules that add nothing to others, left out.

mod labelled_urls;
mod survey;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use undust_rules::index::RuleIndex;
use undust_rules::measured::{MeasuredRule, RuleEvidence};
use undust_rules::rule::Rule;
use undust_url::keyed_url::KeyedUrl;

pub(crate) use self::labelled_urls::LabelledUrls;
use self::survey::{Survey, retain, survey};
use crate::collisions::Collisions;
use crate::observer::Observer;

/// Images held at once while rules are measured: some 400 MB at most.
const IMAGES: usize = 1 << 24;

/// URLs that one thread takes at a time.
const CHUNK: usize = 4096;

impl LabelledUrls<'_> {
    fn example(&self, rule: &Rule, changes: &[RuleChange]) -> Option<[String; 2]> {
        let first = changes.iter().map(|change| change.url).min()?;
        let url = self.urls[first as usize];
        Some([url.to_owned(), rule.apply(url)?])
    }

    /// Adds up what becomes of the URLs that get one form: `bucket`, changed, and `resident`,
    /// which has the form already. `target` is the URL that the form is, changed or not.
    fn count_bucket(
        &self,
        bucket: &[RuleChange],
        target: Option<u32>,
        resident: Option<u32>,
        evidence: &mut RuleEvidence,
    ) {
        let cluster = |url: u32| self.clusters[url as usize];
        for change in bucket {
            let (has_duplicate, wrong) = (
                self.has_duplicate(change.url),
                target.is_some_and(|target| cluster(target) != cluster(change.url)),
            );
            evidence.known += usize::from(target.is_some());
            evidence.wrong += usize::from(wrong);
            evidence.with_duplicate += usize::from(has_duplicate);
            evidence.wrong_with_duplicate += usize::from(has_duplicate && wrong);
        }
        let urls = bucket.iter().map(|change| change.url).chain(resident);
        let mut clusters: Vec<u32> = urls.map(cluster).collect();
        let counts = Collisions::of_form(&mut clusters);
        evidence.shared += counts.merged;
        evidence.strict_collisions += counts.strict;
        evidence.collisions += counts.outside;
    }
}

/// One URL that a rule changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RuleChange {
    rule: u32,
    /// Hash of its image: of 10⁷ distinct ones two agree with a probability of 3·10⁻⁶.
    image: u64,
    url: u32,
}

/// Measures each rule alone, applied once to each URL. The rules keep their order.
///
/// Linear in the URLs, whatever the rules: where a URL would meet too many of them, those that
/// promise least are left out (see [`survey`](mod@survey)). Memory is bounded but for a few bytes
/// a URL and a rule.
pub(crate) fn measure(
    rules: Vec<Rule>,
    urls: &LabelledUrls<'_>,
    observer: &dyn Observer,
) -> Measured {
    observer.progress("trying rules", 0, 0);
    let Survey { rules: mut measured, seen, costly } = survey(rules, urls);
    let coverages: Vec<usize> = seen.iter().map(|seen| seen.coverage).collect();
    let all = measured.len();
    for batch in batches(&coverages) {
        let (before, here, seen) = (batch.start, batch.len(), AtomicUsize::new(0));
        measure_batch(&mut measured[batch], urls, &|more| {
            let seen = seen.fetch_add(more, Ordering::Relaxed) + more;
            observer.progress("measuring rules", before + here * seen / urls.len().max(1), all);
        });
    }
    let sentence = || {
        format!(
            "{costly} of {} candidates were left out to limit the work; these were right least often.",
            costly + measured.len()
        )
    };
    Measured { note: (costly > 0).then(sentence), rules: measured }
}

/// What is known of the candidates.
#[derive(Debug)]
pub(crate) struct Measured {
    /// The candidates, in their order.
    pub rules: Vec<MeasuredRule>,
    /// That some were too costly, if so.
    pub note: Option<String>,
}

/// The rules without what is known of them.
fn alone(rules: &[MeasuredRule]) -> Vec<&Rule> {
    rules.iter().map(|measured| &measured.rule).collect()
}

/// Hands `each` the rules that change `url`, and its images under them.
fn each_image(
    index: &RuleIndex,
    rules: &[&Rule],
    url: &str,
    found: &mut Vec<u32>,
    each: &mut dyn FnMut(u32, &str),
) {
    let keyed = KeyedUrl::parse(url);
    index.find(url, keyed.as_ref(), found);
    for &rule in found.iter() {
        if let Some(image) = rules[rule as usize].apply_to(url, keyed.as_ref()) {
            each(rule, &image);
        }
    }
}

/// Runs of rules whose images fit into memory together; a rule that alone has more is alone.
fn batches(coverages: &[usize]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut images) = (0, 0);
    for (rule, coverage) in coverages.iter().enumerate() {
        if images + coverage > IMAGES && rule > start {
            batches.push(start..rule);
            (start, images) = (rule, 0);
        }
        images += coverage;
    }
    batches.push(start..coverages.len());
    batches
}

/// Every change that a rule makes to a URL, sorted; rules by their places. `seen` is called with every
/// few URLs that all rules have seen.
fn changes(
    rules: &[MeasuredRule],
    urls: &LabelledUrls<'_>,
    seen: &(dyn Fn(usize) + Sync),
) -> Vec<RuleChange> {
    let rules = alone(rules);
    let index = RuleIndex::new(&rules);
    let of_chunk = |(chunk, urls): (usize, &[&str])| {
        let (mut found, mut changes) = (Vec::new(), Vec::new());
        for (url, text) in ((chunk * CHUNK) as u32..).zip(urls) {
            each_image(&index, &rules, text, &mut found, &mut |rule, image| {
                changes.push(RuleChange { rule, image: xxh3_64(image.as_bytes()), url });
            });
        }
        seen(urls.len());
        changes
    };
    let changes = urls.urls.par_chunks(CHUNK).enumerate().flat_map_iter(of_chunk);
    let mut changes: Vec<RuleChange> = changes.collect();
    changes.par_sort_unstable();
    changes
}

fn measure_batch(
    rules: &mut [MeasuredRule],
    urls: &LabelledUrls<'_>,
    seen: &(dyn Fn(usize) + Sync),
) {
    let changes = changes(rules, urls, seen);
    let mut changed_by = vec![u32::MAX; urls.len()];
    for of_rule in changes.chunk_by(|a, b| a.rule == b.rule) {
        let rule = of_rule[0].rule;
        of_rule.iter().for_each(|change| changed_by[change.url as usize] = rule);
        let MeasuredRule { rule: measured, evidence, example } = &mut rules[rule as usize];
        *example = urls.example(measured, of_rule);
        evidence.coverage = of_rule.len();
        for bucket in of_rule.chunk_by(|a, b| a.image == b.image) {
            let target = urls.places.get(&bucket[0].image).copied();
            let stays = |target: &u32| changed_by[*target as usize] != rule;
            urls.count_bucket(bucket, target, target.filter(stays), evidence);
        }
    }
}

/// Without the redundant rules: a rule goes if every URL that it changes gets the same image
/// from rules of larger coverage. The order stays. Leaves the rules as they are where their
/// coverages add up to more than 16 million.
pub(crate) fn without_redundant(
    rules: Vec<MeasuredRule>,
    urls: &LabelledUrls<'_>,
) -> Vec<MeasuredRule> {
    let coverage = |rule: usize| rules[rule].evidence.coverage;
    if (0..rules.len()).map(coverage).sum::<usize>() > IMAGES {
        return rules;
    }
    let changes = changes(&rules, urls, &|_| {});
    let mut broad_first: Vec<usize> = (0..rules.len()).collect();
    broad_first.sort_by_key(|rule| (Reverse(coverage(*rule)), *rule));
    let mut done: FxHashSet<(u64, u32)> = FxHashSet::default();
    let mut is_kept = vec![false; rules.len()];
    for rule in broad_first {
        let from = changes.partition_point(|change| (change.rule as usize) < rule);
        let own = changes[from..].iter().take_while(|change| change.rule as usize == rule);
        for change in own {
            is_kept[rule] |= done.insert((change.image, change.url));
        }
    }
    let mut rules = rules;
    retain(&mut rules, &is_kept);
    rules
}
