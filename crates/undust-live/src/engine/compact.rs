//! What a checkpoint has much of: hashes take eight bytes each, where a number of any size would take ten, and sets of
//! pages a bit for each page.

use std::fmt;
use std::hash::BuildHasher;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A hash.
#[derive(Serialize, Deserialize)]
struct Fixed(#[serde(with = "postcard::fixint::le")] u64);

/// Hashes in their order.
pub(super) struct Hashes<T>(pub T);

impl Serialize for Hashes<&[u64]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|hash| Fixed(*hash)))
    }
}

impl<'de> Deserialize<'de> for Hashes<Vec<u64>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hashes = Vec::<Fixed>::deserialize(deserializer)?;
        Ok(Self(hashes.into_iter().map(|hash| hash.0).collect()))
    }
}

/// A set of pages, in any order.
pub(super) fn bits(pages: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut bits = Vec::new();
    for page in pages {
        let byte = page as usize / 8;
        bits.resize(bits.len().max(byte + 1), 0);
        bits[byte] |= 1 << (page % 8);
    }
    bits
}

/// The pages of a set, in their order.
pub(super) fn pages_of(bits: &[u8]) -> Vec<u32> {
    let of_byte = |(first, byte): (u32, &u8)| {
        let byte = *byte;
        (first..first + 8).zip(0..8).filter(move |(_, bit)| byte >> bit & 1 == 1)
    };
    (0..).step_by(8).zip(bits).flat_map(of_byte).map(|(page, _)| page).collect()
}

/// A table by hash, for `#[serde(with)]`.
pub(super) mod by_hash {
    use std::collections::HashMap;

    use super::*;

    pub(in crate::engine) fn serialize<V: Serialize, B, S: Serializer>(
        table: &HashMap<u64, V, B>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(table.iter().map(|(hash, value)| (Fixed(*hash), value)))
    }

    pub(in crate::engine) fn deserialize<'de, V, B, D>(
        deserializer: D,
    ) -> Result<HashMap<u64, V, B>, D::Error>
    where
        V: Deserialize<'de>,
        B: BuildHasher + Default,
        D: Deserializer<'de>,
    {
        deserializer.deserialize_map(Table(PhantomData))
    }

    struct Table<V, B>(PhantomData<(V, B)>);

    impl<'de, V: Deserialize<'de>, B: BuildHasher + Default> Visitor<'de> for Table<V, B> {
        type Value = HashMap<u64, V, B>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table by hash")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let len = entries.size_hint().unwrap_or_default().min(MOST_AT_ONCE);
            let mut table = HashMap::with_capacity_and_hasher(len, B::default());
            while let Some((Fixed(hash), value)) = entries.next_entry()? {
                table.insert(hash, value);
            }
            Ok(table)
        }
    }

    /// Entries that there is room for before one is read: a damaged file may say that there are more.
    const MOST_AT_ONCE: usize = 1 << 20;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Kept(#[serde(with = "by_hash")] FxHashMap<u64, u32>);

    proptest! {
        #[test]
        fn what_is_written_is_read(
            table in prop::collection::hash_map(any::<u64>(), any::<u32>(), 0..50),
            pages in prop::collection::btree_set(0_u32..400, 0..50),
        ) {
            let kept = Kept(table.into_iter().collect());
            let bytes = postcard::to_stdvec(&kept).unwrap();
            prop_assert!(bytes.len() <= 1 + 13 * kept.0.len());
            prop_assert_eq!(postcard::from_bytes::<Kept>(&bytes).unwrap(), kept);
            let hashes: Vec<u64> = kept_hashes(&pages);
            let bytes = postcard::to_stdvec(&Hashes(hashes.as_slice())).unwrap();
            prop_assert_eq!(bytes.len(), 1 + 8 * hashes.len());
            prop_assert_eq!(postcard::from_bytes::<Hashes<Vec<u64>>>(&bytes).unwrap().0, hashes);
            prop_assert_eq!(pages_of(&bits(pages.iter().rev().copied())), Vec::from_iter(pages));
        }
    }

    fn kept_hashes(pages: &std::collections::BTreeSet<u32>) -> Vec<u64> {
        pages.iter().map(|page| u64::MAX / u64::from(page + 1)).collect()
    }
}
