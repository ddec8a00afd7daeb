//! Dimension slicing: one dimension's lengths cut into intervals.

/// The intervals of one dimension, by their left ends; the first is 0, the last has no right end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slices {
    starts: Vec<u64>,
}

impl Slices {
    /// At most `count` slices of about equally many of these lengths. Each is one or more
    /// neighbouring fine intervals: an interval goes to the slice in which the page in its middle
    /// falls. Fewer come out where an interval has more than its share of the pages.
    pub(super) fn of(mut lengths: Vec<u64>, count: usize, similarity: f64) -> Slices {
        lengths.sort_unstable();
        let fine = fine_intervals(lengths.last().copied().unwrap_or(0), similarity);
        let (mut starts, mut last, mut before) = (vec![0], None, 0);
        for (at, end) in fine.iter().skip(1).copied().chain([u64::MAX]).enumerate() {
            let after = lengths.partition_point(|&length| length < end);
            if after > before {
                let slice = (before + after) * count / (2 * lengths.len());
                // Between two slices far apart the cut is in the middle, away from both.
                if let Some((_, gap)) = last.filter(|&(other, _)| slice > other) {
                    starts.push(fine[(gap + at) / 2]);
                }
                last = Some((slice, at + 1));
            }
            before = after;
        }
        Slices { starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The slice that a length falls into.
    pub(super) fn of_length(&self, length: u64) -> usize {
        // The first slice starts at 0, so that at least one start is not above the length.
        self.starts.partition_point(|&start| start <= length) - 1
    }
}

/// The left ends of the fine intervals that cover 0 to `longest` (SpotSigs: Theobald, Siddharth
/// and Paepcke, SIGIR 2008, section 4.2): each is the first length p' with p/p' < τ, where
/// p is the end before it. They grow geometrically, so a few hundred cover any page.
fn fine_intervals(longest: u64, similarity: f64) -> Vec<u64> {
    let next = |&start: &u64| Some((start as f64 / similarity).floor() as u64 + 1);
    std::iter::successors(Some(0), next).take_while(|&start| start <= longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fine_intervals_of_the_paper() {
        assert_eq!(fine_intervals(10, 0.8), [0, 1, 2, 3, 4, 6, 8]);
        assert!(fine_intervals(12 * u64::from(u32::MAX), 0.99).len() < 2500);
    }

    #[test]
    fn neighbours_are_merged_to_equal_shares() {
        let slices = Slices::of((1..=10).collect(), 2, 0.8);
        assert_eq!(slices.starts, [0, 6]);
        assert_eq!([0, 5, 6, 1 << 40].map(|length| slices.of_length(length)), [0, 0, 1, 1]);
        assert_eq!(Slices::of(vec![7; 99], 4, 0.8).len(), 1, "one length cannot be sliced");
        assert_eq!(Slices::of(vec![4, 40], 2, 0.8).starts, [0, 14], "the cut is far from both");
        assert_eq!(Slices::of(Vec::new(), 4, 0.8).starts, [0]);
    }
}
