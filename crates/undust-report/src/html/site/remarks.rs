//! What a reader who doubts a figure looks up: how a network was trained, and what no figure counts.

use maud::{Markup, html};

use crate::html::figures;
use crate::html::parts::{Column, listing, safe};
use crate::report::Site;
use crate::rows::CountRow;
use crate::text::number;

pub(super) fn networks(site: &Site, id: &str) -> Option<Markup> {
    (!site.networks.is_empty()).then(|| {
        html! {
            p.note {
                "Training is checked by pairs of URLs that are not trained on, and the weights of the best check are kept."
            }
            (figures::networks(site, &format!("{id}-network")))
        }
    })
}

pub(super) fn left_out(site: &Site) -> Option<Markup> {
    let columns = [Column::wide("What"), Column::number("How many")];
    let cells = |row: &CountRow| vec![html! { (safe(&row.what)) }, html! { (number(row.count)) }];
    let label = format!("{}: left out", safe(&site.name));
    let is_known = !site.left_out.is_empty() || !site.notes.is_empty();
    is_known.then(|| {
        html! {
            p.note { "URLs and lines of the crawl that no figure above counts." }
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
