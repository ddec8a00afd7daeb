//! What to do about a cause.

use undust_util::plural::counted;

use super::causes::Key;
use super::difference::{Writing, names};
use crate::rows::CauseRow;
use crate::text::{number, shown};

/// URLs for each page from which on pages are no content: a log-in form, an empty list.
const SINK: usize = 20;

/// Share of the URLs, in tenths, that must name their page before it is said that they do.
const NAMED_TENTHS: usize = 8;

/// A word for programs, and sentences for people.
pub(super) fn advice(key: &Key<'_>, row: &CauseRow) -> (String, String) {
    let is_sink = row.urls >= SINK * row.pages;
    let is_named = row.named * 10 >= row.urls * NAMED_TENTHS;
    let (action, advice) = match key {
        Key::Redirects => {
            ("links", "They redirect already. Let links name the URL that answers; links that do something, such as a log-in, get \
             rel=nofollow.".to_owned())
        }
        Key::Writing(Writing::Arguments | Writing::Fragment) => {
            ("links", "Write links in one way, and give the pages rel=canonical.".to_owned())
        }
        Key::Writing(_) => {
            ("redirect", "Redirect to the one form: 302 first, 301 once nothing broke.".to_owned())
        }
        _ if is_sink => ("noindex", sink(key, row)),
        _ if is_named => ("links", named(key)),
        Key::Argument(name, _) => ("canonical", argument(name, row)),
        Key::Segment(_) | Key::Path(_) | Key::OtherPaths => (
            "canonical",
            "Give them rel=canonical to the page’s URL; redirect where nobody needs the other."
                .to_owned(),
        ),
    };
    (action.to_owned(), advice)
}

fn sink(key: &Key<'_>, row: &CauseRow) -> String {
    let pages = match (row.pages, &row.title) {
        (1, Some(title)) => format!("one page, “{}”", shown(title)),
        (1, None) => "one page".to_owned(),
        (pages, Some(title)) => format!("{} pages, such as “{}”", number(pages), shown(title)),
        (pages, None) => format!("{} pages", number(pages)),
    };
    let robots = match robots(key).filter(|_| row.own == 0) {
        Some(lines) => format!(" ({lines})"),
        None => String::new(),
    };
    format!(
        "All of them show {pages}. Mark them noindex, or close them to crawlers in robots.txt{robots}; not both, \
         because a crawler reads no noindex where it must not fetch."
    )
}

fn named(key: &Key<'_>) -> String {
    let what = if matches!(key, Key::Argument(..)) {
        "leave it out of links"
    } else {
        "let links name that"
    };
    format!("They name the page by rel=canonical already, and are fetched all the same: {what}.")
}

fn argument(name: &str, row: &CauseRow) -> String {
    let target = match names(&row.to).any(|other| other == name) {
        true => "one URL of the page",
        false => "the URL without it",
    };
    let known = match row.named {
        0 => String::new(),
        named => format!(" {} of them name it already.", number(named)),
    };
    let own = match row.own {
        0 => {
            return format!(
                "Give them rel=canonical to {target}, and leave it out of links.{known}"
            );
        }
        own => format!("on {} the page is another without it", counted(own, "URL")),
    };
    match &*row.values {
        [] => format!(
            "Give them rel=canonical to {target}.{known} No rule may drop it everywhere: {own}."
        ),
        values => format!(
            "Leave it out of links where it is {}, and give these pages rel=canonical.{known} No rule may drop it \
             everywhere: {own}.",
            values.iter().map(|value| shown(value)).collect::<Vec<_>>().join(" or ")
        ),
    }
}

/// The lines of robots.txt that close what has an argument; none where its texts would mean something else there.
fn robots(key: &Key<'_>) -> Option<String> {
    let Key::Argument(name, path) = key else { return None };
    let is_plain = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~%[]".contains(&byte))
    };
    let path = path.unwrap_or("/*");
    (is_plain(name) && is_plain(path.trim_end_matches('*'))).then(|| match path {
        "/*" => format!("Disallow: /*?{name}= and /*&{name}="),
        path => format!("Disallow: {path}?{name}= and {path}?*&{name}="),
    })
}
