//! Causes: differences of duplicates, gathered by what an owner can act on.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet};

use undust_cluster::clusters::Clusters;
use undust_pages::Page;
use undust_url::normal::normal;
use undust_url::query::{Argument, arguments};

use super::Duplicate;
use super::advice::advice;
use super::difference::{Difference, Writing, names, path};
use crate::answers::Answers;
use crate::rows::CauseRow;
use crate::text::kept;
use crate::titles::Titles;

/// A path has a row of its own if it has one in this number of the duplicates of an argument, and a
/// segment if it has one in this number of those at its position.
const PATH_SHARE: usize = 10;

/// Fewest duplicates of such a path.
const PATH_URLS: usize = 20;

/// A segment or another path is a cause of its own if it has one in this number of all duplicates.
const CAUSE_SHARE: usize = 100;

/// Arguments of a URL up to which it is asked whether they matter; with more, it would take the square of its length.
const MOST_ARGUMENTS: usize = 32;

/// Values of an argument up to which they are named.
const FEW_VALUES: usize = 3;

/// What causes are found from.
pub(super) struct Seen<'s> {
    pub pages: &'s [Page],
    pub clusters: &'s Clusters,
    /// The place of the URL that is printed for each cluster.
    pub printed: &'s [u32],
    pub answers: &'s Answers,
    pub titles: &'s Titles,
}

/// What duplicates have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key<'u> {
    Redirects,
    Writing(Writing),
    /// An argument by name; on one path, or wherever it has no path of its own.
    Argument(&'u str, Option<&'u str>),
    Segment(String),
    Path(String),
    OtherPaths,
}

/// A cause with the places of its URLs.
pub(super) struct Cause<'u> {
    pub key: Key<'u>,
    /// In words.
    pub name: String,
    pub urls: Vec<u32>,
}

/// All causes of a crawl, the one of most URLs first.
pub(super) struct Causes<'u>(Vec<Cause<'u>>);

