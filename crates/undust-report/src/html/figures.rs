//! Charts, each with a legend and a table of the same figures.

use maud::{Markup, PreEscaped, html};

use super::parts::{Column, safe, table};
use crate::chart::{COLORS, IDEAL, KEEP_ALL, Series, Unit, charts, hex};
use crate::report::Site;
use crate::rows::{CurveRow, NetworkRow};
use crate::text::number;

/// Lines of a chart beside `keep-all` and `ideal`; more could not be told apart.
const MOST_LINES: usize = COLORS.len();

/// Distinct pages over fetches, on one part of the crawl; nothing if there is no curve of it.
pub(super) fn curve(site: &Site, part: &str, id: &str, caption: &str) -> Markup {
    let rows: Vec<&CurveRow> = site.curve.iter().filter(|row| row.part == part).collect();
    let series = series(&rows, site);
    html! {
        @if !series.is_empty() {
            (figure(id, caption, &series, Unit::Count))
            details {
                summary { "The same figures as a table" }
                (curve_table(&format!("{}: {caption}", safe(&site.name)), &rows))
            }
        }
    }
}

fn figure(id: &str, caption: &str, series: &[Series], unit: Unit) -> Markup {
    let [wide, narrow] = charts(series, unit);
    html! {
        p.caption id=(id) { (caption) }
        figure role="img" aria-labelledby=(id) {
            ul.legend aria-hidden="true" {
                @for one in series {
                    li {
                        svg.key viewBox="0 0 24 8" width="24" height="8" focusable="false" {
                            polyline points="0,4 24,4" fill="none" stroke=(hex(one.color)) stroke-width="2" {}
                        }
                        (safe(&one.name))
                    }
                }
            }
            div.chart.at-wide { (PreEscaped(wide)) }
            div.chart.at-narrow { (PreEscaped(narrow)) }
        }
    }
}

/// Lines in the order in which they are drawn: what is compared first, then what it is compared with.
fn series(rows: &[&CurveRow], site: &Site) -> Vec<Series> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&&*row.series) {
            names.push(&row.series);
        }
    }
    let judged = site.verdict.as_ref().map(|verdict| &*verdict.method);
    let is_frame = |name: &str| matches!(name, "keep-all" | "ideal");
    // On the held-out part there are many methods, which hide each other: the judged one stands for them.
    let shown = |name: &&&str| {
        is_frame(name) || **name == "live" || judged.is_none_or(|judged| judged == **name)
    };
    let mut shown: Vec<&str> = names.iter().filter(shown).copied().take(MOST_LINES + 2).collect();
    shown.sort_by_key(|name| (is_frame(name), Some(*name) != judged));
    let mut colors = COLORS.into_iter().cycle();
    let line = |name: &str| Series {
        name: name.to_owned(),
        color: match name {
            "keep-all" => KEEP_ALL,
            "ideal" => IDEAL,
            _ => colors.next().unwrap_or(COLORS[0]),
        },
        points: (rows.iter().filter(|row| row.series == name))
            .map(|row| (row.fetches as f64, row.pages as f64))
            .collect(),
    };
    shown.into_iter().map(line).collect()
}

fn curve_table(label: &str, rows: &[&CurveRow]) -> Markup {
    let columns = [Column::text("Crawler"), Column::number("Fetches"), Column::number("Pages")];
    // A tenth of the points says what the eye sees.
    let mut shown: Vec<&CurveRow> = Vec::new();
    let mut begun = 0;
    for (at, row) in rows.iter().enumerate() {
        let is_first = at == 0 || rows[at - 1].series != row.series;
        let is_last = rows.get(at + 1).is_none_or(|next| next.series != row.series);
        begun = if is_first { at } else { begun };
        if is_first || is_last || (at - begun).is_multiple_of(10) {
            shown.push(row);
        }
    }
    let cells = |row: &&CurveRow| {
        vec![
            html! { (safe(&row.series)) },
            html! { (number(row.fetches)) },
            html! { (number(row.pages)) },
        ]
    };
    table(label, &columns, shown.iter().map(cells))
}

/// The learning curve of each network.
pub(super) fn networks(site: &Site, id: &str) -> Markup {
    let mut names: Vec<&str> = site.networks.iter().map(|row| &*row.method).collect();
    names.dedup();
    html! {
        @for (at, name) in names.iter().enumerate() {
            (network(site, name, &format!("{id}-{}", at + 1)))
        }
    }
}

fn network(site: &Site, name: &str, id: &str) -> Markup {
    let rows: Vec<&NetworkRow> = site.networks.iter().filter(|row| row.method == name).collect();
    let line = |place: usize, label: &str, of: fn(&NetworkRow) -> f64| Series {
        name: label.to_owned(),
        color: COLORS[place],
        points: rows.iter().map(|row| (row.step as f64, of(row))).collect(),
    };
    let losses =
        [line(0, "checked pairs", |row| row.checked_loss), line(1, "training", |row| row.loss)];
    let caption = format!("{}: loss in nats a symbol, over steps of training", safe(name));
    let columns = [
        Column::number("Step"),
        Column::number("Training loss"),
        Column::number("Checked loss"),
        Column::number("Exact match"),
        Column::text("Weights"),
    ];
    let cells = |row: &&NetworkRow| {
        vec![
            html! { (number(row.step)) },
            html! { (format!("{:.4}", row.loss)) },
            html! { (format!("{:.4}", row.checked_loss)) },
            html! { (format!("{:.4}", row.exact_match)) },
            html! { @if row.is_kept { "kept" } },
        ]
    };
    html! {
        (figure(id, &caption, &losses, Unit::Loss))
        details {
            summary { "The checks of training as a table" }
            (table(&format!("{}: checks of {}", safe(&site.name), safe(name)), &columns, rows.iter().map(cells)))
        }
    }
}
