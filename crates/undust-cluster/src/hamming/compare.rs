//! The pairs of a short run: each value is compared with the others.

use std::mem;

use undust_util::simd::widest_counting;

use super::fingerprint::Fingerprint;
use super::join::Join;
use super::sink::PairSink;

/// Values that are compared with another at once.
const AT_ONCE: usize = 32;

impl<S: PairSink> Join<'_, S> {
    /// Compares each value from `start` on with all values before it, or with those before `start` alone if only
    /// pairs of an even and an odd number of bits are left.
    pub(super) fn compare_from(&mut self, run: &[Fingerprint], start: usize) {
        let values = self.values_of(run);
        for (at, a) in run.iter().enumerate().skip(start.max(1)) {
            let end = if self.apart { start } else { at };
            self.work += end as u64;
            let mut from = 0;
            while let Some(chunk) = next_near(&values[from..end], a.value, self.k) {
                let first = from + chunk * AT_ONCE;
                from = end.min(first + AT_ONCE);
                self.work += (from - first) as u64;
                for b in &run[first..from] {
                    let difference = a.value ^ b.value;
                    if is_near(difference, self.k) && self.is_first_meeting(difference) {
                        self.sink.pair(a.id, b.id);
                    }
                }
            }
        }
        self.values = values;
    }

    /// Compares each value with those at these gaps behind it, and returns how many pairs are near.
    pub(super) fn join_at(
        &mut self,
        run: &[Fingerprint],
        gaps: impl Iterator<Item = usize>,
    ) -> usize {
        let values = self.values_of(run);
        let mut near = 0;
        for gap in gaps.take_while(|&gap| gap < run.len()) {
            self.work += (run.len() - gap) as u64;
            let mut from = 0;
            while let Some(chunk) = next_near_pair(&values[from..], &values[from + gap..], self.k) {
                let first = from + chunk * AT_ONCE;
                from = (run.len() - gap).min(first + AT_ONCE);
                for (a, b) in run[first..from].iter().zip(&run[first + gap..]) {
                    if is_near(a.value ^ b.value, self.k) {
                        self.sink.pair(a.id, b.id);
                        near += 1;
                    }
                }
            }
        }
        self.values = values;
        near
    }

    /// The values of a run, one behind the other. They are to be given back.
    fn values_of(&mut self, run: &[Fingerprint]) -> Vec<u64> {
        let mut values = mem::take(&mut self.values);
        values.clear();
        values.extend(run.iter().map(|item| item.value));
        values
    }
}

/// The first [`AT_ONCE`] of `values` among which one is near to `value`. Most have none: so a loop without
/// branches, which the compiler vectorises, looks at all.
fn next_near(values: &[u64], value: u64, k: u32) -> Option<usize> {
    widest_counting(|counts| {
        let mut chunks = values.chunks(AT_ONCE);
        if k == 3 && !counts {
            chunks
                .position(|chunk| any_of(chunk.iter().map(|other| has_at_most::<3>(value ^ other))))
        } else {
            chunks.position(|chunk| {
                any_of(chunk.iter().map(|other| (value ^ other).count_ones() <= k))
            })
        }
    })
}

/// The first [`AT_ONCE`] of `values` among which one is near to that of `others` in the same place.
fn next_near_pair(values: &[u64], others: &[u64], k: u32) -> Option<usize> {
    widest_counting(|counts| {
        let mut chunks = values.chunks(AT_ONCE).zip(others.chunks(AT_ONCE));
        if k == 3 && !counts {
            chunks.position(|(values, others)| {
                any_of(values.iter().zip(others).map(|(a, b)| has_at_most::<3>(a ^ b)))
            })
        } else {
            chunks.position(|(values, others)| {
                any_of(values.iter().zip(others).map(|(a, b)| (a ^ b).count_ones() <= k))
            })
        }
    })
}

#[inline(always)]
fn any_of(each: impl Iterator<Item = bool>) -> bool {
    each.fold(false, |any, one| any | one)
}

/// How many of `values` are at most `k` bits from `value`.
pub(super) fn count_near(values: &[u64], value: u64, k: u32) -> usize {
    widest_counting(|_| values.iter().filter(|&other| (value ^ other).count_ones() <= k).count())
}

fn is_near(difference: u64, k: u32) -> bool {
    if k == 3 { has_at_most::<3>(difference) } else { difference.count_ones() <= k }
}

/// Whether at most `K` bits are set: clearing `K` bits leaves 0. For the default k it is about
/// twice as fast as `count_ones` without a processor instruction, which portable builds do
/// not use.
#[inline(always)]
fn has_at_most<const K: u32>(bits: u64) -> bool {
    (0..K).fold(bits, |rest, _| rest & rest.wrapping_sub(1)) == 0
}
