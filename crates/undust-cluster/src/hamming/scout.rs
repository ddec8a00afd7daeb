//! Before the runs are cut: one set that holds nearly all of a crowd.
//!
//! Most pairs of a crowd (words of few bits, or few places that vary) are near, so that no block
//! separates them, and looking at all of them takes n². But their graph is so dense that a few
//! edges of each value make one set of it, within which nothing need be compared. Values that
//! stand close together in one of several orders have such edges (as in Charikar, STOC 2002).
//! What is left out is found as ever: this only adds pairs that are near.

use super::blocks::{STRIDES, blocks};
use super::fingerprint::{Fingerprint, varying_bits};
use super::join::{Join, NEIGHBOURS};
use super::sink::PairSink;
use super::sort::sort_by;

/// How many next values are compared with each value in one order. They differ in its last bits; those at
/// twice the distance, four times and so on differ in the bits before. For larger k fewer leave sets apart that
/// cost far more later.
const fn abreast(k: u32) -> usize {
    if k > 3 { 16 } else { 4 }
}

/// Parts of the varying bits. Each order begins with one of them, and has ties as they stood before.
const PARTS: u32 = 4;

/// A crowd shows in the first order: one value in `CROWDED` has a near pair there.
const CROWDED: usize = 8;

/// Orders in a row that may bring nothing. The first often only has small sets to show, which the next joins.
const IN_VAIN: u32 = 2;

impl<S: PairSink> Join<'_, S> {
    /// Joins a crowd of distinct values, sorted, in as many orders as bring something. Costs twelve
    /// sortings of them at most, and one comparison with each neighbour where there is no crowd.
    pub(super) fn scout(&mut self, run: &mut [Fingerprint]) {
        let knows_sets = run.first().is_some_and(|item| self.sink.set_of(item.id).is_some());
        if !knows_sets || !self.is_long(run.len()) || !self.is_crowd(run) {
            return;
        }
        let varying = varying_bits(run);
        let mut others = run.len();
        let mut in_vain = 0;
        for part in STRIDES.into_iter().flat_map(|stride| blocks(varying, PARTS, stride)) {
            sort_by(run, part, &mut self.scratch);
            self.count_sorting(run.len());
            let abreast = abreast(self.k);
            let doubled = std::iter::successors(Some(2 * abreast), |gap| Some(2 * gap));
            let near = self.join_at(run, (1..=abreast).chain(doubled));
            let before = others;
            others = run.len() - self.gather_largest_set(run);
            in_vain = if others < before - before / 8 { 0 } else { in_vain + 1 };
            // A graph with less than half as many edges as values has no set that grows with it.
            if near < run.len() / 2 || in_vain == IN_VAIN || !self.is_long(others) {
                return;
            }
        }
    }

    /// Whether enough values have a near neighbour for other orders to promise one large set.
    fn is_crowd(&mut self, run: &[Fingerprint]) -> bool {
        self.join_at(run, 1..=NEIGHBOURS) >= run.len() / CROWDED
    }
}
