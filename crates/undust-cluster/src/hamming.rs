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
//! error-correcting code, pairs at most two bits apart are found by flipping bits (`flips`), and those that
//! are three bits apart by comparing the values that have an even number of bits with the others alone. For more
//! bits nothing is done that is better than n² comparisons at worst.

mod compare;
mod flips;
mod forecast;
mod scout;
mod sort;
#[cfg(test)]
mod tests;

use std::mem;

use self::forecast::Way;
use self::sort::sort_by;

/// Sorting a value, with all that is done for a run before, costs about as much as comparing it with so
/// many others.
const SORT_COST: usize = 128;

/// Ways to deal bits to blocks: neighbours together, and in two ways apart. Values that differ in
/// few blocks of one way differ in most of another.
const STRIDES: [u32; 3] = [1, 17, 23];

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
pub struct Fingerprint {
    /// Its bits.
    pub value: u64,
    /// The page that it belongs to.
    pub id: u32,
}

/// Gives `sink` every pair of distinct fingerprints at most `k` bits apart, once, unless the
/// sink calls their run settled. Of equal fingerprints one represents all: the others are
/// paired with it, and with nothing else.
///
/// Nearly linear for k ≤ 7 on random fingerprints, and on crowds of near ones where `sink` knows
/// sets (`PairSink::set_of`): those make up to five times as much work as random ones. So do few near ones among
/// many that agree in some block, as in a code, for k ≤ 3; for larger k, or if such are mixed with a crowd, they
/// take up to eleven times as long. A sink that asks for every pair takes time for every pair. Takes 64 bytes of
/// memory for each of at most 2³² fingerprints, and 24 more for such codes.
/// Any `k` is allowed.
pub fn self_join(fingerprints: &[u64], k: u32, sink: &mut impl PairSink) {
    let item = |(&value, id)| Fingerprint { value, id };
    let mut items: Vec<Fingerprint> = fingerprints.iter().zip(0..).map(item).collect();
    join(&mut items, k, sink);
}

/// [`self_join`] over items that carry their own ids; reorders them. Returns its work in
/// comparisons, a value sorted once counted as `SORT_COST`.
pub fn join(items: &mut [Fingerprint], k: u32, sink: &mut impl PairSink) -> u64 {
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

struct Join<'a, S> {
    k: u32,
    sink: &'a mut S,
    scratch: Vec<Fingerprint>,
    /// The blocks sorted by before, in this run and in the runs around it. A pair that agrees
    /// in one of them was found there.
    passed: Vec<u64>,
    /// The values of a run that is compared, one behind the other.
    values: Vec<u64>,
    /// The sets of a run's values.
    sets: Vec<Option<u32>>,
    /// Whether only pairs that are three bits apart are left to be found.
    apart: bool,
    /// Comparisons so far, a value sorted once counted as `SORT_COST`.
    work: u64,
}

impl<'a, S: PairSink> Join<'a, S> {
    fn new(k: u32, sink: &'a mut S) -> Self {
        let (scratch, passed, values, sets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { k, sink, scratch, passed, values, sets, apart: false, work: 0 }
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
            Way::Sort(stride) => self.sort_and_descend(run, varying, stride, Self::descend),
            Way::Flip => self.find_by_flips(run, varying),
        }
    }

    /// For `k` at most 3: pairs at most two bits apart by flips, and then those three bits apart.
    fn find_by_flips(&mut self, run: &mut [Fingerprint], varying: u64) {
        self.flip(run, varying);
        if self.k == 3 {
            self.apart = true;
            self.descend_apart(run);
            self.apart = false;
        }
    }

    /// Finds those pairs within one run of distinct values that are three bits apart. One of them has an even
    /// number of bits, the other an odd one.
    fn descend_apart(&mut self, run: &mut [Fingerprint]) {
        let even = even_first(run);
        if even == 0 || even == run.len() {
            return;
        }
        let varying = if self.is_long(run.len()) { varying_bits(run) } else { 0 };
        match self.cheapest_apart(run.split_at(even), varying) {
            Way::Sort(stride) => self.sort_and_descend(run, varying, stride, Self::descend_apart),
            Way::Compare | Way::Flip => self.compare_from(run, even),
        }
    }

    /// Moves the values of a set to the front, keeping the order within both parts, and returns
    /// how many there are. If one set has more than half of the run, it is that one.
    fn gather_largest_set(&mut self, run: &mut [Fingerprint]) -> usize {
        let mut sets = mem::take(&mut self.sets);
        sets.clear();
        sets.extend(run.iter().map(|item| self.sink.set_of(item.id)));
        // Boyer and Moore's majority vote.
        let (mut largest, mut votes) = (None, 0);
        for &set in &sets {
            match (set == largest, votes) {
                (true, _) => votes += 1,
                (false, 0) => (largest, votes) = (set, 1),
                (false, _) => votes -= 1,
            }
        }
        let (mut together, mut others) = (0, Vec::new());
        for (at, set) in sets.iter().enumerate() {
            if *set == largest {
                run[together] = run[at];
                together += 1;
            } else {
                others.push(run[at]);
            }
        }
        run[together..].copy_from_slice(&others);
        self.sets = sets;
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

    /// Cuts a run in every way, so that each pair agrees in one of the blocks, and finds the pairs of what is cut.
    fn sort_and_descend(
        &mut self,
        run: &mut [Fingerprint],
        varying: u64,
        stride: u32,
        descend: fn(&mut Self, &mut [Fingerprint]),
    ) {
        let passed = self.passed.len();
        for block in blocks(varying, self.k + 1, stride) {
            sort_by(run, block, &mut self.scratch);
            self.count_sorting(run.len());
            for equal in run.chunk_by_mut(|a, b| (a.value ^ b.value) & block == 0) {
                if equal.len() > 1 {
                    descend(self, equal);
                }
            }
            self.passed.push(block);
        }
        self.passed.truncate(passed);
    }

    /// Whether a pair that differs so was not found before.
    fn is_first_meeting(&self, difference: u64) -> bool {
        self.passed.iter().all(|block| difference & block != 0)
            && (!self.apart || difference.count_ones() == 3)
    }
}

/// Moves the values that have an even number of bits to the front, and returns how many there are.
fn even_first(run: &mut [Fingerprint]) -> usize {
    let mut even = 0;
    for at in 0..run.len() {
        if run[at].value.count_ones().is_multiple_of(2) {
            run.swap(even, at);
            even += 1;
        }
    }
    even
}

/// The bits that differ between values of the run.
fn varying_bits(run: &[Fingerprint]) -> u64 {
    let first = run.first().map_or(0, |item| item.value);
    run.iter().fold(0, |varying, item| varying | (item.value ^ first))
}

/// Deals the set bits of `bits` to `count` blocks whose sizes differ by at most one. The bits are
/// taken `stride` places apart, round the 64 of them; an odd stride takes each once.
pub fn blocks(bits: u64, count: u32, stride: u32) -> impl Iterator<Item = u64> {
    let places = (0..64).map(move |step| 1 << (63 - step * stride % 64));
    let mut set = places.filter(move |place| bits & place != 0);
    let mut left = bits.count_ones();
    (0..count).map(move |block| {
        let size = left.div_ceil(count - block);
        left -= size;
        set.by_ref().take(size as usize).sum()
    })
}
