//! `undust evaluate --live`: what the live engine would have saved and lost, from the first page
//! on.

use std::path::PathBuf;

use rayon::prelude::*;
use serde::Serialize;

use undust_cluster::clusters::cluster;
use undust_crawl::read_pages;
use undust_learn::evaluate::units::{Unit, stem, units};
use undust_live::engine::AutoLearner;
use undust_live::engine::replay::{LiveReplay, replay};
use undust_util::error::{Error, Result};

use super::args::EvaluateArgs;
use super::output::{json_output, print};
use crate::cli::failure::Failure;
use crate::cli::progress::{Board, catch_interrupt, info, interrupted};
use crate::cli::reading::{check_readable, no_page, without_host};
use crate::cli::table::{new_table, numbers, safe_line};

/// What the engine did on one unit. The names of the fields are a contract.
#[derive(Serialize)]
struct UnitResult {
    site: String,
    crawl: String,
    redundant: usize,
    saved: i64,
    lost: usize,
    unseen_share: f64,
    is_within_bound: bool,
    #[serde(flatten)]
    replay: LiveReplay,
}

/// Replays all crawls, and prints a table. If a crawl cannot be read, the others are replayed all
/// the same, and the command fails at the end.
pub(super) fn run(args: &EvaluateArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    let config = args.settings.read()?;
    let learner = args.engine.learner(config);
    let json = json_output(args)?;
    let board = Board::new(args.inputs.len(), "crawls");
    catch_interrupt();
    let threads = args.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let replayed: Vec<Result<Vec<UnitResult>>> = pool.map_err(Failure::Threads)?.install(|| {
        let one = |input: &PathBuf| {
            let _line = board.line(&stem(input));
            replay_crawl(args, &learner, input)
        };
        args.inputs.par_iter().map(one).collect()
    });
    let (mut results, mut failure) = (Vec::new(), None);
    for one in replayed {
        match one {
            Ok(units) => results.extend(units),
            Err(error) => {
                failure.iter().for_each(|error: &Error| info(&error.to_string()));
                failure = Some(error);
            }
        }
    }
    if results.is_empty() {
        return Err(failure.unwrap_or_else(|| Failure::NothingEvaluated.into()));
    }
    print(args, json, &results, || table(&results))?;
    failure.map_or(Ok(()), Err)
}

fn replay_crawl(
    args: &EvaluateArgs,
    learner: &AutoLearner,
    input: &PathBuf,
) -> Result<Vec<UnitResult>> {
    if interrupted() {
        return Ok(Vec::new());
    }
    let inputs = std::slice::from_ref(input);
    let (options, watch) = args.reading.of(inputs);
    let (crawl, report) = read_pages(inputs, &options).map_err(without_host)?;
    drop(watch);
    if crawl.pages.is_empty() {
        return Err(no_page(inputs, "replay", &report, &crawl.left_out));
    }
    let found = units(input, crawl.pages, args.site_by.into(), learner.config.site.min_pages);
    found.units.into_iter().map(|unit| replay_unit(args, learner, unit)).collect()
}

fn replay_unit(args: &EvaluateArgs, learner: &AutoLearner, unit: Unit) -> Result<UnitResult> {
    let Unit { site, crawl, pages, .. } = unit;
    let clusters = cluster(&pages, &learner.config.clusters);
    let replay = replay(&pages, &clusters, learner, &args.engine.options(&learner.config))?;
    Ok(UnitResult {
        site,
        crawl,
        redundant: replay.redundant(),
        saved: replay.saved(),
        lost: replay.lost(),
        unseen_share: replay.unseen_share(),
        is_within_bound: replay.is_within_bound(),
        replay,
    })
}

/// A line for each unit, and the sums.
fn table(results: &[UnitResult]) -> String {
    let header = [
        "site",
        "URLs",
        "pages",
        "redundant",
        "saved",
        "saved %",
        "lost",
        "lost %",
        "audited",
        "lost skips %",
        "at most %",
    ];
    let mut table = new_table(header);
    for one in results {
        let LiveReplay { pages, clusters, stats, .. } = &one.replay;
        table.add_row([
            safe_line(&one.site),
            pages.to_string(),
            clusters.to_string(),
            one.redundant.to_string(),
            one.saved.to_string(),
            percent(one.saved as f64, one.redundant, 1),
            one.lost.to_string(),
            percent(one.lost as f64, *clusters, 2),
            stats.audits.audited.to_string(),
            format!("{:.2}", 100.0 * one.unseen_share),
            format!("{:.2}", 100.0 * stats.lost_share_bound),
        ]);
    }
    numbers(&mut table, 1..header.len());
    format!("{table}\n{}\n{LEGEND}", sums(results))
}

const LEGEND: &str = "\
redundant: fetches that show nothing new, if every URL is fetched. lost: pages that are never seen.
lost skips: URLs to skip, audits included, that showed a page which nobody had seen; at most: the bound by the audits.
";

fn sums(results: &[UnitResult]) -> String {
    let sum = |of: fn(&UnitResult) -> usize| results.iter().map(of).sum::<usize>();
    let (redundant, lost) = (sum(|one| one.redundant), sum(|one| one.lost));
    let (clusters, within) =
        (sum(|one| one.replay.clusters), sum(|one| usize::from(one.is_within_bound)));
    let saved: i64 = results.iter().map(|one| one.saved).sum();
    format!(
        "saved {saved} of {redundant} redundant fetches ({} %), lost {lost} of {clusters} pages ({} %); the truth is \
         within the bound on {within} of {}",
        percent(saved as f64, redundant, 1),
        percent(lost as f64, clusters, 2),
        results.len()
    )
}

fn percent(part: f64, whole: usize, digits: usize) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part / whole as f64 };
    format!("{share:.digits$}")
}
