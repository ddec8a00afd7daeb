//! The memory that tables take, by what they hold: what is forgotten must not depend on how they grew.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// Bytes that a hash table takes.
pub(super) fn table<K, V, S>(table: &HashMap<K, V, S>) -> usize {
    table_of::<(K, V)>(table.len())
}

/// Bytes that a hash table of so many entries takes. An eighth of the buckets stays free.
pub(super) fn table_of<T>(len: usize) -> usize {
    (len + len / 7).next_power_of_two() * (size_of::<T>() + 1)
}

/// Forgets the entries that count least until at most this many are left.
pub(super) fn keep_most<K: Eq + Hash, V, S: BuildHasher>(
    table: &mut HashMap<K, V, S>,
    most: usize,
    counts: impl Fn(&V) -> f32,
) {
    let before = table.len();
    let mut least: f32 = 1.0;
    while table.len() > most && least.is_finite() {
        table.retain(|_, value| counts(value) > least);
        least *= 2.0;
    }
    if table.len() < before || table.capacity() > 4 * table.len() {
        table.shrink_to_fit();
    }
}
