//! The header and the index of a pack as bytes.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The first bytes of every pack.
pub(super) const MAGIC: [u8; 8] = *b"undustPK";
/// The version of the layout.
pub(super) const VERSION: u32 = 1;
/// Bytes of the header: magic and version, then the slots.
pub(super) const HEADER: usize = 192;
/// Where the slots begin.
const SLOTS: [usize; 2] = [64, 128];
/// Bytes of a slot.
pub(super) const SLOT: usize = 64;
/// Bytes of a bucket: what a disk reads at once.
pub(super) const BUCKET: usize = 4096;
/// Bytes of a bucket before its entries: their number, and the checksum.
const BUCKET_HEAD: usize = 16;
/// Bytes of an entry.
const ENTRY: usize = 28;
/// Most entries of a bucket.
pub(super) const MOST: usize = (BUCKET - BUCKET_HEAD) / ENTRY;
/// Entries of a bucket on average, at first: with 97 of 145, none of a hundred thousand buckets is too small.
const ON_AVERAGE: u64 = 97;

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let word = bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
    word.map_or(0, u64::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    word.map_or(0, u32::from_le_bytes)
}

/// Where the index of a generation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// Counted from 1.
    pub generation: u64,
    /// Where the index begins.
    pub index_at: u64,
    /// Its buckets.
    pub buckets: u64,
    /// Models that it knows.
    pub models: u64,
    /// Where the generation ends.
    pub end: u64,
}

impl Slot {
    /// Where it is written: generations take turns.
    pub(super) fn at(self) -> usize {
        SLOTS[(self.generation % 2) as usize]
    }

    pub(super) fn to_bytes(self) -> [u8; SLOT] {
        let mut bytes = [0; SLOT];
        let Self { generation, index_at, buckets, models, end } = self;
        for (place, word) in [generation, index_at, buckets, models, end].into_iter().enumerate() {
            bytes[place * 8..][..8].copy_from_slice(&word.to_le_bytes());
        }
        let sum = xxh3_64(&bytes[..SLOT - 8]);
        bytes[SLOT - 8..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// None if it was never written whole, or is damaged.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let word = |place: usize| u64_at(bytes, place * 8);
        let slot = Self {
            generation: word(0),
            index_at: word(1),
            buckets: word(2),
            models: word(3),
            end: word(4),
        };
        let length = slot.buckets.checked_mul(BUCKET as u64)?;
        let is_whole = u64_at(bytes, SLOT - 8) == xxh3_64(bytes.get(..SLOT - 8)?)
            && slot.generation > 0
            && slot.buckets > 0
            && slot.index_at >= HEADER as u64
            && slot.index_at.checked_add(length)? == slot.end;
        is_whole.then_some(slot)
    }

    /// The newest of a header that is whole.
    pub(super) fn newest(header: &[u8]) -> Option<Self> {
        let slot = |at: usize| Self::from_bytes(header.get(at..at + SLOT)?);
        SLOTS.into_iter().filter_map(slot).max_by_key(|slot| slot.generation)
    }

    /// Where a bucket begins.
    pub(super) fn bucket_at(self, bucket: u64) -> u64 {
        self.index_at.saturating_add(bucket.saturating_mul(BUCKET as u64))
    }
}

pub(super) fn bucket_of(hash: u64, buckets: u64) -> u64 {
    ((u128::from(hash) * u128::from(buckets)) >> 64) as u64
}

/// The first bytes of a header, before the slots.
pub(super) fn beginning() -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes
}

/// The version of a pack.
pub(super) fn version(header: &[u8]) -> u32 {
    u32_at(header, MAGIC.len())
}

/// The hash by which a site's model is found.
pub(super) fn hash_of(site: &str) -> u64 {
    xxh3_64(site.as_bytes())
}

/// Where the directory of a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// [`hash_of`] the site.
    pub hash: u64,
    /// Where its directory begins.
    pub at: u64,
    /// Bytes of the directory.
    pub length: u32,
    /// XXH3 of the directory, which holds those of the files.
    pub sum: u64,
}

