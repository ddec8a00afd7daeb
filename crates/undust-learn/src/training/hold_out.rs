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
    /// They are in top folders of which nothing is learned.
    Folder,
    /// Nothing is learned of URLs with as many folders and the same names in the query.
    Shape,
}

impl HoldOut {
    /// Puts pages to test on behind those to learn from, else in the order of the crawl; how many the
    /// latter are. That is the `share` of all. Whole groups of pages are held out as the seed has it,
    /// as long as no more than a quarter too many are; if less than half as many as should be are found
    /// so, none is, for they would say little.
    /// Linear, and n log n in the groups.
    pub(crate) fn split(self, pages: Vec<Page>, share: f64, seed: u64) -> (Vec<Page>, usize) {
        let cut = by_time(&pages, share).0.len();
        if self == Self::Time {
            return (pages, cut);
        }
        let group = |page: &Page| self.group(&page.url, seed);
        let mut sizes: FxHashMap<u64, usize> = FxHashMap::default();
        for page in &pages {
            *sizes.entry(group(page)).or_default() += 1;
        }
        let mut groups: Vec<(u64, usize)> = sizes.into_iter().collect();
        groups.sort_unstable();
        let (wanted, mut held_out) = (pages.len() - cut, 0);
        groups.retain(|(_, size)| {
            let is_held_out = held_out < wanted && 4 * (held_out + size) <= 5 * wanted;
            held_out += if is_held_out { *size } else { 0 };
            is_held_out
        });
        if 2 * held_out < wanted {
            groups.clear();
        }
        let is_held_out =
            |page: &Page| groups.binary_search_by_key(&group(page), |(group, _)| *group).is_ok();
        let (held_out, mut learned): (Vec<Page>, Vec<Page>) =
            pages.into_iter().partition(is_held_out);
        let cut = learned.len();
        learned.extend(held_out);
        (learned, cut)
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
            let (pages, cut) = hold_out.split(all.clone(), 0.75, 7);
            let (learned, held_out) = pages.split_at(cut);
            assert!((200..=625).contains(&held_out.len()), "{hold_out:?}: {}", held_out.len());
            let groups = |part: &[Page]| -> FxHashSet<u64> {
                part.iter().map(|page| hold_out.group(&page.url, 7)).collect()
            };
            assert!(groups(learned).is_disjoint(&groups(held_out)));
            assert!([learned, held_out].iter().all(|part| part.is_sorted_by_key(|page| page.end)));
            assert_eq!(hold_out.split(all.clone(), 0.75, 7), (pages.clone(), cut));
            assert_ne!(hold_out.split(all.clone(), 0.75, 8).0, pages);
            assert_eq!(hold_out.split(Vec::new(), 0.75, 7), (Vec::new(), 0));
        }
        assert_eq!(HoldOut::Time.split(all.clone(), 0.75, 7), (all, 1500));
        // A crawl of one folder has nothing to hold out.
        let one: Vec<Page> =
            (0..9).map(|n| Page { url: format!("http://x.com/a/{n}").into(), ..page(n) }).collect();
        assert_eq!(HoldOut::Folder.split(one, 0.75, 7).1, 9);
    }
}
