//! What the engine does on the crawls of one site, and what a crawler does that learns once.

use serde::Serialize;

use undust_cluster::clusters::{Clusters, cluster};
use undust_learn::evaluate::units::Unit;
use undust_live::engine::replay::{
    LiveReplay, ModelReplay, ReplayedSite, learn_accepted, replay_model,
};
use undust_live::engine::{AutoLearner, EngineOptions};
use undust_pages::page::Page;
use undust_util::error::Result;

/// Parts of a crawl that a crawler without the engine learns from: the first quarter, the first half.
const LEARNED: [f64; 2] = [0.25, 0.5];

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
    /// What a crawler does that learns once, by how much of the crawl it learned from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) batch: Option<[BatchResult; 2]>,
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
    /// What a crawler does that believes what all of the first crawl taught.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) batch: Option<BatchResult>,
}

/// What a crawler did that learns once.
#[derive(Serialize)]
pub(super) struct BatchResult {
    pub(super) saved: i64,
    pub(super) lost: usize,
    #[serde(flatten)]
    replay: ModelReplay,
}

impl From<ModelReplay> for BatchResult {
    fn from(replay: ModelReplay) -> Self {
        Self { saved: replay.saved(), lost: replay.lost(), replay }
    }
}

/// Replays the crawls of a site, the first one from nothing.
pub(super) fn replay_unit(
    unit: Unit,
    later: Vec<&Unit>,
    learner: &AutoLearner,
    options: &EngineOptions,
    with_batch: bool,
) -> Result<UnitResult> {
    let Unit { site, crawl, pages, .. } = unit;
    let clusters = cluster(&pages, &options.clusters);
    let mut engine = ReplayedSite::new(learner, options, learner.config.seed);
    let replay = engine.crawl(&pages, &clusters)?;
    let mut then = later_results(&mut engine, later, options)?;
    let mut batch = None;
    if with_batch {
        batch = Some(batch_results(&pages, &clusters, learner, options)?);
        believe_first(&mut then, &pages, &clusters, learner)?;
    }
    Ok(UnitResult {
        site,
        crawl,
        redundant: replay.redundant(),
        saved: replay.saved(),
        lost: replay.lost(),
        unseen_share: replay.unseen_share(),
        is_within_bound: replay.is_within_bound(),
        replay,
        batch,
        then: then.into_iter().map(|(result, ..)| result).collect(),
    })
}

/// A later crawl, and what the engine did on it.
type Replayed<'u> = (LaterResult, &'u [Page], Clusters);

fn later_results<'u>(
    engine: &mut ReplayedSite<'_>,
    later: Vec<&'u Unit>,
    options: &EngineOptions,
) -> Result<Vec<Replayed<'u>>> {
    let replay = |unit: &'u Unit| {
        let clusters = cluster(&unit.pages, &options.clusters);
        let replay = engine.crawl(&unit.pages, &clusters)?;
        let result = LaterResult {
            crawl: unit.crawl.clone(),
            redundant: replay.redundant(),
            saved: replay.saved(),
            lost: replay.lost(),
            unseen_share: replay.unseen_share(),
            replay,
            batch: None,
        };
        Ok((result, &*unit.pages, clusters))
    };
    later.into_iter().map(replay).collect()
}

fn batch_results(
    pages: &[Page],
    clusters: &Clusters,
    learner: &AutoLearner,
    options: &EngineOptions,
) -> Result<[BatchResult; 2]> {
    let learned = |share: f64| -> Result<BatchResult> {
        let cut = (pages.len() as f64 * share) as usize;
        let known = cluster(&pages[..cut], &options.clusters);
        let model = learn_accepted(&pages[..cut], &known, learner)?;
        Ok(replay_model(pages, clusters, cut, model.as_deref()).into())
    };
    let [quarter, half] = LEARNED.map(learned);
    Ok([quarter?, half?])
}

/// Crawls the later crawls by what all of the first one taught.
fn believe_first(
    later: &mut [Replayed<'_>],
    first: &[Page],
    clusters: &Clusters,
    learner: &AutoLearner,
) -> Result<()> {
    if later.is_empty() {
        return Ok(());
    }
    let model = learn_accepted(first, clusters, learner)?;
    for (result, pages, clusters) in later {
        result.batch = Some(replay_model(pages, clusters, 0, model.as_deref()).into());
    }
    Ok(())
}
