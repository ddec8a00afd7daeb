//! The options of the live engine, for `live` and `evaluate --live`.

use std::path::Path;
use std::time::Duration;

use undust_learn::config::Config;
use undust_live::engine::{AutoLearner, EngineOptions};
use undust_url::site::SiteBy;

use super::memory::{quarter, size};
use crate::cli::arguments::{SITES, number, one_of, share};

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
}

/// How a state is kept, and what it takes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Live")]
pub(crate) struct StateArgs {
    /// A loss of power costs at most the answers of this many seconds; 0 waits for the disk before
    /// each answer
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = number(0.0..=3600.0))]
    sync: f64,

    /// Most memory to use, such as 512M or 2G [default: a quarter of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<usize>,

    /// What counts as one site in a new state; an existing state keeps its own
    #[arg(long, value_parser = one_of(SITES), default_value = "host")]
    site_by: SiteBy,
}

impl StateArgs {
    /// The options, with these.
    pub(crate) fn over(&self, options: EngineOptions) -> EngineOptions {
        let memory = self.memory.unwrap_or_else(quarter);
        let site_by = self.site_by;
        EngineOptions { sync: Duration::from_secs_f64(self.sync), memory, site_by, ..options }
    }
}

impl EngineArgs {
    /// The options of the engine.
    pub(crate) fn options(&self, config: &Config) -> EngineOptions {
        EngineOptions {
            risk: self.risk,
            audits: self.audits,
            clusters: config.clusters,
            ..EngineOptions::default()
        }
    }

    /// Who learns, and keeps what was learned in a state.
    pub(crate) fn learner(&self, config: Config, state: Option<&Path>) -> AutoLearner {
        AutoLearner { state: state.map(Path::to_owned), ..AutoLearner::new(config) }
    }
}
