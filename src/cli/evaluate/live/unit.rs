//! What the engine does on the crawls of one site.

use std::sync::Arc;

use serde::Serialize;

use undust_cluster::clusters::cluster;
use undust_learn::evaluate::units::Unit;
use undust_live::engine::replay::{LiveReplay, ReplayedSite};
use undust_live::engine::{EngineOptions, Shared};
use undust_util::error::Result;

use crate::cli::live::UntilInterrupted;

/// What the engine did on one unit. The names of the fields are a contract.
#[derive(Serialize)]
pub(super) struct UnitResult {
    pub(super) site: String,
    #[serde(flatten)]
    pub(super) first: CrawlResult,
    /// Later crawls of the site.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) then: Vec<CrawlResult>,
}

/// What the engine did on a crawl.
#[derive(Serialize)]
pub(super) struct CrawlResult {
    pub(super) crawl: String,
    pub(super) redundant: usize,
    pub(super) saved: i64,
    pub(super) lost: usize,
    unseen_share: f64,
    /// Of the first crawl of a site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_within_bound: Option<bool>,
    #[serde(flatten)]
    pub(super) replay: LiveReplay,
}

/// Replays the crawls of a site, the first one from nothing.
pub(super) fn replay_unit(
    unit: &Unit,
    later: Vec<&Unit>,
    learner: &UntilInterrupted,
    options: &EngineOptions,
    shared: &Arc<Shared>,
) -> Result<UnitResult> {
    let engine = ReplayedSite::new(learner, options, learner.0.config.seed);
    let mut engine = engine.among(shared, &unit.site);
    let mut replayed = |unit: &Unit| {
        let replay = engine.crawl(&unit.pages, &cluster(&unit.pages, &options.clusters))?;
        Ok(CrawlResult {
            crawl: unit.crawl.clone(),
            redundant: replay.redundant(),
            saved: replay.saved(),
            lost: replay.lost(),
            unseen_share: replay.unseen_share(),
            is_within_bound: None,
            replay,
        })
    };
    let mut first = replayed(unit)?;
    first.is_within_bound = Some(first.replay.is_within_bound());
    let then = later.into_iter().map(replayed).collect::<Result<_>>()?;
    Ok(UnitResult { site: unit.site.clone(), first, then })
}
