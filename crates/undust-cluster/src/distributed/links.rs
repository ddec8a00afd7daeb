//! Pages that meet under a key become links between those that are the same.

use super::bucket::{BucketEntry, BucketKey};
use crate::clusters::ClusterOptions;
use crate::groups::UnionFind;
use crate::hamming::{self, Fingerprint, PairSink};

/// Which pages of candidate buckets are the same: enough pairs of hashes of URLs to connect them, fewer than there are
/// pages in buckets. Each bucket must be complete. Orders the pages by their keys; nearly linear in their number.
pub fn links(
    entries: &mut [BucketEntry],
    options: &ClusterOptions,
    mut link: impl FnMut(u64, u64),
) {
    entries.sort_unstable_by_key(|entry| (entry.key, entry.simhash, entry.url));
    for same_key in entries.chunk_by(|a, b| a.key == b.key) {
        match same_key[0].key {
            BucketKey::Digest(_) => {
                same_key[1..].iter().for_each(|entry| link(same_key[0].url, entry.url));
            }
            BucketKey::Block { .. } => link_near(same_key, options.bits, &mut link),
        }
    }
}

fn link_near(same_key: &[BucketEntry], bits: u32, link: &mut impl FnMut(u64, u64)) {
    let item = |(id, entry): (u32, &BucketEntry)| Fingerprint { value: entry.simhash, id };
    let mut items: Vec<Fingerprint> = (0..).zip(same_key).map(item).collect();
    let mut forest = Forest { sets: UnionFind::new(items.len()), edges: Vec::new() };
    hamming::join(&mut items, bits, &mut forest);
    for (a, b) in forest.edges {
        link(same_key[a as usize].url, same_key[b as usize].url);
    }
}

/// Keeps of all pairs those that connect two sets.
struct Forest {
    sets: UnionFind,
    edges: Vec<(u32, u32)>,
}

impl PairSink for Forest {
    fn pair(&mut self, a: u32, b: u32) {
        if self.sets.root(a) != self.sets.root(b) {
            self.sets.union(a, b);
            self.edges.push((a, b));
        }
    }

    fn set_of(&mut self, position: u32) -> Option<u32> {
        self.sets.set_of(position)
    }
}