impl<'u> Causes<'u> {
    pub(super) fn of(duplicates: &[Duplicate<'u>], seen: &Seen<'u>) -> Self {
        let keys = keys(duplicates, seen);
        let mut causes: BTreeMap<Key<'u>, Vec<&Duplicate<'u>>> = BTreeMap::new();
        for (key, one) in keys.into_iter().zip(duplicates) {
            causes.entry(key).or_default().push(one);
        }
        let cause = |(key, all): (Key<'u>, Vec<&Duplicate<'u>>)| {
            let name = name(&key, &all);
            Cause { key, name, urls: all.iter().map(|one| one.at).collect() }
        };
        let mut causes: Vec<Cause<'u>> = causes.into_iter().map(cause).collect();
        causes.sort_by_key(|cause| Reverse(cause.urls.len()));
        Self(causes)
    }

    /// The name of the cause of each duplicate.
    pub(super) fn names(&self) -> FxHashMap<u32, &str> {
        let all = self.0.iter().flat_map(|cause| cause.urls.iter().map(|at| (*at, &*cause.name)));
        all.collect()
    }

    /// Rows with what to do.
    pub(super) fn rows(&self, seen: &Seen<'u>) -> Vec<CauseRow> {
        let total: usize = self.0.iter().map(|cause| cause.urls.len()).sum();
        let own = pages_of_their_own(&self.0, seen);
        let row = |(cause, own): (&Cause<'u>, u64)| row(cause, own, total, seen);
        self.0.iter().zip(own).map(row).collect()
    }
}

fn row(cause: &Cause<'_>, own: u64, total: usize, seen: &Seen<'_>) -> CauseRow {
    let page_of = |at: u32| seen.printed[seen.clusters.of(at as usize) as usize];
    let pages: FxHashSet<u32> = cause.urls.iter().map(|at| page_of(*at)).collect();
    let url = |at: u32| &*seen.pages[at as usize].url;
    let names_its_page = |at: &&u32| {
        seen.answers.named(url(**at)).is_some_and(|said| said == normal(url(page_of(**at))))
    };
    let first = cause.urls.first().copied().unwrap_or_default();
    let mut row = CauseRow {
        cause: kept(&cause.name),
        urls: cause.urls.len(),
        share: cause.urls.len() as f64 / total.max(1) as f64,
        pages: pages.len(),
        named: cause.urls.iter().filter(names_its_page).count(),
        own,
        values: values(cause, seen).iter().map(|value| kept(value)).collect(),
        from: kept(url(first)),
        to: kept(url(page_of(first))),
        title: seen.titles.get(seen.pages[first as usize].title),
        ..CauseRow::default()
    };
    (row.action, row.advice) = advice(&cause.key, &row);
    row
}

/// The key of each duplicate. Of several arguments it is the one that most duplicates have.
fn keys<'u>(duplicates: &[Duplicate<'u>], seen: &Seen<'u>) -> Vec<Key<'u>> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for name in duplicates.iter().flat_map(Duplicate::arguments) {
        *counts.entry(name).or_default() += 1;
    }
    let main = |one: &Duplicate<'u>| {
        one.arguments().iter().copied().max_by_key(|name| (counts[name], Reverse(*name)))
    };
    let narrow = |one: &Duplicate<'u>| match (&one.difference, main(one)) {
        (None, _) => Key::Redirects,
        (_, Some(name)) => Key::Argument(name, Some(path(&seen.pages[one.at as usize].url))),
        (Some(Difference::Writing(writing)), _) => Key::Writing(*writing),
        (Some(Difference::Segment(text, _)), _) => Key::Segment(text.clone()),
        (Some(Difference::Path(text)), _) => Key::Path(text.clone()),
        (Some(Difference::Arguments(_)), None) => Key::Writing(Writing::Arguments),
    };
    let keys: Vec<Key<'u>> = duplicates.iter().map(narrow).collect();
    let is_large = |count: usize| count * CAUSE_SHARE >= keys.len();
    let first = counted(&keys);
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for place in duplicates.iter().filter_map(Duplicate::segment) {
        *places.entry(place).or_default() += 1;
    }
    let wide = |(key, one): (&Key<'u>, &Duplicate<'u>)| match (key, &one.difference) {
        (Key::Argument(name, Some(_)), _)
            if first[key] < PATH_URLS
                || first[key] * PATH_SHARE < first[&Key::Argument(name, None)] =>
        {
            Key::Argument(name, None)
        }
        (Key::Segment(_), Some(Difference::Segment(_, place)))
            if first[key] * PATH_SHARE < places[&**place] || !is_large(first[key]) =>
        {
            Key::Segment(place.clone())
        }
        _ => key.clone(),
    };
    let keys: Vec<Key<'u>> = keys.iter().zip(duplicates).map(wide).collect();
    let second = counted(&keys);
    let pooled = |key: &Key<'u>| match key {
        Key::Segment(_) | Key::Path(_) if !is_large(second[key]) => Key::OtherPaths,
        _ => key.clone(),
    };
    keys.iter().map(pooled).collect()
}

/// How many duplicates have each key; an argument is counted on all paths, too.
fn counted<'u>(keys: &[Key<'u>]) -> FxHashMap<Key<'u>, usize> {
    let mut counts: FxHashMap<Key<'u>, usize> = FxHashMap::default();
    for key in keys {
        *counts.entry(key.clone()).or_default() += 1;
        if let Key::Argument(name, Some(_)) = key {
            *counts.entry(Key::Argument(name, None)).or_default() += 1;
        }
    }
    counts
}

