//! Symbols as one number: 64 bits on every machine, whatever crates it was built with.
//!
//! Such numbers are compared in memory and put candidates in order, so what is learned depends on
//! them. No file holds one.

use std::hash::Hasher;

use undust_url::lexicon::Symbol;

/// An odd number with as many ones as zeros, and where an empty fold begins.
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
const START: u64 = 0x9e37_79b9_7f4a_7c15;

/// Numbers folded into one by multiplication: both halves of each product are kept.
#[derive(Debug, Clone, Copy)]
pub struct Fold(u64);

impl Default for Fold {
    fn default() -> Self {
        Self(START)
    }
}

impl Fold {
    /// The number of a sequence of symbols.
    pub fn of(symbols: impl IntoIterator<Item = Symbol>) -> u64 {
        let (mut fold, mut count) = (Self::default(), 0);
        for symbol in symbols {
            fold.add(symbol.into());
            count += 1;
        }
        fold.add(count);
        fold.number()
    }

    /// Folds in one more number.
    #[inline]
    pub fn add(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(FACTOR);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    /// The result.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// For whatever derives `Hash`: sizes count as 64 bits each, however wide they are.
impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut eight = [0; 8];
            eight[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(eight));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.add(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What these numbers are decides what is learned.
    #[test]
    fn symbols_have_the_numbers_that_they_had() {
        for (symbols, number) in [
            (&[][..], 0xc9d8_74ca_57d9_e055),
            (&[0], 0x482e_5122_1ef5_7276),
            (&[0, 0], 0xfb36_a3c0_eaa7_e897),
            (&[24, 11, 30, 12, Symbol::MAX], 0x333d_ec8b_fd15_ae13),
        ] {
            assert_eq!(Fold::of(symbols.iter().copied()), number, "{symbols:?}");
        }
    }

    #[test]
    fn sizes_count_as_much_as_other_numbers() {
        let number = |write: fn(&mut Fold)| {
            let mut fold = Fold::default();
            write(&mut fold);
            fold.finish()
        };
        let expected = number(|fold| fold.write_u64(7));
        assert_eq!(number(|fold| fold.write_usize(7)), expected);
        assert_eq!(number(|fold| fold.write_isize(7)), expected);
        assert_eq!(number(|fold| fold.write_u32(7)), expected);
        assert_eq!(number(|fold| fold.write(&[7])), expected);
        assert_ne!(number(|fold| fold.write(&[7, 1])), expected);
    }
}
