//! The options of the live engine, for `live` and `evaluate --live`.

use undust_learn::config::Config;
use undust_live::engine::{AutoLearner, EngineOptions};

use crate::cli::arguments::share;

/// The options of the live engine.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Live")]
pub(crate) struct EngineArgs {
    /// The expected number of lost pages stays below this share of the pages found
    #[arg(long, value_name = "SHARE", default_value_t = EngineOptions::default().risk, value_parser = share)]
    pub(crate) risk: f64,

    /// Share of the skips that is fetched all the same, to measure what skips lose
    #[arg(long, value_name = "SHARE", default_value_t = EngineOptions::default().audits, value_parser = share)]
    pub(crate) audits: f64,

    /// Work without these parts, separated by commas
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    pub(crate) without: Vec<Part>,

    /// Have the learners of rules propose to probes what the gate has not accepted
    #[arg(long)]
    pub(crate) propose_rules: bool,
}

/// A part of the engine that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Only what the gate accepted is believed
    Probes,
    /// Any skip is taken that is unlikely to lose a page
    Budget,
    /// Nothing is fetched to measure the loss
    Audits,
}

impl EngineArgs {
    /// The options of the engine.
    pub(crate) fn options(&self, config: &Config) -> EngineOptions {
        EngineOptions {
            risk: self.risk,
            audits: if self.lacks(Part::Audits) { 0.0 } else { self.audits },
            probes: !self.lacks(Part::Probes),
            budget: !self.lacks(Part::Budget),
            clusters: config.clusters,
            ..EngineOptions::default()
        }
    }

    /// Who learns.
    pub(crate) fn learner(&self, config: Config) -> AutoLearner {
        AutoLearner { config, rules: self.propose_rules }
    }

    fn lacks(&self, part: Part) -> bool {
        self.without.contains(&part)
    }
}
