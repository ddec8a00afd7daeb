//! How much of a result is luck of the crawl: percentile bootstrap intervals over clusters
//! (Efron, 1979).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Replay, f1, ratio};
use undust_cluster::clusters::Clusters;

/// Resamples for an interval. The ends of a 95 % interval are then the 26th values from either
/// end.
pub(crate) const RESAMPLES: usize = 1_000;

/// The 95 % intervals of a replay's figures: their lower and upper ends.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct IntervalBounds {
    /// Of the precision.
    pub precision: [f64; 2],
    /// Of the recall.
    pub recall: [f64; 2],
    /// Of F1.
    pub f1: [f64; 2],
}

/// Draws n of the n clusters with replacement, `resamples` times, and computes the figures of
/// each draw from the fetches of its clusters.
///
/// Clusters are drawn rather than pages, because the pages of a cluster are not independent.
/// The same replay and seed give the same intervals; two methods evaluated with one seed see the
/// same draws. Takes a random number for each cluster and resample. Without clusters, or
/// without resamples, both ends are the figure itself.
pub(crate) fn bootstrap(replay: &Replay, resamples: usize, seed: u64) -> IntervalBounds {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut figures = [const { Vec::new() }; 3];
    for _ in 0..resamples {
        let (crawled, covered) = resample(&replay.fetches, &mut rng);
        let precision = ratio(covered, crawled);
        let recall = ratio(covered, replay.fetches.len());
        figures[0].push(precision);
        figures[1].push(recall);
        figures[2].push(f1(precision, recall));
    }
    let [precision, recall, f1] = figures;
    IntervalBounds {
        precision: interval(precision, replay.precision()),
        recall: interval(recall, replay.recall()),
        f1: interval(f1, replay.f1()),
    }
}

/// The 95 % interval of the share of the redundant fetches of a crawler without a model that a replay saves, by the
/// draws of [`bootstrap`]. `clusters` must be those of the replay. Both ends are 0 where nothing is redundant.
pub(crate) fn saved_share(
    replay: &Replay,
    clusters: &Clusters,
    resamples: usize,
    seed: u64,
) -> [f64; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let count = clusters.len();
    let redundant = |fetches: usize| fetches.saturating_sub(1) as i64;
    let of = |cluster: usize| {
        let before = redundant(clusters.members(cluster as u32).len());
        (before, before - redundant(replay.fetches[cluster] as usize))
    };
    let sum = |all: (i64, i64), one: (i64, i64)| (all.0 + one.0, all.1 + one.1);
    let share = |(before, saved): (i64, i64)| saved as f64 / before.max(1) as f64;
    let draw = |rng: &mut ChaCha8Rng| {
        share((0..count).map(|_| of(rng.random_range(0..count))).fold((0, 0), sum))
    };
    let shares = (0..resamples).map(|_| draw(&mut rng)).collect();
    interval(shares, share((0..count).map(of).fold((0, 0), sum)))
}

/// The URLs fetched and the clusters covered in one draw.
fn resample(fetches: &[u32], rng: &mut ChaCha8Rng) -> (usize, usize) {
    let clusters = fetches.len();
    let drawn = (0..clusters).map(|_| fetches[rng.random_range(0..clusters)] as usize);
    drawn.fold((0, 0), |(crawled, covered), count| {
        (crawled + count, covered + usize::from(count > 0))
    })
}

fn interval(mut values: Vec<f64>, otherwise: f64) -> [f64; 2] {
    values.sort_unstable_by(f64::total_cmp);
    let outside = values.len() / 40;
    let low = values.get(outside).copied().unwrap_or(otherwise);
    let high = values.iter().nth_back(outside).copied().unwrap_or(otherwise);
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(fetches: Vec<u32>) -> Replay {
        let crawled = fetches.iter().sum::<u32>() as usize;
        let covered = fetches.iter().filter(|&&count| count > 0).count();
        Replay { crawled, covered, clusters: fetches.len(), fetched: Vec::new(), fetches }
    }

    #[test]
    fn the_same_seed_gives_the_same_intervals() {
        let some = replay((0..300).map(|n| n % 4).collect());
        assert_eq!(bootstrap(&some, 200, 7), bootstrap(&some, 200, 7));
        assert_ne!(bootstrap(&some, 200, 7), bootstrap(&some, 200, 8));
    }

    #[test]
    fn without_variation_there_is_no_width() {
        let perfect = bootstrap(&replay(vec![1; 50]), RESAMPLES, 1);
        let one = [1.0; 2];
        assert_eq!(perfect, IntervalBounds { precision: one, recall: one, f1: one });
    }

    #[test]
    fn the_interval_of_a_share_is_that_of_the_normal_approximation() {
        // Of 1,000 clusters 900 are seen: .9 ± 1.96 · sqrt(.9 · .1 / 1000).
        let seen = replay((0..1000).map(|n| u32::from(n % 10 != 0)).collect());
        let recall = bootstrap(&seen, RESAMPLES, 3).recall;
        assert!((recall[0] - 0.8814).abs() < 0.003, "{recall:?}");
        assert!((recall[1] - 0.9186).abs() < 0.003, "{recall:?}");
    }

    #[test]
    fn the_figures_lie_within() {
        let some = replay((0..500).map(|n| [1, 1, 3, 0, 2][n % 5]).collect());
        let found = bootstrap(&some, RESAMPLES, 11);
        let within = |value: f64, [low, high]: [f64; 2]| low < value && value < high;
        assert!(within(some.precision(), found.precision));
        assert!(within(some.recall(), found.recall));
        assert!(within(some.f1(), found.f1));
    }

    #[test]
    fn the_share_that_is_saved_lies_within() {
        // Of 300 clusters of three URLs each, half are fetched once.
        let labels = (0..900).map(|n| n / 3);
        let clusters = Clusters::from_labels(labels);
        let some = replay((0..300).map(|n| if n % 2 == 0 { 1 } else { 3 }).collect());
        let [low, high] = saved_share(&some, &clusters, RESAMPLES, 5);
        assert!(0.4 < low && low < 0.5 && 0.5 < high && high < 0.6, "{low} {high}");
        let all = replay(vec![3; 300]);
        assert_eq!(saved_share(&all, &clusters, 100, 5), [0.0, 0.0]);
    }

    #[test]
    fn nothing_to_draw_from_is_no_failure() {
        assert_eq!(bootstrap(&replay(Vec::new()), 10, 1).f1, [1.0; 2]);
        assert_eq!(bootstrap(&replay(vec![1]), 0, 1).recall, [1.0; 2]);
    }
}
