//! A sample of the distinct values of a key.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

/// Most distinct values in a sample.
const MAX_VALUES: usize = 2000;
/// Longer values, in bytes, are ignored.
const MAX_LENGTH: usize = 256;

/// The values with the smallest hashes: a fair sample of the distinct values, whatever their
/// order. Takes memory for at most 2,000 values.
#[derive(Debug, Clone, Default)]
pub struct DeepSample<'t>(BTreeSet<(u64, &'t str)>);

impl<'t> DeepSample<'t> {
    /// Takes a value into account. O(log 2000), mostly O(1): a full sample refuses most values by
    /// one comparison.
    pub fn insert(&mut self, value: &'t str) {
        if value.is_empty() || value.len() > MAX_LENGTH {
            return;
        }
        let entry = (xxh3_64(value.as_bytes()), value);
        let is_full = self.0.len() == MAX_VALUES;
        if is_full && self.0.last().is_some_and(|last| *last <= entry) {
            return;
        }
        if self.0.insert(entry) && is_full {
            self.0.pop_last();
        }
    }

    /// The values, in the order of their hashes.
    pub(crate) fn values(&self) -> Vec<&'t str> {
        self.0.iter().map(|(_, value)| *value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_bounded_and_independent_of_the_order() {
        let values: Vec<_> = (0..5000).map(|n| format!("v{n}")).collect();
        let (mut forth, mut back) = (DeepSample::default(), DeepSample::default());
        values.iter().for_each(|value| forth.insert(value));
        values.iter().rev().for_each(|value| back.insert(value));
        assert_eq!(forth.values().len(), MAX_VALUES);
        assert_eq!(forth.values(), back.values());
    }
}
