//! `undust evaluate --live`: what the live engine would have saved and lost, from the first page
//! on.

mod tables;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use undust_cluster::cluster;
use undust_crawl::read_pages;
use undust_learn::evaluate::units::{Unit, UnitBy, stem, units};
use undust_live::engine::replay::{LiveReplay, ReplayedSite};
use undust_live::engine::{EngineOptions, Shared};
use undust_url::site::SiteBy;
use undust_util::{Error, Result, counted};

use super::args::EvaluateArgs;
use super::{json_output, print};
use crate::cli::failure::Failure;
use crate::cli::live::UntilInterrupted;
use crate::cli::progress::{Board, catch_interrupt, info, interrupted};
use crate::cli::reading::{check_readable, no_page, without_host};
use crate::cli::standard::check_output;

/// What the engine did on one unit. The names of the fields are a contract.
#[derive(Serialize)]
struct UnitResult {
    site: String,
    #[serde(flatten)]
    first: CrawlResult,
    /// Later crawls of the site.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    then: Vec<CrawlResult>,
}

/// What the engine did on a crawl.
#[derive(Serialize)]
struct CrawlResult {
    crawl: String,
    redundant: usize,
    saved: i64,
    lost: usize,
    unseen_share: f64,
    /// Of the first crawl of a site.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_within_bound: Option<bool>,
    #[serde(flatten)]
    replay: LiveReplay,
}

/// Replays all crawls, and prints a table. If a crawl cannot be read, the others are replayed all
/// the same, and the command fails at the end.
pub(super) fn run(args: &EvaluateArgs) -> Result<()> {
    check_readable(&args.held_out.inputs)?;
    check_output(Path::new("-"))?;
    check_readable(&args.then)?;
    let learner = UntilInterrupted(args.engine.learner(args.held_out.config()?, None));
    let json = json_output(args)?;
    let replays = Replays { args, learner };
    let later = args.then.iter().map(|input| replays.read(input)).collect::<Result<Vec<_>>>()?;
    let later: Vec<Unit> = later.into_iter().flatten().collect();
    let board = Board::new(args.held_out.inputs.len(), "crawls");
    catch_interrupt();
    let threads = args.held_out.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let replayed: Vec<Result<Vec<UnitResult>>> = pool.map_err(Failure::Threads)?.install(|| {
        let one = |input: &PathBuf| {
            let _line = board.line(&stem(input));
            replays.crawl(input, &later)
        };
        args.held_out.inputs.par_iter().map(one).collect()
    });
    let (mut results, mut failure) = (Vec::new(), None);
    let mut fail = |error: Error| {
        let earlier: Option<Error> = failure.replace(error);
        earlier.iter().for_each(|error| info(&error.to_string()));
    };
    let mut unfinished = 0_u64;
    for one in replayed {
        match one {
            Ok(units) => results.extend(units),
            Err(_) if interrupted() => unfinished += 1,
            Err(error) => fail(error),
        }
    }
    if unfinished > 0 {
        info(&format!("interrupted: {} not replayed", counted(unfinished, "crawl")));
    }
    let replayed: Vec<&str> = results.iter().map(|one: &UnitResult| &*one.site).collect();
    for unit in later.iter().filter(|unit| !replayed.contains(&&*unit.site)) {
        let (path, site) = (PathBuf::from(&unit.crawl), unit.site.clone());
        fail(Failure::NothingBefore { path, site }.into());
    }
    if results.is_empty() {
        return Err(failure.unwrap_or_else(|| Failure::NothingEvaluated.into()));
    }
    print(args, json, &results, || tables::all(&results))?;
    failure.map_or(Ok(()), Err)
}

/// Crawls on their way through the engine.
struct Replays<'a> {
    args: &'a EvaluateArgs,
    learner: UntilInterrupted,
}

impl Replays<'_> {
    /// The sites of one crawl.
    fn read(&self, input: &PathBuf) -> Result<Vec<Unit>> {
        if interrupted() {
            return Err(Failure::Interrupted.into());
        }
        let (inputs, args) = (std::slice::from_ref(input), &self.args.held_out);
        let (options, watch) = args.reading.of(inputs);
        let (crawl, report) = read_pages(inputs, &options).map_err(without_host)?;
        drop(watch);
        if crawl.pages.is_empty() {
            return Err(no_page(inputs, "replay", &report, &crawl.left_out));
        }
        let min_pages = self.learner.0.config.site.min_pages;
        Ok(units(input, crawl.pages, args.site_by, min_pages).units)
    }

    /// Replays the sites of a crawl, each with its later crawls.
    fn crawl(&self, input: &PathBuf, later: &[Unit]) -> Result<Vec<UnitResult>> {
        let found = self.read(input)?;
        let site_by = match self.args.held_out.site_by {
            UnitBy::Domain => SiteBy::Domain,
            UnitBy::Crawl | UnitBy::Host => SiteBy::Host,
        };
        let config = &self.learner.0.config;
        let options = EngineOptions { site_by, ..self.args.engine.options(config) };
        let shared = Arc::new(Shared::of_seed(&options, config.seed));
        found.into_iter().map(|unit| self.unit(&unit, later, &options, &shared)).collect()
    }

    /// Replays the crawls of a site, the first one from nothing.
    fn unit(
        &self,
        unit: &Unit,
        later: &[Unit],
        options: &EngineOptions,
        shared: &Arc<Shared>,
    ) -> Result<UnitResult> {
        let engine = ReplayedSite::new(&self.learner, options, self.learner.0.config.seed);
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
        let later = later.iter().filter(|later| later.site == unit.site);
        let then = later.map(replayed).collect::<Result<_>>()?;
        Ok(UnitResult { site: unit.site.clone(), first, then })
    }
}
