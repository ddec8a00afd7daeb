//! Every way of holding out a part of a crawl, to test a method on pages that it did not learn
//! from.
//!
//! * by time: the last pages, as the crawl simulator tests (SIGIR 2017, section 3.1);
//! * by cluster: a seeded share of the duplicate clusters, for early stopping and for DUSTER's
//!   validation (TKDE 2015);
//! * by folder or by shape: whole folders, or all URLs of some shapes. A method that looks good on
//!   the last pages may still fail on a folder that training never saw.

use std::hash::{Hash, Hasher};

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use serde::Serialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;
use undust_url::keyed_url::KeyedUrl;

/// What the pages that a method is tested on have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoldOut {
    /// They are the last ones of the crawl.
    #[default]
    Time,
    /// They are in top folders that nothing is learned from.
    Folder,
    /// Nothing is learned of URLs with as many folders and the same names in the query.
    Shape,
}

impl HoldOut {
    /// The order in which pages to test on are behind those to learn from, else as in the crawl, by the places of pages
    /// in the crawl; and how many the latter are. None where that is the order of the crawl. They are the `share` of
    /// all. Whole groups of pages are held out as the seed has it, as long as no more than a quarter too many are; if
    /// less than half as many as should be are found so, none is, for they would say little.
    /// Linear, and n log n in the groups.
    pub(crate) fn places(self, pages: &[Page], share: f64, seed: u64) -> (Option<Vec<u32>>, usize) {
        let cut = by_time(pages, share).0.len();
        if self == Self::Time {
            return (None, cut);
        }
        let groups: Vec<u64> = pages.iter().map(|page| self.group(&page.url, seed)).collect();
        let mut sizes: FxHashMap<u64, usize> = FxHashMap::default();
        for group in &groups {
            *sizes.entry(*group).or_default() += 1;
        }
        let mut chosen: Vec<(u64, usize)> = sizes.into_iter().collect();
        chosen.sort_unstable();
        let (wanted, mut held_out) = (pages.len() - cut, 0);
        chosen.retain(|(_, size)| {
            let is_held_out = held_out < wanted && 4 * (held_out + size) <= 5 * wanted;
            held_out += if is_held_out { *size } else { 0 };
            is_held_out
        });
        if 2 * held_out < wanted {
            chosen.clear();
        }
        let is_held_out = |(_, group): &(u32, &u64)| {
            chosen.binary_search_by_key(*group, |(group, _)| *group).is_ok()
        };
        let (held_out, learned): (Vec<_>, Vec<_>) = (0..).zip(&groups).partition(is_held_out);
        let places = learned.iter().chain(&held_out).map(|(place, _)| *place);
        (Some(places.collect()), learned.len())
    }

    /// What is held out together with a URL, as a number.
    fn group(self, url: &str, seed: u64) -> u64 {
        let mut hash = Xxh3::with_seed(seed);
        if let Some(url) = KeyedUrl::parse(url) {
            match self {
                Self::Time => {}
                Self::Folder => {
                    url.segments.split_last().and_then(|(_, above)| above.first()).hash(&mut hash)
                }
                Self::Shape => {
                    let arguments = url.arguments.iter().flatten();
                    let mut names: Vec<&str> = arguments.map(|argument| argument.key()).collect();
                    names.sort_unstable();
                    (url.segments.len(), names).hash(&mut hash);
                }
            }
        }
        hash.finish()
    }
}

/// Pages in the order that [`HoldOut::places`] gives them.
pub(crate) fn reordered(pages: Vec<Page>, places: Option<&[u32]>) -> Vec<Page> {
    let Some(places) = places else { return pages };
    let mut pages: Vec<Option<Page>> = pages.into_iter().map(Some).collect();
    places.iter().filter_map(|place| pages[*place as usize].take()).collect()
}

/// Cuts a crawl into the first ⌊`share` · n⌋ pages, to learn from, and the rest, to test on. A
/// share below 0 is taken as 0, a share above 1 as 1.
pub fn by_time(pages: &[Page], share: f64) -> (&[Page], &[Page]) {
    // A share such as 0.29 is stored a little too small: without the slack it would cut 100
    // pages at 28.
    let cut = (share * pages.len() as f64 + 1e-9) as usize;
    pages.split_at(cut.min(pages.len()))
}

/// Whether a cluster belongs to the held-out `share`. Only its number and the seed decide, so
/// the answer is independent of the other clusters.
pub fn by_cluster(cluster: u32, share: f64, seed: u64) -> bool {
    let hash = xxh3_64_with_seed(&cluster.to_le_bytes(), seed);
    ((hash >> 11) as f64 / (1u64 << 53) as f64) < share
}

