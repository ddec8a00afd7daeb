//! Which pages are the same, told while they come: the clusters of
//! [`cluster`](fn@undust_cluster::clusters::cluster) for pages that only come.

use std::mem;

use serde::Serialize;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use undust_cluster::clusters::ClusterOptions;
use undust_cluster::groups::UnionFind;
use undust_pages::simhash::Simhash;
use undust_pages::text_hash::TextHash;

use super::compact::{Hashes, bits, pages_of};
use super::index::Index;

/// What a page shows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shown {
    pub title: Option<u64>,
    pub simhash: Option<Simhash>,
    pub short_text: Option<TextHash>,
    pub digest: Option<u64>,
}

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
    digests: Digests,
    distinct: Distinct,
}

/// The first page of each digest, which is hashed.
#[derive(Debug, Default)]
struct Digests {
    index: Index,
    all: Vec<u64>,
    /// In ascending order.
    pages: Vec<u32>,
}

/// Distinct fingerprints under their blocking keys, in the order in which they came.
#[derive(Debug, Default)]
struct Distinct {
    values: Vec<u64>,
    /// Hashes of their blocking keys.
    keys: Vec<u32>,
    /// The first page of each, in ascending order.
    pages: Vec<u32>,
    exact: Index,
    /// The first of those that are compared.
    first: u32,
    /// By block of bits: the latest fingerprint with the same bits there.
    latest: SmallVec<[Index; 4]>,
    /// Of each of them and each block: the number of the one before it with the same bits, and 1.
    before: Vec<u32>,
}

/// A fingerprint of pages that may be compared with it.
#[derive(Debug, Clone, Copy)]
struct Fingerprint {
    /// Hash of their blocking key.
    key: u32,
    value: u64,
}

impl Labels {
    pub(super) fn new(options: ClusterOptions, salt: u64) -> Self {
        Self {
            options,
            salt,
            sets: UnionFind::new(0),
            digests: Digests::default(),
            distinct: Distinct::default(),
        }
    }

    /// The cluster of a page that came before; it may have merged with others since.
    pub(super) fn of(&mut self, page: u32) -> u32 {
        self.sets.root(page)
    }

    /// The clusters of all pages so far.
    pub(super) fn sets(&self) -> UnionFind {
        self.sets.clone()
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        let Digests { index, all, pages } = &self.digests;
        let distinct = &self.distinct;
        let exact = size_of_val(distinct.values.as_slice())
            + size_of_val(distinct.keys.as_slice())
            + size_of_val(distinct.pages.as_slice())
            + distinct.exact.memory();
        let digests = index.memory() + size_of_val(all.as_slice()) + size_of_val(pages.as_slice());
        self.sets.memory() + digests + exact + distinct.compared()
    }

    /// Compares new fingerprints with fewer of the old ones, the latest, until that takes at most this many bytes.
    /// Equal ones are found all the same.
    pub(super) fn keep_within(&mut self, most: usize) {
        while self.distinct.compared() > most && !self.distinct.before.is_empty() {
            self.distinct.forget_half(self.options.bits);
        }
    }

    /// Takes the next page, which is in the cluster of `same`.
    pub(super) fn add(&mut self, shown: &Shown, same: Option<u32>) -> Labelled {
        let id = self.sets.grow();
        let digest = shown.digest.and_then(|digest| self.digests.add(hash(self.salt, digest), id));
        for same in [same, digest].into_iter().flatten() {
            self.sets.union(same, id);
        }
        let key = self.options.blocking_key(shown.title, shown.short_text);
        if let (Some(key), Some(simhash)) = (key, shown.simhash) {
            let fingerprint = Fingerprint { key: hash(self.salt, key) as u32, value: simhash.0 };
            for near in self.distinct.add(fingerprint, id, self.options.bits) {
                self.sets.union(near, id);
            }
        }
        let label = self.sets.root(id);
        Labelled { label, is_new: label == id }
    }
}

impl Digests {
    /// Adds one; the first page that had it.
    fn add(&mut self, digest: u64, page: u32) -> Option<u32> {
        let of = |number: u32| self.all[number as usize];
        if let Some(known) = self.index.get(digest, of) {
            return self.pages.get(known as usize).copied();
        }
        let number = self.all.len() as u32;
        self.all.push(digest);
        self.pages.push(page);
        self.index.insert(digest, number, |number| self.all[number as usize]);
        None
    }
}

impl Fingerprint {
    fn hash(self) -> u64 {
        hash(self.key.into(), self.value)
    }

    /// A hash of its bits in a block of this width, and of the blocking key; none for a block without bits.
    fn of_block(self, block: u32, width: u32) -> Option<u64> {
        let start = block * width;
        let mask =
            u64::MAX >> (64 - width.min(64_u32.checked_sub(start).filter(|rest| *rest > 0)?));
        let bits = (self.value >> start) & mask;
        Some(hash(u64::from(self.key).rotate_left(start), hash(u64::from(block), bits)))
    }
}

impl Distinct {
    fn of(&self, number: u32) -> Fingerprint {
        let number = number as usize;
        Fingerprint { key: self.keys[number], value: self.values[number] }
    }

