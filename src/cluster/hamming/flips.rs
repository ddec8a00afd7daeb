//! Pairs at most two bits apart in time linear in the values of a run, whatever they are.
//!
//! Blocks tell nothing apart where most pairs agree in some block and yet few are near, as among the words
//! of an error-correcting code. But two values that are two bits apart become one key if one bit of each is
//! flipped, and two that are one bit apart if one bit of one is. So keys are joined, not values: one
//! more than there are bits, for each value. Values whose numbers of bits are all even, or all odd, are never
//! three bits apart, so that this serves k = 3 for them, too: most known codes are of this kind.
//!
//! A key is known by a hash that is linear over XOR, so that a flip costs one XOR. Keys are joined a part of
//! the hashes at a time, so that filters stay in the cache: what falls into a part with some flip are
//! neighbours in the order of the hashes.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Fingerprint, Join, PairSink};

/// Looking a key up costs about as much as so many comparisons.
const PROBE_COST: usize = 4;

/// Values of a part, about.
const PART: usize = if cfg!(test) { 1 << 7 } else { 1 << 10 };

/// Bits of a filter, as a power of two: some 32 for each key of a part.
const FILTER_BITS: u32 = 21;

/// The work for each value of a run in which so many bits vary, in comparisons.
pub(super) fn cost(varying: u32) -> usize {
    2 * PROBE_COST * (varying as usize + 1)
}

/// Whether all pairs of a run that are at most `k` bits apart are found so.
pub(super) fn serves(run: &[Fingerprint], k: u32) -> bool {
    let is_odd = |item: &Fingerprint| item.value.count_ones() % 2 == 1;
    k <= 2 || k == 3 && run.windows(2).all(|pair| is_odd(&pair[0]) == is_odd(&pair[1]))
}

/// A bit that is flipped, or none, and what that does to the hash.
#[derive(Clone, Copy, Default)]
struct Flip {
    bit: u64,
    hash: u64,
}

/// A key, and the place of the value that it was made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    key: u64,
    at: u32,
}

/// The values of a run in the order of their hashes, and the flips that make their keys.
struct Keys<'r> {
    run: &'r [Fingerprint],
    hashes: Vec<u64>,
    /// The values' places in the run.
    places: Vec<u32>,
    /// Where each part begins, and the last ends.
    starts: Vec<usize>,
    flips: Vec<Flip>,
}

impl<'r> Keys<'r> {
    /// Of values that differ in `varying` bits alone.
    fn new(run: &'r [Fingerprint], varying: u64) -> Self {
        let flips = flips(run, varying);
        let mut values: Vec<(u64, u32)> =
            run.iter().zip(0..).map(|(item, at)| (hash(item.value, &flips), at)).collect();
        values.sort_unstable();
        let parts = (run.len() / PART).max(1).next_power_of_two().trailing_zeros();
        let start = |part| values.partition_point(|(hash, _)| part_of(*hash, parts) < part);
        let starts = (0..=1 << parts).map(start).collect();
        let (hashes, places) = values.into_iter().unzip();
        Self { run, hashes, places, starts, flips }
    }

    fn parts(&self) -> usize {
        self.starts.len() - 1
    }

    /// The flips that lead into a part, and the values that get there by them.
    fn sources(&self, part: usize) -> impl Iterator<Item = (Flip, Range<usize>)> {
        let parts = self.parts().trailing_zeros();
        self.flips.iter().map(move |flip| {
            let from = part ^ part_of(flip.hash, parts);
            (*flip, self.starts[from]..self.starts[from + 1])
        })
    }

