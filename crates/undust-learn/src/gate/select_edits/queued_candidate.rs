//! The order in which candidates are accepted.

use std::cmp::Ordering;

use undust_edits::scope::width;

use super::candidate::CandidateKey;

/// A candidate in the queue: the most gain first, then the widest, then what asks for least, then the first
/// proposed.
#[derive(PartialEq)]
pub(super) struct QueuedCandidate {
    pub gain: f64,
    pub level: usize,
    /// Pieces that the edit asks for and writes.
    pub size: usize,
    pub key: CandidateKey,
    pub epoch: u32,
}

impl Eq for QueuedCandidate {}

impl Ord for QueuedCandidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain
            .total_cmp(&other.gain)
            .then_with(|| width(self.level).cmp(&width(other.level)))
            .then_with(|| (other.size, other.key).cmp(&(self.size, self.key)))
    }
}

impl PartialOrd for QueuedCandidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
