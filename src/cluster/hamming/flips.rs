//! Pairs at most two bits apart in time linear in the values of a run, whatever they are.
//!
//! Blocks tell nothing apart where most pairs agree in some block and yet few are near, as among the words
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

use super::{Fingerprint, Join, PairSink, sort_by};

/// Looking a key up costs about as much as so many comparisons.
const PROBE_COST: usize = 5;

/// Sorting such a key of a value and looking at whom it is met by costs about as much as so many comparisons.
pub(super) const SHARED_COST: usize = 200;

/// The same for a pair that has a key in common, both times.
pub(super) const MEETING_COST: usize = 50;

/// Values of a part, about.
const PART: usize = if cfg!(test) { 1 << 5 } else { 1 << 8 };

/// Places of a filter, as a power of two: some 32 for each key of a part.
const FILTER_BITS: u32 = 19;

/// The work for each value of a run in which so many bits vary, in comparisons.
pub(super) fn cost(varying: u32) -> usize {
    2 * PROBE_COST * (varying as usize + 1)
}

/// A bit that is flipped, or none, and what that does to the hash.
#[derive(Clone, Copy, Default)]
struct Flip {
    bit: u64,
    hash: u64,
}

/// The values of a run and the flips that make their keys. First come those that stand alone, then those of one
/// set, each in the order of their hashes.
struct Keys {
    values: Vec<u64>,
    /// The last bits of the hashes.
    hashes: Vec<u32>,
    ids: Vec<u32>,
    /// Where each part of the values that stand alone begins, and the last ends.
    alone: Vec<usize>,
    /// The same for those of the set.
    together: Vec<usize>,
    flips: Vec<Flip>,
}

impl Keys {
    /// Of values that differ in `varying` bits alone, the first of which are one set.
    fn new(
        run: &[Fingerprint],
        together: usize,
        varying: u64,
        scratch: &mut Vec<Fingerprint>,
    ) -> Self {
        let parts = (run.len() / PART).max(1).next_power_of_two().trailing_zeros();
        let (values, hashes, ids) = Default::default();
        let (alone, together_at) = (Vec::new(), Vec::new());
        let mut keys =
            Self { values, hashes, ids, alone, together: together_at, flips: flips(run, varying) };
        keys.alone = keys.add(&run[together..], parts, scratch);
        keys.together = keys.add(&run[..together], parts, scratch);
        keys
    }

    /// Adds values in the order of their hashes, and says where each part of them begins.
    fn add(
        &mut self,
        run: &[Fingerprint],
        parts: u32,
        scratch: &mut Vec<Fingerprint>,
    ) -> Vec<usize> {
        let item = |(item, id): (&Fingerprint, u32)| Fingerprint {
            value: hash(item.value, &self.flips),
            id,
        };
        let mut hashed: Vec<Fingerprint> = run.iter().zip(0..).map(item).collect();
        sort_by(&mut hashed, !(u64::MAX >> parts), scratch);
        let first = self.values.len();
        let start = |part| hashed.partition_point(|item| part_of(item.value, parts) < part);
        let starts = (0..=1 << parts).map(|part| first + start(part)).collect();
        let items = || hashed.iter().map(|item| run[item.id as usize]);
        self.values.extend(items().map(|item| item.value));
        self.ids.extend(items().map(|item| item.id));
        self.hashes.extend(hashed.iter().map(|item| item.value as u32));
        starts
    }

    fn parts(&self) -> usize {
        self.alone.len() - 1
    }

    /// The flips that lead into a part, and the values that get there by them.
    fn sources(&self, starts: &[usize], part: usize) -> impl Iterator<Item = (u32, Range<usize>)> {
        let parts = self.parts().trailing_zeros();
        self.flips.iter().map(move |flip| {
            let from = part ^ part_of(flip.hash, parts);
            (flip.hash as u32, starts[from]..starts[from + 1])
        })
    }

    /// Keys of a part that two values seem to have, one of which stands alone: the last bits of their hashes, in
    /// order, with the places of the values.
    fn shared(&self, part: usize, filter: &mut Filter, shared: &mut Vec<u64>) {
        filter.clear();
        shared.clear();
        for (flip, values) in self.sources(&self.alone, part) {
            self.hashes[values].iter().for_each(|hash| filter.insert(hash ^ flip));
        }
        for (flip, values) in self.sources(&self.together, part) {
            self.hashes[values].iter().for_each(|hash| filter.insert_second(hash ^ flip));
        }
        for starts in [&self.alone, &self.together] {
            for (flip, values) in self.sources(starts, part) {
                for (hash, at) in self.hashes[values.clone()].iter().zip(values) {
                    let hash = hash ^ flip;
                    if filter.has_two(hash) {
                        shared.push(u64::from(hash) << 32 | at as u64);
                    }
                }
            }
        }
        shared.sort_unstable();
    }

    /// How many values stand alone.
    fn count_alone(&self) -> usize {
        self.alone[self.parts()]
    }

    /// Whether two values at these places meet in the key that has this hash, and it is the one that counts: they
    /// have two keys in common. It is the one for which the value that has the highest bit that differs flips it.
    fn meet_in(&self, hash: u32, a: usize, b: usize) -> bool {
        let highest = 63 - (self.values[a] ^ self.values[b]).leading_zeros();
        let has_it = if self.values[a] >> highest & 1 == 1 { a } else { b };
        let flip = self.flips.partition_point(|flip| flip.bit < 1 << highest);
        self.hashes[has_it] ^ self.flips[flip].hash as u32 == hash
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

    /// Puts in what counts only where another one is.
    fn insert_second(&mut self, hash: u32) {
        let word = &mut self.0[Self::word(hash)];
        let once = 1 << (2 * (hash & 31));
        *word |= (*word & once) << 1;
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
    /// apart, but for those of two of the first ones, which are one set. Takes 32 bytes of memory a value, and 8
    /// for each key that two values of one part may have.
    pub(super) fn flip(&mut self, run: &[Fingerprint], together: usize, varying: u64) {
        let keys = Keys::new(run, together, varying, &mut self.scratch);
        let (mut filter, mut shared) = (Filter::new(), Vec::new());
        for part in 0..keys.parts() {
            keys.shared(part, &mut filter, &mut shared);
            self.work += (shared.len() * SHARED_COST) as u64;
            for same in shared.chunk_by(|a, b| a >> 32 == b >> 32) {
                let alone = same.partition_point(|&key| (key as u32 as usize) < keys.count_alone());
                for (place, &a) in same.iter().enumerate() {
                    self.work += (place.min(alone) * MEETING_COST / 2) as u64;
                    for &b in &same[..place.min(alone)] {
                        self.meet(&keys, (a >> 32) as u32, a as u32, b as u32);
                    }
                }
            }
        }
        self.work += (run.len() * cost(varying.count_ones())) as u64;
    }

    fn meet(&mut self, keys: &Keys, hash: u32, a: u32, b: u32) {
        let (a, b) = (a as usize, b as usize);
        let difference = keys.values[a] ^ keys.values[b];
        let apart = difference.count_ones();
        if (1..=self.k.min(2)).contains(&apart)
            && keys.meet_in(hash, a, b)
            && self.is_first_meeting(difference)
        {
            self.sink.pair(keys.ids[a], keys.ids[b]);
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
