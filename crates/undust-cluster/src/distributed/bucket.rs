//! Candidate buckets: pages that share a key may be the same.

use undust_pages::{Simhash, TextHash};

use crate::clusters::ClusterOptions;
use crate::hamming;

/// The key of a candidate bucket: what its pages have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BucketKey {
    /// The digest: pages that have it are the same.
    Digest(u64),
    /// A block of bits of the fingerprint, and the blocking key: pages that have both may be near.
    Block {
        /// The [blocking key](ClusterOptions::blocking_key).
        blocking_key: u64,
        /// Number of the block.
        block: u32,
        /// The bits of the block.
        bits: u64,
    },
}

/// A page in one of its candidate buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketEntry {
    /// The key.
    pub key: BucketKey,
    /// Fingerprint of the page; of no meaning under a digest.
    pub simhash: u64,
    /// Hash of its URL.
    pub url: u64,
}

/// All keys of a page with this title, fingerprint, [short text](undust_pages::Page::short_text) and
/// digest: at most nine.
pub fn bucket_keys(
    title: Option<u64>,
    simhash: Option<Simhash>,
    short_text: Option<TextHash>,
    digest: Option<u64>,
    options: &ClusterOptions,
) -> impl Iterator<Item = BucketKey> + use<> {
    let blocking_key = options.blocking_key(title, short_text);
    let near = blocking_key.zip(simhash).map(|(blocking_key, Simhash(value))| {
        let blocks = hamming::blocks(u64::MAX, options.bits + 1, 1);
        let key = move |(block, mask)| BucketKey::Block { blocking_key, block, bits: value & mask };
        (0..).zip(blocks).map(key)
    });
    digest.map(BucketKey::Digest).into_iter().chain(near.into_iter().flatten())
}
