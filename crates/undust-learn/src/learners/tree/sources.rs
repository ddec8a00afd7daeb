//! The sources of a cluster, from which pairwise rules are made (Koppula et al., section 5.1,
//! algorithm 3).

use std::cmp::Reverse;

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use undust_url::tokens::Delimiters;

use crate::ordered::distinct;
use crate::training::TrainingSet;

/// Strata of equal size.
const STRATA: usize = 10;

/// The sources of a cluster: its URLs without the canonical one, at most `most` of them.
///
/// The strata follow the importance of the pages, as in the paper, where the crawl knows it. Where
/// it does not, they follow the number of distinct tokens, so that long and short URLs are
/// represented alike. O(n log n) for n URLs.
pub(super) fn sources(set: &TrainingSet<'_>, cluster: u32, most: usize, seed: u64) -> Vec<u32> {
    let url = |page: u32| -> &str { &set.pages()[page as usize].url };
    let canonical = set.canonical(cluster);
    let members = set.clusters().members(cluster).iter().copied();
    let mut pages: Vec<u32> = members.filter(|page| url(*page) != canonical).collect();
    if pages.len() <= most {
        return pages;
    }
    let importance = |page: u32| set.pages()[page as usize].importance;
    pages.sort_by_cached_key(|page| {
        (Reverse(importance(*page)), Reverse(distinct_tokens(url(*page))), *page)
    });
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ u64::from(cluster) << 32);
    let mut drawn = Vec::with_capacity(most);
    for stratum in 0..STRATA {
        let bounds = |n: usize| n * stratum / STRATA..n * (stratum + 1) / STRATA;
        let (pages, quota) = (&pages[bounds(pages.len())], bounds(most).len());
        let places = index::sample(&mut random, pages.len(), quota.min(pages.len()));
        drawn.extend(places.into_iter().map(|place| pages[place]));
    }
    drawn.sort_unstable();
    drawn
}

fn distinct_tokens(url: &str) -> usize {
    distinct(Delimiters::default().tokens(url).map(|token| token.text)).len()
}

#[cfg(test)]
mod tests {
    use undust_pages::Importance;
    use undust_testing::crawl;

    use super::*;

    #[test]
    fn long_and_short_urls_are_drawn_alike() {
        let both = |n| [format!("http://x.com/{n}"), format!("http://x.com/a/b/c/{n}?d=e")];
        let (pages, clusters) = crawl(&[(0..500).flat_map(both).collect()]);
        let set = TrainingSet::new(&pages, &clusters);
        let drawn = sources(&set, 0, 100, 1);
        assert_eq!(drawn.len(), 100);
        assert_eq!(drawn.iter().filter(|page| **page % 2 == 0).count(), 50);
        assert_eq!(drawn, sources(&set, 0, 100, 1));
        assert_ne!(drawn, sources(&set, 0, 100, 2));
        assert_eq!(sources(&set, 0, 2000, 1).len(), 999);
    }
    #[test]
    fn important_and_unimportant_urls_are_drawn_alike() {
        let group = (0..1000).map(|n| format!("http://x.com/{n}")).collect();
        let (mut pages, clusters) = crawl(&[group]);
        for (n, page) in pages.iter_mut().enumerate() {
            // The last tenth is important.
            page.importance = Importance::of(if n < 900 { 1.0 } else { 100.0 + n as f64 });
        }
        let set = TrainingSet::new(&pages, &clusters);
        let drawn = sources(&set, 0, 100, 1);
        let important = drawn.iter().filter(|page| **page >= 900).count();
        assert!((9..=11).contains(&important), "{important} of a tenth");
    }
}
