//! What a crawler would save by what was learned: the verdict, all methods, and the families of edits.

use maud::{Markup, html};

use undust_learn::training::hold_out::HoldOut;

use crate::html::parts::{Column, listing, rewriting, table, url};
use crate::report::Site;
use crate::rows::{CountRow, FamilyRow, Live, MethodRow, Parts};
use crate::text::{counted, number, percent, shown};

pub(super) fn saved(site: &Site) -> Option<Markup> {
    let is_known = !site.methods.is_empty() || site.live.is_some();
    is_known.then(|| {
        html! {
            p { (shown(&site.sentence())) }
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
    let what = match parts.hold_out {
        HoldOut::Folder => "some folders",
        HoldOut::Shape => "some shapes of URLs",
        HoldOut::Time => "the last part of the crawl",
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
        Column::text("What is left out or rewritten", |row: &FamilyRow| {
            html! { (shown(&row.family)) }
        }),
        Column::number("Edits", |row| html! { (number(row.edits)) }),
        Column::number("URLs tested", |row| html! { (number(row.tested)) }),
        Column::number("Fetches saved", |row| html! { (number(row.saved)) }),
        Column::number("Pages lost", |row| loss(row.lost)),
        Column::wide("Example", |row| {
            html! { @if let (Some(from), Some(to)) = (&row.from, &row.to) { (rewriting(from, to)) } }
        }),
    ];
    let label = format!("{}: what was learned", shown(&site.name));
    let conventions: Vec<&str> = site.conventions.iter().map(|row| &*row.convention).collect();
    let method = site.verdict.as_ref().map(|verdict| &*verdict.method);
    html! {
        @if !site.families.is_empty() {
            (listing(&label, &columns, &site.families))
        } @else if let Some(method) = method {
            @if site.rewritten_urls > 0 {
                p.note {
                    (shown(method)) " has no edits that could be listed. It changed "
                    (number(site.rewritten_urls)) " of the held-out URLs, each by itself."
                }
            } @else if conventions.is_empty() {
                p.empty { (shown(method)) " accepted no edit: every URL stays as the site writes it." }
            }
        }
        @if !conventions.is_empty() {
            p.note { "Written in one way: " (shown(&conventions.join("; "))) "." }
        }
    }
}

fn methods(site: &Site) -> Markup {
    let columns = [
        Column::text("Method", |row: &MethodRow| html! { (shown(&row.method)) }),
        Column::number("Fetched", |row| known(row.fetched, number)),
        Column::number("Saved", |row| known(row.saved, number)),
        Column::number("of redundant", |row| known(row.saved_share, percent)),
        Column::number("Pages lost", |row| row.lost.map_or_else(|| html! { "–" }, loss)),
        Column::number("Share lost, at most", |row| known(row.lost_share_bound, percent)),
        Column::number("Precision", |row| known(row.precision, figure)),
        Column::number("Recall", |row| known(row.recall, figure)),
        Column::number("F1", |row| known(row.f1, figure)),
        Column::number("95 % interval", |row| {
            known(row.f1_low.zip(row.f1_high), |(low, high)| format!("{low:.4}–{high:.4}"))
        }),
    ];
    let notes: Vec<&MethodRow> = site.methods.iter().filter(|row| row.note.is_some()).collect();
    let label = format!("{}: saved and lost by method", shown(&site.name));
    html! {
        (table(&label, &columns, &site.methods))
        @if !notes.is_empty() {
            ul.notes {
                @for row in notes { li { (shown(&row.method)) ": " (shown(row.note.as_deref().unwrap_or(""))) } }
            }
        }
    }
}

fn live_table(site: &Site, live: &Live) -> Markup {
    let columns = [
        Column::text("Method", |_: &Live| html! { "live" }),
        Column::number("URLs", |live| html! { (number(live.urls)) }),
        Column::number("Pages", |live| html! { (number(live.pages)) }),
        Column::number("Fetched", |live| html! { (number(live.fetched)) }),
        Column::number("Saved", |live| html! { (number(live.saved)) }),
        Column::number("of redundant", |live| {
            html! { (percent(live.saved as f64 / live.redundant.max(1) as f64)) }
        }),
        Column::number("Pages lost", |live| loss(live.lost)),
        Column::number("Audits", |live| html! { (number(live.audited)) }),
        Column::number("Lost skips, at most", |live| html! { (percent(live.lost_share_bound)) }),
    ];
    html! {
        p.note {
            code { "undust live" } " decides in the crawl, with nothing known before; this is what it would have done on "
            "all of it. Audits are skips that it fetches to measure what skips lose."
        }
        (table(&format!("{}: the live engine", shown(&site.name)), &columns, std::slice::from_ref(live)))
    }
}

/// What no figure counts.
pub(super) fn left_out(site: &Site) -> Option<Markup> {
    let columns = [
        Column::wide("What", |row: &CountRow| html! { (shown(&row.what)) }),
        Column::number("How many", |row| html! { (number(row.count)) }),
    ];
    let label = format!("{}: left out", shown(&site.name));
    let is_known = !site.left_out.is_empty() || !site.notes.is_empty();
    is_known.then(|| {
        html! {
            @if !site.left_out.is_empty() { (listing(&label, &columns, &site.left_out)) }
            @if !site.notes.is_empty() {
                details {
                    summary { "The first problems" }
                    ul.notes { @for note in &site.notes { li { (shown(note)) } } }
                }
            }
        }
    })
}

/// A value that is not always known.
fn known<T>(value: Option<T>, text: impl Fn(T) -> String) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), text)) }
}

fn figure(value: f64) -> String {
    format!("{value:.4}")
}

/// A number that matters only where it is not zero.
fn loss(count: usize) -> Markup {
    html! { @if count == 0 { span.zero { "0" } } @else { strong.bad { (number(count)) } } }
}
