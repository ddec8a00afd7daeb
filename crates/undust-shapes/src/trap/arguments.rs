//! An argument that multiplies pages: `?add-to-cart=7` on each list, the token of a search, the number of an old
//! version.
//!
//! Of the arguments of a URL some name the page, such as a title, and are never the cause. These are the *keys* of a
//! path: arguments of URLs that people come back to, and arguments without which hardly a page is left.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    LEAST_PAGES, LEAST_REQUESTS, ONE_FUTURE_OF, ONE_RETURNED_OF, TIMES, Trap, View, distinct,
};
use crate::arguments::each_argument;
use crate::cause::{Cause, MIX};
use crate::label::Label;
use crate::rule::{Query, Rule, places};

/// An argument that offers a choice, such as an action, has at most one value for each so many URLs.
const URLS_OF_CHOICE: usize = 8;

/// Letters from which on a value with digits may be the token of a visit, and most values that are looked at.
const TOKEN_LETTERS: usize = 16;
const MOST_LOOKED_AT: usize = 1000;

/// URLs of one path and with one set of names, and whether people come back to them.
pub(super) struct Cell {
    pub node: u32,
    pub urls: Vec<u32>,
    pub is_asked: bool,
}

/// The cells of the URLs that have arguments and are in no trap.
pub(super) fn cells(view: &View<'_>) -> Vec<Cell> {
    let mut cells = FxHashMap::<(u32, u32), Vec<u32>>::default();
    for url in view.rest() {
        if !view.arguments.of_url(url).is_empty() {
            let cell = (view.paths.node_of[url as usize], view.sets[url as usize]);
            cells.entry(cell).or_default().push(url);
        }
    }
    let mut cells: Vec<_> = cells.into_iter().collect();
    cells.sort_unstable_by_key(|(cell, _)| *cell);
    let cell = |((node, _), urls): ((u32, u32), Vec<u32>)| {
        let growth = view.growth(&urls);
        let is_asked = growth.requests >= LEAST_REQUESTS && growth.is_asked_for();
        Cell { node, urls, is_asked }
    };
    cells.into_iter().map(cell).collect()
}

/// Names of arguments that name the pages of a path.
type Keys = FxHashSet<(u32, u32)>;

/// The traps, each by itself: they may overlap.
pub(super) fn traps<'r>(view: &View<'r>) -> Vec<Trap<'r>> {
    let cells = cells(view);
    let mut asked = Keys::default();
    for cell in cells.iter().filter(|cell| cell.is_asked) {
        let names = view.arguments.of_url(cell.urls[0]);
        asked.extend(names.iter().map(|(name, _)| (cell.node, *name)));
    }
    let names = names(view, &cells, &asked);
    // The name that most URLs have comes first: what it leaves apart is a page of its own to those that follow.
    let mut keys = asked.clone();
    for (name, urls) in &names {
        if !Measured::of(view, &keys, *name, urls).multiplies(view, urls) {
            keys.extend(urls.iter().map(|url| (view.paths.node_of[*url as usize], *name)));
        }
    }
    let mut traps = Vec::new();
    for (name, urls) in names {
        let is_asked = asked.iter().any(|(_, asked)| *asked == name);
        let parts = if is_asked { by_kind_of_path(view, &urls) } else { vec![urls] };
        traps.extend(parts.into_iter().filter_map(|urls| trap(view, &keys, name, urls, is_asked)));
    }
    traps
}

/// Names with the URLs that have them, where people do not come back to them on that path. The commonest is first.
fn names(view: &View<'_>, cells: &[Cell], asked: &Keys) -> Vec<(u32, Vec<u32>)> {
    let mut names = FxHashMap::<u32, Vec<u32>>::default();
    for cell in cells.iter().filter(|cell| !cell.is_asked) {
        for (name, _) in view.arguments.of_url(cell.urls[0]) {
            if !asked.contains(&(cell.node, *name)) {
                names.entry(*name).or_default().extend(&cell.urls);
            }
        }
    }
    let mut names: Vec<(u32, Vec<u32>)> =
        names.into_iter().filter(|(_, urls)| view.is_burden(urls.len())).collect();
    let values = |(name, urls): &(u32, Vec<u32>)| distinct(values(view, *name, urls));
    names.sort_by_cached_key(|one| (usize::MAX - one.1.len(), values(one), one.0));
    names
}

fn values(view: &View<'_>, name: u32, urls: &[u32]) -> impl Iterator<Item = u64> {
    urls.iter().filter_map(move |url| view.arguments.value(*url, name))
}

/// URLs by the kind of their path: its first segment, and behind it any word for another.
fn by_kind_of_path(view: &View<'_>, urls: &[u32]) -> Vec<Vec<u32>> {
    let mut kind_of = FxHashMap::default();
    let mut kinds = BTreeMap::<Vec<Label<'_>>, Vec<u32>>::default();
    for url in urls {
        let node = view.paths.node_of[*url as usize];
        let kind: &Vec<Label<'_>> = kind_of.entry(node).or_insert_with(|| {
            let mut labels = view.paths.labels(node);
            let behind = labels.iter_mut().skip(2);
            behind.filter(|label| !label.is_made()).for_each(|label| *label = Label::ANY_WORD);
            labels
        });
        match kinds.get_mut(kind) {
            Some(urls) => urls.push(*url),
            None => {
                kinds.insert(kind.clone(), vec![*url]);
            }
        }
    }
    kinds.into_values().filter(|urls| view.is_burden(urls.len())).collect()
}

/// What an argument does to pages. A page is the path with the keys.
struct Measured {
    urls: usize,
    /// Different pairs of a page and a value.
    variants: usize,
    values: usize,
    pages: usize,
    /// Pages that were also asked for without the argument.
    alone: usize,
    has_tokens: bool,
}

