//! A segment of the path that multiplies what stands around it: each commit of a forge has the whole tree.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use undust_url::query::path_and_query;

use super::{LEAST_PAGES, ONE_FUTURE_OF, ONE_RETURNED_OF, TIMES, Trap, View, distinct};
use crate::cause::{Cause, measured};
use crate::label::{Label, TextKind};
use crate::paths::segments;
use crate::rule::{Query, Rule, places};

/// Segments of one kind that stand at one place behind one word, whatever stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Slot<'u> {
    place: usize,
    label: Label<'u>,
    /// The word before it; where that is none of the pattern, the node of the tree of paths.
    before: Result<&'u str, u32>,
}

/// The traps, each by itself: they may overlap.
pub(super) fn traps<'r>(view: &View<'r>) -> Vec<Trap<'r>> {
    let mut by_leaf = FxHashMap::<u32, Vec<u32>>::default();
    for url in view.rest() {
        by_leaf.entry(view.paths.node_of[url as usize]).or_default().push(url);
    }
    let mut leaves_of = FxHashMap::<Slot<'r>, (Vec<u32>, usize)>::default();
    for (leaf, urls) in &by_leaf {
        for slot in slots(view, *leaf) {
            let (leaves, count) = leaves_of.entry(slot).or_default();
            leaves.push(*leaf);
            *count += urls.len();
        }
    }
    let mut slots: Vec<_> = leaves_of.into_iter().collect();
    slots.retain(|(_, (_, count))| view.is_burden(*count));
    // The order of a hash map says nothing.
    slots.sort_by_key(|(slot, _)| (slot.place, slot.label, slot.before.is_ok(), slot.before));
    let trap = |(slot, (mut leaves, _)): (Slot<'r>, (Vec<u32>, usize))| {
        leaves.sort_unstable();
        let urls: Vec<u32> = leaves.iter().flat_map(|leaf| &by_leaf[leaf]).copied().collect();
        trap(view, slot, &leaves, urls)
    };
    slots.into_iter().filter_map(trap).collect()
}

/// The open segments of a leaf.
fn slots<'v, 'r>(view: &'v View<'r>, leaf: u32) -> impl Iterator<Item = Slot<'r>> + use<'v, 'r> {
    let chain = view.paths.chain(leaf);
    (1..chain.len()).filter_map(move |place| {
        let label = view.paths.label(chain[place]);
        let before = match view.paths.label(chain[place - 1]) {
            // Nothing else looks like a pair.
            _ if label.is_pair() => Ok(""),
            Label::Text(text) if place > 1 && !text.is_empty() => Ok(text),
            _ => Err(chain[place - 1]),
        };
        matches!(label, Label::Any(..)).then_some(Slot { place, label, before })
    })
}

/// Hashes of the parts of a path.
struct Parts {
    /// All of it.
    whole: u64,
    /// Without the segment.
    without: u64,
    segment: u64,
    /// Behind the segment.
    behind: u64,
    /// Whether something stands behind the segment.
    goes_on: bool,
    has_query: bool,
}

fn parts(url: &str, at: usize) -> Parts {
    let has_query = !path_and_query(url).1.is_empty();
    let mut parts =
        Parts { whole: 0, without: 0, segment: 0, behind: 0, goes_on: false, has_query };
    for (place, text) in segments(url).enumerate() {
        parts.whole = xxh3_64_with_seed(text.as_bytes(), parts.whole);
        if place == at {
            parts.segment = xxh3_64_with_seed(text.as_bytes(), 0);
        } else {
            parts.without = xxh3_64_with_seed(text.as_bytes(), parts.without);
        }
        if place > at {
            parts.behind = xxh3_64_with_seed(text.as_bytes(), parts.behind);
        }
        parts.goes_on |= place > at && !text.is_empty();
    }
    parts
}

