//! What a crawl would have cost and found with a method: the crawl simulator of Xu, Liu and
//! Callan (SIGIR 2017, section 3.2) and its metrics.

pub mod bootstrap;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use undust_cluster::clusters::Clusters;
use undust_model::translation::Canonicalizer;
use undust_pages::page::Page;

/// What a method fetched when the URLs of a crawl were offered to it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// URLs fetched.
    pub crawled: usize,
    /// Clusters with at least one fetched URL.
    pub covered: usize,
    /// All clusters.
    pub clusters: usize,
    /// For each page, whether its URL was fetched.
    pub fetched: Vec<bool>,
    /// For each cluster, how many of its URLs were fetched.
    pub fetches: Vec<u32>,
}

impl Replay {
    /// Share of the fetched pages that showed something new. 1 if nothing was fetched: nothing
    /// was wasted.
    pub fn precision(&self) -> f64 {
        ratio(self.covered, self.crawled)
    }

    /// Share of the clusters that were fetched; 1 if there are none.
    pub fn recall(&self) -> f64 {
        ratio(self.covered, self.clusters)
    }

    /// Harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        f1(self.precision(), self.recall())
    }

    /// Clusters never fetched.
    pub fn lost(&self) -> usize {
        self.clusters - self.covered
    }

    /// Fetches that showed nothing new.
    pub fn redundant(&self) -> usize {
        self.crawled - self.covered
    }
}

/// The share of a part; 1 of nothing.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The harmonic mean of a precision and a recall.
pub(crate) fn f1(precision: f64, recall: f64) -> f64 {
    let sum = precision + recall;
    if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
}

/// Offers the URL of each page once, in order, and fetches it unless a URL with the same
/// canonical form was fetched before. Nothing is known at the start.
///
/// `clusters` must be those of `pages`. Takes one canonicalisation and one look-up for each
/// page, and the memory of the forms.
pub fn simulate(pages: &[Page], clusters: &Clusters, method: &dyn Canonicalizer) -> Replay {
    method.prepare(&mut pages.iter().map(|page| &*page.url));
    let mut seen = HashSet::new();
    let mut fetches = vec![0; clusters.len()];
    let mut fetched = Vec::with_capacity(pages.len());
    for (page, &cluster) in pages.iter().zip(clusters.labels()) {
        let is_new = seen.insert(method.canonical(&page.url));
        fetches[cluster as usize] += u32::from(is_new);
        fetched.push(is_new);
    }
    Replay {
        crawled: seen.len(),
        covered: fetches.iter().filter(|&&count| count > 0).count(),
        clusters: clusters.len(),
        fetched,
        fetches,
    }
}
