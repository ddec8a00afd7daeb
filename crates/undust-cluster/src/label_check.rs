//! The check of labels by eye: a random sample of pairs that clusters hold together, and what its
//! marks say of all of them. Xu, Liu and Callan (SIGIR 2017) looked at 100 pairs of each site.

use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use crate::clusters::Clusters;

/// At most `count` pairs of pages that share a cluster, no pair twice, in random order.
///
/// The first page is drawn from all pages that have duplicates, the second from the rest of its
/// cluster. A cluster therefore counts as its pages do, not as its pairs do, which are many times
/// more in a large one. Equal clusters and seeds give equal pairs. Linear in the pages.
pub fn sample_pairs(clusters: &Clusters, count: usize, seed: u64) -> Vec<[u32; 2]> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let with_duplicates = clusters.iter().filter(|members| members.len() > 1);
    let mut pages: Vec<u32> = with_duplicates.flatten().copied().collect();
    pages.shuffle(&mut random);
    let (mut pairs, mut drawn) = (Vec::new(), FxHashSet::default());
    for page in pages {
        if pairs.len() == count {
            break;
        }
        let other = another(clusters.members(clusters.of(page as usize)), page, &mut random);
        if let Some(other) = other
            && drawn.insert([page.min(other), page.max(other)])
        {
            pairs.push([page, other]);
        }
    }
    pairs
}

/// A random member of a cluster other than this one. A second draw is needed in one of as many
/// cases as there are members.
fn another(members: &[u32], page: u32, random: &mut ChaCha8Rng) -> Option<u32> {
    if members.len() < 2 {
        return None;
    }
    loop {
        let other = *members.choose(random)?;
        if other != page {
            return Some(other);
        }
    }
}

/// How pairs of a sample were marked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Marks {
    /// Pairs that show one page.
    pub right: u64,
    /// Pairs that show two.
    pub wrong: u64,
    /// Pairs without a mark, which say nothing.
    pub unmarked: u64,
}

impl Marks {
    /// The share of marked pairs that are wrong; none if no pair is marked.
    pub fn wrong_share(&self) -> Option<f64> {
        let marked = self.right + self.wrong;
        (marked > 0).then(|| self.wrong as f64 / marked as f64)
    }

    /// The ends of the 95 % interval of that share (Wilson, 1927), which also holds where no pair is wrong.
    pub fn interval(&self) -> Option<[f64; 2]> {
        /// Standard deviations that hold 95 % of a normal distribution.
        const Z: f64 = 1.959_964;
        let share = self.wrong_share()?;
        let count = (self.right + self.wrong) as f64;
        let spread = Z * (share * (1.0 - share) / count + (Z / (2.0 * count)).powi(2)).sqrt();
        let (middle, scale) = (share + Z * Z / (2.0 * count), 1.0 + Z * Z / count);
        Some([((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_share_a_cluster_and_none_comes_twice() {
        let clusters = Clusters::from_labels([0, 1, 1, 2, 0, 0, 3, 4, 4]);
        for seed in 0..50 {
            let pairs = sample_pairs(&clusters, 100, seed);
            let sorted: FxHashSet<[u32; 2]> =
                pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
            assert_eq!(sorted.len(), pairs.len());
            assert!(pairs.iter().all(|[a, b]| a != b));
            assert!(pairs.iter().all(|&[a, b]| clusters.of(a as usize) == clusters.of(b as usize)));
            // Clusters of two have one pair each, that of three has two or three.
            assert!((4..=5).contains(&pairs.len()), "{pairs:?}");
            assert_eq!(sample_pairs(&clusters, 2, seed), pairs[..2]);
        }
    }

    #[test]
    fn a_large_cluster_counts_as_its_pages_do() {
        // 500 pages in one cluster, 500 in clusters of two: half of the pages each.
        let labels = (0..1000_u32).map(|page| if page < 500 { 0 } else { page / 2 });
        let clusters = Clusters::from_labels(labels);
        let pairs = sample_pairs(&clusters, 200, 7);
        let large = pairs.iter().filter(|pair| pair[0] < 500).count();
        assert!((80..=120).contains(&large), "{large} of 200");
    }

    #[test]
    fn clusters_of_one_page_have_no_pair() {
        assert_eq!(sample_pairs(&Clusters::from_labels([0, 1, 2]), 9, 1), [[0; 2]; 0]);
    }

    /// Wilson's interval, as tables have it.
    #[test]
    fn worked_intervals() {
        for (wrong, right, low, high) in
            [(3, 97, 0.010, 0.085), (0, 100, 0.000, 0.037), (100, 0, 0.963, 1.000)]
        {
            let interval = Marks { right, wrong, unmarked: 9 }.interval().expect("marks");
            assert!((interval[0] - low).abs() < 5e-4, "{interval:?}");
            assert!((interval[1] - high).abs() < 5e-4, "{interval:?}");
        }
        assert_eq!(Marks { unmarked: 9, ..Marks::default() }.interval(), None);
    }
}
