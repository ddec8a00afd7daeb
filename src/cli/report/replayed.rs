//! What the live engine did, as a report has it.

use undust_learn::evaluate::Split;
use undust_live::engine::EngineOptions;
use undust_live::engine::replay::{LiveReplay, replay};
use undust_report::Live;
use undust_util::error::Result;

use crate::cli::evaluate::HeldOutArgs;
use crate::cli::live::{EngineArgs, UntilInterrupted};
use crate::cli::progress::info;
use crate::cli::remedy::sentence;

/// Replays what is evaluated as the live engine would crawl it, while methods learn.
pub(crate) struct Replayer {
    learner: UntilInterrupted,
    options: EngineOptions,
    seed: u64,
}

impl Replayer {
    /// # Errors
    ///
    /// The settings cannot be read.
    pub(super) fn new(args: &HeldOutArgs, engine: &EngineArgs) -> Result<Self> {
        let config = args.config()?;
        let (options, seed) = (engine.options(&config), config.seed);
        let learner = engine.learner(config, None);
        Ok(Self { learner: UntilInterrupted(learner), options, seed })
    }

    /// What the engine does on all pages of a unit, from the first one on. What keeps it from
    /// learning is reported.
    pub(crate) fn replay(&self, split: &Split) -> Option<Live> {
        let (pages, clusters) = split.crawl()?;
        match replay(&pages, &clusters, &self.learner, &self.options, self.seed) {
            Ok(replay) => Some(live_of(&replay)),
            Err(error) => {
                info(&format!("{}: live: {}", split.unit().crawl, sentence(&error)));
                None
            }
        }
    }
}

/// The figures of a replay.
fn live_of(replay: &LiveReplay) -> Live {
    Live {
        urls: replay.pages,
        pages: replay.clusters,
        fetched: replay.fetched,
        found: replay.covered,
        redundant: replay.redundant(),
        saved: replay.saved(),
        lost: replay.lost(),
        audited: replay.stats.audits.audited,
        lost_share_bound: replay.stats.lost_share_bound,
    }
}
