//! A join at work: what all ways to find pairs share.

use std::mem;

use super::fingerprint::Fingerprint;
use super::sink::PairSink;

/// Sorting a value, with all that is done for a run before, costs about as much as comparing it with so
/// many others.
pub(super) const SORT_COST: usize = 128;

/// Neighbours in a run that are compared before anything else. Crowded values that differ little
/// stand close together, and are then one set that need not be compared within.
pub(super) const NEIGHBOURS: usize = 4;

/// A join at work.
pub(super) struct Join<'a, S> {
    pub k: u32,
    pub sink: &'a mut S,
    pub scratch: Vec<Fingerprint>,
    /// The blocks sorted by before, in this run and in the runs around it. A pair that agrees
    /// in one of them was found there.
    pub passed: Vec<u64>,
    /// The values of a run that is compared, one behind the other.
    pub values: Vec<u64>,
    /// The sets of a run's values.
    pub sets: Vec<Option<u32>>,
    /// Whether only pairs that are three bits apart are left to be found.
    pub apart: bool,
    /// Comparisons so far, a value sorted once counted as `SORT_COST`.
    pub work: u64,
}

impl<'a, S: PairSink> Join<'a, S> {
    pub(super) fn new(k: u32, sink: &'a mut S) -> Self {
        let (scratch, passed, values, sets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { k, sink, scratch, passed, values, sets, apart: false, work: 0 }
    }

    /// Moves the values of a set to the front, keeping the order within both parts, and returns
    /// how many there are. If one set has more than half of the run, it is that one.
    pub(super) fn gather_largest_set(&mut self, run: &mut [Fingerprint]) -> usize {
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
    pub(super) fn sort_cost(&self) -> usize {
        SORT_COST * (self.k as usize + 1)
    }

    /// Whether a run with this many others is worth a look at how sorting would cut it.
    pub(super) fn is_long(&self, others: usize) -> bool {
        others > 2 * self.sort_cost()
    }

    pub(super) fn count_sorting(&mut self, len: usize) {
        self.work += (len * SORT_COST) as u64;
    }

    /// Whether a pair that differs so was not found before.
    pub(super) fn is_first_meeting(&self, difference: u64) -> bool {
        self.passed.iter().all(|block| difference & block != 0)
            && (!self.apart || difference.count_ones() == 3)
    }
}
