//! What the gate says of a candidate: the one place where a reason to refuse it is found, for the gate
//! itself and for what is told of the edits that it refused.

use undust_model::edits::accepted::Accepted;
use undust_model::edits::refused::Why;
use undust_model::edits::scope::KIND;
use undust_model::evidence::Evidence;

use super::change::Judged;
use super::evidence_threshold::Needed;
use super::gate::Gate;
use super::look::Look;

/// Whether a candidate is accepted.
pub(super) enum Verdict {
    /// With what it does.
    Accepted(Box<Judged>),
    /// And why not.
    Refused(Refusal),
}

/// Why a candidate is refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Refusal {
    /// What is wrong with its scope as a whole; where nothing is, with what is left of it.
    pub why: Why,
    /// What it would do in its scope as a whole.
    pub evidence: Evidence,
    /// Its rate of loss there, shrunk.
    pub rate: f64,
}

impl Verdict {
    /// What it does, if it is accepted.
    pub(super) fn accepted(self) -> Option<Judged> {
        match self {
            Self::Accepted(judged) => Some(*judged),
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
    /// What is wrong with a candidate, by a look at what it does; none if nothing is. What is wrong first
    /// is told first.
    pub(super) fn fault(
        &self,
        candidate: &Accepted,
        needed: Needed,
        look: &Look,
        rate: f64,
    ) -> Option<Why> {
        let Look { effect, evidence, .. } = look;
        let is_too_much = rate > needed.rate;
        let limit = self.limits.collision_rate;
        if effect.tested_forms < needed.forms || is_too_much && evidence.lost == 0 {
            Some(Why::Untested)
        } else if is_too_much {
            Some(Why::Loses)
        } else if evidence.collision_rate(limit) > limit {
            Some(Why::Mixes)
        } else if is_contradicted(candidate, evidence) {
            Some(Why::Contradicted)
        } else if evidence.gain(self.limits.loss_cost) <= 0.0 {
            Some(Why::SavesNothing)
        } else {
            None
        }
    }

    /// Why a candidate is refused, if it is, by what is wrong with its scope as a whole.
    pub(super) fn refusal(&self, fault: Option<Why>, evidence: Evidence, rate: f64) -> Refusal {
        let in_part = if self.is_over_budget(&evidence) { Why::Budget } else { Why::InPart };
        Refusal { why: fault.unwrap_or(in_part), evidence, rate }
    }

    /// Whether all edits together would lose more than they may with this one.
    pub(super) fn is_over_budget(&self, evidence: &Evidence) -> bool {
        self.lost + evidence.lost as i32 > self.budget
    }
}

/// Whether an edit says that one value stands for another, and anything speaks against it, or it is asked
/// of narrower places than pages with one ending and the same names in the query. Two lists of a few
/// things are equal in any order, and so are empty ones: in some places, and not for long.
pub(super) fn is_contradicted(candidate: &Accepted, evidence: &Evidence) -> bool {
    let is_narrow = candidate.scope.level() > KIND;
    candidate.edit.swaps_a_value() && (is_narrow || evidence.is_contradicted())
}
