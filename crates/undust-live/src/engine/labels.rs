//! Which pages are the same, told while they come: the clusters of
//! [`cluster`](fn@undust_cluster::clusters::cluster) for pages that only come.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use undust_cluster::clusters::ClusterOptions;
use undust_cluster::groups::UnionFind;
use undust_pages::page::Page;

/// Fingerprints that are compared for one block of bits at most. Of a crowd under one blocking key the
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
    /// Hashes what pages show, so that nobody can have their hashes meet.
    salt: u64,
    sets: UnionFind,
    ends: FxHashMap<u32, u32>,
    digests: FxHashMap<u64, u32>,
    /// By hash of blocking key and fingerprint: the first page.
    fingerprints: FxHashMap<u64, u32>,
    distinct: Distinct,
    pages: u32,
}

/// Distinct fingerprints under their blocking keys, in the order in which they came.
#[derive(Debug, Default)]
struct Distinct {
    /// The fingerprint, and the first page that has it.
    values: Vec<(u64, u32)>,
    /// By hash of blocking key, block of bits, and these bits: the number of the latest fingerprint.
    latest: FxHashMap<u64, u32>,
    /// Of each fingerprint and block: the number of the one before it with the same bits, and 1.
    before: Vec<u32>,
}

impl Labels {
    pub(super) fn new(options: ClusterOptions, salt: u64) -> Self {
        Self {
            options,
            salt,
            sets: UnionFind::new(0),
            ends: FxHashMap::default(),
            digests: FxHashMap::default(),
            fingerprints: FxHashMap::default(),
            distinct: Distinct::default(),
            pages: 0,
        }
    }

    /// The cluster of a page that came before; it may have merged with others since.
    pub(super) fn of(&mut self, page: u32) -> u32 {
        self.sets.root(page)
    }

    /// The clusters of all pages so far.
    pub(super) fn all(&mut self) -> Vec<u32> {
        (0..self.pages).map(|page| self.sets.root(page)).collect()
    }

    /// Takes the next page.
    pub(super) fn add(&mut self, page: &Page) -> Labelled {
        let id = self.sets.grow();
        self.pages += 1;
        let end = *self.ends.entry(page.end).or_insert(id);
        self.unite(end, id);
        if let Some(digest) = page.digest {
            let same = *self.digests.entry(hash(self.salt, digest)).or_insert(id);
            self.unite(same, id);
        }
        let key = self.options.blocking_key(page.title, page.short_text);
        if let (Some(key), Some(simhash)) = (key, page.simhash) {
            self.unite_near(hash(self.salt, key), simhash.0, id);
        }
        let label = self.sets.root(id);
        Labelled { label, is_new: label == id }
    }

    fn unite(&mut self, one: u32, other: u32) {
        self.sets.union(one, other);
    }

    fn unite_near(&mut self, blocking_key: u64, value: u64, id: u32) {
        match self.fingerprints.entry(hash(blocking_key, value)) {
            Entry::Occupied(same) => {
                let same = *same.get();
                self.unite(same, id);
            }
            Entry::Vacant(free) => {
                free.insert(id);
                for near in self.distinct.add(blocking_key, value, id, self.options.bits) {
                    self.unite(near, id);
                }
            }
        }
    }
}

impl Distinct {
    /// Adds a fingerprint; pages whose fingerprints differ in at most this many bits.
    ///
    /// Two values that differ in at most k bits are equal in one of k + 1 blocks (Manku, Jain and
    /// Das Sarma, WWW 2007, section 3).
    fn add(&mut self, blocking_key: u64, value: u64, page: u32, bits: u32) -> SmallVec<[u32; 4]> {
        let number = self.values.len() as u32;
        self.values.push((value, page));
        let (blocks, width) = (bits as usize + 1, 64_u32.div_ceil(bits + 1));
        let mut near = SmallVec::new();
        for block in 0..blocks {
            let start = block as u32 * width;
            // With many blocks the last ones have no bits.
            let bits_of_block = if start < 64 {
                (value >> start) & (u64::MAX >> (64 - width.min(64 - start)))
            } else {
                self.before.push(0);
                continue;
            };
            let key = hash(blocking_key.rotate_left(start), hash(block as u64, bits_of_block));
            let mut next = self.latest.insert(key, number).map_or(0, |latest| latest + 1);
            self.before.push(next);
            for _ in 0..MOST_COMPARED {
                let Some(other) = next.checked_sub(1) else { break };
                let (known, page) = self.values[other as usize];
                if (known ^ value).count_ones() <= bits {
                    near.push(page);
                }
                next = self.before[other as usize * blocks + block];
            }
        }
        near
    }
}

/// Of two hashes, one.
fn hash(one: u64, other: u64) -> u64 {
    xxh3_64_with_seed(&other.to_le_bytes(), one)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use undust_cluster::clusters::{Clusters, cluster};
    use undust_pages::simhash::Simhash;
    use undust_pages::text_hash::TextHash;

    use super::*;

    fn page() -> impl Strategy<Value = Page> {
        let hash = |most: u64| prop::option::of(0..most);
        let content = (0_u32..30, hash(3), 0_u64..512, hash(40), hash(3));
        content.prop_map(|(end, title, bits, digest, short_text)| Page {
            url: "http://a.test/".into(),
            end: end + 100 * u32::from(end > 4),
            title,
            // Nine bits, spread over the fingerprint.
            simhash: Some(Simhash((0..9).map(|bit| ((bits >> bit) & 1) << (7 * bit)).sum())),
            short_text: short_text.map(TextHash),
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
            let mut labels = Labels::new(options, 7);
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
