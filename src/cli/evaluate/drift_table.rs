//! Saved models tested on a later crawl, as tables: one row per model, then one per operation.

use std::fmt::Write;

use comfy_table::Table;

use undust_learn::drift::operation::{Operation, OperationVerdict};
use undust_model::translation::spelled_out;

use super::saved::ModelDrift;
use super::table::new_table;
use crate::cli::table::{fit, numbers};

/// Operations that are shown of a model, in addition to the refuted ones.
const SHOWN: usize = 20;

const LEGEND: &str = "\
P: share of fetches that showed a new page. R: share of duplicate clusters seen.
All pages of the crawl were replayed. Changed: URLs that an operation changed.
Tested: those that share their canonical form with another URL. Pages: what
tested URLs show. Collide: pages that get a form of another page. Lost: clusters
never seen because of that. A URL that several operations changed counts for each.
";

/// The results, as wide as the terminal; no control characters but line feeds.
pub(super) fn drift_table(drifts: &[ModelDrift]) -> String {
    let mut out = format!("{}\n{LEGEND}", models(drifts));
    for one in drifts {
        let _ = write!(out, "\n{}, {}, by {}\n{}", one.site, one.method, one.crawl, steps(one));
    }
    out
}

fn models(drifts: &[ModelDrift]) -> Table {
    let mut table = new_table();
    table.set_header([
        "site", "method", "pages", "clusters", "lost", "%", "P", "R", "F1", "refuted", "held",
        "untested",
    ]);
    for ModelDrift { site, method, drift, .. } in drifts {
        let count = |verdict| {
            let is = |operation: &&Operation| operation.verdict == verdict;
            drift.operations.iter().filter(is).count().to_string()
        };
        table.add_row([
            site.clone(),
            method.clone(),
            drift.pages.to_string(),
            drift.clusters.to_string(),
            drift.lost.to_string(),
            format!("{:.2}", 100.0 * drift.lost_share),
            format!("{:.4}", drift.precision),
            format!("{:.4}", drift.recall),
            format!("{:.4}", drift.f1),
            count(OperationVerdict::Refuted),
            count(OperationVerdict::Held),
            count(OperationVerdict::Untested),
        ]);
    }
    numbers(&mut table, 2..12);
    table
}

/// The operations of a model: all refuted ones, and some of the others.
fn steps(one: &ModelDrift) -> String {
    let operations = &one.drift.operations;
    if operations.is_empty() {
        return "no operation changed a URL\n".into();
    }
    let shown = (one.drift.refuted().count() + SHOWN).min(operations.len());
    let mut table = new_table();
    fit(&mut table);
    table.set_header([
        "verdict",
        "changed",
        "tested",
        "pages",
        "collide",
        "lost",
        "rate",
        "operation",
    ]);
    for operation in &operations[..shown] {
        table.add_row([
            operation.verdict.to_string(),
            operation.changed.to_string(),
            operation.tested.to_string(),
            operation.pages.to_string(),
            operation.collisions.to_string(),
            operation.lost.to_string(),
            format!("{:.3}", operation.rate),
            plain(&spelled_out(&operation.label())),
        ]);
    }
    numbers(&mut table, 1..7);
    match operations.len() - shown {
        0 => format!("{table}\n"),
        more => format!("{table}\n{more} more, none of them refuted; --json has all\n"),
    }
}

fn plain(notation: &str) -> String {
    notation.chars().map(|one| if one.is_control() { '\u{fffd}' } else { one }).collect()
}
