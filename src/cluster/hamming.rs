//! All pairs of 64-bit fingerprints at most k bits apart, by block sorting.
//!
//! Two values that differ in at most k bits are equal in at least one of k + 1 blocks of bits
//! (Manku, Jain and Das Sarma, WWW 2007, section 3). The values are therefore sorted by one
//! block after the other, and only values that agree in the block are compared. A long run of
//! agreeing values is joined in the same way over the bits that still vary within it, as in
//! multi-sort (Uno, 2010), while that saves comparisons. So n pages with a common template do
//! not cost n² comparisons, and the same choice of blocks serves any size and any k.
//!
//! No choice of blocks helps where most pairs agree in some block. Crowds, where many of them are
//! near, are joined before (`scout`). Where few are, as among words of few bits of an
//! error-correcting code, pairs at most two bits apart are found by flipping bits (`flips`). For more
//! bits nothing is done that is better than n² comparisons at worst.

mod flips;
mod scout;
mod sort;

use std::mem;

use self::sort::sort_by;
use crate::vectors::widest;

/// Sorting a value, with all that is done for a run before, costs about as much as comparing it with so
/// many others.
const SORT_COST: usize = 128;

/// Values sampled from a run to estimate whether sorting it pays.
const SAMPLE: usize = 32;

/// Depths below a run that the estimate looks at: a block that many values share may still leave
/// runs that the next block cuts small.
const LOOK_AHEAD: u32 = 3;

/// Ways to deal bits to blocks: neighbours together, and in two ways apart. Values that differ in
/// few blocks of one way differ in most of another.
const STRIDES: [u32; 3] = [1, 17, 23];

/// A run that sorting costs less than so many times a single sorting cuts evenly enough.
const EVEN: f64 = 4.0;

/// Pairs of the sample from which the cost of a run is foretold.
const FEWEST_PAIRS: usize = 8;

/// Values that are compared with another at once.
const AT_ONCE: usize = 32;

/// For shorter runs, asking for [`PairSink::set_of`] costs more than it saves.
const ASK_SETS: usize = 16;

/// Neighbours in a run that are compared before anything else. Crowded values that differ little
/// stand close together, and are then one set that need not be compared within.
const NEIGHBOURS: usize = 4;

/// Takes the pairs that [`self_join`] finds, one at a time. They are never stored.
pub trait PairSink {
    /// Takes two near fingerprints: `a` and `b` are their positions.
    fn pair(&mut self, a: u32, b: u32);

    /// The set that the pairs so far put a position in. Pairs within one set are redundant to
    /// the sink and may be left out, and pairs may come twice. `None` asks for every pair once.
    fn set_of(&mut self, _position: u32) -> Option<u32> {
        None
    }
}

impl<F: FnMut(u32, u32)> PairSink for F {
    fn pair(&mut self, a: u32, b: u32) {
        self(a, b);
    }
}

/// A fingerprint and the id of its owner.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fingerprint {
    pub value: u64,
    pub id: u32,
}

/// Gives `sink` every pair of distinct fingerprints at most `k` bits apart, once, unless the
/// sink calls their run settled. Of equal fingerprints one represents all: the others are
/// paired with it, and with nothing else.
///
/// Nearly linear for k ≤ 7 on random fingerprints, and on crowds of near ones where `sink` knows
/// sets (`PairSink::set_of`): those cost up to five times as much as random ones. So do few near ones among
/// many that agree in some block, as in a code, for k ≤ 2, and for k = 3 if all have an even number of bits,
/// or all an odd one; else they cost seven times as much at 400,000, and ten times for larger k. A sink
/// that asks for every pair takes time for every pair. Takes 32 bytes of memory for each of at most 2³²
/// fingerprints, and 28 more for such codes.
/// Any `k` is allowed.
pub fn self_join(fingerprints: &[u64], k: u32, sink: &mut impl PairSink) {
    let item = |(&value, id)| Fingerprint { value, id };
    let mut items: Vec<Fingerprint> = fingerprints.iter().zip(0..).map(item).collect();
    join(&mut items, k, sink);
}

/// [`self_join`] over items that carry their own ids; reorders them. Returns its work in
/// comparisons, a value sorted once counted as [`SORT_COST`].
pub(super) fn join(items: &mut [Fingerprint], k: u32, sink: &mut impl PairSink) -> u64 {
    let mut work = (items.len() * SORT_COST) as u64;
    let mut scratch = Vec::new();
    sort_by(items, u64::MAX, &mut scratch);
    let distinct = collapse(items, sink);
    if k > 0 {
        let mut join = Join { scratch, ..Join::new(k, sink) };
        join.scout(&mut items[..distinct]);
        join.descend(&mut items[..distinct]);
        work += join.work;
    }
    work
}