/// The entries of a bucket; none if it is damaged.
pub(super) fn entries(bucket: u64, bytes: &[u8]) -> Option<Vec<Entry>> {
    let count = u32_at(bytes, 0) as usize;
    if bytes.len() != BUCKET || count > MOST || u64_at(bytes, 8) != sum_of(bucket, bytes) {
        return None;
    }
    let entry = |bytes: &[u8]| Entry {
        hash: u64_at(bytes, 0),
        at: u64_at(bytes, 8),
        length: u32_at(bytes, 16),
        sum: u64_at(bytes, 20),
    };
    Some(bytes[BUCKET_HEAD..].chunks_exact(ENTRY).take(count).map(entry).collect())
}

/// The checksum of a bucket, which no other bucket has: its number is a part of it.
fn sum_of(bucket: u64, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(&bytes[BUCKET_HEAD..], bucket) ^ u64_at(bytes, 0)
}

/// A bucket with these entries, at most [`MOST`].
pub(super) fn bucket(number: u64, entries: &[Entry]) -> [u8; BUCKET] {
    let mut bytes = [0; BUCKET];
    bytes[..4].copy_from_slice(&(entries.len() as u32).to_le_bytes());
    for (entry, bytes) in entries.iter().zip(bytes[BUCKET_HEAD..].chunks_exact_mut(ENTRY)) {
        bytes[..8].copy_from_slice(&entry.hash.to_le_bytes());
        bytes[8..16].copy_from_slice(&entry.at.to_le_bytes());
        bytes[16..20].copy_from_slice(&entry.length.to_le_bytes());
        bytes[20..28].copy_from_slice(&entry.sum.to_le_bytes());
    }
    let sum = sum_of(number, &bytes);
    bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Entries in the order of their hashes, cut into as many parts as an index has buckets.
pub(super) fn cut(entries: &[Entry]) -> Vec<&[Entry]> {
    let mut buckets = (entries.len() as u64).div_ceil(ON_AVERAGE).max(1);
    loop {
        let mut rest = entries;
        let part = |bucket: u64| {
            let length = rest.partition_point(|entry| bucket_of(entry.hash, buckets) <= bucket);
            let (part, others) = rest.split_at(length);
            rest = others;
            part
        };
        let parts: Vec<&[Entry]> = (0..buckets).map(part).collect();
        if parts.iter().all(|part| part.len() <= MOST) {
            return parts;
        }
        buckets += buckets / 16 + 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Packs keep these.
    #[test]
    fn hashes_stay_what_they_are() {
        assert_eq!(hash_of("a.test"), xxh3_64(b"a.test"));
        assert_eq!(hash_of(""), 0x2d06_8005_38d3_94c2);
    }

    fn entry() -> impl Strategy<Value = Entry> {
        let any = (any::<u64>(), any::<u64>(), any::<u32>(), any::<u64>());
        any.prop_map(|(hash, at, length, sum)| Entry { hash, at, length, sum })
    }

    proptest! {
        #[test]
        fn an_index_comes_back(mut all in prop::collection::vec(entry(), 0..2000)) {
            all.sort_by_key(|entry| entry.hash);
            let parts = cut(&all);
            for (number, part) in (0..).zip(&parts) {
                let bytes = bucket(number, part);
                prop_assert_eq!(entries(number, &bytes).expect("whole"), part.to_vec());
                prop_assert!(entries(number + 1, &bytes).is_none());
                for entry in *part {
                    prop_assert_eq!(bucket_of(entry.hash, parts.len() as u64), number);
                }
            }
            prop_assert_eq!(parts.concat(), all);
        }

        /// Whatever bit of it is another.
        #[test]
        fn a_damaged_slot_is_none(bit in 0..SLOT * 8) {
            let slot = Slot { generation: 3, index_at: 192, buckets: 2, models: 9, end: 192 + 8192 };
            let mut bytes = slot.to_bytes();
            prop_assert_eq!(Slot::from_bytes(&bytes), Some(slot));
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert_eq!(Slot::from_bytes(&bytes), None);
        }
    }
}
