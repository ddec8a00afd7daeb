//! What a crawler would save by what was learned: the verdict, all methods, and the families of edits.

use maud::{Markup, html};

use super::cells::{count, figure, loss, share};
use crate::html::parts::{Column, listing, rewriting, safe, table, url};
use crate::report::Site;
use crate::rows::{CountRow, FamilyRow, Live, MethodRow, Parts};
use crate::text::{counted, number, percent};

pub(super) fn saved(site: &Site) -> Option<Markup> {
    let is_known = !site.methods.is_empty() || site.live.is_some();
    is_known.then(|| {
        html! {
            p { (safe(&site.sentence())) }
            @if let Some(parts) = &site.parts { p.note { (how(site, parts)) } }
            (families(site))
            @if !site.methods.is_empty() {
                details {
                    summary { "All methods" }
                    (methods(site))
                }
            }
            @if let Some(live) = &site.live { (live_table(site, live)) }
        }
    })
}

fn how(site: &Site, parts: &Parts) -> Markup {
    let what = match &*parts.hold_out {
        "folder" => "some folders",
        "shape" => "some shapes of URLs",
        _ => "the last part of the crawl",
    };
    html! {
        "Learned from " (counted(parts.train_urls, "URL")) " of " (url(&site.crawl)) "; judged on " (what) ": "
        (counted(parts.test_urls, "URL")) ", which were held out."
        @if parts.judged_by_truth > 0 {
            " " (number(parts.judged_by_truth)) " of these are judged by the field that --truth names."
        }
    }
}

fn families(site: &Site) -> Markup {
    let columns = [
        Column::text("What is left out or rewritten"),
        Column::number("Edits"),
        Column::number("URLs tested"),
        Column::number("Fetches saved"),
        Column::number("Pages lost"),
        Column::wide("Example"),
    ];
    let cells = |row: &FamilyRow| {
        vec![
            html! { (safe(&row.family)) },
            html! { (number(row.edits)) },
            html! { (number(row.tested)) },
            html! { (number(row.saved)) },
            loss(row.lost),
            html! { @if let (Some(from), Some(to)) = (&row.from, &row.to) { (rewriting(from, to)) } },
        ]
    };
    let label = format!("{}: what was learned", safe(&site.name));
    let conventions: Vec<&str> = site.conventions.iter().map(|row| &*row.convention).collect();
    let method = site.verdict.as_ref().map(|verdict| &*verdict.method);
    html! {
        @if !site.families.is_empty() {
            (listing(&label, &columns, &site.families, cells))
        } @else if let Some(method) = method {
            @if site.rewritten_urls > 0 {
                p.note {
                    (safe(method)) " has no edits that could be listed. It changed "
                    (number(site.rewritten_urls)) " of the held-out URLs, each by itself."
                }
            } @else if conventions.is_empty() {
                p.empty { (safe(method)) " accepted no edit: every URL stays as the site writes it." }
            }
        }
        @if !conventions.is_empty() {
            p.note { "Written in one way: " (safe(&conventions.join("; "))) "." }
        }
    }
}

fn methods(site: &Site) -> Markup {
    let columns = [
        Column::text("Method"),
        Column::number("Fetched"),
        Column::number("Saved"),
        Column::number("of redundant"),
        Column::number("Pages lost"),
        Column::number("Share lost, at most"),
        Column::number("Precision"),
        Column::number("Recall"),
        Column::number("F1"),
        Column::number("95 % interval"),
    ];
    let cells = |row: &MethodRow| {
        let interval = row.f1_low.zip(row.f1_high);
        vec![
            html! { (safe(&row.method)) },
            count(row.fetched),
            count(row.saved),
            share(row.saved_share),
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
    html! {
        (table(&label, &columns, site.methods.iter().map(cells)))
        @if !notes.is_empty() {
            ul.notes {
                @for row in notes { li { (safe(&row.method)) ": " (safe(row.note.as_deref().unwrap_or(""))) } }
            }
        }
    }
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
            code { "undust live" } " decides in the crawl, with nothing known before; this is what it would have done on "
            "all of it. Audits are skips that it fetches to measure what skips lose."
        }
        (table(&format!("{}: the live engine", safe(&site.name)), &columns, std::iter::once(row)))
    }
}

/// What no figure counts.
pub(super) fn left_out(site: &Site) -> Option<Markup> {
    let columns = [Column::wide("What"), Column::number("How many")];
    let cells = |row: &CountRow| vec![html! { (safe(&row.what)) }, html! { (number(row.count)) }];
    let label = format!("{}: left out", safe(&site.name));
    let is_known = !site.left_out.is_empty() || !site.notes.is_empty();
    is_known.then(|| {
        html! {
            @if !site.left_out.is_empty() { (listing(&label, &columns, &site.left_out, cells)) }
            @if !site.notes.is_empty() {
                details {
                    summary { "The first problems" }
                    ul.notes { @for note in &site.notes { li { (safe(note)) } } }
                }
            }
        }
    })
}
