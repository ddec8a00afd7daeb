//! What each method saved and lost, and how soon each finds the pages.

use maud::{Markup, html};

use super::cells::{count, figure, loss, share};
use crate::html::figures;
use crate::html::parts::{Column, bar, safe, table};
use crate::report::Site;
use crate::rows::{Live, MethodRow};
use crate::site::{HELD_OUT, WHOLE};
use crate::text::percent;

pub(super) fn methods(site: &Site) -> Option<Markup> {
    let columns = [
        Column::text("Method"),
        Column::number("Fetched"),
        Column::number("Saved"),
        Column::number("of redundant"),
        Column::text("Share saved"),
        Column::number("Pages lost"),
        Column::number("Share lost, at most"),
        Column::number("Precision"),
        Column::number("Recall"),
        Column::number("F1"),
        Column::number("95 % interval"),
    ];
    let judged = site.verdict.as_ref().map(|verdict| &*verdict.method);
    let cells = |row: &MethodRow| {
        let name = html! {
            @if judged == Some(&*row.method) { strong { (safe(&row.method)) } } @else { (safe(&row.method)) }
        };
        let interval = row.f1_low.zip(row.f1_high);
        vec![
            name,
            count(row.fetched),
            count(row.saved),
            share(row.saved_share),
            row.saved_share.map_or_else(|| html! {}, bar),
            row.lost.map_or_else(|| html! { "–" }, loss),
            share(row.lost_share_bound),
            figure(row.precision),
            figure(row.recall),
            figure(row.f1),
            html! { @match interval { Some((low, high)) => { (format!("{low:.4}–{high:.4}")) }, None => "–" } },
        ]
    };
    let notes: Vec<&MethodRow> = site.methods.iter().filter(|row| row.note.is_some()).collect();
    let label = format!("{}: saved and lost by method", safe(&site.name));
    let is_known = !site.methods.is_empty() || site.live.is_some();
    is_known.then(|| {
        html! {
            @if !site.methods.is_empty() {
                p.note {
                    "A URL is fetched unless its canonical URL was fetched before. " em { "Saved" }
                    ": fetches that would have shown a page again. " em { "Lost" }
                    ": pages that no fetched URL showed. Precision: share of fetches that showed a new page; recall: "
                    "share of pages seen; F1: their harmonic mean."
                }
                (table(&label, &columns, site.methods.iter().map(cells)))
                @if !notes.is_empty() {
                    ul.notes {
                        @for row in notes { li { (safe(&row.method)) ": " (safe(row.note.as_deref().unwrap_or(""))) } }
                    }
                }
            }
            @if let Some(live) = &site.live { (live_table(site, live)) }
        }
    })
}

fn live_table(site: &Site, live: &Live) -> Markup {
    let columns = [
        Column::text("Method"),
        Column::number("URLs"),
        Column::number("Pages"),
        Column::number("Fetched"),
        Column::number("Saved"),
        Column::number("of redundant"),
        Column::number("Pages lost"),
        Column::number("Audits"),
        Column::number("Lost skips, at most"),
    ];
    let saved = live.saved as f64 / live.redundant.max(1) as f64;
    let row = vec![
        html! { "live" },
        count(Some(live.urls)),
        count(Some(live.pages)),
        count(Some(live.fetched)),
        count(Some(live.saved)),
        html! { (percent(saved)) },
        loss(live.lost),
        count(Some(live.audited)),
        html! { (percent(live.lost_share_bound)) },
    ];
    html! {
        p.note {
            "In the crawl, from its first page on and with nothing known before, " code { "undust live" }
            " would have done this on all of the crawl. Audits are skips that it fetches to measure what skips lose."
        }
        (table(&format!("{}: the live engine", safe(&site.name)), &columns, std::iter::once(row)))
    }
}

pub(super) fn curves(site: &Site, id: &str) -> Option<Markup> {
    let batch = site.verdict.as_ref().map_or("A method", |verdict| &*verdict.method);
    let split = site.parts.as_ref().map_or(0.0, |parts| parts.split);
    let whole = "Whole crawl: distinct pages (upwards) over fetches (to the right)";
    (!site.curve.is_empty()).then(|| {
        html! {
            p.note {
                "The higher a line, the sooner pages are found; where it ends, the crawler is done. "
                em { "keep-all" } " fetches every URL; " em { "ideal" }
                " knows beforehand what each URL shows, and finds a page by each fetch."
            }
            (figures::curve(site, HELD_OUT, &format!("{id}-held-out"),
                "Held-out part: distinct pages (upwards) over fetches (to the right)"))
            (figures::curve(site, WHOLE, &format!("{id}-whole"), whole))
            @if site.curve.iter().any(|row| row.part == WHOLE && row.series == batch) {
                p.note {
                    (batch) " fetches all of the first " (percent(split))
                    " to learn from it, and skips on the rest."
                }
            }
        }
    })
}
