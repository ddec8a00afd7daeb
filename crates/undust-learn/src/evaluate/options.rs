//! How methods are evaluated.

use undust_cluster::clusters::ClusterOptions;

use crate::config::TokenConfig;
use crate::training::hold_out::HoldOut;

/// How methods are evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvaluationOptions {
    /// Share of the pages that is learned from, the first ones if what is held out is so by time; below 1.
    pub split: f64,
    /// Which pages are held out to test on.
    pub hold_out: HoldOut,
    /// What a duplicate is.
    pub clusters: ClusterOptions,
    /// From which share of the URLs to learn from on a piece is a function word, where URLs of seen
    /// shapes are distinguished from others.
    pub word_share: f64,
    /// Seed of the bootstrap, and of what is held out.
    pub seed: u64,
    /// Whether the results have what a report shows in addition to the figures.
    pub details: bool,
}

/// Learn from three quarters, as in the paper.
impl Default for EvaluationOptions {
    fn default() -> EvaluationOptions {
        EvaluationOptions {
            split: 0.75,
            hold_out: HoldOut::Time,
            clusters: ClusterOptions::default(),
            word_share: TokenConfig::default().threshold,
            seed: 17,
            details: false,
        }
    }
}
