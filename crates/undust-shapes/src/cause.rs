//! The argument that makes a pattern grow: without it, most of the pattern's URLs would be one.
//!
//! Of a crawl, whose pages are known. Each argument is left out in turn, and each open label of the path. The cause is
//! the one that merges most URLs of one page beyond those of different pages; an argument that names the page merges
//! different ones, and is none. Of a log see `trap`.

use rustc_hash::FxHashMap;
use serde::Serialize;
use smallvec::SmallVec;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use undust_url::tokens::authority;

use crate::arguments::each_argument;
use crate::paths::segments;
use crate::pattern::{Names, Pattern};
use crate::requests::Requested;

/// Most arguments of a pattern that are left out, those of most URLs first.
const MOST_NAMES: usize = 16;

/// What makes URLs grow. Its figures are those of the URLs that were counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// The argument's name, the label of the path such as `{number}`, `order of arguments`, or `combinations of
    /// arguments` where none of them has many values, and together they have, as filters.
    pub argument: String,
    /// For a label of the path its place, from 1; none for an argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<usize>,
    /// Different values that it has.
    pub values: usize,
    /// Different URLs that would be left without it. Of the argument of a log: paths with the arguments that name their
    /// pages.
    pub urls_without: usize,
    /// What the pages say of it; none where they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<CausePages>,
}

/// What happens to pages without an argument.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CausePages {
    /// URLs whose page another URL shows that differs in this argument alone.
    pub repeats: usize,
    /// Pages that could not be distinguished from another without it.
    pub lost: usize,
    /// Groups of two or more URLs that differ in this argument alone: only these are evidence.
    pub tested: usize,
}

impl Cause {
    /// Whether hardly a page would be lost without it, of enough groups.
    pub(crate) fn is_needless(&self) -> bool {
        self.pages.is_some_and(|pages| {
            pages.lost * REPEATS_OF_ONE_LOST <= pages.repeats && pages.tested >= LEAST_TESTED
        })
    }
}

/// Fewest groups of URLs that say that an argument does not matter.
const LEAST_TESTED: usize = 3;

/// Repeats that are worth a look by training, for each page lost.
const REPEATS_OF_ONE_LOST: usize = 100;

/// What is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// The argument of this number.
    Name(usize),
    /// The segment of this place.
    Segment(usize),
    Order,
}

/// A URL as the hashes of its parts.
struct Parts {
    /// Each part that may differ within the pattern, with the place of its slot, in the order of the URL.
    parts: SmallVec<[(u16, u64); 6]>,
    cluster: u32,
}

/// The place of what is never left out.
const NO_SLOT: u16 = u16::MAX;

/// The cause of a pattern's growth, if anything of it has several values and merges URLs of one page. Linear in the
/// URLs and the arguments.
pub(crate) fn cause(pattern: &Pattern<'_>, urls: &[&Requested]) -> Option<Cause> {
    let slots = slots(pattern);
    let parts: Vec<Parts> = (urls.iter())
        .filter_map(|known| Some(parts(known, known.page?.cluster, pattern, &slots)))
        .collect();
    let measured = (0..slots.len()).filter_map(|slot| {
        let left =
            |url: &Parts| if slots[slot] == Slot::Order { url.sum() } else { url.without(slot) };
        let Measured { urls_without, pages } =
            measured(parts.iter().map(|url| (left(url), url.cluster)).collect());
        let gain = pages.repeats as i64 - pages.lost as i64;
        (gain > 0).then_some((gain, slot, urls_without, pages))
    });
    // Of equals the first: `max_by_key` would take the last.
    let best = measured.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (_, slot, urls_without, pages) = best?;
    let values = values(&slots, slot, &parts);
    let (argument, segment) = described(pattern, slots[slot]);
    Some(Cause { argument, segment, values, urls_without, pages: Some(pages) })
}

/// What may be left out.
fn slots(pattern: &Pattern<'_>) -> Vec<Slot> {
    let names = pattern.names.list().len().min(MOST_NAMES);
    let mut slots: Vec<Slot> = (0..names).map(Slot::Name).collect();
    if names > 1 || matches!(pattern.names, Names::Some(_)) {
        slots.push(Slot::Order);
    }
    let path = pattern.path.iter().enumerate().skip(1);
    let open = path.filter(|(_, label)| label.is_open()).map(|(place, _)| Slot::Segment(place));
    slots.extend(open);
    slots
}

