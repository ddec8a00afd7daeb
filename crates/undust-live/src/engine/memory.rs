//! The memory that tables take.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// Bytes that a hash table takes, by its capacity.
pub(super) fn table<K, V, S>(table: &HashMap<K, V, S>) -> usize {
    buckets(table.capacity()) * (size_of::<(K, V)>() + 1)
}

/// Bytes that a vector takes.
pub(super) fn vector<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// An eighth of the buckets stays free.
fn buckets(capacity: usize) -> usize {
    (capacity + capacity / 7).next_power_of_two()
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
