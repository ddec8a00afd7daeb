//! What a reader asks first: was it worth it, and on what was it tried.

use maud::{Markup, html};

use crate::html::parts::{bar, safe, url};
use crate::report::{Parts, Site};
use crate::rows::Live;
use crate::text::{number, percent};

pub(super) fn verdict(site: &Site) -> Markup {
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
