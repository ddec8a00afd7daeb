//! What finding the pairs of a run will cost, as a sample of its pairs foretells it.

use super::compare::count_near;
use super::{Fingerprint, Join, PairSink, STRIDES, blocks, deal_apart, even_first, flips};

/// Values sampled from a run to estimate whether sorting it pays.
pub(super) const SAMPLE: usize = 32;

/// Values sampled to see how many have an even number of bits.
const MANY: usize = 1024;

/// Depths below a run that the estimate looks at: a block that many values share may still leave
/// runs that the next block cuts small.
const LOOK_AHEAD: u32 = 3;

/// A run that sorting costs less than so many times a single sorting cuts evenly enough.
const EVEN: f64 = 4.0;

/// Pairs of the sample from which the cost of a run is foretold.
const FEWEST_PAIRS: usize = 8;

/// What cutting costs is foretold by so much too high, as was measured on words of codes, so that flipping
/// must cost less by this.
const CAUTION: f64 = 1.6;

/// How the pairs of a run are found.
pub(super) enum Way {
    /// Each value is compared with all others.
    Compare,
    /// Those that agree in a block, dealt with this stride, are runs of their own.
    Sort(u32),
    /// Keys are joined that near values have in common.
    Flip,
}

impl<S: PairSink> Join<'_, S> {
    /// The way that costs least. In a crowded run sorting does not pay: a pair that agrees in several blocks is
    /// compared once for each, at every depth. Where near pairs are frequent flipping does not: each has
    /// keys of its own.
    /// The first values of the run are one set.
    pub(super) fn cheapest(&self, run: &[Fingerprint], together: usize, varying: u64) -> Way {
        if varying.count_ones() <= self.k {
            return Way::Compare;
        }
        let differences = differences(run, together);
        let (way, cost) = self.cheapest_cut(&differences, varying, (run.len() - together) as f64);
        if self.k > 3 {
            return way;
        }
        // What is compared is taken for twice its cost: of each pair, one value looks at the other.
        let mut flipping = CAUTION * (2 * flips::cost(varying.count_ones())) as f64;
        if self.k == 3 && flipping < cost {
            flipping += self.cost_of_apart(run, together, varying);
        }
        if flipping < cost {
            flipping += 2.0 * self.cost_of_meeting(run, together, varying);
        }
        if flipping < cost { Way::Flip } else { way }
    }

    /// The cost for each value of finding the pairs three bits apart.
    fn cost_of_apart(&self, run: &[Fingerprint], together: usize, varying: u64) -> f64 {
        let mut places: Vec<usize> = sample(run.len(), MANY).collect();
        places.sort_unstable();
        let together = places.partition_point(|&place| place < together);
        let mut many: Vec<Fingerprint> = places.into_iter().map(|place| run[place]).collect();
        let times = run.len() as f64 / many.len() as f64;
        let ends = deal_apart(&mut many, together);
        let cost = |part: &mut [Fingerprint]| {
            let even = even_first(part);
            self.cost_apart(part.split_at(even), varying, times).1 * part.len() as f64
        };
        (cost(&mut many[..ends.end]) + cost(&mut many[ends.start..])) / MANY as f64
    }

    /// The way that costs least if only pairs are left of which one value is of either slice.
    pub(super) fn cheapest_apart(
        &self,
        parts: (&[Fingerprint], &[Fingerprint]),
        varying: u64,
    ) -> Way {
        if varying.count_ones() <= self.k {
            return Way::Compare;
        }
        self.cost_apart(parts, varying, 1.0).0
    }

    /// Of the pairs of which one value is of either slice: the way that costs least, and its cost for each value,
    /// if there are so many times as many values.
    fn cost_apart(
        &self,
        (even, odd): (&[Fingerprint], &[Fingerprint]),
        varying: u64,
        times: f64,
    ) -> (Way, f64) {
        if even.is_empty() || odd.is_empty() {
            return (Way::Compare, 0.0);
        }
        let differences = differences_between(even, odd);
        let (even, odd) = (even.len() as f64, odd.len() as f64);
        let others = times * 2.0 * even * odd / (even + odd);
        self.cheapest_cut(&differences, varying, others)
    }

    /// The cost for each value of meeting those that are near, as a larger sample foretells it. Those of the first
    /// values among themselves do not count. Costs four comparisons for each value of the run.
    fn cost_of_meeting(&self, run: &[Fingerprint], together: usize, varying: u64) -> f64 {
        let alone = (run.len() - together) as f64 / run.len() as f64;
        let mut places: Vec<usize> = sample(run.len(), (8 * run.len()).isqrt()).collect();
        places.sort_unstable();
        places.dedup();
        let together = places.partition_point(|&place| place < together);
        let values: Vec<u64> = places.into_iter().map(|place| run[place].value).collect();
        let near = |at| count_near(&values[..at], values[at], self.k);
        // One pair in n / 8 was looked at, and each is of two values.
        let near = (together..values.len()).map(near).sum::<usize>() as f64 / 4.0;
        let shared = (2.0 * near).min(f64::from(varying.count_ones() + 1) * alone);
        shared * flips::SHARED_COST as f64 + near * flips::MEETING_COST as f64
    }

    /// Cutting or comparing, and what that costs each value that would be compared with so many others.
    fn cheapest_cut(&self, differences: &[u64], varying: u64, others: f64) -> (Way, f64) {
        let (mut best, mut least) = (Way::Compare, others);
        for stride in STRIDES {
            let cost = self.cost_of_sorting(differences, varying, stride, others, LOOK_AHEAD);
            if cost <= least {
                (best, least) = (Way::Sort(stride), cost);
            }
            if cost < EVEN * self.sort_cost() as f64 {
                break;
            }
        }
        (best, least)
    }

    /// The cost for each value of sorting a run of `len`, in comparisons, as the differences
    /// of sampled pairs foretell it for so many depths.
    fn cost_of_sorting(
        &self,
        differences: &[u64],
        varying: u64,
        stride: u32,
        len: f64,
        depth: u32,
    ) -> f64 {
        let within = |block: u64| {
            let agreeing = differences.iter().filter(|&&difference| difference & block == 0);
            let agreeing: Vec<u64> = agreeing.copied().collect();
            let len = len * agreeing.len() as f64 / differences.len() as f64;
            let varying = agreeing.iter().fold(0, |varying, difference| varying | difference);
            let is_long = len > 2.0 * self.sort_cost() as f64 && varying.count_ones() > self.k;
            if depth == 0 || !is_long || agreeing.len() < FEWEST_PAIRS {
                return len;
            }
            len.min(self.cost_of_sorting(&agreeing, varying, stride, len, depth - 1))
        };
        2.0 * self.sort_cost() as f64 + blocks(varying, self.k + 1, stride).map(within).sum::<f64>()
    }
}

