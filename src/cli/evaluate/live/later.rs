//! Later crawls, which are replayed after the first one of their site.

use std::path::PathBuf;

use undust_learn::evaluate::units::Unit;
use undust_util::error::{Error, Result};

use super::read_units;
use crate::cli::evaluate::args::EvaluateArgs;
use crate::cli::failure::Failure;
use crate::cli::live::UntilInterrupted;

/// The crawls of `--then`, in their order.
pub(super) struct Later(Vec<Unit>);

impl Later {
    /// Reads them all.
    pub(super) fn read(args: &EvaluateArgs, learner: &UntilInterrupted) -> Result<Self> {
        let read = |input: &PathBuf| read_units(args, learner, input);
        let crawls = args.then.iter().map(read).collect::<Result<Vec<_>>>()?;
        Ok(Self(crawls.into_iter().flatten().collect()))
    }

    /// Those of one site.
    pub(super) fn of(&self, site: &str) -> Vec<&Unit> {
        self.0.iter().filter(|unit| unit.site == site).collect()
    }

    /// An error for each that follows none of the crawls that were replayed.
    pub(super) fn without_first(&self, replayed: &[&str]) -> impl Iterator<Item = Error> {
        let alone = self.0.iter().filter(|unit| !replayed.contains(&&*unit.site));
        alone.map(|unit| {
            let (path, site) = (PathBuf::from(&unit.crawl), unit.site.clone());
            Failure::NothingBefore { path, site }.into()
        })
    }
}
