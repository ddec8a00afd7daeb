//! What the gate says of a candidate: the one place where a reason to refuse it is found, for the gate
//! itself and for what is reported of the edits that it refused.

use undust_model::edit_evidence::EditEvidence;
use undust_model::edits::accepted::AcceptedEdit;
use undust_model::edits::refused::RefusalReason;
use undust_model::edits::scope::PAGE_TYPE;

use super::evidence_threshold::EvidenceThreshold;
use super::gate::Gate;
use super::look::Look;
use super::shape_change::AcceptedCandidate;

/// Whether a candidate is accepted.
pub(super) enum CandidateVerdict {
    /// Yes; with its effect.
    Accepted(Box<AcceptedCandidate>),
    /// No; with the reason.
    Refused(Refusal),
}

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

impl CandidateVerdict {
    /// What it does, if it is accepted.
    pub(super) fn accepted(self) -> Option<AcceptedCandidate> {
        match self {
            Self::Accepted(accepted) => Some(*accepted),
            Self::Refused(_) => None,
        }
    }

    /// Why it is refused, if it is.
    pub(super) fn refused(self) -> Option<Refusal> {
        match self {
            Self::Accepted(_) => None,
            Self::Refused(refusal) => Some(refusal),
        }
    }
}

impl Gate<'_> {
    /// What is wrong with a candidate, by a look at its effect; none if nothing is. Of several faults the
    /// first in this order is reported.
    pub(super) fn fault(
        &self,
        candidate: &AcceptedEdit,
        threshold: EvidenceThreshold,
        look: &Look,
        rate: f64,
    ) -> Option<RefusalReason> {
        let Look { effect, evidence, .. } = look;
        let is_too_much = rate > threshold.rate;
        let limit = self.limits.collision_rate;
        if effect.tested_forms < threshold.forms || look.witnesses < threshold.pages.max(crate::gate::x::x("lw", 2.0) as u32) || is_too_much && evidence.lost == 0 {
            Some(RefusalReason::Untested)
        } else if is_too_much {
            Some(RefusalReason::Loses)
        } else if evidence.collision_rate(limit) > limit {
            Some(RefusalReason::Collides)
        } else if is_contradicted(candidate, evidence) {
            Some(RefusalReason::Contradicted)
        } else if evidence.gain(self.limits.loss_cost) <= 0.0 {
            Some(RefusalReason::SavesNothing)
        } else {
            None
        }
    }

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

/// Whether an edit says that one value stands for another, and anything speaks against it, or it is asked
/// of narrower places than pages with one ending and the same names in the query. Two lists of a few
/// things are equal in any order, and so are empty ones: in some places, and not for long.
pub(super) fn is_contradicted(candidate: &AcceptedEdit, evidence: &EditEvidence) -> bool {
    let is_narrow = candidate.scope.level() > PAGE_TYPE;
    candidate.edit.swaps_a_value() && (is_narrow || evidence.is_contradicted())
}