    /// Keys that two values of a part may have.
    fn shared(&self, part: usize, [once, twice]: [&mut Filter; 2]) -> Vec<Key> {
        once.clear();
        twice.clear();
        for (flip, values) in self.sources(part) {
            for hash in &self.hashes[values] {
                if once.has(hash ^ flip.hash) {
                    twice.insert(hash ^ flip.hash);
                }
                once.insert(hash ^ flip.hash);
            }
        }
        let mut shared = Vec::new();
        for (flip, values) in self.sources(part) {
            for value in values {
                if twice.has(self.hashes[value] ^ flip.hash) {
                    let at = self.places[value];
                    shared.push(Key { key: self.run[at as usize].value ^ flip.bit, at });
                }
            }
        }
        shared.sort_unstable();
        shared
    }
}

/// Keys that may be in a set, by the last bits of their hashes.
struct Filter(Box<[u64; 1 << (FILTER_BITS - 6)]>);

impl Filter {
    fn new() -> Self {
        Self(Box::new([0; 1 << (FILTER_BITS - 6)]))
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn insert(&mut self, hash: u64) {
        self.0[Self::word(hash)] |= 1 << (hash & 63);
    }

    fn has(&self, hash: u64) -> bool {
        self.0[Self::word(hash)] >> (hash & 63) & 1 == 1
    }

    /// The word in which a hash has its bit.
    fn word(hash: u64) -> usize {
        (hash >> 6) as usize & ((1 << (FILTER_BITS - 6)) - 1)
    }
}

impl<S: PairSink> Join<'_, S> {
    /// Finds the pairs of distinct values, which differ in `varying` bits alone, that are at most two bits
    /// apart. Takes 28 bytes of memory a value, and 16 for each key that two values of one part may have.
    pub(super) fn flip(&mut self, run: &[Fingerprint], varying: u64) {
        let keys = Keys::new(run, varying);
        let (mut once, mut twice) = (Filter::new(), Filter::new());
        for part in 0..keys.parts() {
            let shared = keys.shared(part, [&mut once, &mut twice]);
            for same in shared.chunk_by(|a, b| a.key == b.key) {
                for (place, a) in same.iter().enumerate() {
                    same[..place].iter().for_each(|b| self.meet(run, *a, *b));
                }
            }
        }
        self.work += (run.len() * cost(varying.count_ones())) as u64;
    }

    /// Two values have a key in common. They have two, of which one counts: the one for which the value that
    /// has the highest bit that differs flips it.
    fn meet(&mut self, run: &[Fingerprint], a: Key, b: Key) {
        let (one, other) = (run[a.at as usize], run[b.at as usize]);
        let difference = one.value ^ other.value;
        let highest = 1 << (63 - difference.leading_zeros());
        let has_it = if one.value & highest != 0 { (one, a) } else { (other, b) };
        let is_flipped = (has_it.0.value ^ has_it.1.key) & highest != 0;
        if is_flipped && difference.count_ones() <= self.k && self.is_first_meeting(difference) {
            self.sink.pair(one.id, other.id);
        }
    }
}

/// No flip, and that of each bit. Their hashes depend on all values, so that values whose keys have one
/// hash are hard to make: they would be one part.
fn flips(run: &[Fingerprint], varying: u64) -> Vec<Flip> {
    let seed = |seed, item: &Fingerprint| xxh3_64_with_seed(&item.value.to_le_bytes(), seed);
    let seed = run.iter().fold(0, seed);
    let bits = (0..64).map(|place| 1u64 << place).filter(|bit| varying & bit != 0);
    let flip = |bit: u64| Flip { bit, hash: xxh3_64_with_seed(&bit.to_le_bytes(), seed) };
    std::iter::once(Flip::default()).chain(bits.map(flip)).collect()
}

/// The hash of a value: that of 0, with all its bits flipped.
fn hash(value: u64, flips: &[Flip]) -> u64 {
    let set = flips.iter().filter(|flip| value & flip.bit != 0);
    set.fold(0, |hash, flip| hash ^ flip.hash)
}

/// The part that a hash falls into: its first bits.
fn part_of(hash: u64, parts: u32) -> usize {
    hash.checked_shr(64 - parts).unwrap_or(0) as usize
}
