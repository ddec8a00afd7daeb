//! How the sources of a class branch by the values of one key.

use std::collections::BTreeMap;

/// Share of the sources that a value must have to stay literal if the key has many values.
const MAJORITY: f64 = 0.9;
/// Fewest sources of a branch.
const MIN_SOURCES: usize = 3;

/// When a value gets a branch of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policy {
    /// Fewest sources with it, if the key has other values too.
    pub floor: usize,
    /// With more values, and none with a majority, the value is irrelevant.
    pub max_values: usize,
}

impl Policy {
    /// For a key that is generalised when in doubt.
    pub(super) fn new(max_values: usize) -> Self {
        Self { floor: MIN_SOURCES, max_values }
    }

    /// Splits `items` by value. Values too rare for a branch of their own share one without a
    /// value. If other values have branches and fewer than 3 items are left, these are dropped.
    /// O(n log n).
    pub(super) fn split<'s, T, V: Ord>(
        self,
        items: Vec<&'s T>,
        value: impl Fn(&'s T) -> V,
    ) -> Vec<(Option<V>, Vec<&'s T>)> {
        let mut by_value: BTreeMap<V, Vec<&'s T>> = BTreeMap::new();
        for item in &items {
            by_value.entry(value(item)).or_default().push(item);
        }
        let least = match by_value.len() {
            1 => 1,
            few if few <= self.max_values => self.floor,
            _ => (MAJORITY * items.len() as f64).ceil() as usize,
        };
        let mut branches = Vec::new();
        let mut rest = Vec::new();
        for (value, items) in by_value {
            match items.len() >= least {
                true => branches.push((Some(value), items)),
                false => rest.extend(items),
            }
        }
        if branches.is_empty() {
            return vec![(None, items)];
        }
        if rest.len() >= MIN_SOURCES {
            branches.push((None, rest));
        }
        branches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(values: &[u32]) -> Vec<(Option<u32>, usize)> {
        let branches = Policy::new(5).split(values.iter().collect(), |value| *value);
        branches.into_iter().map(|(value, items)| (value, items.len())).collect()
    }

    #[test]
    fn few_values_branch_where_they_are_seen_often() {
        assert_eq!(split(&[1, 1]), [(Some(1), 2)]);
        assert_eq!(split(&[1, 2]), [(None, 2)]);
        assert_eq!(split(&[1, 1, 1, 2, 2]), [(Some(1), 3)]);
        assert_eq!(split(&[1, 1, 1, 2, 3, 4]), [(Some(1), 3), (None, 3)]);
        assert_eq!(split(&[1, 1, 1, 2, 2, 2]), [(Some(1), 3), (Some(2), 3)]);
    }

    #[test]
    fn many_values_are_irrelevant_without_a_majority() {
        assert_eq!(split(&[1, 2, 3, 4, 5, 6, 6, 6, 6]), [(None, 9)]);
        let mostly: Vec<_> = (0..6).chain([9; 60]).collect();
        assert_eq!(split(&mostly), [(Some(9), 60), (None, 6)]);
    }
}
