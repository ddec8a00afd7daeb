//! The pages of the crawl: those that are lost, those with most URLs, and the patterns that grow.

use maud::{Markup, html};

use super::cells::count;
use crate::html::parts::{Column, listing, safe, title, url};
use crate::report::Site;
use crate::rows::{ClusterRow, LostRow, ShapeRow};
use crate::text::number;

pub(super) fn lost(site: &Site) -> Option<Markup> {
    let verdict = site.verdict.as_ref()?;
    let columns = [
        Column::wide("Page"),
        Column::wide("Fetched in its place"),
        Column::number("URLs"),
        Column::wide("By"),
    ];
    let cells = |row: &LostRow| {
        vec![
            html! { (title(row.title.as_deref())) (url(&row.url)) },
            html! {
                @if row.instead.is_empty() { "–" } @else {
                    (title(row.instead_title.as_deref())) (url(&row.instead))
                }
            },
            html! { (number(row.urls)) },
            html! { @if row.by.is_empty() { "normal form" } @else { (url(&row.by)) } },
        ]
    };
    let label = format!("{}: lost pages", safe(&site.name));
    Some(html! {
        @if site.lost.is_empty() {
            p.empty { (safe(&verdict.method)) " lost no page of the held-out part." }
        } @else {
            p.note {
                "Held-out pages that no fetched URL showed. What was fetched in their place has the same canonical URL."
            }
            (listing(&label, &columns, &site.lost, cells))
        }
    })
}

pub(super) fn clusters(site: &Site) -> Option<Markup> {
    let columns = [Column::wide("Page"), Column::number("URLs"), Column::wide("The first of them")];
    let cells = |row: &ClusterRow| {
        vec![
            title(row.title.as_deref()),
            html! { (number(row.urls)) },
            html! { @for example in &row.examples { div { (url(example)) } } },
        ]
    };
    let label = format!("{}: largest clusters", safe(&site.name));
    (!site.clusters.is_empty()).then(|| {
        html! {
            p.note {
                "URLs of the whole crawl that show one page: " (number(site.clusters_with_duplicates))
                @if site.clusters_with_duplicates == 1 { " page has" } @else { " pages have" }
                " more than one URL."
                @if site.clusters_with_duplicates > site.clusters.len() {
                    " The " (number(site.clusters.len())) " largest are listed."
                }
            }
            (listing(&label, &columns, &site.clusters, cells))
        }
    })
}

pub(super) fn shapes(site: &Site) -> Option<Markup> {
    let columns = [
        Column::wide("Pattern, and what makes it grow"),
        Column::number("URLs"),
        Column::number("Pages"),
        Column::number("Needless"),
        Column::number("New URLs"),
        Column::number("New pages"),
        Column::text("What to do"),
    ];
    let cells = |row: &ShapeRow| {
        vec![
            html! {
                (url(&row.pattern))
                @if let Some(cause) = &row.cause { div.place { (safe(cause)) } }
            },
            html! { (number(row.urls)) },
            count(row.pages),
            count(row.needless),
            html! { (number(row.new_urls)) },
            count(row.new_pages),
            html! { (suggestion(row.suggestion.as_deref())) },
        ]
    };
    let label = format!("{}: patterns of URLs", safe(&site.name));
    site.has_shapes.then(|| {
        html! {
            @if site.shapes.is_empty() {
                p.empty { "No pattern of URLs can grow: each has one URL." }
            } @else {
                p.note {
                    "Patterns of the crawl's URLs, those with most needless URLs first. " em { "Needless" }
                    ": URLs whose page an earlier one showed. " em { "New" }
                    ": in the last quarter of the crawl. A budget limits requests; it does not say that pages are equal."
                }
                (listing(&label, &columns, &site.shapes, cells))
            }
        }
    })
}

fn suggestion(name: Option<&str>) -> &'static str {
    match name {
        Some("canonical") => "use canonical URLs",
        Some("train") => "train a model",
        Some("budget") => "set a budget",
        _ => "",
    }
}