fn trap<'r>(view: &View<'r>, slot: Slot<'r>, leaves: &[u32], urls: Vec<u32>) -> Option<Trap<'r>> {
    let all: Vec<Parts> =
        urls.iter().map(|url| parts(view.urls[*url as usize], slot.place)).collect();
    let values = distinct(all.iter().map(|parts| parts.segment));
    let paths = distinct(all.iter().map(|parts| parts.whole));
    let without = distinct(all.iter().map(|parts| parts.without));
    let goes_on = all.iter().filter(|parts| parts.goes_on).count() * 2 > all.len();
    // A crawler takes a few of all commits and files. What a program made up needs no file twice with the same words
    // before it, if there is nothing new behind it.
    let left = match slot.label.is_made() && goes_on {
        true => distinct(all.iter().map(|parts| parts.behind)),
        false => without,
    };
    // A segment of many values with few pages around it names what its page is, such as a topic before its pages.
    let is_hash = goes_on && matches!(slot.label, Label::Any(TextKind::Hex, _));
    // So does one whose values do not come again, such as the number of an offer before its town.
    let goes_around = values * 2 <= paths && left.saturating_mul(left) >= paths;
    // Each path may be there with a query, too, such as `?ical=1`.
    let bare = distinct(all.iter().filter(|parts| !parts.has_query).map(|parts| parts.whole));
    let is_path = bare * 2 > paths;
    let multiplies = (paths * 2 >= urls.len() || is_path)
        && paths >= TIMES * left
        && left >= LEAST_PAGES
        && (is_hash || goes_around)
        && (goes_on || slot.label.is_made());
    let in_future = |url: &&u32| {
        segments(view.urls[**url as usize])
            .nth(slot.place)
            .is_some_and(|text| view.is_of_the_future(text))
    };
    let is_future = || {
        slot.label.is_date() && urls.iter().filter(in_future).count() * ONE_FUTURE_OF >= urls.len()
    };
    let shows_nothing = || {
        is_path && slot.label.is_made() && values > 1 && (view.are_few_sizes(&urls) || is_future())
    };
    let growth = view.growth(&urls);
    // The issues of many projects look like the months of many years.
    let is_sure = is_hash || growth.is_hardly_returned_to(ONE_RETURNED_OF);
    let is_pair = slot.label.is_pair() && values > 1;
    if !((multiplies || is_pair) && is_sure || shows_nothing()) || !growth.is_endless() {
        return None;
    }
    let shown = urls
        .iter()
        .zip(&all)
        .filter_map(|(url, parts)| Some((parts.without, view.known[*url as usize].page?.cluster)));
    let cause = Cause {
        argument: slot.label.to_string(),
        segment: Some(slot.place),
        values,
        urls_without: left,
        pages: view.has_pages.then(|| measured(shown.collect()).pages),
    };
    let rule = rule(view, slot, leaves, &urls);
    Some(Trap { cause, gain: paths - left.min(paths), urls, rule })
}

/// The rule ends behind the segment, if the paths go on in several ways.
fn rule<'r>(view: &View<'r>, slot: Slot<'r>, leaves: &[u32], urls: &[u32]) -> Rule<'r> {
    let paths: SmallVec<[Vec<Label<'r>>; 8]> =
        leaves.iter().map(|leaf| view.paths.labels(*leaf)).collect();
    let is_one = paths.iter().all(|path| path.len() == paths[0].len())
        && !paths[0].ends_with(&[Label::Rest])
        && paths.iter().all(|path| path[slot.place..] == paths[0][slot.place..]);
    let length = if is_one { paths[0].len() } else { slot.place + 1 };
    let path = places(paths.into_iter().map(|path| path[..length].to_vec()));
    let has_query = |url: &u32| !path_and_query(view.urls[*url as usize]).1.is_empty();
    let query = if is_one && !urls.iter().any(has_query) { Query::None } else { Query::Any };
    Rule { path: Some(path), goes_on: !is_one, query }
}
