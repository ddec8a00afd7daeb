//! Expression 1: how far the lengths of two near pages can be apart.

/// Rounding may widen a bound by this share, never narrow it.
const ROUNDING: f64 = 1e-9;

/// The length of a page in one dimension → the lengths that a page near it can have there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bound {
    /// τ/ρ.
    ratio: f64,
}

impl Bound {
    pub(super) fn new(similarity: f64, slack: f64) -> Bound {
        Bound { ratio: similarity / slack }
    }

    /// The least and the most: from `length`·τ/ρ to `length`·ρ/τ, both included.
    pub(super) fn range(self, length: u64) -> (u64, u64) {
        let least = length as f64 * self.ratio * (1.0 - ROUNDING);
        let most = length as f64 / self.ratio * (1.0 + ROUNDING);
        (least.ceil() as u64, most.floor() as u64)
    }
}

/// ρ = (1+δ)(1+ε) / ((1−δ)(1−ε)), the slack with which pages cannot miss each other.
///
/// `stray` is δ: a page's words are dealt to N dimensions so that |L/(N·Lᵢ) − 1| ≤ δ, where L
/// is the number of words and Lᵢ that of dimension i. `shingles` is ε: a page of L words has
/// from (1−ε)·L to (1+ε)·L distinct shingles. Two pages that keep to both, and whose sets of
/// shingles have a Jaccard similarity of τ or more, have lengths within τ/ρ and ρ/τ of each
/// other in every dimension: their sets are within τ by size, each set within ε of the length of
/// its page, and each length within δ of N times that of a dimension. Infinite from 1 on.
pub fn slack(stray: f64, shingles: f64) -> f64 {
    if stray >= 1.0 || shingles >= 1.0 {
        return f64::INFINITY;
    }
    (1.0 + stray) * (1.0 + shingles) / ((1.0 - stray) * (1.0 - shingles))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_bound_of_the_paper() {
        let exact = Bound::new(0.9, 1.0);
        assert_eq!(exact.range(280), (252, 311));
        assert_eq!(exact.range(0), (0, 0));
        assert_eq!(Bound::new(0.9, 1.2).range(90), (68, 120));
    }

    #[test]
    fn the_slack_of_pages_that_do_not_stray_is_1() {
        assert_eq!(slack(0.0, 0.0), 1.0);
        assert!((slack(0.05, 0.0) - 1.05 / 0.95).abs() < 1e-12);
        assert_eq!(slack(0.0, 1.0), f64::INFINITY);
    }

    proptest! {
        #[test]
        fn either_page_finds_the_other(a in 0u64..1 << 36, part in 0.0f64..=1.0, similarity in 0.5f64..=0.99, slack in 1.0f64..=2.0) {
            let bound = Bound::new(similarity, slack);
            let (least, most) = bound.range(a);
            let b = least + ((most - least) as f64 * part) as u64;
            let (from, to) = bound.range(b);
            // Where rounding decides, one of them may miss by a word, never by more.
            prop_assert!(from <= a + 1 && a <= to + 1);
        }
    }
}