/// How the pairs of a sample differ. Where most values are one set, the first ones, those are not paired with one
/// another.
fn differences(run: &[Fingerprint], together: usize) -> Vec<u64> {
    if 2 * together > run.len() && together < run.len() {
        return differences_between(&run[together..], run);
    }
    let sample: Vec<u64> = sample(run.len(), SAMPLE).map(|place| run[place].value).collect();
    let with_earlier =
        |(at, a): (usize, &u64)| -> Vec<u64> { sample[..at].iter().map(|b| a ^ b).collect() };
    sample.iter().enumerate().flat_map(with_earlier).collect()
}

/// How the pairs differ of a sample of some values with one of others.
fn differences_between(some: &[Fingerprint], others: &[Fingerprint]) -> Vec<u64> {
    let values = |of: &[Fingerprint]| -> Vec<u64> {
        sample(of.len(), SAMPLE / 2).map(|place| of[place].value).collect()
    };
    let others = values(others);
    let with_others = |a: u64| -> Vec<u64> { others.iter().map(|b| a ^ b).collect() };
    values(some).into_iter().flat_map(with_others).collect()
}

/// So many places of a run at random, the same in every run of the program. Evenly spaced values would all agree
/// if they count upwards.
pub(super) fn sample(len: usize, count: usize) -> impl Iterator<Item = usize> {
    let step = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    let states = std::iter::successors(Some(1), step).skip(1).take(count);
    states.map(move |state| (state >> 33) as usize % len)
}
