//! A map from the words of a URL to symbols, made for short words.

use rustc_hash::FxHashMap;

/// A map from texts to symbols. A text of up to 15 bytes is stored as one number, which is hashed
/// and compared in one operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextIndex {
    short: FxHashMap<u128, u32>,
    long: FxHashMap<Box<[u8]>, u32>,
    /// For each first byte: the lengths of the texts that begin with it, as a bit set. This alone
    /// excludes most arguments of a URL.
    lengths: Vec<u64>,
}

impl TextIndex {
    /// Gives a text a symbol, and replaces the one that it had.
    pub fn insert(&mut self, text: &str, symbol: u32) {
        let text = text.as_bytes();
        if let Some(first) = text.first() {
            self.lengths.resize(1 << u8::BITS, 0);
            self.lengths[usize::from(*first)] |= length_bit(text);
        }
        match packed(text) {
            Some(number) => self.short.insert(number, symbol),
            None => self.long.insert(text.into(), symbol),
        };
    }

    /// The symbol of a text.
    #[inline]
    pub fn get(&self, text: &(impl AsRef<[u8]> + ?Sized)) -> Option<u32> {
        let text = text.as_ref();
        if let Some(first) = text.first() {
            self.lengths
                .get(usize::from(*first))
                .filter(|known| **known & length_bit(text) != 0)?;
        }
        match packed(text) {
            Some(number) => self.short.get(&number).copied(),
            None => self.long.get(text).copied(),
        }
    }
}

/// The bit of a text's length; those of 63 bytes and more share one.
#[inline]
fn length_bit(text: &[u8]) -> u64 {
    1 << text.len().min(u64::BITS as usize - 1)
}

/// Up to 15 bytes and their number as one number, the first byte lowest. Its halves overlap if the
/// text is shorter than both, and have the same bits there.
#[inline]
fn packed(text: &[u8]) -> Option<u128> {
    let length = text.len();
    let bits = if length > 15 {
        return None;
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let [first, last] = [first, last].map(|half| u128::from(u64::from_le_bytes(*half)));
        first | last << (8 * (length - size_of::<u64>()))
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let [first, last] = [first, last].map(|half| u128::from(u32::from_le_bytes(*half)));
        first | last << (8 * (length - size_of::<u32>()))
    } else {
        text.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte))
    };
    Some(bits | (length as u128) << 120)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bytes_stand_in_their_order() {
        for length in 0..=15_u8 {
            let text: Vec<u8> = (1..=length).collect();
            let mut bytes = [0; 16];
            bytes[..text.len()].copy_from_slice(&text);
            bytes[15] = length;
            assert_eq!(packed(&text), Some(u128::from_le_bytes(bytes)), "{length}");
        }
        assert_eq!(packed(&[1; 16]), None);
    }

    proptest! {
        #[test]
        fn it_is_a_map(texts in proptest::collection::vec("[ab\\x00é]{0,18}", 0..40), other in "[abé\\x00]{0,18}") {
            let mut index = TextIndex::default();
            let mut map = FxHashMap::default();
            for (symbol, text) in (0..).zip(&texts) {
                index.insert(text, symbol);
                map.insert(text.as_str(), symbol);
            }
            for text in texts.iter().chain([&other]) {
                prop_assert_eq!(index.get(text), map.get(text.as_str()).copied());
            }
        }
    }
}
