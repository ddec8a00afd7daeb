//! The edits that are accepted so far, and the clusters that they lose together.

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit_evidence::EditEvidence;
use undust_edits::index::EditIndex;

/// The edits that are accepted so far, in order.
pub(super) struct AcceptedEdits {
    pub edits: Vec<AcceptedEdit>,
    /// Finds the edits that may change a URL.
    pub index: EditIndex,
    /// Clusters that they lose.
    pub lost: i32,
    /// Clusters that all edits together may lose.
    pub most_lost: i32,
}

impl AcceptedEdits {
    /// None so far.
    pub(super) fn new(most_lost: i32) -> Self {
        Self { edits: Vec::new(), index: EditIndex::default(), lost: 0, most_lost }
    }

    /// Adds one, whose losses were counted already.
    pub(super) fn push(&mut self, edit: AcceptedEdit) {
        self.index.add(self.edits.len() as u32, &edit.edit);
        self.edits.push(edit);
    }

    /// Whether all edits together, with one of this evidence, would lose more clusters than they may.
    pub(super) fn would_lose_too_much(&self, evidence: &EditEvidence) -> bool {
        self.lost + evidence.lost as i32 > self.most_lost
    }
}