/// The clusters of two or more URLs, ascending, without a random `share` of them. The number
/// left out is exact, rounded down. Linear.
pub(crate) fn duplicates_but(clusters: &Clusters, share: f64, random: &mut ChaCha8Rng) -> Vec<u32> {
    let numbered = (0..).zip(clusters.iter());
    let duplicates = numbered.filter(|(_, members)| members.len() > 1);
    let mut kept: Vec<u32> = duplicates.map(|(cluster, _)| cluster).collect();
    kept.shuffle(random);
    let held_out = (kept.len() as f64 * share) as usize;
    kept.truncate(kept.len() - held_out.min(kept.len()));
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rustc_hash::FxHashSet;

    use undust_testing::crawl;

    use super::*;

    fn page(number: u32) -> Page {
        let url = number.to_string().into();
        Page { url, end: number, ..Page::default() }
    }

    #[test]
    fn a_split_by_time_cuts_at_the_share_that_was_typed() {
        let all: Vec<Page> = (0..100).map(page).collect();
        for percent in 0..=100_u32 {
            let share: f64 = format!("{}", f64::from(percent) / 100.0).parse().expect("a number");
            assert_eq!(by_time(&all, share).0.len(), percent as usize);
        }
        let odd = [-1.0, 7.0, f64::NAN].map(|share| by_time(&all, share).0.len());
        assert_eq!(odd, [0, 100, 0]);
        assert_eq!(by_time(&all[..3], 0.75).0.len(), 2);
        assert_eq!(by_time(&[], 0.75), (&[][..], &[][..]));
    }

    #[test]
    fn the_seed_decides_which_clusters_are_held_out() {
        let held_out = |share, seed| (0..1000).filter(|c| by_cluster(*c, share, seed)).count();
        assert_eq!((held_out(0.0, 1), held_out(1.0, 1)), (0, 1000));
        assert!((200..300).contains(&held_out(0.25, 1)));
        assert!((0..1000).any(|c| by_cluster(c, 0.25, 1) != by_cluster(c, 0.25, 2)));
    }

    #[test]
    fn an_exact_share_of_the_duplicates_is_held_out() {
        let groups: Vec<Vec<String>> = (0..9)
            .map(|n| (0..=n % 3).map(|m| format!("http://x.com/{n}/{m}")).collect())
            .collect();
        let (_, clusters) = crawl(&groups);
        let kept = duplicates_but(&clusters, 0.5, &mut ChaCha8Rng::seed_from_u64(3));
        assert_eq!(kept.len(), 3);
        assert!(kept.is_sorted() && kept.iter().all(|c| clusters.members(*c).len() > 1));
    }

    #[test]
    fn folders_and_shapes_are_held_out_whole() {
        let url = |n: u32| match n % 4 {
            0 => format!("http://x.com/folder{}/{n}", n % 40),
            1 => format!("http://x.com/folder{}/?n={n}&p{}=1", n % 40, n % 7),
            2 => format!("http://x.com/folder{}/a/{n}", n % 40),
            _ => format!("http://x.com/{n}"),
        };
        let page = |n| Page { url: url(n).into(), ..page(n) };
        let all: Vec<Page> = (0..2000).map(page).collect();
        for hold_out in [HoldOut::Folder, HoldOut::Shape] {
            let split = |pages: Vec<Page>, seed| {
                let (places, cut) = hold_out.places(&pages, 0.75, seed);
                (reordered(pages, places.as_deref()), cut)
            };
            let (pages, cut) = split(all.clone(), 7);
            let (learned, held_out) = pages.split_at(cut);
            assert!((200..=625).contains(&held_out.len()), "{hold_out:?}: {}", held_out.len());
            let groups = |part: &[Page]| -> FxHashSet<u64> {
                part.iter().map(|page| hold_out.group(&page.url, 7)).collect()
            };
            assert!(groups(learned).is_disjoint(&groups(held_out)));
            assert!([learned, held_out].iter().all(|part| part.is_sorted_by_key(|page| page.end)));
            assert_eq!(split(all.clone(), 7), (pages.clone(), cut));
            assert_ne!(split(all.clone(), 8).0, pages);
            assert_eq!(split(Vec::new(), 7), (Vec::new(), 0));
        }
        assert_eq!(HoldOut::Time.places(&all, 0.75, 7), (None, 1500));
        // A crawl of one folder has nothing to hold out.
        let one: Vec<Page> =
            (0..9).map(|n| Page { url: format!("http://x.com/a/{n}").into(), ..page(n) }).collect();
        assert_eq!(HoldOut::Folder.places(&one, 0.75, 7).1, 9);
    }
}
