//! Which pages of a crawl are the same: duplicate clusters. Every method learns from them and
//! is evaluated on them.
//!
//! Two URLs are in one cluster if their redirects end at one page, if their pages have equal
//! digests, or if their pages have the same title and fingerprints at most k bits apart (Xu,
//! Liu and Callan, SIGIR 2017, section 2.2: the title puts precision before recall). Short pages
//! must have equal texts, too, apart from numbers ([`ClusterOptions::blocking_key`]). Clusters
//! are closed under transitivity. Pages have no minimum length: many URLs may lead to one
//! log-in page, and the learners have to cope with that cluster.

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_pages::TextHash;
use undust_pages::page::Page;
use undust_util::op_counter;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::groups::UnionFind;
use crate::hamming::{self, Fingerprint};

/// What makes two pages the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClusterOptions {
    /// k, the most bits in which two fingerprints may differ: 0 to 7.
    pub bits: u32,
    /// Whether near fingerprints count only under the same title. A page without a title is
    /// then near no other.
    pub title: bool,
}

impl ClusterOptions {
    /// The blocking key of a page: fingerprints are compared only where it is equal. It is the
    /// title, and on a short page its text, too: most of such a page is the menu of the site, and
    /// three bits forgive a whole word. None for a page that is near no other.
    pub fn blocking_key(&self, title: Option<u64>, short_text: Option<TextHash>) -> Option<u64> {
        let title = if self.title { title? } else { 0 };
        let of_text = |TextHash(text): TextHash| xxh3_64_with_seed(&text.to_le_bytes(), title);
        Some(short_text.map_or(title, of_text))
    }
}

/// The values of the paper: 3 bits, and the same title.
impl Default for ClusterOptions {
    fn default() -> ClusterOptions {
        ClusterOptions { bits: 3, title: true }
    }
}

/// A partition of pages. A page is its position in the slice that was clustered. Clusters are
/// numbered from 0, in the order of their first pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clusters {
    labels: Vec<u32>,
    /// The members of cluster c are `members[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Clusters {
    /// From labels that somebody brings, one for each page, in the order of the pages: pages with
    /// equal labels are together. Linear.
    pub fn from_labels<L: Eq + Hash>(labels: impl IntoIterator<Item = L>) -> Clusters {
        let mut numbers = FxHashMap::default();
        let mut number = |label| {
            let next = numbers.len() as u32;
            *numbers.entry(label).or_insert(next)
        };
        Clusters::from_dense(labels.into_iter().map(&mut number).collect())
    }

    /// From one label for each page: labels are dense and in the order of first use, as
    /// [`UnionFind::into_labels`] makes them.
    fn from_dense(labels: Vec<u32>) -> Clusters {
        let clusters = labels.iter().max().map_or(0, |&last| last as usize + 1);
        let mut starts = vec![0; clusters + 1];
        for &label in &labels {
            starts[label as usize + 1] += 1;
        }
        for cluster in 0..clusters {
            starts[cluster + 1] += starts[cluster];
        }
        let mut next = starts.clone();
        let mut members = vec![0; labels.len()];
        for (page, &label) in (0..).zip(&labels) {
            let slot = &mut next[label as usize];
            members[*slot as usize] = page;
            *slot += 1;
        }
        Clusters { labels, starts, members }
    }

    /// The number of clusters, including those of a single page.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there was no page.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The cluster of each page.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// The cluster of a page; `page` must be below the number of pages.
    pub fn of(&self, page: usize) -> u32 {
        self.labels[page]
    }

    /// The pages of a cluster, ascending; `cluster` must be below [`Self::len`].
    pub fn members(&self, cluster: u32) -> &[u32] {
        let (start, end) = (self.starts[cluster as usize], self.starts[cluster as usize + 1]);
        &self.members[start as usize..end as usize]
    }

    /// The pages of each cluster, in the order of the clusters.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len() as u32).map(|cluster| self.members(cluster))
    }
}

/// Clusters pages by their content. The order of the pages does not change which of them are
/// together. Nearly linear in the pages.
pub fn cluster(pages: &[Page], options: &ClusterOptions) -> Clusters {
    cluster_counting(pages, options, &AtomicU64::new(0))
}

/// The same; `done` counts the pages on the way, until it holds all of them.
pub fn cluster_counting(pages: &[Page], options: &ClusterOptions, done: &AtomicU64) -> Clusters {
    let mut sets = UnionFind::new(pages.len());
    unite_equal(&mut sets, pages.iter().map(|page| Some(page.end)));
    unite_equal(&mut sets, pages.iter().map(|page| page.digest));
    unite_near(&mut sets, pages, options, done);
    Clusters::from_dense(sets.into_labels())
}

fn unite_equal<K: Eq + Hash>(sets: &mut UnionFind, keys: impl Iterator<Item = Option<K>>) {
    let mut first_with = FxHashMap::default();
    for (page, key) in (0..).zip(keys) {
        let Some(key) = key else { continue };
        match first_with.entry(key) {
            Entry::Occupied(first) => sets.union(*first.get(), page),
            Entry::Vacant(entry) => _ = entry.insert(page),
        }
    }
}

fn unite_near(sets: &mut UnionFind, pages: &[Page], options: &ClusterOptions, done: &AtomicU64) {
    let keyed = |(id, page): (u32, &Page)| {
        let key = options.blocking_key(page.title, page.short_text)?;
        Some((key, Fingerprint { value: page.simhash?.0, id }))
    };
    let mut keyed: Vec<(u64, Fingerprint)> = (0..).zip(pages).filter_map(keyed).collect();
    done.fetch_add((pages.len() - keyed.len()) as u64, Ordering::Relaxed);
    keyed.sort_unstable_by_key(|(key, item)| (*key, item.id));
    let mut bucket = Vec::new();
    for same_key in keyed.chunk_by(|a, b| a.0 == b.0) {
        bucket.clear();
        bucket.extend(same_key.iter().map(|(_, item)| *item));
        op_counter::count(hamming::join(&mut bucket, options.bits, sets) as usize);
        done.fetch_add(bucket.len() as u64, Ordering::Relaxed);
    }
}
