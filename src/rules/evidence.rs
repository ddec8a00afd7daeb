//! What each rule would do to a crawl: the counts by which rules are kept, ordered and shown.

use std::cmp::Reverse;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::index::Index;
use super::rule::Rule;
use super::set::MeasuredRule;
use crate::cluster::Clusters;
use crate::collisions::Collisions;
use crate::config::FalsePositives;
use crate::page::Page;
use crate::url::KeyedUrl;

/// Images held at once while rules are measured: some 400 MB at most.
const IMAGES: usize = 1 << 24;

/// URLs that one thread takes at a time.
const CHUNK: usize = 4096;

/// The URLs by which rules are measured, and the cluster of each.
#[derive(Debug)]
pub struct LabelledUrls<'s> {
    urls: Vec<&'s str>,
    clusters: Vec<u32>,
    /// By cluster: how many of its URLs are in the sample.
    sizes: Vec<u32>,
    /// By hash of the URL: its place.
    places: FxHashMap<u64, u32>,
}

/// What a rule, applied once and alone, does to some pages of a crawl. Numbers of URLs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// URLs that the rule changes.
    pub coverage: usize,
    /// Of these, those whose image is a URL of the crawl.
    pub known: usize,
    /// Of these, those whose image is in another cluster: false positives as the papers on
    /// rewrite rules and DustBuster count them.
    pub wrong: usize,
    /// Coverage without pages that have no duplicate (Koppula et al., section 5.2).
    pub judged: usize,
    /// `wrong` without pages that have no duplicate.
    pub misjudged: usize,
    /// URLs, changed ones and those that they become, that share their form with another:
    /// DUSTER's support.
    pub shared: usize,
    /// Of these, those whose form spans more than one cluster: DUSTER's false positives.
    pub mixed: usize,
    /// Key collisions: URLs outside their form's majority cluster. Each is a page that a crawler
    /// would miss.
    pub collisions: usize,
}

/// By whose count a share of false positives is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Image in another cluster, of all URLs changed: rewrite rules.
    Changed,
    /// The same among pages with duplicates: decision-tree rules.
    Judged,
    /// The same among known images: DustBuster.
    Known,
    /// URLs in mixed buckets, of those in buckets: DUSTER.
    Buckets,
}

impl Evidence {
    /// The share of false positives; 0 where there is nothing to share.
    pub fn rate(&self, count: FalsePositives, paper: Counting) -> f64 {
        let (part, whole) = match (count, paper) {
            (FalsePositives::Collisions, _) => (self.collisions, self.coverage),
            (FalsePositives::Strict, _) => (self.mixed, self.coverage),
            (FalsePositives::Paper, Counting::Changed) => (self.wrong, self.coverage),
            (FalsePositives::Paper, Counting::Judged) => (self.misjudged, self.judged),
            (FalsePositives::Paper, Counting::Known) => (self.wrong, self.known),
            (FalsePositives::Paper, Counting::Buckets) => (self.mixed, self.shared),
        };
        if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
    }
}

impl<'s> LabelledUrls<'s> {
    /// The pages of the clusters that `is_left_out`, by cluster, does not name. Linear.
    pub fn new(pages: &'s [Page], clusters: &Clusters, is_left_out: &[bool]) -> Self {
        let mut sample = LabelledUrls {
            urls: Vec::new(),
            clusters: Vec::new(),
            sizes: vec![0; clusters.len()],
            places: FxHashMap::default(),
        };
        for (page, &cluster) in pages.iter().zip(clusters.labels()) {
            if is_left_out.get(cluster as usize) == Some(&true) {
                continue;
            }
            let place = sample.urls.len() as u32;
            sample.places.insert(xxh3_64(page.url.as_bytes()), place);
            sample.urls.push(&page.url);
            sample.clusters.push(cluster);
            sample.sizes[cluster as usize] += 1;
        }
        sample
    }

    /// URLs of which it is not known what they show: as if all showed one page.
    pub fn unlabelled(urls: Vec<&'s str>) -> Self {
        let places = (0..).zip(&urls).map(|(place, url)| (xxh3_64(url.as_bytes()), place));
        let (places, sizes) = (places.collect(), vec![urls.len() as u32]);
        LabelledUrls { clusters: vec![0; urls.len()], urls, sizes, places }
    }

    /// Number of URLs.
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    fn has_duplicate(&self, url: u32) -> bool {
        self.sizes[self.clusters[url as usize] as usize] > 1
    }
}

/// One URL that a rule changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    rule: u32,
    /// Hash of what it becomes: of 10⁷ distinct ones two agree with a probability of 3·10⁻⁶.
    image: u64,
    url: u32,
}

/// A rule's evidence, with an example.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// The counts.
    pub evidence: Evidence,
    /// The first URL that the rule changes, and what it becomes.
    pub example: Option<[String; 2]>,
}

impl Measured {
    /// The rule with what is known of it.
    pub fn describe(&self, rule: &Rule) -> MeasuredRule {
        MeasuredRule { rule: rule.clone(), evidence: self.evidence, example: self.example.clone() }
    }
}

