//! Pages: those with most URLs, those whose canonical URL is contradicted, those that are lost.

use maud::{Markup, html};

use crate::html::parts::{Column, listing, rewriting, title, url};
use crate::report::Site;
use crate::rows::{ConflictRow, LostRow, PageRow};
use crate::text::{number, shown};

pub(super) fn pages(site: &Site) -> Option<Markup> {
    let columns = [
        Column::wide("Page", |row: &PageRow| {
            html! { (title(row.title.as_deref())) (url(&row.page)) }
        }),
        Column::number("URLs", |row| html! { (number(row.urls)) }),
        Column::text("Its URL stands for it because", |row| html! { (why(&row.why)) }),
    ];
    let label = format!("{}: pages with most URLs", shown(&site.name));
    (!site.pages.is_empty()).then(|| {
        html! {
            p.note { (number(site.pages.len())) @if site.pages.len() == 1 { " page has" } @else { " pages have" } " more than one URL." }
            (listing(&label, &columns, &site.pages))
        }
    })
}

fn why(name: &str) -> &'static str {
    match name {
        "rel=canonical" => "pages of its content name it",
        "answered 200" => "it answered",
        _ => "no URL of it answered, all redirect",
    }
}

pub(super) fn conflicts(site: &Site) -> Option<Markup> {
    let columns = [
        Column::text("The canonical URL", |row: &ConflictRow| html! { (shown(&row.problem)) }),
        Column::wide("Page, and what it names", |row| rewriting(&row.url, &row.says)),
        Column::wide("URL of its content", |row| url(&row.page)),
    ];
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for row in &site.conflicts {
        match counts.last_mut().filter(|(problem, _)| *problem == row.problem) {
            Some((_, count)) => *count += 1,
            None => counts.push((&row.problem, 1)),
        }
    }
    let label = format!("{}: canonical URLs", shown(&site.name));
    (!site.conflicts.is_empty()).then(|| {
        html! {
            p.note { "What rel=canonical says, against what the crawl saw:" }
            ul.notes { @for (problem, count) in counts { li { (number(count)) ": " (shown(problem)) } } }
            (listing(&label, &columns, &site.conflicts))
        }
    })
}

pub(super) fn lost(site: &Site) -> Option<Markup> {
    let columns = [
        Column::wide("Page", |row: &LostRow| {
            html! { (title(row.title.as_deref())) (url(&row.url)) }
        }),
        Column::wide("Fetched in its place", |row| {
            html! {
                @if row.instead.is_empty() { "–" } @else {
                    (title(row.instead_title.as_deref())) (url(&row.instead))
                }
            }
        }),
        Column::number("URLs", |row| html! { (number(row.urls)) }),
        Column::wide("By", |row| {
            html! { @if row.by.is_empty() { "normal form" } @else { (url(&row.by)) } }
        }),
    ];
    let label = format!("{}: lost pages", shown(&site.name));
    (!site.lost.is_empty()).then(|| listing(&label, &columns, &site.lost))
}
