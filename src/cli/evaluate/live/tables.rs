//! What the engine saved and lost, as tables.

use std::path::Path;

use undust_learn::evaluate::units::stem;
use undust_live::engine::replay::LiveReplay;

use super::{CrawlResult, UnitResult};
use crate::cli::table::{new_table, numbers, safe_line};

/// All that was asked for.
pub(super) fn all(results: &[UnitResult]) -> String {
    [first(results), later(results)].concat()
}

/// A line for each unit, and the sums.
fn first(results: &[UnitResult]) -> String {
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
        let (site, one) = (&one.site, &one.first);
        let LiveReplay { pages, clusters, stats, .. } = &one.replay;
        table.add_row([
            safe_line(site),
            pages.to_string(),
            clusters.to_string(),
            one.redundant.to_string(),
            one.saved.to_string(),
            percent(one.saved as f64, one.redundant, 1),
            one.lost.to_string(),
            percent(one.lost as f64, *clusters, 2),
            stats.audits.audited.to_string(),
            format!("{:.2}", 100.0 * one.replay.unseen_share()),
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
    let first = || results.iter().map(|one| &one.first);
    let sum = |of: fn(&CrawlResult) -> usize| first().map(of).sum::<usize>();
    let (redundant, lost) = (sum(|one| one.redundant), sum(|one| one.lost));
    let (clusters, within) =
        (sum(|one| one.replay.clusters), sum(|one| usize::from(one.is_within_bound == Some(true))));
    let saved: i64 = first().map(|one| one.saved).sum();
    format!(
        "saved {saved} of {redundant} redundant fetches ({} %), lost {lost} of {clusters} pages ({} %); the truth is \
         within the bound on {within} of {}",
        percent(saved as f64, redundant, 1),
        percent(lost as f64, clusters, 2),
        results.len()
    )
}

/// The later crawls; nothing where there are none.
fn later(results: &[UnitResult]) -> String {
    let later: Vec<&CrawlResult> = results.iter().flat_map(|one| &one.then).collect();
    if later.is_empty() {
        return String::new();
    }
    let header =
        ["later crawl", "URLs", "pages", "redundant", "fetched", "saved", "lost", "lost %"];
    let mut table = new_table(header);
    later.iter().for_each(|one| table.add_row(later_row(one)));
    numbers(&mut table, 1..header.len());
    format!("\n{table}\n{LATER_LEGEND}")
}

const LATER_LEGEND: &str = "\
later crawl: begun with what the engine knew after the crawls before it; every page is to be found again.
";

fn later_row(one: &CrawlResult) -> [String; 8] {
    let LiveReplay { pages, clusters, fetched, .. } = one.replay;
    [
        safe_line(&stem(Path::new(&one.crawl))),
        pages.to_string(),
        clusters.to_string(),
        one.redundant.to_string(),
        fetched.to_string(),
        one.saved.to_string(),
        one.lost.to_string(),
        percent(one.lost as f64, clusters, 2),
    ]
}

fn percent(part: f64, whole: usize, digits: usize) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part / whole as f64 };
    format!("{share:.digits$}")
}
