//! Evidence for an operation on URLs: what it makes of pairs of URLs whose pages are known.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Share of pairs that an operation is expected to get wrong before any is seen, and how many
/// pairs that expectation weighs.
const EXPECTED: (f64, f64) = (0.1, 3.0);

/// Largest share at which an operation is taken.
const MOST_WRONG: f64 = 0.03;

/// A URL in its normal form, and the number of the page that it shows.
pub(super) type LabelledUrl<'u> = (Cow<'u, str>, u32);

/// Pairs of training URLs that become one URL by an operation alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pairs {
    /// Pairs that show one page.
    pub same: u32,
    /// Pairs that show two.
    pub different: u32,
}

impl Pairs {
    /// Whether they suffice for an operation that changes training URLs: none is wrong, and the
    /// shrunk rate of wrong ones, (0 + 3 · 0.1) / (n + 3), is at most 0.03, which takes seven.
    pub(super) fn suffice(self) -> bool {
        let (expected, weight) = EXPECTED;
        let total = f64::from(self.same) + f64::from(self.different);
        let rate = (f64::from(self.different) + expected * weight) / (total + weight);
        self.different == 0 && rate <= MOST_WRONG + 1e-9
    }

    /// Counts one more.
    pub(super) fn count(&mut self, same: bool) {
        let count = if same { &mut self.same } else { &mut self.different };
        *count = count.saturating_add(1);
    }
}

/// Finds the pairs: the first URL of each image, with each later one. 16 bytes an image.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// By hash of the image: the page of the first URL.
    first: FxHashMap<u64, u32>,
}

impl Images {
    /// Adds a URL that shows `page` and becomes `image`, and counts its pair.
    pub(super) fn add(&mut self, image: u64, page: u32, pairs: &mut Pairs) {
        if let Some(same) = self.pair(image, page) {
            pairs.count(same);
        }
    }

    /// Adds a URL; whether it shows the page of the first URL that became `image`, if it is not that.
    pub(super) fn pair(&mut self, image: u64, page: u32) -> Option<bool> {
        let first = self.first.get(&image).map(|first| *first == page);
        if first.is_none() {
            self.first.insert(image, page);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_pairs_suffice_and_one_wrong_one_does_not() {
        assert!(!Pairs::default().suffice());
        assert!(!Pairs { same: 6, different: 0 }.suffice());
        assert!(Pairs { same: 7, different: 0 }.suffice());
        assert!(!Pairs { same: 1_000_000, different: 1 }.suffice());
    }
}