/// Moves one item of each value to the front, pairs the others with it, and returns the number
/// of distinct values. The items must be sorted.
fn collapse(items: &mut [Fingerprint], sink: &mut impl PairSink) -> usize {
    let mut last = 0;
    for next in 1..items.len() {
        if items[next].value == items[last].value {
            sink.pair(items[last].id, items[next].id);
        } else {
            last += 1;
            items[last] = items[next];
        }
    }
    items.len().min(last + 1)
}

/// How the pairs of a run are found.
enum Way {
    /// Each value is compared with all others.
    Compare,
    /// Those that agree in a block, dealt with this stride, are runs of their own.
    Sort(u32),
    /// Keys are joined that near values have in common.
    Flip,
}

struct Join<'a, S> {
    k: u32,
    sink: &'a mut S,
    scratch: Vec<Fingerprint>,
    /// The blocks sorted by before, in this run and in the runs around it. A pair that agrees
    /// in one of them was found there.
    passed: Vec<u64>,
    /// The values of a run that is compared, one behind the other.
    values: Vec<u64>,
    /// Comparisons so far, a value sorted once counted as [`SORT_COST`].
    work: u64,
}

impl<'a, S: PairSink> Join<'a, S> {
    fn new(k: u32, sink: &'a mut S) -> Self {
        Self { k, sink, scratch: Vec::new(), passed: Vec::new(), values: Vec::new(), work: 0 }
    }

    /// Finds the pairs within one run of distinct values.
    fn descend(&mut self, run: &mut [Fingerprint]) {
        let mut together = 0;
        if run.len() > ASK_SETS && self.sink.set_of(run[0].id).is_some() {
            self.join_at(run, 1..=NEIGHBOURS);
            together = self.gather_largest_set(run);
        }
        let others = run.len() - together;
        let varying = if self.is_long(others) { varying_bits(run) } else { 0 };
        match self.cheapest(run, varying, others) {
            Way::Compare => self.compare_from(run, together),
            Way::Sort(stride) => self.sort_and_descend(run, varying, stride),
            Way::Flip => self.flip(run, varying),
        }
    }

    /// Moves the values of a set to the front, keeping the order within both parts, and returns
    /// how many there are. If one set has more than half of the run, it is that one.
    fn gather_largest_set(&mut self, run: &mut [Fingerprint]) -> usize {
        // Boyer and Moore's majority vote.
        let (mut largest, mut votes) = (None, 0);
        for item in run.iter() {
            let set = self.sink.set_of(item.id);
            match (set == largest, votes) {
                (true, _) => votes += 1,
                (false, 0) => (largest, votes) = (set, 1),
                (false, _) => votes -= 1,
            }
        }
        let (mut together, mut others) = (0, Vec::new());
        for at in 0..run.len() {
            if self.sink.set_of(run[at].id) == largest {
                run[together] = run[at];
                together += 1;
            } else {
                others.push(run[at]);
            }
        }
        run[together..].copy_from_slice(&others);
        together
    }

    /// The cost of sorting by every block once, in comparisons for each value.
    fn sort_cost(&self) -> usize {
        SORT_COST * (self.k as usize + 1)
    }

    /// Whether so many are worth a look at how sorting would cut them.
    fn is_long(&self, others: usize) -> bool {
        others > 2 * self.sort_cost()
    }

    fn count_sorting(&mut self, len: usize) {
        self.work += (len * SORT_COST) as u64;
    }

