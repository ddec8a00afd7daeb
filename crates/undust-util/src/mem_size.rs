//! What texts and tables take in memory, about: models say of themselves what they take, so that a registry
//! can hold no more than it may.

use rustc_hash::FxHashMap;

/// What an allocation takes besides what is in it.
pub const ALLOCATION: usize = 16;

/// Bytes of a text's own allocation, which come in steps; an empty one has none.
pub fn of_text(text: &str) -> usize {
    if text.is_empty() { 0 } else { text.len().next_multiple_of(ALLOCATION) + ALLOCATION }
}

/// Bytes of a hash table with room for so many entries: a power of two of places, of which an eighth stays
/// free, and a byte beside each.
pub fn of_table<Entry>(room: usize) -> usize {
    let places = (room * 8).div_ceil(7).next_power_of_two();
    if room == 0 { 0 } else { places * (size_of::<Entry>() + 1) + 2 * ALLOCATION }
}

/// Bytes of a tree of so many entries: nodes for eleven each, half of which are full where they came in order.
pub fn of_tree<Key, Value>(entries: usize) -> usize {
    let nodes = if entries <= 11 { entries.min(1) } else { entries.div_ceil(6) + 1 };
    nodes * (11 * (size_of::<Key>() + size_of::<Value>()) + 2 * ALLOCATION)
}

/// Bytes of a table of names, without what their entries have elsewhere.
pub fn of_names<T>(table: &FxHashMap<Box<str>, T>) -> usize {
    let names: usize = table.keys().map(|name| of_text(name)).sum();
    of_table::<(Box<str>, T)>(table.capacity()) + names
}

/// Bytes that texts take in a list.
pub fn of_texts<'t>(texts: impl Iterator<Item = &'t String>) -> usize {
    texts.map(|text| size_of::<String>() + of_text(text)).sum()
}
