//! All pairs of 64-bit fingerprints at most k bits apart, by block sorting.
//!
//! Two values that differ in at most k bits are equal in at least one of k + 1 blocks of bits
//! (Manku, Jain and Das Sarma, WWW 2007, section 3). The values are therefore sorted by one
//! block after the other, and only values that agree in the block are compared. A long run of
//! agreeing values is joined in the same way over the bits that still vary within it, as in
//! multi-sort (Uno, 2010), while that saves comparisons. So n pages with a common template do
//! not cost n² comparisons, and the same choice of blocks serves any size and any k.

/// Sorting a value costs about as much as comparing it with this many others.
const SORT_COST: usize = 16;

/// Values sampled from a run to estimate whether sorting it pays.
const SAMPLE: usize = 32;

/// From this many values on, a radix sort is faster than a comparison sort.
const RADIX: usize = 1024;

/// For shorter runs, asking [`PairSink::settled`] costs more than it saves.
const ASK_SETTLED: usize = 16;

/// Takes the pairs that [`self_join`] finds, one at a time. They are never stored.
pub trait PairSink {
    /// Takes two near fingerprints: `a` and `b` are their positions.
    fn pair(&mut self, a: u32, b: u32);

    /// Whether every pair among these positions would be redundant to the sink; such a run is
    /// skipped. `false` asks for every pair.
    fn settled(&mut self, _positions: impl Iterator<Item = u32>) -> bool {
        false
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
/// Nearly linear for k ≤ 7. If most fingerprints differ in a few bits only, it takes as long
/// as comparing all with all. Takes 32 bytes of memory for each of at most 2³² fingerprints.
/// Any `k` is allowed.
pub fn self_join(fingerprints: &[u64], k: u32, sink: &mut impl PairSink) {
    let item = |(&value, id)| Fingerprint { value, id };
    let mut items: Vec<Fingerprint> = fingerprints.iter().zip(0..).map(item).collect();
    join(&mut items, k, sink);
}

/// [`self_join`] over items that carry their own ids; reorders them.
pub(super) fn join(items: &mut [Fingerprint], k: u32, sink: &mut impl PairSink) {
    let mut scratch = Vec::new();
    sort_by(items, u64::MAX, &mut scratch);
    let distinct = collapse(items, sink);
    if k > 0 {
        let mut join = Join { k, sink, scratch, passed: Vec::new() };
        join.descend(&mut items[..distinct]);
    }
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

struct Join<'a, S> {
    k: u32,
    sink: &'a mut S,
    scratch: Vec<Fingerprint>,
    /// The blocks sorted by before, in this run and in the runs around it. A pair that agrees
    /// in one of them was found there.
    passed: Vec<u64>,
}

impl<S: PairSink> Join<'_, S> {
    /// Finds the pairs within one run of distinct values.
    fn descend(&mut self, run: &mut [Fingerprint]) {
        if run.len() > ASK_SETTLED && self.sink.settled(run.iter().map(|item| item.id)) {
            return;
        }
        let is_long = run.len() > 2 * self.sort_cost();
        let varying = if is_long { varying_bits(run) } else { 0 };
        if varying.count_ones() > self.k && self.sorting_pays(run, varying) {
            self.sort_and_descend(run, varying);
        } else if self.k == 3 {
            self.compare_all(run, has_at_most::<3>);
        } else {
            let k = self.k;
            self.compare_all(run, |difference| difference.count_ones() <= k);
        }
    }

    /// The cost of sorting by every block once, in comparisons for each value.
    fn sort_cost(&self) -> usize {
        SORT_COST * (self.k as usize + 1)
    }

    /// Whether sorting, and comparing within equal blocks, costs less than comparing all with
    /// all. In a crowded run it does not: a pair that agrees in several blocks is compared once
    /// for each, at every depth.
    fn sorting_pays(&self, run: &[Fingerprint], varying: u64) -> bool {
        let sample: Vec<u64> = sample(run).map(|item| item.value).collect();
        let agreeing = |block: u64| {
            let partners = |(at, a): (usize, &u64)| {
                sample[..at].iter().filter(|&&b| (a ^ b) & block == 0).count()
            };
            sample.iter().enumerate().map(partners).sum::<usize>()
        };
        let compared: usize = blocks(varying, self.k + 1).map(agreeing).sum();
        let pairs = sample.len() * (sample.len() - 1) / 2;
        let share = compared as f64 / pairs as f64;
        share * run.len() as f64 + 2.0 * self.sort_cost() as f64 <= run.len() as f64
    }

    fn sort_and_descend(&mut self, run: &mut [Fingerprint], varying: u64) {
        let passed = self.passed.len();
        for block in blocks(varying, self.k + 1) {
            sort_by(run, block, &mut self.scratch);
            for equal in run.chunk_by_mut(|a, b| (a.value ^ b.value) & block == 0) {
                if equal.len() > 1 {
                    self.descend(equal);
                }
            }
            self.passed.push(block);
        }
        self.passed.truncate(passed);
    }

    fn compare_all(&mut self, run: &[Fingerprint], is_near: impl Fn(u64) -> bool) {
        for (at, a) in run.iter().enumerate() {
            for b in &run[at + 1..] {
                let difference = a.value ^ b.value;
                if is_near(difference) && self.is_first_meeting(difference) {
                    self.sink.pair(a.id, b.id);
                }
            }
        }
    }

    fn is_first_meeting(&self, difference: u64) -> bool {
        self.passed.iter().all(|block| difference & block != 0)
    }
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

/// Deals the set bits of `bits`, from the highest, to `count` blocks whose sizes
/// differ by at most one.
pub(super) fn blocks(bits: u64, count: u32) -> impl Iterator<Item = u64> {
    let mut rest = bits;
    (0..count).map(move |block| {
        let before = rest;
        for _ in 0..rest.count_ones().div_ceil(count - block) {
            rest ^= 1 << rest.ilog2();
        }
        before ^ rest
    })
}

/// Sorts by the bits of `block`. Large slices grow `scratch` to their size.
fn sort_by(items: &mut [Fingerprint], block: u64, scratch: &mut Vec<Fingerprint>) {
    if items.is_sorted_by_key(|item| item.value & block) {
        return;
    }
    if items.len() < RADIX {
        items.sort_unstable_by_key(|item| item.value & block);
        return;
    }
    if scratch.len() < items.len() {
        scratch.resize(items.len(), Fingerprint::default());
    }
    radix_sort(items, &mut scratch[..items.len()], block);
}

/// Least significant digit first, eight bits at a time; digits without a bit of the block are
/// skipped.
fn radix_sort(items: &mut [Fingerprint], scratch: &mut [Fingerprint], block: u64) {
    let (mut from, mut to) = (items, scratch);
    let mut in_scratch = false;
    for shift in (block.trailing_zeros()..64).step_by(8) {
        let digit = (block >> shift) & 0xff;
        if digit != 0 {
            scatter(from, to, |item| ((item.value >> shift) & digit) as usize);
            std::mem::swap(&mut from, &mut to);
            in_scratch = !in_scratch;
        }
    }
    if in_scratch {
        to.copy_from_slice(from);
    }
}

/// Copies `from` to `to` in the order of a digit below 256. Stable.
fn scatter(from: &[Fingerprint], to: &mut [Fingerprint], digit: impl Fn(&Fingerprint) -> usize) {
    let mut next = [0; 256];
    for item in from {
        next[digit(item)] += 1;
    }
    let mut start = 0;
    for slot in &mut next {
        start += std::mem::replace(slot, start);
    }
    for item in from {
        let slot = &mut next[digit(item)];
        to[*slot] = *item;
        *slot += 1;
    }
}

#[cfg(test)]
mod tests;
