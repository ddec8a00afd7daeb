//! One operation on trial: Wald's sequential probability ratio test (Annals of Mathematical
//! Statistics 16, 1945), again and again.
//!
//! What is tested is the share of the URLs merged by an operation that show another page than
//! their form: 0.02 against 0.2. A test ends as soon as it can decide; one that is passed is followed
//! by the next, so that what held for years and holds no more is found as fast as in the first
//! week. Three disagreements in a row end a test, as do 23 agreements.

use serde::{Deserialize, Serialize};

/// The share of wrong URLs with which an operation holds. Pages change while they are crawled, so
/// that it cannot be 0.
pub(crate) const HOLDS: f64 = 0.02;

/// The share with which it does not.
pub(crate) const FAILS: f64 = 0.2;

/// The probability that a test switches an operation off that holds.
const WRONGLY_OFF: f64 = 0.001;

/// The probability that one that does not hold passes a test. It meets the next one then.
const WRONGLY_ON: f64 = 0.01;

/// What came back of an operation's URLs since its model was learned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// URLs that showed the page of their form.
    pub agreed: u64,
    /// URLs that showed another.
    pub disagreed: u64,
    /// Tests that were passed.
    pub passed: u64,
    /// Of the test that is going on.
    running: Running,
}

/// What came back in the test that is going on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Running {
    agreed: u64,
    disagreed: u64,
}

impl Trial {
    /// Counts what came back; whether the operation has failed by it.
    pub(crate) fn count(&mut self, same: bool) -> bool {
        let Running { agreed, disagreed } = &mut self.running;
        let (all, running) =
            if same { (&mut self.agreed, agreed) } else { (&mut self.disagreed, disagreed) };
        *all += 1;
        *running += 1;
        let evidence = self.running.evidence();
        if evidence <= (WRONGLY_ON / (1.0 - WRONGLY_OFF)).ln() {
            self.passed += 1;
            self.running = Running::default();
        }
        evidence >= ((1.0 - WRONGLY_ON) / WRONGLY_OFF).ln()
    }

    /// The share that disagreed, as if one of each had been seen before (Laplace).
    pub(crate) fn disagreement_rate(&self) -> f64 {
        (self.disagreed + 1) as f64 / (self.agreed + self.disagreed + 2) as f64
    }
}

impl Running {
    /// The logarithm of how many times likelier this is of an operation that does not hold.
    fn evidence(self) -> f64 {
        self.disagreed as f64 * (FAILS / HOLDS).ln()
            + self.agreed as f64 * ((1.0 - FAILS) / (1.0 - HOLDS)).ln()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The first test of operations that are wrong with this share: how many failed it,
    /// and what it took on average.
    fn first_tests(wrong: f64, operations: u32) -> (u32, f64) {
        let mut random = ChaCha8Rng::seed_from_u64(17);
        let (mut failed, mut urls) = (0, 0_u64);
        for _ in 0..operations {
            let mut trial = Trial::default();
            while trial.passed == 0 {
                urls += 1;
                if trial.count(random.random::<f64>() >= wrong) {
                    failed += 1;
                    break;
                }
            }
        }
        (failed, urls as f64 / f64::from(operations))
    }

    /// Counted, of 100,000 each: the figures of docs/using/keeping-models.md.
    #[test]
    fn the_error_levels_are_kept() {
        for (wrong, least, most, urls) in [
            (0.0, 0, 0, 23.0),
            (0.02, 10, 100, 30.8),
            (0.2, 99_000, 99_900, 25.8),
            (0.5, 100_000, 100_000, 7.8),
        ] {
            let (failed, average) = first_tests(wrong, 100_000);
            println!("{wrong}: {failed} of 100000 failed, after {average:.1} URLs on average");
            assert!((least..=most).contains(&failed), "{failed} failed at {wrong}");
            assert!((average - urls).abs() < 1.0, "{average} URLs at {wrong}");
        }
    }

    #[test]
    fn a_long_life_does_not_hide_what_changed() {
        let mut trial = Trial::default();
        assert!(!(0..10_000).any(|_| trial.count(true)));
        let until = (1..).find(|_| trial.count(false));
        assert!(until.is_some_and(|urls| urls <= 5), "{until:?}");
    }

    #[test]
    fn three_in_a_row_are_enough_and_two_are_not() {
        let mut trial = Trial::default();
        assert_eq!([false; 3].map(|same| trial.count(same)), [false, false, true]);
    }

    proptest! {
        #[test]
        fn who_never_disagrees_never_fails(times in 0..3000_usize) {
            let mut trial = Trial::default();
            prop_assert!(!(0..times).any(|_| trial.count(true)));
            prop_assert_eq!((trial.agreed, trial.disagreed), (times as u64, 0));
            prop_assert_eq!(trial.passed, times as u64 / 23);
        }

        #[test]
        fn what_is_read_again_goes_on_as_it_was(came in prop::collection::vec(any::<bool>(), 0..60)) {
            let (mut kept, mut read) = (Trial::default(), Trial::default());
            for same in came {
                let json = serde_json::to_vec(&read).expect("JSON");
                read = serde_json::from_slice(&json).expect("a trial");
                prop_assert_eq!(kept.count(same), read.count(same));
            }
            prop_assert_eq!(kept, read);
        }
    }
}
