//! Ways to write a URL that a server may take for one: `?q=a+b` and `?q=a%20b`, an argument that is given
//! twice, the values of one name in any order, `é` as one character or as two.
//!
//! Other servers show two pages. So pairs of URLs that differ in one such way alone decide, place by place: an
//! argument, or the paths below one folder. A server reads all arguments with one parser, so what pairs of two places
//! or more show together and none refutes holds in all places. The order of values alone is of each name.

mod composed;
mod place;
mod repeated;
mod values;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use undust_util::op_counter;

use super::convention_evidence::ConventionEvidence;
use super::normalization_step::NormalizationStep;
use super::pairs::{LabelledUrl, Pairs};

/// More places than these are none: the site puts data where names stand.
const MOST_PLACES: usize = 1 << 12;

/// Pairs of so many places show that a way to write holds in all.
const PLACES_FOR_ALL: usize = 2;

/// A way to write a URL that is replaced by another. They are applied in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Respelling {
    /// A letter and its accents as one character, where there is one: `e%CC%81` as `%C3%A9` (NFC, Unicode
    /// Standard Annex 15). In paths and in values of arguments.
    Composed,
    /// A `+` in the value of an argument as `%20`, which is a space on every server.
    Space,
    /// An argument that stands several times with the same value, once.
    Repeated,
    /// Several values of one name in order.
    ValueOrder,
}

/// A URL that is written otherwise, and the places where it is.
struct Respelled {
    url: String,
    places: Vec<Box<str>>,
}

impl Respelling {
    /// In the order in which they are learned and applied.
    const ALL: [Self; 4] = [Self::Composed, Self::Space, Self::Repeated, Self::ValueOrder];

    /// Whether any of this text, a URL or a part of one, might be written otherwise.
    fn may_change(self, text: &[u8]) -> bool {
        match self {
            Self::Composed => composed::may_change(text),
            Self::Space => memchr::memchr(b'+', text).is_some(),
            Self::Repeated | Self::ValueOrder => repeated::has_name_twice(text),
        }
    }

    /// `url` written otherwise in all places where that holds; nothing where it is written so.
    fn respelled(self, url: &str, holds: &dyn Fn(&str) -> bool) -> Option<Respelled> {
        if !self.may_change(url.as_bytes()) {
            return None;
        }
        match self {
            Self::Composed => values::respelled(url, true, composed::composed, holds),
            Self::Space => values::respelled(url, false, values::with_spaces_escaped, holds),
            Self::Repeated => repeated::once(url, holds),
            Self::ValueOrder => repeated::in_order(url, holds),
        }
    }

    /// Whether it is the server that decides, and not what an argument means.
    fn is_of_the_server(self) -> bool {
        self != Self::ValueOrder
    }
}

/// Which ways to write hold on a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Respellings(BTreeMap<Respelling, Extent>);

/// Where a way to write holds, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Extent {
    /// The places that enough pairs show.
    places: BTreeMap<Box<str>, Pairs>,
    /// The pairs of all places together, where they show that it holds in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    everywhere: Option<Pairs>,
}

impl Extent {
    fn holds(&self, place: &str) -> bool {
        self.everywhere.is_some() || self.places.contains_key(place)
    }
}

