//! Which ways to write a URL are one on a site, and where: pairs of URLs decide, place by place.

use rustc_hash::{FxHashMap, FxHashSet};
use undust_edits::conventions::Respelling;
use undust_edits::conventions::pairs::Pairs;
use undust_edits::conventions::respellings::{Extent, Respellings, place};
use undust_util::op_counter;
use xxhash_rust::xxh3::xxh3_64;

use super::folders::{Folders, folder};
use super::pairs::{LabelledUrl, pairs_by_image};
use crate::ordered::distinct;

/// More places than these are none: the site puts data where names stand.
const MOST_PLACES: usize = 1 << 12;

/// Pairs of so many places show that a way to write holds in all.
const PLACES_FOR_ALL: usize = 2;

/// Where one way to write holds: what pairs of enough pages show and none refutes. Linear in the URLs, of which it
/// holds 16 bytes for each that is written otherwise, and 24 for each pair and place.
pub(super) fn learn(respelling: Respelling, urls: &[LabelledUrl<'_>]) -> Respellings {
    let mut counts = Counts::default();
    let respelled = |url: &str| respelling.respelled(url, &|_| true);
    let places = |url: &str| respelled(url).into_iter().flat_map(|other| other.places);
    for (one, first) in pairs_by_image(urls, |url| Some(respelled(url)?.url)) {
        let ((url, page), (first, first_page)) = (&urls[one], &urls[first]);
        let both = places(url).chain(places(first));
        counts.add(url, first, both, (page == first_page).then_some(*page));
    }
    if !counts.folders.is_empty() {
        urls.iter().for_each(|(url, _)| counts.see(url, places(url)));
    }
    counts
        .extent(respelling)
        .map(|extent| Respellings([(respelling, extent)].into()))
        .unwrap_or_default()
}

/// All ways to write that hold but the first, each learned by itself.
pub(super) fn each(urls: &[LabelledUrl<'_>]) -> impl Iterator<Item = Respellings> {
    Respelling::ALL.into_iter().skip(1).map(|respelling| learn(respelling, urls))
}

/// What pairs of URLs show.
#[derive(Default)]
struct Counts {
    places: FxHashMap<Box<str>, Pairs>,
    /// The places and pages whose pairs agreed. Each counts once: a log-in page under any URL would show for
    /// everything.
    agreed: FxHashSet<(u64, u32)>,
    /// By name of arguments: the folders.
    folders: FxHashMap<Box<str>, Folders>,
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
        let places = distinct(places.filter(|place| place::differ(place, url, other)));
        op_counter::count(1 + places.len());
        self.pages.extend(page.filter(|_| !places.is_empty()));
        for place in places {
            let is_new =
                page.is_none_or(|page| self.agreed.insert((xxh3_64(place.as_bytes()), page)));
            if page.is_some() && place::is_argument(&place) {
                self.folders.entry(place.clone()).or_default().test(folder(url));
            }
            if is_new {
                self.places.entry(place).or_default().count(page.is_some());
            }
        }
    }

    /// Notes in which folder a URL has arguments that may be written otherwise.
    fn see(&mut self, url: &str, places: impl Iterator<Item = Box<str>>) {
        for place in places {
            if let Some(folders) = self.folders.get_mut(&place) {
                folders.see(folder(url));
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
        let speak_for_all =
            |place: &str| self.folders.get(place).is_none_or(Folders::speak_for_all);
        let proven = self.places.into_iter();
        let proven =
            proven.filter(|(place, pairs)| are_names && pairs.suffice() && speak_for_all(place));
        let extent = Extent { places: proven.collect(), everywhere };
        (everywhere.is_some() || !extent.places.is_empty()).then_some(extent)
    }
}

#[cfg(test)]
mod tests;
