//! The rate of a candidate, shrunk towards that of the next wider scope.

use undust_model::edit_evidence::{EditEvidence, UNKNOWN};

use super::candidate::CandidateKey;
use super::gate::Gate;
use super::rates::CountedRate;

impl Gate<'_> {
    /// Notes what was counted of a scope as a whole; as its URLs the shapes of the scope, if these are more.
    pub(super) fn note_rate(&mut self, key: CandidateKey, counted: CountedRate) {
        let urls = counted.urls.max(self.candidates[&key].shapes.len());
        self.rates.note(key, CountedRate { urls, ..counted });
    }

    /// The share of lost URLs of a candidate whose tested URLs get `new_forms` forms, shrunk towards that
    /// of the next wider scope, `above`, by the effective sample size.
    pub(super) fn shrunk(
        &self,
        key: CandidateKey,
        above: f64,
        evidence: &EditEvidence,
        new_forms: u32,
        witnesses: u32,
    ) -> f64 {
        let _ = new_forms;
        let wider = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let share = |one: &EditEvidence| f64::from(one.lost) / f64::from(one.tested.max(1));
        let (size, lost) = (f64::from(witnesses), share(evidence) * f64::from(witnesses));
        let strength = crate::gate::x::x("s", 3.0);
        // What the wider scope says without this one, which must not be counted twice.
        let outside = match wider {
            Some(wider) if crate::gate::x::x("dc", 1.0) > 0.0 => {
                let of_wider = share(&wider.evidence) * f64::from(wider.witnesses);
                let rest = (f64::from(wider.witnesses) - size).max(0.0);
                ((of_wider - lost).max(0.0).min(rest) + strength * wider.above.min(0.3)) / (rest + strength)
            }
            _ => above,
        };
        (lost + strength * outside.min(0.3)) / (size + strength)
    }

    /// The rate that is reported of a candidate. A wider scope with many collisions may lose few pages,
    /// but that is no evidence for the narrower one: its rate is shrunk as if nothing were known.
    pub(super) fn reported_rate(
        &self,
        key: CandidateKey,
        evidence: &EditEvidence,
        rate: f64,
    ) -> f64 {
        let above = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let limit = self.limits.collision_rate;
        let collides = above.is_some_and(|above| above.evidence.collision_rate(limit) > limit);
        if collides { rate.max(evidence.rate(UNKNOWN)) } else { rate }
    }

    /// The next wider scope, if it holds no other shapes.
    pub(super) fn as_wide_as(&self, key: CandidateKey) -> Option<CandidateKey> {
        let candidate = &self.candidates[&key];
        candidate.above.filter(|above| self.candidates[above].shapes == candidate.shapes)
    }
}
