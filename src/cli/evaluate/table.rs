//! Results as tables: one like Table 2 of the SIGIR 2017 paper, with a row per method and the crawls
//! side by side, then the details of each crawl.

use std::fmt::Write;

use comfy_table::{Table, presets};

use undust_learn::evaluate::JudgedRule;
use undust_learn::evaluate::result::{Figures, MethodOutcome, MethodResult, SiteResult};
use undust_learn::report::network::Stopped;
use undust_learn::training::hold_out::HoldOut;
use undust_util::plural::counted;

use super::shapes_table::shapes_table;
use crate::cli::table::{cut, fit, numbers, terminal_width};

/// Figures have four decimals.
const FIGURE_WIDTH: usize = 6;

/// Space and border of a column.
const COLUMN_EXTRA: usize = 3;

const LEGEND: &str = "\
P: share of fetches that showed a new page. R: share of duplicate clusters seen.
Lost: clusters never seen. Redundant: fetches that showed a page seen before.
A shape is unseen if every URL learned from differs in more than arguments.
";

/// What the methods learned from, and what they were replayed on.
fn parts(hold_out: HoldOut) -> &'static str {
    match hold_out {
        HoldOut::Time => {
            "Each method learned from the first part of a crawl and was replayed on the rest."
        }
        HoldOut::Folder => "Each method was replayed on some folders and learned from all others.",
        HoldOut::Shape => {
            "Each method was replayed on some URL shapes and learned from all others."
        }
    }
}

/// All results, in lines of at most `width` columns where names allow it. Where the crawls
/// do not fit side by side, the table goes on below itself.
///
/// No control characters but line feeds. With more than one result the last block holds the
/// means of each column, for the methods that were evaluated on every site.
pub(super) fn table(results: &[SiteResult], width: usize) -> String {
    let methods = method_names(results);
    let blocks = blocks(results, &methods);
    let mut out = String::new();
    for blocks in blocks.chunks(blocks_in(width, &methods)) {
        let _ = writeln!(out, "{}", side_by_side(&methods, blocks));
    }
    out.push_str(LEGEND);
    let hold_out = results.first().map_or(HoldOut::Time, |result| result.hold_out);
    let _ = writeln!(out, "{}", parts(hold_out));
    for result in results {
        let _ = writeln!(out, "\n{}\n{}", caption(result), particulars(result));
        let _ = writeln!(out, "{}", shapes_table(result));
    }
    let notes: Vec<_> = results.iter().flat_map(notes).collect();
    if !notes.is_empty() {
        let _ = writeln!(out, "\n{}", notes.join("\n"));
    }
    out
}

/// The methods of all results, in the order in which they first come.
fn method_names(results: &[SiteResult]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for method in results.iter().flat_map(|result| &result.methods) {
        if !names.contains(&method.name.as_str()) {
            names.push(&method.name);
        }
    }
    names
}

/// One site's part of the first table: P, R and F1 of each method.
struct Block<'r> {
    title: &'r str,
    rows: Vec<Option<[f64; 3]>>,
}

fn blocks<'r>(results: &'r [SiteResult], methods: &[&str]) -> Vec<Block<'r>> {
    let row = |result: &SiteResult, name: &&str| {
        let figures = result.method(name).and_then(MethodResult::figures);
        figures.map(|figures| [figures.precision, figures.recall, figures.f1])
    };
    let block = |result: &'r SiteResult| Block {
        title: &result.site,
        rows: methods.iter().map(|name| row(result, name)).collect(),
    };
    let mut blocks: Vec<_> = results.iter().map(block).collect();
    if blocks.len() > 1 {
        let rows = (0..methods.len()).map(|at| mean(blocks.iter().map(|block| &block.rows[at])));
        blocks.push(Block { rows: rows.collect(), title: "average" });
    }
    blocks
}

/// The mean of each column; none where a site has none, for the mean of fewer sites could
/// not be compared with those of other methods.
fn mean<'b>(rows: impl Iterator<Item = &'b Option<[f64; 3]>>) -> Option<[f64; 3]> {
    let rows: Vec<&[f64; 3]> = rows.map(Option::as_ref).collect::<Option<_>>()?;
    let mean = |column: usize| rows.iter().map(|row| row[column]).sum::<f64>() / rows.len() as f64;
    Some([0, 1, 2].map(mean))
}

const LABELS: [&str; 3] = ["P", "R", "F1"];
const BLOCK_WIDTH: usize = LABELS.len() * (FIGURE_WIDTH + 1) - 1;

