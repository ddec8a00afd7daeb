//! How much may be lost.

use crate::config::GateConfig;

/// Largest rate of collisions of one edit, where all edits may lose as many pages as is the default.
pub(crate) const RATE: f64 = 0.075;

/// Largest rate of URLs that would not show the page of most of their form.
const WRONG: f64 = 0.03;

/// Largest rate of one edit, however much may be lost.
const LARGEST: f64 = 0.6;

/// Fetches that a page which collides costs, where as many may be lost as is the default.
const LOSS_COST: f64 = 8.0;

/// How much may be lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LossLimits {
    /// Largest rate of pages that collide among those that an edit is tested on.
    pub rate: f64,
    /// Largest rate of URLs that would not show the page of most of their form.
    pub wrong: f64,
    /// Fetches that a page which collides costs.
    pub loss_cost: f64,
    /// Largest share of the clusters that may be lost in all.
    pub total: f64,
}

impl LossLimits {
    /// All limits grow with `max_lost_share` where it is above the default: at the default, all edits together already
    /// lose less than they may.
    pub(crate) fn of(config: &GateConfig) -> Self {
        let total = config.max_lost_share;
        let more = (total / GateConfig::default().max_lost_share).max(1.0);
        let [rate, wrong] = [RATE, WRONG].map(|share| (share * more).min(LARGEST));
        Self { rate, wrong, loss_cost: LOSS_COST / more, total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_dial_moves_all_limits() {
        let of = |max_lost_share| {
            LossLimits::of(&GateConfig { max_lost_share, ..GateConfig::default() })
        };
        let default = of(GateConfig::default().max_lost_share);
        assert_eq!((default.rate, default.loss_cost), (RATE, LOSS_COST));
        assert_eq!(of(0.0), LossLimits { total: 0.0, ..default });
        let shares = [0.005, 0.01, 0.03, 0.05, 0.2, 1.0].map(of);
        for pair in shares.windows(2) {
            assert!(pair[0].rate <= pair[1].rate && pair[0].loss_cost > pair[1].loss_cost);
        }
    }
}
