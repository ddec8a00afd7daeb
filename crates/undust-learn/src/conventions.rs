//! How a site writes its URLs, learned from URLs whose pages are known.
//!
//! What training saw in one way only decides by itself. All else takes pairs of URLs that differ in one way alone, and
//! is dropped where it would make one URL of two pages.

mod arguments;
mod case;
mod delimiter_patterns;
mod folders;
mod hosts;
mod lists;
mod order;
mod pairs;
mod respellings;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use undust_edits::conventions::delimiter_patterns::DelimiterPatterns;
use undust_edits::conventions::query::Query;
use undust_edits::conventions::{Overrides, Respelling, UrlConventions};
use undust_url::normal::normal;
use xxhash_rust::xxh3::xxh3_64;

use self::pairs::LabelledUrl;

/// Learns from URLs and the numbers of their pages. Linear in the URLs, of which it holds some 24 bytes each.
pub(crate) fn learn<'u>(
    urls: impl Iterator<Item = (&'u str, u32)>,
    overrides: Overrides,
) -> UrlConventions {
    let mut seen = FxHashSet::default();
    let normal = urls.map(|(url, page)| {
        let url = normal(url);
        (overrides.without(&url).map_or(url, |(url, _)| Cow::Owned(url)), page)
    });
    let mut urls: Vec<LabelledUrl<'_>> =
        normal.filter(|(url, _)| seen.insert(xxh3_64(url.as_bytes()))).collect();
    drop(seen);
    let mut conventions = of_servers_and_arguments(&urls, true);
    // Operations that are right one by one may be wrong together.
    if merges_pages(&conventions, &urls) {
        conventions = of_servers_and_arguments(&urls, false);
    }
    let escapes = respellings::learn(Respelling::Unescaped, &urls);
    add(&mut conventions, &urls, |conventions| conventions.respellings = escapes);
    // What is a name, a value or an item is asked of URLs whose delimiters are not hidden.
    unescape(&mut urls, &mut conventions);
    let (lists, path_case) = (lists::learn(&urls), case::learn(&urls));
    add(&mut conventions, &urls, |conventions| conventions.lists = lists);
    add(&mut conventions, &urls, |conventions| conventions.path_case = path_case);
    for more in respellings::each(&urls) {
        add(&mut conventions, &urls, |conventions| conventions.respellings.0.extend(more.0));
    }
    let delimiter_patterns = Some(delimiter_patterns(&conventions, &urls));
    UrlConventions { overrides, delimiter_patterns, ..conventions }
}

/// Without `trusts_pairs` no training URL will be changed.
fn of_servers_and_arguments(urls: &[LabelledUrl<'_>], trusts_pairs: bool) -> UrlConventions {
    UrlConventions {
        hosts: hosts::learn(urls, trusts_pairs),
        arguments: arguments::learn(urls, trusts_pairs),
        ..UrlConventions::default()
    }
}

/// Writes delimiters as themselves where that is known to show the same. The names that come of it are known, too.
fn unescape(urls: &mut Vec<LabelledUrl<'_>>, conventions: &mut UrlConventions) {
    if conventions.respellings.is_empty() {
        return;
    }
    let mut names = BTreeSet::new();
    for (url, _) in urls.iter_mut() {
        if let Some(other) = conventions.respellings.written(Respelling::Unescaped, url) {
            let query = Query::of(&other.url).into_iter().flat_map(|query| query.arguments);
            names.extend(query.filter_map(|argument| argument.name.map(str::to_owned)));
            *url = Cow::Owned(other.url);
        }
    }
    conventions.know(names.into_iter());
    let mut seen = FxHashSet::default();
    urls.retain(|(url, _)| seen.insert(xxh3_64(url.as_bytes())));
}

/// Adds something, unless training URLs of different pages become one by all of it.
fn add(
    conventions: &mut UrlConventions,
    urls: &[LabelledUrl<'_>],
    more: impl FnOnce(&mut UrlConventions),
) {
    let mut with_more = conventions.clone();
    more(&mut with_more);
    if with_more != *conventions && !merges_pages(&with_more, urls) {
        *conventions = with_more;
    }
}

fn merges_pages(conventions: &UrlConventions, urls: &[LabelledUrl<'_>]) -> bool {
    let mut pages: FxHashMap<u64, u32> = FxHashMap::default();
    urls.iter().any(|(url, page)| {
        let normalized = xxh3_64(conventions.normalize(url).url.as_bytes());
        *pages.entry(normalized).or_insert(*page) != *page
    })
}

/// How values are delimited where they are written as the site would.
fn delimiter_patterns(conventions: &UrlConventions, urls: &[LabelledUrl<'_>]) -> DelimiterPatterns {
    if conventions.respellings.is_empty() {
        return delimiter_patterns::learn(urls.iter().map(|(url, _)| &**url));
    }
    let written: Vec<_> = urls.iter().map(|(url, _)| conventions.normalize(url).url).collect();
    delimiter_patterns::learn(written.iter().map(|url| &**url))
}