impl Respellings {
    /// Where one way to write holds: what pairs of enough pages show and none refutes. Linear in the URLs, of which it
    /// holds 16 bytes for each that is written otherwise, and 24 for each pair and place.
    pub(super) fn learn(respelling: Respelling, urls: &[LabelledUrl<'_>]) -> Self {
        let mut counts = Counts::default();
        let respelled = |url: &str| respelling.respelled(url, &|_| true);
        let places = |url: &str| respelled(url).into_iter().flat_map(|other| other.places);
        // By hash of the URL as it would be written: the first that is written otherwise.
        let mut first: FxHashMap<u64, usize> = FxHashMap::default();
        for (number, (url, page)) in urls.iter().enumerate() {
            let Some(Respelled { url: image, places: own }) = respelled(url) else { continue };
            let known = *first.entry(xxh3_64(image.as_bytes())).or_insert(number);
            if known != number {
                let (other, other_page) = &urls[known];
                let both = own.into_iter().chain(places(other));
                counts.add(url, other, both, (page == other_page).then_some(*page));
            }
        }
        for (url, page) in urls.iter().filter(|_| !first.is_empty()) {
            // One that is written so already is the image itself.
            if let Some(known) = first.get(&xxh3_64(url.as_bytes())) {
                let (other, other_page) = &urls[*known];
                counts.add(url, other, places(other), (page == other_page).then_some(*page));
            }
        }
        counts
            .extent(respelling)
            .map(|extent| Self([(respelling, extent)].into()))
            .unwrap_or_default()
    }

    /// All ways to write that hold, each learned by itself.
    pub(super) fn each(urls: &[LabelledUrl<'_>]) -> impl Iterator<Item = Self> {
        Respelling::ALL.into_iter().map(|respelling| Self::learn(respelling, urls))
    }

    /// These and those.
    pub(super) fn with(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any of this text, a URL or a part of one, might be written otherwise.
    pub(super) fn may_change(&self, text: &[u8]) -> bool {
        self.0.keys().any(|respelling| respelling.may_change(text))
    }

    /// `url`, which is normal, written in this way; nothing where it is so.
    pub(super) fn normalize(
        &self,
        respelling: Respelling,
        url: &str,
        steps: &mut Vec<NormalizationStep>,
    ) -> Option<String> {
        let extent = self.0.get(&respelling)?;
        let Respelled { url, places } = respelling.respelled(url, &|place| extent.holds(place))?;
        let step = |place: Box<str>| NormalizationStep::Respelled(respelling, place.into());
        for step in places.into_iter().map(step) {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        Some(url)
    }

    /// Whether arguments of a URL would go, or change places.
    pub(super) fn change_arguments(&self, url: &str) -> bool {
        [Respelling::Repeated, Respelling::ValueOrder]
            .into_iter()
            .any(|respelling| self.normalize(respelling, url, &mut Vec::new()).is_some())
    }

    /// It no longer holds in this place. What one place refutes does not hold in all.
    pub(super) fn forget(&mut self, respelling: Respelling, place: &str) {
        let Some(extent) = self.0.get_mut(&respelling).filter(|extent| extent.holds(place)) else {
            return;
        };
        extent.places.remove(place);
        extent.everywhere = None;
        if extent.places.is_empty() {
            self.0.remove(&respelling);
        }
    }

    /// What speaks for it in this place.
    pub(super) fn evidence(
        &self,
        respelling: Respelling,
        place: &str,
    ) -> Option<ConventionEvidence> {
        let extent = self.0.get(&respelling)?;
        let pairs = extent.places.get(place).copied().or(extent.everywhere)?;
        Some(ConventionEvidence::pairs(pairs))
    }
}

/// What pairs of URLs show.
#[derive(Default)]
struct Counts {
    places: FxHashMap<Box<str>, Pairs>,
    /// The places and pages whose pairs agreed. Each counts once: a log-in page under any URL would show for
    /// everything.
    agreed: FxHashSet<(u64, u32)>,
    /// The pages whose pairs agreed in any place.
    pages: FxHashSet<u32>,
}

impl Counts {
    /// Counts two URLs in those of these places where they differ, with their page if they show one.
    fn add(
        &mut self,
        url: &str,
        other: &str,
        places: impl Iterator<Item = Box<str>>,
        page: Option<u32>,
    ) {
        let mut places: Vec<_> = places.filter(|place| place::differ(place, url, other)).collect();
        places.sort_unstable();
        places.dedup();
        op_counter::count(1 + places.len());
        self.pages.extend(page.filter(|_| !places.is_empty()));
        for place in places {
            let is_new =
                page.is_none_or(|page| self.agreed.insert((xxh3_64(place.as_bytes()), page)));
            if is_new {
                self.places.entry(place).or_default().count(page.is_some());
            }
        }
    }

    /// Where it holds; nothing where it holds nowhere.
    fn extent(self, respelling: Respelling) -> Option<Extent> {
        let different = self.places.values().map(|pairs| pairs.different).max().unwrap_or(0);
        let all = Pairs { same: self.pages.len() as u32, different };
        let is_of_all = respelling.is_of_the_server() && self.places.len() >= PLACES_FOR_ALL;
        let everywhere = Some(all).filter(|all| is_of_all && all.suffice());
        let are_names = self.places.len() <= MOST_PLACES;
        let proven = self.places.into_iter().filter(|(_, pairs)| are_names && pairs.suffice());
        let extent = Extent { places: proven.collect(), everywhere };
        (everywhere.is_some() || !extent.places.is_empty()).then_some(extent)
    }
}

#[cfg(test)]
mod tests;