impl Measured {
    fn of(view: &View<'_>, keys: &Keys, name: u32, urls: &[u32]) -> Self {
        // What never stands beside the argument does not tell its pages apart.
        let beside: FxHashSet<u32> = urls
            .iter()
            .flat_map(|url| view.arguments.of_url(*url))
            .map(|(name, _)| *name)
            .collect();
        let page = |url: u32| {
            let node = view.paths.node_of[url as usize];
            let is_key = |key| key != name && beside.contains(&key) && keys.contains(&(node, key));
            view.hash(view.path_hash(url), url, is_key)
        };
        let pages: FxHashSet<u64> = urls.iter().map(|url| page(*url)).collect();
        let mut alone = FxHashSet::default();
        for url in 0..view.urls.len() as u32 {
            if view.arguments.value(url, name).is_none() {
                let page = page(url);
                alone.extend(pages.contains(&page).then_some(page));
            }
        }
        let variant = |url: &u32| {
            page(*url).wrapping_mul(MIX) ^ view.arguments.value(*url, name).unwrap_or(0)
        };
        Self {
            urls: urls.len(),
            variants: distinct(urls.iter().map(variant)),
            values: distinct(values(view, name, urls)),
            pages: pages.len(),
            alone: alone.len(),
            has_tokens: has_tokens(view, name, urls),
        }
    }

    /// Whether each of many pages is there again and again, and the argument does not name it: its values go around
    /// among pages, or the pages are there without it, or each visit has a token of its own. Where something else
    /// multiplies the same pages, it is enough that nearly all of them are there without it.
    fn multiplies(&self, view: &View<'_>, urls: &[u32]) -> bool {
        if self.pages < LEAST_PAGES {
            return false;
        }
        let is_trapped = |url: &u32| view.is_trapped.contains(&view.paths.node_of[*url as usize]);
        let is_choice =
            self.values * URLS_OF_CHOICE <= self.urls && self.alone * 4 >= self.pages * 3;
        let is_like_it = || is_choice && urls.iter().all(is_trapped);
        let is_alone = self.alone * 4 >= self.pages && (self.has_tokens || self.is_broad());
        let has_marks = self.has_tokens && self.is_broad();
        self.is_many() && (self.is_crossed() || is_alone || has_marks) || is_like_it()
    }

    /// Whether each page is there with several values.
    fn is_many(&self) -> bool {
        self.variants >= TIMES * self.pages
    }

    /// Whether pages have values in common.
    fn is_crossed(&self) -> bool {
        self.values * 2 <= self.urls
    }

    /// Whether there are more pages than values of each.
    fn is_broad(&self) -> bool {
        self.pages.saturating_mul(self.pages) >= self.urls
    }
}

/// How many of some values are of a kind, and how many were looked at.
fn values_that(
    view: &View<'_>,
    (name, urls): (u32, &[u32]),
    is: impl Fn(&str) -> bool,
) -> [usize; 2] {
    let step = urls.len().div_ceil(MOST_LOOKED_AT).max(1);
    let mut counts = [0, 0];
    for url in urls.iter().step_by(step) {
        each_argument(view.urls[*url as usize], |found, value| {
            if found == view.arguments.names[name as usize] {
                counts[0] += usize::from(is(value));
                counts[1] += 1;
            }
        });
    }
    counts
}

/// Whether most values are long, with letters and digits, as a program makes them up.
fn has_tokens(view: &View<'_>, name: u32, urls: &[u32]) -> bool {
    let [tokens, all] = values_that(view, (name, urls), |value| {
        let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
        value.len() >= TOKEN_LETTERS && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
    });
    tokens * 4 >= all * 3 && all > 0
}

/// Whether many values are dates that have not come.
fn has_future(view: &View<'_>, name: u32, urls: &[u32]) -> bool {
    let [future, all] = values_that(view, (name, urls), |value| view.is_of_the_future(value));
    future * ONE_FUTURE_OF >= all && future > 0
}

fn trap<'r>(
    view: &View<'r>,
    keys: &Keys,
    name: u32,
    urls: Vec<u32>,
    is_asked_elsewhere: bool,
) -> Option<Trap<'r>> {
    let measured = Measured::of(view, keys, name, &urls);
    let growth = view.growth(&urls);
    if !growth.is_endless() {
        return None;
    }
    let is_sure = measured.is_many() && (measured.is_crossed() || measured.has_tokens);
    let multiplies = measured.multiplies(view, &urls)
        && (is_sure || growth.is_hardly_returned_to(ONE_RETURNED_OF));
    let shows_nothing = || view.are_few_sizes(&urls) || has_future(view, name, &urls);
    if !(multiplies || measured.values > 1 && shows_nothing()) {
        return None;
    }
    let named = &view.arguments.names[name as usize];
    let cause = Cause {
        argument: named.to_string(),
        segment: None,
        values: measured.values,
        urls_without: measured.pages,
        pages: None,
    };
    let nodes: FxHashSet<u32> = urls.iter().map(|url| view.paths.node_of[*url as usize]).collect();
    let paths: Vec<_> = nodes.into_iter().map(|node| view.paths.labels(node)).collect();
    // Where people do not ask for it anywhere, it may be met anywhere.
    let path = (is_asked_elsewhere || paths.len() == 1).then(|| places(paths));
    let query = Query::Has { names: vec![named.clone()], least: 1 };
    // It makes no more URLs of a page than it has values: of the year and the month of a calendar, that is the year.
    let left = measured.pages.max(measured.urls.div_ceil(measured.values.max(1)));
    let gain = measured.urls - left.min(measured.urls);
    Some(Trap { cause, gain, urls, rule: Rule { path, goes_on: false, query } })
}
