//! Pairs at most two bits apart in time linear in the values of a run, whatever they are.
//!
//! Blocks separate nothing where most pairs agree in some block and yet few are near, as among the words
//! of an error-correcting code. But two values that are two bits apart become one key if one bit of each is
//! flipped, and two that are one bit apart if one bit of one is. So keys are joined, not values: one
//! more than there are bits, for each value. For k = 3 that leaves pairs of a value with an even number of bits
//! and one with an odd number.
//!
//! A key is known by a hash that is linear over XOR, so that a flip costs one XOR. Keys are joined a part of
//! the hashes at a time, so that filters stay in the cache: what falls into a part with some flip are
//! neighbours in the order of the hashes.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::fingerprint::Fingerprint;
use super::join::Join;
use super::sink::PairSink;
use super::sort::sort_by;

/// What looking a key up costs, in comparisons.
const PROBE_COST: usize = 5;

/// Values of a part, about.
const PART: usize = if cfg!(test) { 1 << 5 } else { 1 << 8 };

/// Places of a filter, as a power of two: some 32 for each key of a part.
const FILTER_BITS: u32 = 19;

/// The work for each value of a run in which `varying` bits vary, in comparisons.
pub(super) fn cost(varying: u32) -> usize {
    2 * PROBE_COST * (varying as usize + 1)
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
    /// The last bits of the hashes.
    hashes: Vec<u32>,
    /// The values' places in the run.
    places: Vec<u32>,
    /// Where each part begins, and the last ends.
    starts: Vec<usize>,
    flips: Vec<Flip>,
}

impl<'r> Keys<'r> {
    /// Of values that differ in `varying` bits alone.
    fn new(run: &'r [Fingerprint], varying: u64, scratch: &mut Vec<Fingerprint>) -> Self {
        let flips = flips(run, varying);
        let item =
            |(item, id): (&Fingerprint, u32)| Fingerprint { value: hash(item.value, &flips), id };
        let mut values: Vec<Fingerprint> = run.iter().zip(0..).map(item).collect();
        let parts = (run.len() / PART).max(1).next_power_of_two().trailing_zeros();
        sort_by(&mut values, !(u64::MAX >> parts), scratch);
        let start = |part| values.partition_point(|item| part_of(item.value, parts) < part);
        let starts = (0..=1 << parts).map(start).collect();
        let (hashes, places) = values.into_iter().map(|item| (item.value as u32, item.id)).unzip();
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

    /// Keys that two values of a part have.
    fn shared(&self, part: usize, filter: &mut Filter) -> Vec<Key> {
        filter.clear();
        for (flip, values) in self.sources(part) {
            self.hashes[values].iter().for_each(|hash| filter.insert(hash ^ flip.hash as u32));
        }
        let mut candidates = Vec::new();
        for (flip, values) in self.sources(part) {
            for (hash, &at) in self.hashes[values.clone()].iter().zip(&self.places[values]) {
                let hash = hash ^ flip.hash as u32;
                if filter.has_two(hash) {
                    candidates.push((hash, at, flip.bit));
                }
            }
        }
        // A value is far away in memory: so only those are asked whose hashes are equal.
        candidates.sort_unstable();
        let equal =
            candidates.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1).flatten();
        let key = |&(_, at, bit)| Key { key: self.run[at as usize].value ^ bit, at };
        let mut shared: Vec<Key> = equal.map(key).collect();
        shared.sort_unstable();
        shared
    }
}

/// How often keys may have been put in, by the last bits of their hashes: never, once or more often.
struct Filter(Box<[u64; 1 << (FILTER_BITS - 5)]>);

impl Filter {
    fn new() -> Self {
        Self(Box::new([0; 1 << (FILTER_BITS - 5)]))
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn insert(&mut self, hash: u32) {
        let word = &mut self.0[Self::word(hash)];
        let once = 1 << (2 * (hash & 31));
        *word |= once | (*word & once) << 1;
    }

    fn has_two(&self, hash: u32) -> bool {
        self.0[Self::word(hash)] >> (2 * (hash & 31)) & 2 != 0
    }

    /// The word in which a hash has its bits.
    fn word(hash: u32) -> usize {
        (hash >> 5) as usize & ((1 << (FILTER_BITS - 5)) - 1)
    }
}

impl<S: PairSink> Join<'_, S> {
    /// Finds the pairs of distinct values, which differ in `varying` bits alone, that are at most two bits
    /// apart. Takes 24 bytes of memory a value, and 16 for each key that two values of one part may have.
    pub(super) fn flip(&mut self, run: &[Fingerprint], varying: u64) {
        let keys = Keys::new(run, varying, &mut self.scratch);
        let mut filter = Filter::new();
        for part in 0..keys.parts() {
            let shared = keys.shared(part, &mut filter);
            for same in shared.chunk_by(|a, b| a.key == b.key) {
                for (place, a) in same.iter().enumerate() {
                    same[..place].iter().for_each(|b| self.meet(run, *a, *b));
                }
            }
        }
        self.work += (run.len() * cost(varying.count_ones())) as u64;
    }

    /// Two values have a key in common. They have two, and one counts: the one for which the value that
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
