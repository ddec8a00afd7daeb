//! Filters in any combination: none of them has many values, and together they have no end.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use super::arguments::{Cell, cells};
use super::{LEAST_REQUESTS, TIMES, Trap, View, distinct};
use crate::arguments::each_argument;
use crate::cause::Cause;
use crate::rule::{Query, Rule, places};

/// Fewest filters, and fewest different sets of them. One filter is enough if at least one in `ONE_LIST_OF` URLs has
/// several choices of it, as `f[0]=…&f[1]=…` and `tags=a,b` have.
const LEAST_FILTERS: usize = 3;
const LEAST_SETS: usize = 4;
const ONE_LIST_OF: usize = 4;

/// A filter has at most one value for each `URLS_OF_VALUE` URLs, and at least one in `ONE_OF` URLs has it.
const URLS_OF_VALUE: usize = 8;
const ONE_OF: usize = 20;

/// Most choices that a rule counts.
const MOST_COUNTED: usize = 3;

/// The traps, each by itself: they may overlap.
pub(super) fn traps<'r>(view: &View<'r>) -> Vec<Trap<'r>> {
    // A list of each category is one place.
    let mut places = FxHashMap::<(u32, usize), Vec<Cell>>::default();
    for cell in cells(view) {
        places.entry(folder(view, cell.node)).or_default().push(cell);
    }
    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_unstable_by_key(|(folder, _)| *folder);
    places.iter().filter_map(|(_, cells)| trap(view, cells)).collect()
}

/// The node above the last segment that has a text, and the number of segments.
fn folder(view: &View<'_>, node: u32) -> (u32, usize) {
    let chain = view.paths.chain(node);
    let is_text = |node: &u32| !view.paths.label(*node).to_string().is_empty();
    let last = chain.iter().rposition(is_text).unwrap_or(0);
    (chain[last.saturating_sub(1)], chain.len())
}

fn trap<'r>(view: &View<'r>, cells: &[Cell]) -> Option<Trap<'r>> {
    let open = || cells.iter().filter(|cell| !cell.is_asked).flat_map(|cell| &cell.urls).copied();
    if !view.is_burden(open().count()) {
        return None;
    }
    let filters = filters(view, open());
    if !are_combined(view, &filters, &open().collect::<Vec<u32>>()) {
        return None;
    }
    let chosen: FxHashMap<u32, usize> = (cells.iter().flat_map(|cell| &cell.urls))
        .map(|url| (*url, chosen(view, *url, &filters)))
        .collect();
    // What people choose stays open.
    let least = most_of_people(view, cells, &chosen).min(MOST_COUNTED - 1) + 1;
    let urls: Vec<u32> = open().filter(|url| chosen[url] >= least).collect();
    let of = |is_filter: bool| {
        let path = |url| if is_filter { 0 } else { view.path_hash(url) };
        let hash = |url: &u32| {
            view.hash(path(*url), *url, |name| filters.contains_key(&name) == is_filter)
        };
        distinct(urls.iter().map(hash))
    };
    let most_values = filters.values().copied().max().unwrap_or(0);
    let is_trap = view.is_burden(urls.len())
        && of(true) >= TIMES * most_values
        && view.growth(&urls).is_endless();
    if !is_trap {
        return None;
    }
    let rule = rule(view, &filters, &urls, least);
    let argument = match &rule.query {
        Query::Has { names, .. } if names.len() == 1 => format!("combinations of {}", names[0]),
        _ => "combinations of arguments".to_owned(),
    };
    let cause =
        Cause { argument, segment: None, values: of(true), urls_without: of(false), pages: None };
    Some(Trap { gain: urls.len() - cause.urls_without, cause, rule, urls })
}

/// Calls `each` with each choice of a URL: the number of its name, and its text.
fn each_choice(view: &View<'_>, url: u32, mut each: impl FnMut(u32, &str)) {
    each_argument(view.urls[url as usize], |name, value| {
        let Some(name) = view.arguments.number(&name) else { return };
        let parts = value.split([',', '|']).flat_map(|part| part.split("%2C"));
        parts.flat_map(|part| part.split("%7C")).for_each(|part| each(name, part));
    });
}

/// How many arguments of a URL are filters.
fn chosen(view: &View<'_>, url: u32, filters: &FxHashMap<u32, usize>) -> usize {
    let mut count = 0;
    each_argument(view.urls[url as usize], |name, _| {
        let number = view.arguments.number(&name);
        count += usize::from(number.is_some_and(|number| filters.contains_key(&number)));
    });
    count
}

/// Whether filters are combined: several, or several choices of one.
fn are_combined(view: &View<'_>, filters: &FxHashMap<u32, usize>, urls: &[u32]) -> bool {
    let (mut with_filter, mut lists, mut sets) = (0, 0, FxHashSet::default());
    for url in urls {
        let mut choices = 0;
        each_choice(view, *url, |name, _| choices += usize::from(filters.contains_key(&name)));
        if choices > 0 {
            let names = view.arguments.of_url(*url).iter();
            let names = names.filter(|(name, _)| filters.contains_key(name)).count();
            with_filter += 1;
            lists += usize::from(choices > names);
            sets.insert(view.sets[*url as usize]);
        }
    }
    filters.len() >= LEAST_FILTERS && sets.len() >= LEAST_SETS
        || lists * ONE_LIST_OF >= with_filter && lists > 0
}

/// Most choices of URLs that people ask for.
fn most_of_people(view: &View<'_>, cells: &[Cell], chosen: &FxHashMap<u32, usize>) -> usize {
    let mut most = 0;
    for cell in cells {
        let mut by_choices = BTreeMap::<usize, Vec<u32>>::default();
        cell.urls.iter().for_each(|url| by_choices.entry(chosen[url]).or_default().push(*url));
        let of_people = by_choices.into_iter().filter(|(_, urls)| {
            let growth = view.growth(urls);
            growth.requests >= LEAST_REQUESTS && growth.is_of_people()
        });
        most = of_people.map(|(choices, _)| choices).fold(most, usize::max);
    }
    most
}

/// The filters of URLs by the number of their names, each with the number of its values.
fn filters(view: &View<'_>, urls: impl Iterator<Item = u32>) -> FxHashMap<u32, usize> {
    let mut names = FxHashMap::<u32, (usize, FxHashSet<u64>)>::default();
    let mut count = 0;
    for url in urls {
        count += 1;
        view.arguments
            .of_url(url)
            .iter()
            .for_each(|(name, _)| names.entry(*name).or_default().0 += 1);
        each_choice(view, url, |name, text| {
            names.entry(name).or_default().1.insert(xxh3_64(text.as_bytes()));
        });
    }
    names.retain(|_, (urls, values)| {
        values.len() > 1 && values.len() * URLS_OF_VALUE <= *urls && *urls * ONE_OF >= count
    });
    names.into_iter().map(|(name, (_, values))| (name, values.len())).collect()
}

fn rule<'r>(
    view: &View<'r>,
    filters: &FxHashMap<u32, usize>,
    urls: &[u32],
    least: usize,
) -> Rule<'r> {
    let nodes: FxHashSet<u32> = urls.iter().map(|url| view.paths.node_of[*url as usize]).collect();
    let path = Some(places(nodes.into_iter().map(|node| view.paths.labels(node))));
    let mut names: Vec<_> =
        filters.keys().map(|name| view.arguments.names[*name as usize].clone()).collect();
    names.sort_unstable();
    Rule { path, goes_on: false, query: Query::Has { names, least } }
}
