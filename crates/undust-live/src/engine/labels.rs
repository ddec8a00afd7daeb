//! Which pages are the same, told while they come: the clusters of
//! [`cluster`](fn@undust_cluster::clusters::cluster) for pages that only come.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use undust_cluster::clusters::ClusterOptions;
use undust_cluster::groups::UnionFind;
use undust_pages::page::Page;

/// Fingerprints that are compared for one block of bits at most. Of a crowd under one title the
/// latest are compared, so that the cost of a page is bounded.
const MOST_COMPARED: usize = 64;

/// The cluster of a page that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Labelled {
    /// The cluster, by its first page.
    pub label: u32,
    /// Whether no page before showed the same.
    pub is_new: bool,
}

/// Clusters of the pages so far. A page is its number, from 0.
#[derive(Debug)]
pub(super) struct Labels {
    options: ClusterOptions,
    sets: UnionFind,
    ends: FxHashMap<u32, u32>,
    digests: FxHashMap<u64, u32>,
    /// By title and fingerprint: the first page.
    fingerprints: FxHashMap<(u64, u64), u32>,
    /// By title, block of bits of the fingerprint, and these bits: pages with distinct
    /// fingerprints.
    blocks: FxHashMap<(u64, u8, u64), SmallVec<[u32; 2]>>,
    values: Vec<u64>,
}

impl Labels {
    pub(super) fn new(options: ClusterOptions) -> Self {
        Self {
            options,
            sets: UnionFind::new(0),
            ends: FxHashMap::default(),
            digests: FxHashMap::default(),
            fingerprints: FxHashMap::default(),
            blocks: FxHashMap::default(),
            values: Vec::new(),
        }
    }

    /// The cluster of a page that came before; it may have merged with others since.
    pub(super) fn of(&mut self, page: u32) -> u32 {
        self.sets.root(page)
    }

    /// The clusters of all pages so far.
    pub(super) fn all(&mut self) -> Vec<u32> {
        (0..self.values.len() as u32).map(|page| self.sets.root(page)).collect()
    }

    /// Takes the next page.
    pub(super) fn add(&mut self, page: &Page) -> Labelled {
        let id = self.sets.grow();
        self.values.push(page.simhash.map_or(0, |simhash| simhash.0));
        let end = *self.ends.entry(page.end).or_insert(id);
        self.unite(end, id);
        if let Some(digest) = page.digest {
            let same = *self.digests.entry(digest).or_insert(id);
            self.unite(same, id);
        }
        let title = if self.options.title { page.title } else { Some(0) };
        if let (Some(title), Some(simhash)) = (title, page.simhash) {
            self.unite_near(title, simhash.0, id);
        }
        let label = self.sets.root(id);
        Labelled { label, is_new: label == id }
    }

    fn unite(&mut self, one: u32, other: u32) {
        self.sets.union(one, other);
    }

    /// Two values that differ in at most k bits are equal in one of k + 1 blocks (Manku, Jain and
    /// Das Sarma, WWW 2007, section 3).
    fn unite_near(&mut self, title: u64, value: u64, id: u32) {
        if let Some(&same) = self.fingerprints.get(&(title, value)) {
            return self.unite(same, id);
        }
        self.fingerprints.insert((title, value), id);
        let width = 64_u32.div_ceil(self.options.bits + 1);
        for (block, start) in (0_u8..).zip((0..64).step_by(width as usize)) {
            let bits = (value >> start) & (u64::MAX >> (64 - width.min(64 - start)));
            let others = self.blocks.entry((title, block, bits)).or_default();
            let is_near = |other: &&u32| {
                (self.values[**other as usize] ^ value).count_ones() <= self.options.bits
            };
            let latest = others.iter().rev().take(MOST_COMPARED);
            let near: SmallVec<[u32; 4]> = latest.filter(is_near).copied().collect();
            others.push(id);
            for other in near {
                self.unite(other, id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use undust_cluster::clusters::{Clusters, cluster};
    use undust_pages::simhash::Simhash;

    use super::*;

    fn page() -> impl Strategy<Value = Page> {
        let content =
            (0_u32..30, prop::option::of(0_u64..3), 0_u64..512, prop::option::of(0_u64..40));
        content.prop_map(|(end, title, bits, digest)| Page {
            url: "http://a.test/".into(),
            end: end + 100 * u32::from(end > 4),
            title,
            // Nine bits, spread over the fingerprint.
            simhash: Some(Simhash((0..9).map(|bit| ((bits >> bit) & 1) << (7 * bit)).sum())),
            digest: digest.filter(|digest| *digest < 5),
            ..Page::default()
        })
    }

    proptest! {
        #[test]
        fn pages_that_come_one_by_one_are_clustered_as_all_at_once(
            pages in prop::collection::vec(page(), 1..50),
            bits in 0_u32..4,
            title: bool,
        ) {
            let options = ClusterOptions { bits, title };
            let mut labels = Labels::new(options);
            let mut new = 0;
            for page in &pages {
                new += usize::from(labels.add(page).is_new);
            }
            let expected = cluster(&pages, &options);
            prop_assert!(new >= expected.len());
            prop_assert_eq!(Clusters::from_labels(labels.all()), expected);

        }
    }
}
