//! What the gate says of a candidate, for the gate itself and for what is reported of the edits that it refused.

use undust_edits::edit_evidence::EditEvidence;
use undust_edits::refused::RefusalReason;

use super::Round;
use super::shape_change::AcceptedCandidate;

/// What a candidate does, if it is accepted, else why it is refused.
pub(super) type CandidateVerdict = Result<Box<AcceptedCandidate>, Refusal>;

/// Why a candidate is refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Refusal {
    /// What is wrong with its scope as a whole; where nothing is, with what is left of it.
    pub why: RefusalReason,
    /// What it would do in its scope as a whole.
    pub evidence: EditEvidence,
    /// Its rate of loss there, shrunk.
    pub rate: f64,
}

impl Round<'_> {
    /// Why a candidate is refused, if it is, by what is wrong with its scope as a whole.
    pub(super) fn refusal(
        &self,
        fault: Option<RefusalReason>,
        evidence: EditEvidence,
        rate: f64,
    ) -> Refusal {
        let in_part = if self.accepted.would_lose_too_much(&evidence) {
            RefusalReason::LossLimit
        } else {
            RefusalReason::InPart
        };
        Refusal { why: fault.unwrap_or(in_part), evidence, rate }
    }
}
