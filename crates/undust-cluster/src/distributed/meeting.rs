//! Candidate buckets: pages that share a key may be the same.

use undust_pages::Simhash;

use crate::clusters::ClusterOptions;
use crate::hamming;

/// The key of a candidate bucket: what its pages have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeetingKey {
    /// The digest: pages that have it are the same.
    Digest(u64),
    /// A block of bits of the fingerprint, and the title: pages that have both may be near.
    Block {
        /// Hash of the title; 0 where titles do not count.
        title: u64,
        /// Number of the block.
        block: u32,
        /// The bits of the block.
        bits: u64,
    },
}

/// A page in one of its candidate buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The key.
    pub key: MeetingKey,
    /// Fingerprint of the page; of no meaning under a digest.
    pub simhash: u64,
    /// Hash of its URL.
    pub url: u64,
}

/// All keys of a page with this title, fingerprint and digest: at most nine.
pub fn meeting_keys(
    title: Option<u64>,
    simhash: Option<Simhash>,
    digest: Option<u64>,
    options: &ClusterOptions,
) -> impl Iterator<Item = MeetingKey> + use<> {
    let title = if options.title { title } else { Some(0) };
    let near = title.zip(simhash).map(|(title, Simhash(value))| {
        let blocks = hamming::blocks(u64::MAX, options.bits + 1, 1);
        let key = move |(block, mask)| MeetingKey::Block { title, block, bits: value & mask };
        (0..).zip(blocks).map(key)
    });
    digest.map(MeetingKey::Digest).into_iter().chain(near.into_iter().flatten())
}
