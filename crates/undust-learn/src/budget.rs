//! Which candidates are worth a look: a URL pays for a bounded amount of work.
//!
//! A crawl can be such that candidates (rules, edits) grow with its URLs and each is tried on most
//! of them. To try them all would then take time quadratic in the URLs. So they are tried on more
//! and more URLs in random order, and where the work exceeds the budget, the candidates that
//! promise least for their work are dropped.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Most work of a URL, on average: candidates that are tried on it, and [`CHANGE`] for each that
/// changes it. Of twelve real crawls and all learners of rules one asks for more, and of nineteen
/// with the gate two do.
pub(crate) const WORK_PER_URL: usize = 64;

/// What a change costs, in candidates that are tried in vain.
pub(crate) const CHANGE: usize = 16;

/// Places of the first look. Each later one doubles the places that were seen.
const FIRST: usize = 256;

/// Seed of the order in which URLs are looked at. What is dropped depends on it and on nothing else
/// that is random.
const SEED: u64 = 17;

/// Growing parts of a number of places, in random order: each look doubles the places that were seen.
#[derive(Debug)]
pub(crate) struct Looks {
    order: Vec<u32>,
    seen: usize,
}

impl Looks {
    /// Looks at `places` places, at most 2³².
    pub(crate) fn at(places: usize) -> Self {
        let mut order: Vec<u32> = (0..u32::try_from(places).unwrap_or(u32::MAX)).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(SEED));
        Self { order, seen: 0 }
    }

    /// The places of the next look; none when all were seen.
    pub(crate) fn next(&mut self) -> Option<&[u32]> {
        let from = self.seen;
        self.seen = self.order.len().min(FIRST.max(2 * from));
        Some(&self.order[from..self.seen]).filter(|look| !look.is_empty())
    }

    /// How many places were seen.
    pub(crate) fn seen(&self) -> usize {
        self.seen
    }
}

/// What is known of a candidate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// What it promises: how often it was right, or how many pairs suggest it.
    pub gain: f64,
    /// The work that it takes; a candidate that takes none is kept.
    pub work: f64,
}

/// Which candidates stay: those that promise most for their work, as many as are `affordable`. Of
/// equals the earlier one stays. n log n.
pub(crate) fn prune_costly(candidates: &[Cost], affordable: f64) -> Vec<bool> {
    let mut is_kept = vec![true; candidates.len()];
    let mut work: f64 = candidates.iter().map(|candidate| candidate.work).sum();
    if work <= affordable {
        return is_kept;
    }
    let promise = |place: &usize| candidates[*place].gain / candidates[*place].work;
    let mut worst_first: Vec<usize> =
        (0..candidates.len()).filter(|place| candidates[*place].work > 0.0).collect();
    worst_first.sort_unstable_by(|a, b| promise(a).total_cmp(&promise(b)).then(b.cmp(a)));
    for place in worst_first {
        if work <= affordable {
            break;
        }
        work -= candidates[place].work;
        is_kept[place] = false;
    }
    is_kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_place_is_seen_once_in_parts_that_double() {
        for places in [0, 1, 255, 256, 257, 5000] {
            let (mut looks, mut seen, mut sizes) = (Looks::at(places), Vec::new(), Vec::new());
            while let Some(look) = looks.next() {
                seen.extend_from_slice(look);
                sizes.push(look.len());
            }
            assert_eq!(looks.seen(), places);
            assert!(sizes.windows(2).rev().skip(1).all(|pair| pair[0] <= pair[1]), "{sizes:?}");
            assert!(places < 1000 || !seen.is_sorted());
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..places as u32));
        }
    }

    proptest! {
        #[test]
        fn what_stays_is_affordable_and_promises_most(
            costs in prop::collection::vec((0u32..9, 0u32..9), 0..40),
            affordable in 0u32..100,
        ) {
            let cost = |&(gain, work): &(u32, u32)| Cost { gain: gain.into(), work: work.into() };
            let candidates: Vec<Cost> = costs.iter().map(cost).collect();
            let kept = prune_costly(&candidates, affordable.into());
            let of = |is: bool| candidates.iter().zip(&kept).filter(move |(_, kept)| **kept == is);
            let work: f64 = of(true).map(|(candidate, _)| candidate.work).sum();
            prop_assert!(work <= affordable.into());
            let promise = |candidate: &Cost| candidate.gain / candidate.work;
            let worst = of(true).filter(|(c, _)| c.work > 0.0).map(|(c, _)| promise(c));
            let worst = worst.fold(f64::INFINITY, f64::min);
            prop_assert!(of(false).all(|(candidate, _)| promise(candidate) <= worst));
            // The next one would have been too much.
            let next = of(false).map(|(c, _)| (promise(c), c.work)).max_by(|a, b| a.0.total_cmp(&b.0));
            let (best, _) = next.unwrap_or_default();
            let cheapest = of(false).filter(|(c, _)| promise(c) == best).map(|(c, _)| c.work);
            prop_assert!(next.is_none() || cheapest.fold(0.0, f64::max) + work > affordable.into());
        }
    }
}
