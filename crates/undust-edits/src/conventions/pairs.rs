//! Evidence for a convention: what it makes of pairs of URLs whose pages are known.

use serde::{Deserialize, Serialize};

use crate::shrinkage::{UNKNOWN, shrunk};

/// Largest share at which an operation is taken.
const MOST_WRONG: f64 = 0.03;

/// Pairs of training URLs that become one URL by an operation alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// Pairs that show one page.
    pub same: u32,
    /// Pairs that show two.
    pub different: u32,
}

impl Pairs {
    /// Whether they suffice for an operation that changes training URLs: no pair is different, and
    /// the shrunk rate, (0 + 3 · 0.1) / (n + 3), is at most 0.03. This takes seven pairs.
    pub fn suffice(self) -> bool {
        let all = f64::from(self.same) + f64::from(self.different);
        let rate = shrunk(self.different.into(), all, UNKNOWN);
        self.different == 0 && rate <= MOST_WRONG + 1e-9
    }

    /// Counts one more.
    pub fn count(&mut self, same: bool) {
        let count = if same { &mut self.same } else { &mut self.different };
        *count = count.saturating_add(1);
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
