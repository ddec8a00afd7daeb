//! `undust evaluate --live`: what the live engine would have saved and lost, from the first page
//! on.
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | `later` | the crawls of `--then` → their pages, by site |
//! | `unit` | the crawls of one site → what the engine does on them |
//! | `tables` | results → tables |

mod later;
mod tables;
mod unit;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use undust_crawl::read_pages;
use undust_learn::evaluate::units::{Unit, UnitBy, stem, units};
use undust_live::engine::{EngineOptions, Shared};
use undust_url::site::SiteBy;
use undust_util::{Error, Result, counted};

use self::later::Later;
use self::unit::{UnitResult, replay_unit};
use super::args::EvaluateArgs;
use super::output::{json_output, print};
use crate::cli::failure::Failure;
use crate::cli::live::UntilInterrupted;
use crate::cli::progress::{Board, catch_interrupt, info, interrupted};
use crate::cli::reading::{check_readable, no_page, without_host};
use crate::cli::standard::check_output;

/// Replays all crawls, and prints a table. If a crawl cannot be read, the others are replayed all
/// the same, and the command fails at the end.
pub(super) fn run(args: &EvaluateArgs) -> Result<()> {
    check_readable(&args.held_out.inputs)?;
    check_output(Path::new("-"))?;
    check_readable(&args.then)?;
    let config = args.held_out.config()?;
    let learner = UntilInterrupted(args.engine.learner(config, None));
    let json = json_output(args)?;
    let later = Later::read(args, &learner)?;
    let board = Board::new(args.held_out.inputs.len(), "crawls");
    catch_interrupt();
    let threads = args.held_out.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let replayed: Vec<Result<Vec<UnitResult>>> = pool.map_err(Failure::Threads)?.install(|| {
        let one = |input: &PathBuf| {
            let _line = board.line(&stem(input));
            replay_crawl(args, &learner, &later, input)
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
    later.without_first(&replayed).for_each(fail);
    if results.is_empty() {
        return Err(failure.unwrap_or_else(|| Failure::NothingEvaluated.into()));
    }
    print(args, json, &results, || tables::all(&results))?;
    failure.map_or(Ok(()), Err)
}

fn replay_crawl(
    args: &EvaluateArgs,
    learner: &UntilInterrupted,
    later: &Later,
    input: &PathBuf,
) -> Result<Vec<UnitResult>> {
    let found = read_units(args, learner, input)?;
    let site_by = match args.held_out.site_by {
        UnitBy::Domain => SiteBy::Domain,
        UnitBy::Crawl | UnitBy::Host => SiteBy::Host,
    };
    let options = EngineOptions { site_by, ..args.engine.options(&learner.0.config) };
    let shared = Arc::new(Shared::of_seed(&options, learner.0.config.seed));
    let replay = |unit: Unit| {
        let later = later.of(&unit.site);
        replay_unit(&unit, later, learner, &options, &shared)
    };
    found.into_iter().map(replay).collect()
}

/// The sites of one crawl.
fn read_units(
    args: &EvaluateArgs,
    learner: &UntilInterrupted,
    input: &PathBuf,
) -> Result<Vec<Unit>> {
    if interrupted() {
        return Err(Failure::Interrupted.into());
    }
    let inputs = std::slice::from_ref(input);
    let (options, watch) = args.held_out.reading.of(inputs);
    let (crawl, report) = read_pages(inputs, &options).map_err(without_host)?;
    drop(watch);
    if crawl.pages.is_empty() {
        return Err(no_page(inputs, "replay", &report, &crawl.left_out));
    }
    Ok(units(input, crawl.pages, args.held_out.site_by, learner.0.config.site.min_pages).units)
}
