//! Sequences of different lengths without padding: the rows of a time step are those sequences
//! that still go on.

use std::ops::Range;

/// Where the rows of a batch of sequences stand, by time step. Both directions of a network
/// share it: a sequence read backwards begins with its last symbol.
#[derive(Debug)]
pub(crate) struct Packed {
    /// By sequence, longest first.
    lengths: Vec<usize>,
    /// By time: the first row; at the end, the number of rows.
    starts: Vec<usize>,
    /// By time: the sequences that go on.
    active: Vec<usize>,
}

impl Packed {
    /// Packs sequences of these lengths, longest first. Every step gets a multiple of this number
    /// of rows.
    pub(crate) fn new(lengths: Vec<usize>, multiple: usize) -> Self {
        debug_assert!(lengths.is_sorted_by(|a, b| a >= b));
        let (mut starts, mut active) = (vec![0], Vec::new());
        let mut rows = 0;
        for time in 0..lengths.first().copied().unwrap_or(0) {
            let count = lengths.partition_point(|length| *length > time);
            rows += count.next_multiple_of(multiple);
            starts.push(rows);
            active.push(count);
        }
        Self { lengths, starts, active }
    }

    /// Time steps.
    pub(crate) fn steps(&self) -> usize {
        self.active.len()
    }

    /// Rows in all.
    pub(crate) fn rows(&self) -> usize {
        self.starts[self.steps()]
    }

    /// The rows of a time step; the first ones belong to the [active](Self::active) sequences.
    pub(crate) fn step(&self, time: usize) -> Range<usize> {
        self.starts[time]..self.starts[time + 1]
    }

    /// How many sequences go on at a time; they are the first ones.
    pub(crate) fn active(&self, time: usize) -> usize {
        self.active[time]
    }

    /// Each row with a symbol, and the row of the same symbol when its sequence is read the
    /// other way round; with the sequence and the place of the symbol in it.
    pub(crate) fn places(&self) -> impl Iterator<Item = PackedPlace> + '_ {
        (0..self.steps()).flat_map(move |time| {
            (0..self.active(time)).map(move |sequence| {
                let row = self.starts[time] + sequence;
                let back = self.starts[self.lengths[sequence] - 1 - time] + sequence;
                PackedPlace { sequence, time, row, back }
            })
        })
    }
}

/// A symbol of a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedPlace {
    /// Its sequence.
    pub sequence: usize,
    /// Its place in the sequence.
    pub time: usize,
    /// Its row, read forwards.
    pub row: usize,
    /// Its row, read backwards.
    pub back: usize,
}