/// A cause in words. Other arguments that all of its URLs have are named with it.
fn name(key: &Key<'_>, all: &[&Duplicate<'_>]) -> String {
    match key {
        Key::Redirects => "URLs that redirect".to_owned(),
        Key::Writing(writing) => writing.name().to_owned(),
        Key::Segment(text) => Difference::Segment(text.clone(), String::new()).name(),
        Key::Path(text) => Difference::Path(text.clone()).name(),
        Key::OtherPaths => "other addresses".to_owned(),
        Key::Argument(name, path) => {
            let mut common: Vec<&str> = all.first().map_or(&[][..], |one| one.arguments()).to_vec();
            for one in all {
                // They are in order.
                common.retain(|name| one.arguments().binary_search(name).is_ok());
            }
            let others = common.into_iter().filter(|one| one != name);
            let others: String = others.map(|other| format!(", {other}")).collect();
            let place = path.map_or_else(String::new, |path| format!(" on {path}"));
            format!("argument {name}{others}{place}")
        }
    }
}

/// The few values of an argument by which duplicates differ; none where there are many.
fn values(cause: &Cause<'_>, seen: &Seen<'_>) -> Vec<String> {
    let Key::Argument(name, _) = cause.key else { return Vec::new() };
    let mut values: Vec<String> = Vec::new();
    for at in &cause.urls {
        let query = seen.pages[*at as usize].url.split_once('?').map_or("", |(_, query)| query);
        let value = arguments(query).find(|one| one.key() == name).and_then(|one| one.value());
        let Some(value) = value else { continue };
        if !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
        }
        if values.len() > FEW_VALUES {
            return Vec::new();
        }
    }
    values.sort_unstable();
    values
}

/// For each cause, the URLs with its argument that show several pages without it: there it selects the page.
fn pages_of_their_own(causes: &[Cause<'_>], seen: &Seen<'_>) -> Vec<u64> {
    let mut places: FxHashMap<(&str, Option<&str>), usize> = FxHashMap::default();
    for (number, cause) in causes.iter().enumerate() {
        if let Key::Argument(name, path) = cause.key {
            places.insert((name, path), number);
        }
    }
    let mut forms: FxHashMap<u64, Vec<Form>> = FxHashMap::default();
    let shown = || seen.pages.iter().zip(seen.clusters.labels());
    let is_asked =
        |page: &Page| !page.is_redirect && names(&page.url).nth(MOST_ARGUMENTS).is_none();
    for (page, label) in shown().filter(|(page, _)| is_asked(page)) {
        let path = path(&page.url);
        let mut names: Vec<&str> = names(&page.url).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let place = places.get(&(name, Some(path))).or_else(|| places.get(&(name, None)));
            let Some(cause) = place.copied() else { continue };
            let known = forms.entry(without(&page.url, Some(name))).or_default();
            match known.iter_mut().find(|form| form.cause == cause) {
                Some(form) => {
                    form.is_several |= form.page != *label;
                    form.urls += 1;
                }
                None => known.push(Form { cause, page: *label, is_several: false, urls: 1 }),
            }
        }
    }
    for (page, label) in shown().filter(|(page, _)| is_asked(page)) {
        for form in forms.get_mut(&without(&page.url, None)).into_iter().flatten() {
            form.is_several |= form.page != *label;
        }
    }
    let mut own = vec![0; causes.len()];
    for form in forms.into_values().flatten().filter(|form| form.is_several) {
        own[form.cause] += form.urls;
    }
    own
}

/// What URLs are without the argument of a cause.
struct Form {
    cause: usize,
    /// The first page that they show.
    page: u32,
    /// Whether they show another, too.
    is_several: bool,
    /// URLs that have the argument.
    urls: u64,
}

/// A hash of the URL without an argument.
fn without(url: &str, name: Option<&str>) -> u64 {
    let (front, query) = url.split_once('?').unwrap_or((url, ""));
    let mut hasher = DefaultHasher::new();
    front.hash(&mut hasher);
    let is_kept = |one: &Argument<'_>| !one.text.is_empty() && Some(one.key()) != name;
    arguments(query).filter(is_kept).for_each(|one| one.text.hash(&mut hasher));
    hasher.finish()
}