/// Measures each rule alone, applied once to each URL. Time grows with the sum of the rules'
/// coverages, and with the number of rules only where these have no feature of their own (see
/// [`Index`]); memory is bounded but for a few bytes a URL and a rule.
pub fn measure(rules: &[Rule], sample: &LabelledUrls<'_>) -> Vec<Measured> {
    let mut measured = vec![Measured::default(); rules.len()];
    let everything: Vec<&Rule> = rules.iter().collect();
    let coverage = coverage(&Index::new(&everything), &everything, sample);
    for (measured, coverage) in measured.iter_mut().zip(coverage) {
        measured.evidence.coverage = coverage;
    }
    let mut batch: Vec<usize> = Vec::new();
    let mut images = 0;
    for rule in 0..rules.len() {
        let coverage = measured[rule].evidence.coverage;
        if images + coverage > IMAGES && !batch.is_empty() {
            measure_batch(rules, &batch, sample, &mut measured);
            (images, batch) = (0, Vec::new());
        }
        images += coverage;
        batch.push(rule);
    }
    measure_batch(rules, &batch, sample, &mut measured);
    measured
}

fn coverage(index: &Index, rules: &[&Rule], sample: &LabelledUrls<'_>) -> Vec<usize> {
    let none = || vec![0; rules.len()];
    let chunks = sample.urls.par_chunks(CHUNK.max(sample.len() / 16));
    let count = |mut counts: Vec<usize>, urls: &[&str]| {
        let mut found = Vec::new();
        for url in urls {
            each_image(index, rules, url, &mut found, &mut |rule, _| counts[rule as usize] += 1);
        }
        counts
    };
    let add = |mut sum: Vec<usize>, counts: Vec<usize>| {
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        sum
    };
    chunks.fold(none, count).reduce(none, add)
}

fn each_image(
    index: &Index,
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

/// What each rule does to each URL that it changes, sorted; rules by their places.
fn changes(rules: &[&Rule], sample: &LabelledUrls<'_>) -> Vec<Change> {
    let index = Index::new(rules);
    let of_chunk = |(chunk, urls): (usize, &[&str])| {
        let (mut found, mut changes) = (Vec::new(), Vec::new());
        for (url, text) in ((chunk * CHUNK) as u32..).zip(urls) {
            each_image(&index, rules, text, &mut found, &mut |rule, image| {
                changes.push(Change { rule, image: xxh3_64(image.as_bytes()), url });
            });
        }
        changes
    };
    let changes = sample.urls.par_chunks(CHUNK).enumerate().flat_map_iter(of_chunk);
    let mut changes: Vec<Change> = changes.collect();
    changes.par_sort_unstable();
    changes
}

/// Without the rules that do nothing which others do not: a rule goes if every URL that it
/// changes gets the same image from rules of larger coverage. The order stays. Leaves the rules
/// as they are where their coverages add up to more than 16 million.
pub fn without_redundant(rules: Vec<MeasuredRule>, sample: &LabelledUrls<'_>) -> Vec<MeasuredRule> {
    let coverage = |rule: usize| rules[rule].evidence.coverage;
    if (0..rules.len()).map(coverage).sum::<usize>() > IMAGES {
        return rules;
    }
    let changes = changes(&rules.iter().map(|learned| &learned.rule).collect::<Vec<_>>(), sample);
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
    let mut kept = is_kept.into_iter();
    rules.into_iter().filter(|_| kept.next() == Some(true)).collect()
}

fn measure_batch(rules: &[Rule], batch: &[usize], sample: &LabelledUrls<'_>, out: &mut [Measured]) {
    let chosen: Vec<&Rule> = batch.iter().map(|&rule| &rules[rule]).collect();
    let changes = changes(&chosen, sample);
    let mut changed_by = vec![u32::MAX; sample.len()];
    for of_rule in changes.chunk_by(|a, b| a.rule == b.rule) {
        let rule = of_rule[0].rule;
        of_rule.iter().for_each(|change| changed_by[change.url as usize] = rule);
        let Measured { evidence, example } = &mut out[batch[rule as usize]];
        *example = sample.example(chosen[rule as usize], of_rule);
        for bucket in of_rule.chunk_by(|a, b| a.image == b.image) {
            let target = sample.places.get(&bucket[0].image).copied();
            let stays = |target: &u32| changed_by[*target as usize] != rule;
            sample.judge(bucket, target, target.filter(stays), evidence);
        }
    }
}

impl LabelledUrls<'_> {
    fn example(&self, rule: &Rule, changes: &[Change]) -> Option<[String; 2]> {
        let first = changes.iter().map(|change| change.url).min()?;
        let url = self.urls[first as usize];
        Some([url.to_owned(), rule.apply(url)?])
    }

    /// Adds up what becomes of the URLs that get one form: `bucket`, changed, and `resident`,
    /// which has the form already. `target` is the URL that the form is, changed or not.
    fn judge(
        &self,
        bucket: &[Change],
        target: Option<u32>,
        resident: Option<u32>,
        evidence: &mut Evidence,
    ) {
        let cluster = |url: u32| self.clusters[url as usize];
        for change in bucket {
            let (judged, wrong) = (
                self.has_duplicate(change.url),
                target.is_some_and(|target| cluster(target) != cluster(change.url)),
            );
            evidence.known += usize::from(target.is_some());
            evidence.wrong += usize::from(wrong);
            evidence.judged += usize::from(judged);
            evidence.misjudged += usize::from(judged && wrong);
        }
        let urls = bucket.iter().map(|change| change.url).chain(resident);
        let mut clusters: Vec<u32> = urls.map(cluster).collect();
        let counts = Collisions::of_form(&mut clusters);
        evidence.shared += counts.merged;
        evidence.mixed += counts.mixed;
        evidence.collisions += counts.lost;
    }
}

#[cfg(test)]
mod tests;
