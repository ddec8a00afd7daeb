//! What the engine saved and lost, as tables.

use std::path::Path;

use undust_learn::evaluate::units::stem;
use undust_live::engine::replay::LiveReplay;

use super::unit::{BatchResult, LaterResult, UnitResult};
use crate::cli::table::{new_table, numbers, safe_line};

/// All that was asked for.
pub(super) fn all(results: &[UnitResult]) -> String {
    [first(results), batch(results), later(results)].concat()
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

/// The engine beside a crawler that learns once; nothing where that was not asked for.
fn batch(results: &[UnitResult]) -> String {
    let asked = results.iter().filter_map(|one| Some((one, one.batch.as_ref()?)));
    let asked: Vec<(&UnitResult, &[BatchResult; 2])> = asked.collect();
    if asked.is_empty() {
        return String::new();
    }
    let header =
        ["site", "redundant", "saved", "lost", "1/4 saved", "1/4 lost", "1/2 saved", "1/2 lost"];
    let mut table = new_table(header);
    let mut sums = [(0, 0); 3];
    for (one, [quarter, half]) in asked {
        let parts = [(one.saved, one.lost), (quarter.saved, quarter.lost), (half.saved, half.lost)];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
        let [live, quarter, half] =
            parts.map(|(saved, lost)| [saved.to_string(), lost.to_string()]);
        let ([saved, lost], [saved_4, lost_4], [saved_2, lost_2]) = (live, quarter, half);
        let (site, redundant) = (safe_line(&one.site), one.redundant.to_string());
        table.add_row([site, redundant, saved, lost, saved_4, lost_4, saved_2, lost_2]);
    }
    numbers(&mut table, 1..header.len());
    let sums = sums.map(|(saved, lost)| format!("{saved} and {lost}")).join(", ");
    format!("\n{table}\nsaved and lost: {sums}\n{BATCH_LEGEND}")
}

const BATCH_LEGEND: &str = "\
1/4, 1/2: all of the first part of the crawl is fetched, learned from once, and the rest crawled by that.
";

/// The later crawls; nothing where there are none.
fn later(results: &[UnitResult]) -> String {
    let later: Vec<&LaterResult> = results.iter().flat_map(|one| &one.then).collect();
    if later.is_empty() {
        return String::new();
    }
    let header = [
        "later crawl",
        "URLs",
        "pages",
        "redundant",
        "fetched",
        "saved",
        "lost",
        "lost %",
        "batch saved",
        "batch lost",
    ];
    let mut table = new_table(header);
    later.iter().for_each(|one| table.add_row(later_row(one)));
    numbers(&mut table, 1..header.len());
    format!("\n{table}\n{LATER_LEGEND}")
}

const LATER_LEGEND: &str = "\
later crawl: begun with what the engine knew after the crawls before it; every page is to be found again.
batch (--batch): all of the first crawl is learned from once, and the later crawl crawled by that.
";

fn later_row(one: &LaterResult) -> [String; 10] {
    let LiveReplay { pages, clusters, fetched, .. } = one.replay;
    let batch = one.batch.as_ref();
    let of_batch = |figure: fn(&BatchResult) -> String| batch.map_or_else(|| "-".into(), figure);
    [
        safe_line(&stem(Path::new(&one.crawl))),
        pages.to_string(),
        clusters.to_string(),
        one.redundant.to_string(),
        fetched.to_string(),
        one.saved.to_string(),
        one.lost.to_string(),
        percent(one.lost as f64, clusters, 2),
        of_batch(|batch| batch.saved.to_string()),
        of_batch(|batch| batch.lost.to_string()),
    ]
}

fn percent(part: f64, whole: usize, digits: usize) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part / whole as f64 };
    format!("{share:.digits$}")
}
