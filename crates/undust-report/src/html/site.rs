//! The sections of a site, in the order of what a reader asks: was it worth it, by what, at what price, what next.

use maud::{Markup, html};

use undust_util::plural::counted;

use super::figures;
use super::parts::{Column, bar, heading, listing, rewriting, safe, table, title, url};
use crate::report::{Parts, Site};
use crate::rows::{
    ClusterRow, ConventionRow, CountRow, EditRow, Live, LostRow, MethodRow, RefusedRow, ShapeRow,
};
use crate::site::{HELD_OUT, WHOLE};
use crate::text::{number, percent};

/// A section: the end of its anchor, its heading, and what is in it.
type Section = (&'static str, &'static str, Markup);

/// All that there is to say of a site.
pub(super) fn sections(site: &Site, id: &str, level: u8) -> Markup {
    let own = |name: &str| format!("{id}-{name}");
    let sections: Vec<Section> = [
        ("methods", "Saved and lost by method", methods(site)),
        ("curves", "Pages found over fetches", curves(site, id)),
        ("edits", "Accepted edits", edits(site)),
        ("refused", "Refused edits", refused(site)),
        ("lost", "Lost pages", lost(site)),
        ("clusters", "Largest clusters", clusters(site)),
        ("shapes", "URLs that grow", shapes(site)),
        ("networks", "How the network learned", networks(site, id)),
        ("left-out", "What was left out", left_out(site)),
    ]
    .into_iter()
    .filter_map(|(name, heading, content)| Some((name, heading, content?)))
    .collect();
    html! {
        (verdict(site))
        nav.contents aria-label={ "Contents: " (safe(&site.name)) } {
            ul { @for (name, text, _) in &sections { li { a href={ "#" (own(name)) } { (text) } } } }
        }
        @for (name, text, content) in &sections {
            section {
                (heading(level, &own(name), text))
                (content)
            }
        }
    }
}

fn verdict(site: &Site) -> Markup {
    html! {
        @match (&site.verdict, &site.live) {
            (Some(verdict), _) => {
                p.verdict { (safe(&verdict.sentence)) }
                dl.tiles {
                    div {
                        dt { "Redundant fetches saved" }
                        dd { (percent(verdict.saved_share)) (bar(verdict.saved_share)) }
                    }
                    div {
                        dt { "Pages lost" }
                        dd { (number(verdict.lost)) span.of { " of " (number(verdict.pages)) } }
                    }
                    div {
                        dt { "Share lost, at most" }
                        dd { (percent(verdict.lost_share_bound)) }
                    }
                }
            }
            (None, Some(live)) => { p.verdict { (live_sentence(live)) } }
            (None, None) => { p.verdict { "No method learned anything that can be judged." } }
        }
        @if let Some(parts) = &site.parts { p.lead { (how(site, parts)) } }
    }
}

fn live_sentence(live: &Live) -> String {
    let share = live.saved as f64 / live.redundant.max(1) as f64;
    format!(
        "In the crawl, live would have saved {} of {} redundant fetches ({}), and lost {} of {} distinct pages.",
        number(live.saved),
        number(live.redundant),
        percent(share),
        number(live.lost),
        number(live.pages)
    )
}

fn how(site: &Site, parts: &Parts) -> Markup {
    let what = match &*parts.hold_out {
        "folder" => "some folders",
        "shape" => "some shapes of URLs",
        _ => "the last part of the crawl",
    };
    let unseen = parts.unseen_urls as f64 / parts.test_urls.max(1) as f64;
    html! {
        "Learned from " (counted_urls(parts.train_urls)) " of " (url(&site.crawl)) " that show "
        (counted_pages(parts.train_pages)) "; judged on " (what) ", held out: "
        (counted_urls(parts.test_urls)) " that show " (counted_pages(parts.test_pages)) ". "
        (number(parts.unseen_urls)) " of these URLs (" (percent(unseen))
        ") have a shape that no URL learned from has."
    }
}

fn counted_urls(count: usize) -> String {
    format!("{} {}", number(count), if count == 1 { "URL" } else { "URLs" })
}

fn counted_pages(count: usize) -> String {
    format!("{} {}", number(count), if count == 1 { "page" } else { "pages" })
}

fn count(value: Option<impl TryInto<i64>>) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), number)) }
}

fn share(value: Option<f64>) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), percent)) }
}

fn figure(value: Option<f64>) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))) }
}

/// A number that matters only where it is not zero.
fn loss(count: usize) -> Markup {
    html! { @if count == 0 { span.zero { "0" } } @else { strong.bad { (number(count)) } } }
}

fn methods(site: &Site) -> Option<Markup> {
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

fn curves(site: &Site, id: &str) -> Option<Markup> {
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

fn edits(site: &Site) -> Option<Markup> {
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

fn refused(site: &Site) -> Option<Markup> {
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

fn lost(site: &Site) -> Option<Markup> {
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

fn clusters(site: &Site) -> Option<Markup> {
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

fn shapes(site: &Site) -> Option<Markup> {
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

fn networks(site: &Site, id: &str) -> Option<Markup> {
    (!site.networks.is_empty()).then(|| {
        html! {
            p.note {
                "Training is checked by pairs of URLs that are not trained on, and the weights of the best check are kept."
            }
            (figures::networks(site, &format!("{id}-network")))
        }
    })
}

fn left_out(site: &Site) -> Option<Markup> {
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