    /// Adds a fingerprint; pages whose fingerprints differ in at most this many bits.
    ///
    /// Two values that differ in at most k bits are equal in one of k + 1 blocks (Manku, Jain and
    /// Das Sarma, WWW 2007, section 3).
    fn add(&mut self, new: Fingerprint, page: u32, bits: u32) -> SmallVec<[u32; 4]> {
        if let Some(same) = self.exact.get(new.hash(), |number| self.of(number).hash()) {
            return SmallVec::from_slice(&[self.pages[same as usize]]);
        }
        let number = self.values.len() as u32;
        self.values.push(new.value);
        self.keys.push(new.key);
        self.pages.push(page);
        let mut exact = mem::take(&mut self.exact);
        exact.insert(new.hash(), number, |number| self.of(number).hash());
        self.exact = exact;
        self.link(number, bits)
    }

    /// Makes a fingerprint one of those that are compared; the pages of those that are near it.
    fn link(&mut self, number: u32, bits: u32) -> SmallVec<[u32; 4]> {
        let (blocks, width) = (bits as usize + 1, 64_u32.div_ceil(bits + 1));
        self.latest.resize_with(blocks, Index::default);
        let (mut latest_of, mut near) = (mem::take(&mut self.latest), SmallVec::new());
        for (block, latest_of) in latest_of.iter_mut().enumerate() {
            let of = |number: u32| self.of(number).of_block(block as u32, width);
            // With many blocks the last ones have no bits.
            let Some(key) = of(number) else {
                self.before.push(0);
                continue;
            };
            let latest = latest_of.insert(key, number, |other| of(other).unwrap_or_default());
            let mut next = latest.map_or(0, |latest| latest + 1);
            self.before.push(next);
            for _ in 0..MOST_COMPARED {
                let Some(other) = next.checked_sub(1).filter(|other| *other >= self.first) else {
                    break;
                };
                if (self.values[other as usize] ^ self.values[number as usize]).count_ones() <= bits
                {
                    near.push(self.pages[other as usize]);
                }
                next = self.before[(other - self.first) as usize * blocks + block];
            }
        }
        self.latest = latest_of;
        near
    }

    /// Compares from now on with the newer half of those that are compared.
    fn forget_half(&mut self, bits: u32) {
        let len = self.values.len() as u32;
        self.first += (len - self.first).div_ceil(2);
        (self.latest, self.before) = (SmallVec::new(), Vec::new());
        for number in self.first..len {
            self.link(number, bits);
        }
    }

    /// Bytes of memory of what is there to compare.
    fn compared(&self) -> usize {
        self.latest.iter().map(Index::memory).sum::<usize>() + size_of_val(self.before.as_slice())
    }
}

/// What labels are made of again: sets, digests with their pages, fingerprints with their blocking keys and pages, and the
/// first that is compared.
pub(super) type KeptLabels =
    (UnionFind, Hashes<Vec<u64>>, Vec<u8>, Hashes<Vec<u64>>, Vec<u32>, Vec<u8>, u32);

impl Labels {
    /// What they can be made of again.
    pub(super) fn kept(&self) -> impl Serialize {
        let Self { sets, digests, distinct, .. } = self;
        let Distinct { values, keys, pages, first, .. } = distinct;
        debug_assert!(pages.is_sorted() && digests.pages.is_sorted());
        let [all, values] = [&digests.all, values].map(|hashes| Hashes(hashes.as_slice()));
        let [pages_of_all, pages] =
            [&digests.pages, pages].map(|pages| bits(pages.iter().copied()));
        (sets, all, pages_of_all, values, keys, pages, first)
    }

    /// The labels as they were.
    pub(super) fn from_kept(options: ClusterOptions, salt: u64, kept: KeptLabels) -> Self {
        let (sets, Hashes(all), pages_of_all, Hashes(values), keys, pages, first) = kept;
        let index = Index::of(0..all.len() as u32, |number| all[number as usize]);
        let digests = Digests { index, all, pages: pages_of(&pages_of_all) };
        let (len, pages) = (values.len() as u32, pages_of(&pages));
        let mut distinct = Distinct { values, keys, pages, first, ..Distinct::default() };
        distinct.exact = Index::of(0..len, |number| distinct.of(number).hash());
        for number in first..len {
            distinct.link(number, options.bits);
        }
        Self { options, salt, sets, digests, distinct }
    }
}

/// Of two hashes, one.
fn hash(one: u64, other: u64) -> u64 {
    xxh3_64_with_seed(&other.to_le_bytes(), one)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    use undust_cluster::clusters::{Clusters, cluster};
    use undust_pages::page::Page;

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
            let (mut new, mut ends) = (0, FxHashMap::default());
            for (number, page) in (0..).zip(&pages) {
                let Page { end, title, simhash, short_text, digest, .. } = *page;
                let same = *ends.entry(end).or_insert(number);
                let shown = Shown { title, simhash, short_text, digest };
                new += usize::from(labels.add(&shown, Some(same)).is_new);
            }
            let expected = cluster(&pages, &options);
            prop_assert!(new >= expected.len());
            prop_assert_eq!(Clusters::from_labels(labels.sets().into_labels()), expected);

        }
    }
}
