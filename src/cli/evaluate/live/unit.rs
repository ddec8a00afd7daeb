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
    pub(super) crawl: String,
    pub(super) redundant: usize,
    pub(super) saved: i64,
    pub(super) lost: usize,
    unseen_share: f64,
    pub(super) is_within_bound: bool,
    #[serde(flatten)]
    pub(super) replay: LiveReplay,
    /// Later crawls of the site.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) then: Vec<LaterResult>,
}

/// What the engine did on a later crawl.
#[derive(Serialize)]
pub(super) struct LaterResult {
    pub(super) crawl: String,
    pub(super) redundant: usize,
    pub(super) saved: i64,
    pub(super) lost: usize,
    pub(super) unseen_share: f64,
    #[serde(flatten)]
    pub(super) replay: LiveReplay,
}

/// Replays the crawls of a site, the first one from nothing.
pub(super) fn replay_unit(
    unit: Unit,
    later: Vec<&Unit>,
    learner: &UntilInterrupted,
    options: &EngineOptions,
    shared: &Arc<Shared>,
) -> Result<UnitResult> {
    let Unit { site, crawl, pages, .. } = unit;
    let clusters = cluster(&pages, &options.clusters);
    let engine = ReplayedSite::new(learner, options, learner.0.config.seed);
    let mut engine = engine.among(shared, &site);
    let replay = engine.crawl(&pages, &clusters)?;
    let then = later_results(&mut engine, later, options)?;
    Ok(UnitResult {
        site,
        crawl,
        redundant: replay.redundant(),
        saved: replay.saved(),
        lost: replay.lost(),
        unseen_share: replay.unseen_share(),
        is_within_bound: replay.is_within_bound(),
        replay,
        then,
    })
}

fn later_results(
    engine: &mut ReplayedSite<'_>,
    later: Vec<&Unit>,
    options: &EngineOptions,
) -> Result<Vec<LaterResult>> {
    let replay = |unit: &Unit| {
        let clusters = cluster(&unit.pages, &options.clusters);
        let replay = engine.crawl(&unit.pages, &clusters)?;
        Ok(LaterResult {
            crawl: unit.crawl.clone(),
            redundant: replay.redundant(),
            saved: replay.saved(),
            lost: replay.lost(),
            unseen_share: replay.unseen_share(),
            replay,
        })
    };
    later.into_iter().map(replay).collect()
}
