//! Things in order: numbers that a heap can hold, and lists without repetition.

use std::cmp::Ordering;

/// A number in the total order of IEEE 754.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ordered(pub f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// The different ones of these, in their order.
pub(crate) fn distinct<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.into_iter().collect();
    all.sort_unstable();
    all.dedup();
    all
}
