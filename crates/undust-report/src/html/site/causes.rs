//! What a reader asks first: how many URLs are needless, why, and what to do.

use maud::{Markup, html};

use crate::html::parts::{Column, bar, heading, listing, rewriting};
use crate::report::Site;
use crate::rows::CauseRow;
use crate::text::{counted, number, percent, shown};

/// Causes that stand at the top.
const FIRST: usize = 3;

/// How many URLs show how many pages, and the largest causes with what to do.
pub(super) fn first(site: &Site, id: &str, level: u8) -> Markup {
    html! {
        p.verdict { (shown(&site.summary().unwrap_or_else(|| site.sentence()))) }
        @if !site.causes.is_empty() {
            section {
                (heading(level, id, "What to do first"))
                ol.causes {
                    @for row in site.causes.iter().take(FIRST) {
                        li {
                            p { strong { (shown(&row.cause)) } ": " (gain(row)) ". " (shown(&row.advice)) }
                            (rewriting(&row.from, &row.to))
                        }
                    }
                }
                p.note {
                    code { "undust export" } " writes rules for a server or a cache from a trained model; "
                    code { "clusters.csv" } " (" code { "--csv" } ") has every URL with its page and its cause."
                }
            }
        }
    }
}

fn gain(row: &CauseRow) -> String {
    format!("{} ({} of these)", counted(row.urls, "needless URL"), percent(row.share))
}

/// Every cause; none where the crawl was not looked at.
pub(super) fn causes(site: &Site) -> Option<Markup> {
    let columns = [
        Column::text("Cause", |row: &CauseRow| html! { (shown(&row.cause)) }),
        Column::number("Needless URLs", |row| html! { (number(row.urls)) (bar(row.share)) }),
        Column::number("Pages", |row| html! { (number(row.pages)) }),
        Column::wide("What to do", |row| html! { (shown(&row.advice)) }),
        Column::wide("Example", |row| rewriting(&row.from, &row.to)),
    ];
    let label = format!("{}: causes", shown(&site.name));
    (site.causes.len() > FIRST).then(|| {
        html! {
            p.note {
                "Each needless URL has one cause: what it differs by from the nearest URL of its page. The example's "
                "second URL stands for the page: pages of its content name it by rel=canonical, or it answered."
            }
            (listing(&label, &columns, &site.causes))
        }
    })
}
