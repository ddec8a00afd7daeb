//! How far two partitions of the same things agree.

use rustc_hash::FxHashMap;

/// Agreement of a partition with a reference, over all pairs of things: each partition puts a
/// pair together or apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Things compared.
    pub count: usize,
    /// The Rand index corrected for chance (Hubert and Arabie, 1985): 1 for equal
    /// partitions, about 0 for unrelated ones.
    pub adjusted_rand: f64,
    /// Of the pairs together here, the share that is together in the reference too.
    pub precision: f64,
    /// Of the pairs together in the reference, the share that is together here too.
    pub recall: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
}

/// Compares two partitions, given as one label for each thing, in the same order. If one is
/// longer, its rest is ignored. A share of no pairs is 1. Linear.
pub fn agreement(labels: &[u32], reference: &[u32]) -> Agreement {
    let count = labels.len().min(reference.len());
    let (labels, reference) = (&labels[..count], &reference[..count]);
    let here = pairs_together(labels.iter());
    let there = pairs_together(reference.iter());
    let both = pairs_together(labels.iter().zip(reference));
    let (precision, recall) = (share(both, here), share(both, there));
    Agreement {
        count,
        adjusted_rand: adjusted_rand(both, here, there, pairs(count as u64)),
        precision,
        recall,
        f1: if both > 0.0 { 2.0 * both / (here + there) } else { precision.min(recall) },
    }
}

fn adjusted_rand(both: f64, here: f64, there: f64, all: f64) -> f64 {
    let expected = if all > 0.0 { here * there / all } else { 0.0 };
    let most = (here + there) / 2.0;
    // Equal only if both partitions have all things apart, or both have all together.
    if most == expected { 1.0 } else { (both - expected) / (most - expected) }
}

fn pairs_together<L: std::hash::Hash + Eq>(labels: impl Iterator<Item = L>) -> f64 {
    let mut sizes: FxHashMap<L, u64> = FxHashMap::default();
    for label in labels {
        *sizes.entry(label).or_default() += 1;
    }
    sizes.values().map(|&size| pairs(size)).sum()
}

/// Unordered pairs among `count` things. Exact up to 10⁸ things.
fn pairs(count: u64) -> f64 {
    let count = count as f64;
    count * (count - 1.0) / 2.0
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_partitions_agree_whatever_their_labels() {
        let same = agreement(&[0, 0, 1, 2], &[7, 7, 3, 1]);
        assert_eq!((same.count, same.adjusted_rand, same.f1), (4, 1.0, 1.0));
    }

    #[test]
    fn a_worked_example() {
        let half = agreement(&[0, 0, 1, 1, 2], &[0, 0, 1, 1, 1]);
        assert_eq!((half.precision, half.recall), (1.0, 0.5));
        assert!((half.f1 - 2.0 / 3.0).abs() < 1e-12);
        // Two here, four there, two in both: chance expects 2 · 4 / 10.
        assert!((half.adjusted_rand - (2.0 - 0.8) / (3.0 - 0.8)).abs() < 1e-12);
    }

    #[test]
    fn no_pairs_are_no_disagreement() {
        for labels in [&[][..], &[0], &[0, 1, 2]] {
            let alone = agreement(labels, labels);
            assert_eq!((alone.adjusted_rand, alone.f1), (1.0, 1.0));
        }
        assert_eq!(agreement(&[0, 0], &[0, 0]).adjusted_rand, 1.0);
    }

    #[test]
    fn all_apart_against_all_together() {
        let apart = agreement(&[0, 1, 2], &[0, 0, 0]);
        assert_eq!((apart.precision, apart.recall, apart.f1), (1.0, 0.0, 0.0));
        assert_eq!(apart.adjusted_rand, 0.0);
    }

    #[test]
    fn the_longer_rest_is_ignored() {
        assert_eq!(agreement(&[0, 0, 1], &[5, 5]).count, 2);
    }
}
