//! What the judged method learned: edits with their evidence, ways of writing, and what was refused.

use maud::{Markup, html};

use undust_util::plural::counted;

use super::cells::{count, loss, share};
use crate::html::parts::{Column, listing, rewriting, safe, url};
use crate::report::Site;
use crate::rows::{ConventionRow, EditRow, RefusedRow};
use crate::text::{number, percent};

pub(super) fn edits(site: &Site) -> Option<Markup> {
    let verdict = site.verdict.as_ref()?;
    let columns = [
        Column::wide("Edit, and where it holds"),
        Column::wide("Examples"),
        Column::number("URLs tested"),
        Column::number("URLs held out"),
        Column::number("Saved"),
        Column::number("Lost"),
        Column::number("Expected loss"),
    ];
    let label = format!("{}: accepted edits", safe(&site.name));
    Some(html! {
        @if site.edits.is_empty() {
            @if site.rewritten_urls > 0 {
                p.note {
                    (safe(&verdict.method)) " has no edits that could be listed. It changed "
                    (number(site.rewritten_urls)) " of the held-out URLs, each by itself."
                }
            } @else if site.conventions.is_empty() {
                p.empty { (safe(&verdict.method)) " accepted no edit: every URL stays as the site writes it." }
            }
        } @else {
            p.note {
                "What " (safe(&verdict.method)) " learned from the first part, those that save most first. "
                "Tested, saved and lost are of the part learned from; " em { "held out" }
                " counts the held-out URLs that the edit had a part in changing; " em { "expected loss" }
                " is the share of its URLs whose page is lost, as the law of evidence estimates it."
            }
            (listing(&label, &columns, &site.edits, edit_cells))
        }
        (conventions(site))
    })
}

fn edit_cells(row: &EditRow) -> Vec<Markup> {
    vec![
        html! {
            (what(row.words.as_deref(), &row.edit))
            div.place { (safe(&place(row))) }
        },
        html! { @for [from, to] in &row.examples { (rewriting(from, to)) } },
        count(row.bound.map(|_| row.tested)),
        html! { (number(row.held_out_urls)) },
        count(row.saved),
        row.bound.map_or_else(|| html! { "–" }, |_| loss(row.lost)),
        share(row.bound),
    ]
}

fn place(row: &EditRow) -> String {
    match row.exceptions {
        0 => row.place.clone(),
        some => format!("{}; {}", row.place, counted(some, "exception")),
    }
}

/// An edit in words, with its notation.
fn what(words: Option<&str>, notation: &str) -> Markup {
    html! {
        @match words {
            Some(words) => {
                div.words { (safe(words)) }
                div.notation { (url(notation)) }
            },
            None => div.words { (url(notation)) },
        }
    }
}

fn conventions(site: &Site) -> Markup {
    let columns = [Column::wide("Way of writing"), Column::number("URLs held out")];
    let cells = |row: &ConventionRow| {
        vec![html! { (safe(&row.convention)) }, html! { (number(row.held_out_urls)) }]
    };
    let label = format!("{}: ways of writing", safe(&site.name));
    html! {
        @if !site.conventions.is_empty() {
            p.note { "Before all else, URLs are written in one way where the site treats several as equal:" }
            (listing(&label, &columns, &site.conventions, cells))
        }
    }
}

pub(super) fn refused(site: &Site) -> Option<Markup> {
    let columns = [
        Column::wide("Edit, and where it was proposed"),
        Column::number("URLs tested"),
        Column::number("Would save"),
        Column::number("Would lose"),
        Column::number("Expected loss"),
        Column::text("Why it was refused"),
    ];
    let cells = |row: &RefusedRow| {
        vec![
            html! {
                (what(row.words.as_deref(), &row.edit))
                div.place { (safe(&row.place)) }
            },
            html! { (number(row.tested)) },
            count(row.saved),
            loss(row.lost),
            html! { (percent(row.bound)) },
            html! { (safe(&row.why)) },
        ]
    };
    let label = format!("{}: refused edits", safe(&site.name));
    (!site.refused.is_empty()).then(|| {
        html! {
            p.note {
                "Edits that learners proposed and the evidence did not bear, those that would have saved most first. "
                "A refusal with few lost pages may be worth a "
                code { "undust validate" } "."
            }
            (listing(&label, &columns, &site.refused, cells))
        }
    })
}
