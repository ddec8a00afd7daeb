//! The report on rules, as tables.

use comfy_table::{Cell, CellAlignment, Table};

use undust_learn::config::FalsePositives;
use undust_learn::evaluate::result::{MethodResult, SiteResult};
use undust_learn::evaluate::rules::{RuleReport, Selection};

use super::table::new_table;

const LEGEND: &str = "\
Rules selected by precision and coverage on the pages learned from, and their
joint effect on the held-out pages. Reduction: the share by which canonical URLs
are fewer than URLs. A rule: reduction per rule. Clusters: share of the clusters
of two URLs or more that get one canonical URL.
";

/// The reports of all results that have any; no control characters but line feeds.
pub(super) fn rules_table(results: &[SiteResult]) -> String {
    let mut out = String::from(LEGEND);
    for result in results {
        for method in &result.methods {
            let Some(report) = method.figures().and_then(|figures| figures.rule_report.as_ref())
            else {
                continue;
            };
            out.push_str(&block(result, method, report));
        }
    }
    out
}

fn block(result: &SiteResult, method: &MethodResult, report: &RuleReport) -> String {
    let mut out = format!("\n{}, {}: {} candidates\n", result.site, method.name, report.candidates);
    for (count, title) in [
        (FalsePositives::Paper, "false positives as the paper counts them"),
        (FalsePositives::Collisions, "false positives as key collisions"),
    ] {
        let selections = report.selections.iter().filter(|selection| selection.count == count);
        out.push_str(&format!("{title}\n{}\n", table(selections)));
    }
    out
}

fn table<'s>(selections: impl Iterator<Item = &'s Selection>) -> Table {
    let mut table = new_table();
    table.set_header([
        "precision",
        "coverage",
        "rules",
        "%",
        "reduction",
        "a rule",
        "clusters",
        "test precision",
        "lost",
        "F1",
    ]);
    for selection in selections {
        table.add_row(row(selection).map(Cell::new));
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn row(selection: &Selection) -> [String; 10] {
    let effect = &selection.effect;
    let precision = match selection.min_precision {
        0.0 => "all".to_owned(),
        1.0 => "= 1".to_owned(),
        least => format!("≥ {least:.2}"),
    };
    [
        precision,
        format!("≥ {}", selection.min_coverage),
        selection.rules.to_string(),
        format!("{:.2}", 100.0 * selection.share),
        format!("{:.4}", effect.reduction_ratio),
        format!("{:.2}", effect.reduction_per_rule),
        format!("{:.4}", effect.cluster_reduction),
        format!("{:.4}", effect.precision),
        effect.lost.to_string(),
        format!("{:.4}", effect.f1),
    ]
}