    /// The way that costs least, as far as a sample of pairs foretells it. In a crowded run sorting does not
    /// pay: a pair that agrees in several blocks is compared once for each, at every depth. Where near
    /// pairs are frequent flipping does not: each has keys of its own.
    fn cheapest(&self, run: &[Fingerprint], varying: u64, others: usize) -> Way {
        if varying.count_ones() <= self.k {
            return Way::Compare;
        }
        let sample: Vec<u64> = sample(run).map(|item| item.value).collect();
        let with_earlier =
            |(at, a): (usize, &u64)| -> Vec<u64> { sample[..at].iter().map(|b| a ^ b).collect() };
        let differences: Vec<u64> = sample.iter().enumerate().flat_map(with_earlier).collect();
        let others = others as f64;
        let (mut best, mut least) = (Way::Compare, others);
        for stride in STRIDES {
            let cost = self.cost_of_sorting(&differences, varying, stride, others, LOOK_AHEAD);
            if cost <= least {
                (best, least) = (Way::Sort(stride), cost);
            }
            if cost < EVEN * self.sort_cost() as f64 {
                break;
            }
        }
        let is_near = |difference: &u64| (1..=self.k).contains(&difference.count_ones());
        let can_flip = || !differences.iter().any(is_near) && flips::serves(run, self.k);
        // What is compared was taken for twice its cost: of each pair, one value looks at the other.
        if ((2 * flips::cost(varying.count_ones())) as f64) < least && can_flip() {
            best = Way::Flip;
        }
        best
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

    fn sort_and_descend(&mut self, run: &mut [Fingerprint], varying: u64, stride: u32) {
        let passed = self.passed.len();
        for block in blocks(varying, self.k + 1, stride) {
            sort_by(run, block, &mut self.scratch);
            self.count_sorting(run.len());
            for equal in run.chunk_by_mut(|a, b| (a.value ^ b.value) & block == 0) {
                if equal.len() > 1 {
                    self.descend(equal);
                }
            }
            self.passed.push(block);
        }
        self.passed.truncate(passed);
    }

    /// Compares each value from `start` on with all values before it.
    fn compare_from(&mut self, run: &[Fingerprint], start: usize) {
        if self.k == 3 {
            self.compare_each(run, start, has_at_most::<3>);
        } else {
            let k = self.k;
            self.compare_each(run, start, |difference| difference.count_ones() <= k);
        }
    }

    fn compare_each(
        &mut self,
        run: &[Fingerprint],
        start: usize,
        is_near: impl Fn(u64) -> bool + Copy,
    ) {
        let mut values = mem::take(&mut self.values);
        values.clear();
        values.extend(run.iter().map(|item| item.value));
        for (at, a) in run.iter().enumerate().skip(start.max(1)) {
            self.work += at as u64;
            let mut from = 0;
            while let Some(chunk) = next_near(&values[from..at], a.value, is_near) {
                let start = from + chunk * AT_ONCE;
                from = at.min(start + AT_ONCE);
                self.work += (from - start) as u64;
                for b in &run[start..from] {
                    let difference = a.value ^ b.value;
                    if is_near(difference) && self.is_first_meeting(difference) {
                        self.sink.pair(a.id, b.id);
                    }
                }
            }
        }
        self.values = values;
    }

    fn is_first_meeting(&self, difference: u64) -> bool {
        self.passed.iter().all(|block| difference & block != 0)
    }
}

/// The first [`AT_ONCE`] of `values` among which one is near to `value`. Most have none: so a loop without
/// branches, of which vectors are made, looks at all.
fn next_near(values: &[u64], value: u64, is_near: impl Fn(u64) -> bool) -> Option<usize> {
    widest(|| {
        let has_near =
            |chunk: &[u64]| chunk.iter().fold(false, |any, other| any | is_near(value ^ other));
        values.chunks(AT_ONCE).position(has_near)
    })
}

/// Whether at most `K` bits are set: clearing `K` bits leaves 0. For the default k it is about
/// twice as fast as `count_ones` without a processor instruction, which portable builds do
/// not use.
fn has_at_most<const K: u32>(bits: u64) -> bool {
    (0..K).fold(bits, |rest, _| rest & rest.wrapping_sub(1)) == 0
}

/// Items of the run from random places, the same in every run of the program. Evenly spaced
/// items would all agree if the values count upwards.
fn sample(run: &[Fingerprint]) -> impl Iterator<Item = &Fingerprint> {
    let step = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    let states = std::iter::successors(Some(1), step).skip(1).take(SAMPLE);
    states.map(|state| &run[(state >> 33) as usize % run.len()])
}

/// The bits that differ between values of the run.
fn varying_bits(run: &[Fingerprint]) -> u64 {
    let first = run.first().map_or(0, |item| item.value);
    run.iter().fold(0, |varying, item| varying | (item.value ^ first))
}

/// Deals the set bits of `bits` to `count` blocks whose sizes differ by at most one. The bits are
/// taken `stride` places apart, round the 64 of them; an odd stride takes each once.
pub(super) fn blocks(bits: u64, count: u32, stride: u32) -> impl Iterator<Item = u64> {
    let places = (0..64).map(move |step| 1 << (63 - step * stride % 64));
    let mut set = places.filter(move |place| bits & place != 0);
    let mut left = bits.count_ones();
    (0..count).map(move |block| {
        let size = left.div_ceil(count - block);
        left -= size;
        set.by_ref().take(size as usize).sum()
    })
}

#[cfg(test)]
mod tests;