/// How many blocks fit side by side; one must.
fn blocks_in(width: usize, methods: &[&str]) -> usize {
    let names = methods.iter().map(|name| name.len()).max().unwrap_or(0);
    let left = width.saturating_sub(names + COLUMN_EXTRA + 1);
    (left / (BLOCK_WIDTH + COLUMN_EXTRA)).max(1)
}

fn side_by_side(methods: &[&str], blocks: &[Block<'_>]) -> Table {
    let mut table = new_table();
    let head = |block: &Block<'_>| {
        format!(
            "{:^BLOCK_WIDTH$}\n{}",
            cut(block.title, BLOCK_WIDTH),
            in_columns(LABELS.map(str::to_owned))
        )
    };
    let first = ["\nmethod".to_owned()];
    table.set_header(first.into_iter().chain(blocks.iter().map(head)));
    for (at, name) in methods.iter().enumerate() {
        let cell = |block: &Block<'_>| match &block.rows[at] {
            Some(figures) => in_columns(figures.iter().map(|figure| format!("{figure:.4}"))),
            None => format!("{:^BLOCK_WIDTH$}", "–"),
        };
        table.add_row([(*name).to_owned()].into_iter().chain(blocks.iter().map(cell)));
    }
    table
}

fn in_columns(texts: impl IntoIterator<Item = String>) -> String {
    let padded = texts.into_iter().map(|text| format!("{text:>FIGURE_WIDTH$}"));
    padded.collect::<Vec<_>>().join(" ")
}

pub(super) fn new_table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).force_no_tty();
    if terminal_width().is_some() {
        fit(&mut table);
    }
    table
}

fn caption(result: &SiteResult) -> String {
    let SiteResult { site, train_pages, train_clusters, test_pages, test_clusters, .. } = result;
    let (pages, clusters) = (counted(*train_pages, "page"), counted(*train_clusters, "cluster"));
    let judged = result.judged.map_or_else(String::new, |rule| {
        let JudgedRule { judged_by_truth, label_lost, label_left } = rule;
        format!(
            ", {judged_by_truth} of them judged by --truth; the rule of duplicates itself loses {label_lost} and leaves {label_left}"
        )
    });
    format!(
        "{site}: learned from {pages} in {clusters}, tested on {test_pages} in {test_clusters}{judged}"
    )
}

/// What does not fit into the first table. On 80 columns no word of it is broken.
fn particulars(result: &SiteResult) -> Table {
    let mut table = new_table();
    table.set_header([
        "\nmethod",
        "\nlost",
        "\nredundant",
        "F1, 95 %\ninterval",
        "fit\nseconds",
        "\nlearned",
    ]);
    for method in &result.methods {
        table.add_row(match method.figures() {
            Some(figures) => particulars_of(&method.name, figures),
            None => [&method.name, "–", "–", "–", "–", "failed"].map(str::to_owned),
        });
    }
    numbers(&mut table, 1..5);
    table
}

fn particulars_of(name: &str, figures: &Figures) -> [String; 6] {
    let [low, high] = figures.intervals.f1;
    [
        name.to_owned(),
        figures.lost.to_string(),
        figures.redundant.to_string(),
        format!("{low:.3}–{high:.3}"),
        format!("{:.1}", figures.fit_seconds),
        learned(figures),
    ]
}

fn learned(figures: &Figures) -> String {
    match (figures.network, figures.candidates) {
        (Some(network), _) => counted(network.steps, "step"),
        (None, Some(candidates)) => {
            format!("{} of {}", figures.rules, counted(candidates, "rule"))
        }
        (None, None) => String::new(),
    }
}

/// One line for each thing that a reader of the figures must know.
fn notes(result: &SiteResult) -> Vec<String> {
    let of = |method: &MethodResult| {
        let name = format!("{}, {}", result.site, method.name);
        method_notes(method).into_iter().map(move |note| format!("{name}: {note}"))
    };
    result.methods.iter().flat_map(of).collect()
}

fn method_notes(method: &MethodResult) -> Vec<String> {
    let figures = match &method.outcome {
        MethodOutcome::Failed { error } => return vec![error.clone()],
        MethodOutcome::Evaluated(figures) => figures,
    };
    let stopped = figures.network.map(|network| network.stopped);
    let interrupted = (stopped == Some(Stopped::Interrupted))
        .then_some("training was interrupted; these are the figures of the best weights so far");
    let nothing =
        figures.learned_nothing.then_some("nothing was learned; every URL stays as it is");
    let own = figures.notes.iter().map(String::as_str);
    own.chain(nothing).chain(interrupted).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
