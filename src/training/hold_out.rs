//! Every way of holding out a part of a crawl, to judge a method by pages that it did not learn
//! from.
//!
//! * by time: the last pages, as the crawl simulator judges (SIGIR 2017, section 3.1);
//! * by cluster: a seeded share of the duplicate clusters, for early stopping and for DUSTER's
//!   validation (TKDE 2015);
//! * by path prefix: every cluster that has a URL below a folder. A method that looks good on
//!   the last pages may still fail on a folder that training never saw.

use std::collections::BTreeMap;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::TrainingSet;
use crate::cluster::Clusters;
use crate::page::Page;
use crate::url::keyed_url::KeyedUrl;

/// Cuts a crawl into the first ⌊`share` · n⌋ pages, to learn from, and the rest, to judge by. A
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

/// By cluster: whether one of its URLs lies in the top folder `prefix`. Then its URLs in other
/// folders are held out, too. Linear in the length of the URLs.
pub fn by_prefix(set: &TrainingSet<'_>, prefix: &str) -> Vec<bool> {
    let mut held_out = vec![false; set.clusters().len()];
    for (page, &cluster) in set.pages().iter().zip(set.clusters().labels()) {
        held_out[cluster as usize] |= top_folder(&page.url) == Some(prefix);
    }
    held_out
}

/// The top folders of the site and the number of URLs in each, by name. Linear in the length of
/// the URLs.
pub fn prefixes<'c>(set: &TrainingSet<'c>) -> BTreeMap<&'c str, usize> {
    let mut counts = BTreeMap::new();
    for folder in set.pages().iter().filter_map(|page| top_folder(&page.url)) {
        *counts.entry(folder).or_default() += 1;
    }
    counts
}

/// The first path segment, if others follow.
fn top_folder(url: &str) -> Option<&str> {
    let url = KeyedUrl::parse(url)?;
    (url.segments.len() > 1).then(|| url.segments[0])
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::training::tests::crawl;

    fn page(number: u32) -> Page {
        let url = number.to_string().into();
        Page { url, end: number, title: None, simhash: None, digest: None, importance: None }
    }

    #[test]
    fn a_split_by_time_cuts_at_the_share_that_was_typed() {
        let all: Vec<Page> = (0..100).map(page).collect();
        for percent in 0..=100 {
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
    fn a_folder_is_held_out_with_the_aliases_of_its_pages() {
        let groups: [Vec<String>; 3] = [
            vec!["http://x.com/a/1".into(), "http://x.com/b/1".into()],
            vec!["http://x.com/b/2".into()],
            vec!["http://x.com/a".into(), "http://x.com/c/".into()],
        ];
        let (pages, clusters) = crawl(&groups);
        let set = TrainingSet::new(&pages, &clusters);
        assert_eq!(prefixes(&set), BTreeMap::from([("a", 1), ("b", 2), ("c", 1)]));
        assert_eq!(by_prefix(&set, "a"), [true, false, false]);
        assert_eq!(by_prefix(&set, "b"), [true, true, false]);
    }
}
