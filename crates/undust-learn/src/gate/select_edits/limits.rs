//! How much may be lost.

use crate::config::GateConfig;

/// Largest share that an edit may put wrong because `max_lost_share` is large.
const LARGEST: f64 = 0.3;

/// How much may be lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LossLimits {
    /// Largest share of lost URLs among those that an operation is tested on.
    pub rate: f64,
    /// Largest share of URLs among these that get the form of another page.
    pub collision_rate: f64,
    /// Fetches that a lost cluster costs.
    pub loss_cost: f64,
    /// Largest share of the clusters that may be lost in all.
    pub total: f64,
}

impl LossLimits {
    /// Of the settings. A `max_lost_share` above the default raises the limits of each edit, too: at the
    /// default, all edits together already lose less than they may.
    pub(crate) fn of(config: &GateConfig) -> Self {
        let GateConfig {
            max_collision_rate: collision_rate,
            max_loss_rate: rate,
            loss_cost,
            max_lost_share,
            ..
        } = *config;
        let more = (max_lost_share / GateConfig::default().max_lost_share).max(1.0);
        let [collision_rate, rate] =
            [collision_rate, rate].map(|share| (share * more).min(share.max(LARGEST)));
        Self { collision_rate, rate, loss_cost, total: max_lost_share }
    }
}
