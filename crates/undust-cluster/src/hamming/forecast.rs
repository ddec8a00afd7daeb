//! What finding the pairs of a run will cost, as a sample of its pairs foretells it.

use super::blocks::{STRIDES, blocks};
use super::compare::count_near;
use super::fingerprint::{Fingerprint, even_first};
use super::flips;
use super::join::Join;
use super::sink::PairSink;

/// Values sampled from a run to estimate whether sorting it pays.
const SAMPLE: usize = 32;

/// Values sampled to see how many have an even number of bits.
const MANY: usize = 1024;

/// Depths below a run that the estimate looks at: a block that many values share may still leave
/// runs that the next block cuts small.
const LOOK_AHEAD: u32 = 3;

/// A run is cut evenly enough if sorting it costs less than this many times a single sorting.
const EVEN: f64 = 4.0;

/// Pairs of the sample from which the cost of a run is foretold.
const FEWEST_PAIRS: usize = 8;

/// Near values that each has on average, at most, where flipping pays: pairs that are found so are met one by
/// one, even those of one set.
const FEW_NEAR: usize = 1;

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
    pub(super) fn cheapest(&self, run: &[Fingerprint], varying: u64, others: usize) -> Way {
        if varying.count_ones() <= self.k {
            return Way::Compare;
        }
        let differences = differences(run);
        let (way, cost) = self.cheapest_cut(&differences, varying, others as f64);
        if self.k > 3 {
            return way;
        }
        // What is compared is taken for twice its cost: of each pair, one value looks at the other.
        let mut flipping = CAUTION * (2 * flips::cost(varying.count_ones())) as f64;
        if self.k == 3 && flipping < cost {
            let mut many: Vec<Fingerprint> = sample(run, MANY).copied().collect();
            let even = even_first(&mut many);
            let share = run.len() as f64 / many.len() as f64;
            flipping += {
                let (even, odd) = many.split_at(even);
                self.cost_apart(even, odd, varying, share).1
            };
        }
        if flipping < cost && self.few_are_near(run) { Way::Flip } else { way }
    }

    /// The way that costs least if only pairs between the slices are left.
    pub(super) fn cheapest_apart(
        &self,
        even: &[Fingerprint],
        odd: &[Fingerprint],
        varying: u64,
    ) -> Way {
        if varying.count_ones() <= self.k {
            return Way::Compare;
        }
        self.cost_apart(even, odd, varying, 1.0).0
    }

    /// Of the pairs between the slices: the way that costs least, and its cost for each value,
    /// if there are `times` times as many values.
    fn cost_apart(
        &self,
        even: &[Fingerprint],
        odd: &[Fingerprint],
        varying: u64,
        times: f64,
    ) -> (Way, f64) {
        if even.is_empty() || odd.is_empty() {
            return (Way::Compare, 0.0);
        }
        let odd_sample: Vec<u64> = sample(odd, SAMPLE / 2).map(|item| item.value).collect();
        let with_odd = |item: &Fingerprint| odd_sample.iter().map(|odd| odd ^ item.value).collect();
        let differences: Vec<Vec<u64>> = sample(even, SAMPLE / 2).map(with_odd).collect();
        let (even, odd) = (even.len() as f64, odd.len() as f64);
        let others = times * 2.0 * even * odd / (even + odd);
        self.cheapest_cut(&differences.concat(), varying, others)
    }

    /// Whether values have at most [`FEW_NEAR`] near ones on average, as a larger sample foretells it. Costs four
    /// comparisons for each value of the run.
    fn few_are_near(&self, run: &[Fingerprint]) -> bool {
        let mut values: Vec<u64> =
            sample(run, (8 * run.len()).isqrt()).map(|item| item.value).collect();
        values.sort_unstable();
        values.dedup();
        let mut near = 0;
        for (at, value) in values.iter().enumerate() {
            near += count_near(&values[..at], *value, self.k);
        }
        // One pair in n / 8 was looked at.
        near <= 4 * FEW_NEAR
    }

    /// Cutting or comparing, and what that costs each value that would be compared with `others` others.
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
    /// of sampled pairs foretell it over `depth` further sortings.
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

/// How the pairs of a sample differ.
fn differences(run: &[Fingerprint]) -> Vec<u64> {
    let sample: Vec<u64> = sample(run, SAMPLE).map(|item| item.value).collect();
    let with_earlier =
        |(at, a): (usize, &u64)| -> Vec<u64> { sample[..at].iter().map(|b| a ^ b).collect() };
    sample.iter().enumerate().flat_map(with_earlier).collect()
}

/// `count` items of the run from random places, the same in every run of the program. Evenly spaced
/// items would all agree if the values count upwards.
fn sample(run: &[Fingerprint], count: usize) -> impl Iterator<Item = &Fingerprint> {
    let step = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    let states = std::iter::successors(Some(1), step).skip(1).take(count);
    states.map(|state| &run[(state >> 33) as usize % run.len()])
}
