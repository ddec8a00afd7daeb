//! Symbols as one number: 64 bits on every machine, whatever crates it was built with.
//!
//! Such numbers are compared in memory and put candidates in order, so what is learned depends on
//! them. No file holds one.

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
}