fn described(pattern: &Pattern<'_>, slot: Slot) -> (String, Option<usize>) {
    match slot {
        Slot::Name(name) => (pattern.names.list()[name].to_string(), None),
        Slot::Segment(place) => (pattern.path[place].to_string(), Some(place)),
        Slot::Order => ("order of arguments".to_owned(), None),
    }
}

fn parts(known: &Requested, cluster: u32, pattern: &Pattern<'_>, slots: &[Slot]) -> Parts {
    let url = &*known.url;
    let place_of =
        |slot: Slot| slots.iter().position(|known| *known == slot).map_or(NO_SLOT, |at| at as u16);
    let mut parts = SmallVec::<[(u16, u64); 6]>::new();
    parts.push((NO_SLOT, xxh3_64(&url.as_bytes()[..authority(url).end])));
    for (place, text) in segments(url).enumerate().skip(1) {
        if pattern.path.get(place).is_none_or(|label| label.is_open()) {
            let part = xxh3_64_with_seed(text.as_bytes(), place as u64);
            parts.push((place_of(Slot::Segment(place)), part));
        }
    }
    let names = pattern.names.list();
    let names = &names[..names.len().min(MOST_NAMES)];
    each_argument(url, |name, value| {
        let part = xxh3_64_with_seed(value.as_bytes(), xxh3_64(name.as_bytes()));
        let slot = names.iter().position(|known| *known == name).map(Slot::Name);
        parts.push((slot.map_or(NO_SLOT, place_of), part));
    });
    Parts { parts, cluster }
}

impl Parts {
    /// The hash of all parts but those of a slot, in their order.
    fn without(&self, slot: usize) -> u64 {
        let parts = self.parts.iter().filter(|(place, _)| usize::from(*place) != slot);
        parts.fold(0, |hash: u64, (_, part)| (hash.rotate_left(5) ^ part).wrapping_mul(MIX))
    }

    /// That of all parts, in any order.
    fn sum(&self) -> u64 {
        self.parts.iter().fold(0, |sum, (_, part)| sum.wrapping_add(*part))
    }

    /// The part of a slot; none if the URL has none.
    fn part(&self, slot: usize) -> Option<u64> {
        let parts = self.parts.iter().filter(|(place, _)| usize::from(*place) == slot);
        parts.map(|(_, part)| *part).reduce(u64::wrapping_add)
    }
}

/// An odd number whose bits are mixed: that of the fractional part of the golden ratio.
pub(crate) const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// What leaving out something does.
#[derive(Default)]
pub(crate) struct Measured {
    urls_without: usize,
    pub pages: CausePages,
}

/// What the pages say of URLs that have a key in common: each URL as the hash of what is left, with its cluster.
pub(crate) fn measured(mut keyed: Vec<(u64, u32)>) -> Measured {
    keyed.sort_unstable();
    let groups = keyed.chunk_by(|(a, _), (b, _)| a == b);
    let mut measured = Measured::default();
    for group in groups {
        let pages = group.chunk_by(|(_, a), (_, b)| a == b).count();
        measured.urls_without += 1;
        measured.pages.repeats += group.len() - pages;
        measured.pages.lost += pages - 1;
        measured.pages.tested += usize::from(group.len() > 1);
    }
    measured
}

/// Different values of a slot; for the order, most URLs that have the same arguments.
fn values(slots: &[Slot], slot: usize, urls: &[Parts]) -> usize {
    if slots[slot] == Slot::Order {
        let mut orders = FxHashMap::<u64, usize>::default();
        urls.iter().for_each(|url| *orders.entry(url.sum()).or_default() += 1);
        return orders.into_values().max().unwrap_or(0);
    }
    let mut parts: Vec<u64> = urls.iter().filter_map(|url| url.part(slot)).collect();
    parts.sort_unstable();
    parts.dedup();
    parts.len()
}
