//! Audits: a share of the skips is fetched all the same, and bounds what the others lose.
//!
//! Of every URL that would be skipped, a salted hash of it decides with probability q whether it is
//! fetched. A trial is such a URL; it counts if it was drawn and showed a page that nobody had
//! seen. The trials may change as the crawl goes on, as what is believed does, so that no single
//! rate stands behind them. Their running mean has a bound all the same, at every time at once: for
//! θ in (0, 1)
//!
//! ```text
//! M = Π θ^X / (1 − μ (1 − θ))        X = 1 where a trial counts, μ its probability given the past
//! ```
//!
//! is a nonnegative martingale that begins at 1, and so is a mixture of such over θ. By Ville's
//! inequality it ever reaches 1/α with probability at most α. A product of concave factors is
//! largest where all μ are their mean, so the mean is below the m at which the mixture reaches 1/α
//! (the sub-Bernoulli confidence sequence of Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform,
//! nonparametric, nonasymptotic confidence sequences", Annals of Statistics 2021, section 3;
//! Robbins' method of mixtures, 1970). The bound of the share of skips is m / q.

use serde::{Deserialize, Serialize};

/// The probability that the bound is ever wrong.
const ALPHA: f64 = 0.05;

/// 1 − θ of the mixture: large ones are best for few losses, small ones for many.
const STEPS: [f64; 6] = [0.98, 0.75, 0.5, 0.25, 0.1, 0.03];

/// Halvings of the interval in which the bound lies.
const HALVINGS: usize = 60;

/// What audits showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audits {
    /// URLs that were skipped, or would have been but for an audit.
    pub trials: u64,
    /// Of these, how many were drawn and came back.
    pub audited: u64,
    /// Of these, how many showed a page that nobody had seen.
    pub lost: u64,
}

impl Audits {
    /// The share of the skips that lost a page, estimated without bias; none before anything was
    /// audited.
    pub fn estimate(&self) -> Option<f64> {
        (self.audited > 0).then(|| self.lost as f64 / self.audited as f64)
    }

    /// At most this share of the skips showed a page that nobody had seen when they were skipped:
    /// true at all times at once with probability 0.95. `share` is that of the audits; 1 where
    /// nothing can be said.
    pub fn bound(&self, share: f64) -> f64 {
        let mean = upper_mean(self.trials, self.lost);
        if share > 0.0 { (mean / share).min(1.0) } else { 1.0 }
    }

    /// Those since then.
    pub(super) fn since(&self, before: &Self) -> Self {
        Self {
            trials: self.trials.saturating_sub(before.trials),
            audited: self.audited.saturating_sub(before.audited),
            lost: self.lost.saturating_sub(before.lost),
        }
    }

    /// At least this share of the skips did, with the same probability.
    pub fn at_least(&self, share: f64) -> f64 {
        // Losses among the trials, bounded from below: those that do not count, bounded from above.
        let mean = 1.0 - upper_mean(self.trials, self.trials.saturating_sub(self.lost));
        if share > 0.0 { (mean / share).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The upper end of the confidence sequence of the mean: `counting` of `trials` count.
fn upper_mean(trials: u64, counting: u64) -> f64 {
    if trials == 0 {
        return 1.0;
    }
    let (mut low, mut high) = (counting as f64 / trials as f64, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if evidence_against(middle, trials, counting) < ALPHA.recip().ln() {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The logarithm of the mixture, were this the mean.
fn evidence_against(mean: f64, trials: u64, counting: u64) -> f64 {
    let one =
        |step: f64| counting as f64 * (-step).ln_1p() - trials as f64 * (-mean * step).ln_1p();
    let most = STEPS.into_iter().map(one).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = STEPS.into_iter().map(|step| (one(step) - most).exp()).sum();
    most + (sum / STEPS.len() as f64).ln()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn nothing_is_known_of_nothing() {
        assert_eq!(Audits::default().bound(0.02), 1.0);
        assert_eq!(Audits::default().at_least(0.02), 0.0);
        assert_eq!(Audits::default().estimate(), None);
        let audits = Audits { trials: 100, audited: 2, lost: 0 };
        assert_eq!(audits.bound(0.0), 1.0);
    }

    /// Without a loss the bound is near ln(6/α) / (q N): the rule of three with the price of the
    /// mixture.
    #[test]
    fn the_bound_falls_as_trials_come() {
        let bounds = [100, 1_000, 10_000, 100_000]
            .map(|trials| Audits { trials, audited: trials / 50, lost: 0 }.bound(0.02));
        assert!(bounds.is_sorted_by(|a, b| a >= b), "{bounds:?}");
        assert_eq!(bounds[0], 1.0);
        assert!((0.01..0.03).contains(&bounds[2]), "{bounds:?}");
        let few = Audits { trials: 100_000, audited: 2_000, lost: 20 };
        assert!((0.01..0.02).contains(&few.bound(0.02)), "{}", few.bound(0.02));
        assert!((0.004..0.01).contains(&few.at_least(0.02)), "{}", few.at_least(0.02));
    }

    /// However often one looks, and though the rate of losses changes: that it is ever wrong has a
    /// probability of at most 0.05, from either side.
    #[test]
    fn the_bound_holds_at_all_times_at_once() {
        const SHARE: f64 = 0.1;
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut above, mut below) = (0, 0);
        for _ in 0..300 {
            let mut audits = Audits::default();
            let (mut lost, mut is_above, mut is_below) = (0_u64, false, false);
            for trial in 1..=3_000_u64 {
                let rate = if trial < 1_000 { 0.05 } else { 0.005 };
                let is_lost = random.random_bool(rate);
                lost += u64::from(is_lost);
                let drawn = random.random_bool(SHARE);
                audits.trials += 1;
                audits.audited += u64::from(drawn);
                audits.lost += u64::from(drawn && is_lost);
                if trial % 25 == 0 {
                    let truth = lost as f64 / trial as f64;
                    is_above |= truth > audits.bound(SHARE);
                    is_below |= truth < audits.at_least(SHARE);
                }
            }
            above += usize::from(is_above);
            below += usize::from(is_below);
        }
        assert!(above <= 15 && below <= 15, "{above} {below}");
    }
}
