//! What the site says of its pages, and whether that was believed.

use maud::{Markup, html};

use crate::html::parts::{Column, listing, safe};
use crate::report::Site;
use crate::rows::LabelRow;
use crate::text::{number, percent};

pub(super) fn labels(site: &Site) -> Option<Markup> {
    let columns = [
        Column::text("Source"),
        Column::text("Says that URLs are"),
        Column::number("Pages"),
        Column::number("Wrong on"),
        Column::number("Share wrong"),
        Column::text("Taken from it"),
    ];
    let cells = |row: &LabelRow| {
        vec![
            html! { (safe(&row.source)) },
            html! { (safe(&row.says)) },
            html! { (number(row.pages)) },
            html! { (number(row.wrong)) },
            html! { @if row.pages == 0 { "–" } @else { (percent(row.wrong_share)) } },
            html! { (safe(&row.effect)) },
        ]
    };
    let label = format!("{}: what the site says", safe(&site.name));
    site.labels.as_ref().map(|rows| {
        html! {
            @if rows.is_empty() {
                p.empty { "The settings ask for labels, and none was heard: no page learned from has one, or the method has no gate." }
            } @else {
                p.note {
                    "Labels of the part learned from. A source is believed where the content of " em { "pages" }
                    " seldom contradicts it. Nothing is taken from a source that is not believed."
                }
                (listing(&label, &columns, rows, cells))
            }
        }
    })
}
