//! How a method does on URLs of a kind that it learned from, and on URLs of a kind that it never saw.
//! The kind is the URL's shape: its pieces with function words kept and arguments replaced by their
//! types.

use std::mem::replace;

use rustc_hash::FxHashSet;
use serde::Serialize;

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;
use undust_url::lexicon::Symbol;
use undust_url::pieces::pieces;

use crate::function_words::function_words;
use crate::simulate::{Replay, f1, ratio};

/// The figures of a replay, apart by whether the URL's shape occurred in the part learned from.
///
/// A cluster may have URLs of both kinds. It counts by its first URL in crawl order: a crawler
/// without a model fetches that one, and if the cluster is lost, that one was skipped first. A fetch
/// counts by the URL fetched; it shows something new if no earlier fetch showed its cluster. So the
/// counts of both kinds add up to those of the whole replay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct FiguresByShape {
    /// Of URLs whose shape occurred.
    pub seen: ShapeFigures,
    /// Of URLs whose shape did not.
    pub unseen: ShapeFigures,
}

/// The figures of the URLs of one kind. None of them is ever NaN.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ShapeFigures {
    /// URLs to test on.
    pub urls: usize,
    /// Clusters whose first URL is one of them.
    pub clusters: usize,
    /// URLs fetched.
    pub crawled: usize,
    /// Clusters never seen, of those that count here.
    pub lost: usize,
    /// Fetches that showed nothing new.
    pub redundant: usize,
    /// Share of the fetches that showed something new; 1 if there are none.
    pub precision: f64,
    /// Share of the clusters that were seen; 1 if there are none.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl FiguresByShape {
    /// `clusters` and `is_seen` must be those of the pages replayed. Linear.
    pub(super) fn of(replay: &Replay, clusters: &Clusters, is_seen: &[bool]) -> Self {
        let mut sides = Self::default();
        let mut is_counted = vec![false; clusters.len()];
        let mut is_shown = vec![false; clusters.len()];
        let pages = clusters.labels().iter().zip(is_seen).zip(&replay.fetched);
        for ((&cluster, &is_seen), &is_fetched) in pages {
            let cluster = cluster as usize;
            let side = if is_seen { &mut sides.seen } else { &mut sides.unseen };
            side.urls += 1;
            if !replace(&mut is_counted[cluster], true) {
                side.clusters += 1;
                side.lost += usize::from(replay.fetches[cluster] == 0);
            }
            if is_fetched {
                side.crawled += 1;
                side.redundant += usize::from(replace(&mut is_shown[cluster], true));
            }
        }
        Self { seen: sides.seen.rated(), unseen: sides.unseen.rated() }
    }
}

impl ShapeFigures {
    /// The counts with their rates.
    fn rated(self) -> Self {
        let precision = ratio(self.crawled - self.redundant, self.crawled);
        let recall = ratio(self.clusters - self.lost, self.clusters);
        Self { precision, recall, f1: f1(precision, recall), ..self }
    }
}

/// For each page to test on, whether the URL of a page to learn from has its shape. The function
/// words are those that at least `word_share` of the pages to learn from have, for every method
/// alike. URLs are taken as crawled. Linear in their length.
pub(super) fn have_seen_shape(train: &[Page], test: &[Page], word_share: f64) -> Vec<bool> {
    let lexicon = function_words(train.iter().map(|page| page.url.as_ref()), word_share);
    let shape = |page: &Page| -> Box<[Symbol]> {
        pieces(&page.url).map(|piece| lexicon.symbol(piece)).collect()
    };
    let seen: FxHashSet<Box<[Symbol]>> = train.iter().map(shape).collect();
    test.iter().map(|page| seen.contains(&shape(page))).collect()
}

#[cfg(test)]
mod tests;
