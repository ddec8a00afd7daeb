//! The options of the live engine, for `live` and `evaluate --live`.

use std::path::Path;
use std::sync::Arc;

use undust_learn::config::{Config, ProposingNetwork};
use undust_live::engine::{AutoLearner, EngineOptions};
use undust_model::site_model::SiteModel;
use undust_util::error::Result;

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

    /// Have a network trained at each learning, which proposes both to the gate and to probes;
    /// takes several times as long
    #[arg(long)]
    pub(crate) propose_network: bool,
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
    pub(crate) fn learner(&self, mut config: Config) -> AutoLearner {
        config.gate.network =
            if self.propose_network { ProposingNetwork::Tagger } else { ProposingNetwork::None };
        AutoLearner { config, rules: self.propose_rules, tagger: self.propose_network, base: None }
    }

    /// The same, with a base network that proposes from the first page on.
    ///
    /// # Errors
    ///
    /// A base network that cannot be loaded.
    pub(crate) fn learner_with(&self, config: Config, base: Option<&Path>) -> Result<AutoLearner> {
        let base = base.map(SiteModel::load_base).transpose()?.map(Arc::new);
        Ok(AutoLearner { base, ..self.learner(config) })
    }

    fn lacks(&self, part: Part) -> bool {
        self.without.contains(&part)
    }
}
