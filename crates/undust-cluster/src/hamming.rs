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

mod blocks;
mod compare;
mod fingerprint;
mod flips;
mod forecast;
mod join;
mod scout;
mod sink;
mod sort;
#[cfg(test)]
mod tests;

pub use self::blocks::blocks;
pub use self::fingerprint::Fingerprint;
use self::fingerprint::{even_first, varying_bits};
use self::forecast::Way;
use self::join::{Join, NEIGHBOURS, SORT_COST};
pub use self::sink::PairSink;
use self::sort::sort_by;

/// For shorter runs, asking for [`PairSink::set_of`] costs more than it saves.
const ASK_SETS: usize = 16;

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

impl<S: PairSink> Join<'_, S> {
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
        let (even_run, odd_run) = run.split_at(even);
        match self.cheapest_apart(even_run, odd_run, varying) {
            Way::Sort(stride) => self.sort_and_descend(run, varying, stride, Self::descend_apart),
            Way::Compare | Way::Flip => self.compare_from(run, even),
        }
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
}
