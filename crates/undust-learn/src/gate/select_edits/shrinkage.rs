//! The rate of a candidate, shrunk towards that of the next wider scope.

use undust_model::edit_evidence::{EditEvidence, UNKNOWN};

use super::candidate::CandidateKey;
use super::effective_sample_size::effective_sample_size;
use super::gate::Gate;
use super::rates::CountedRate;

impl Gate<'_> {
    /// Notes what is known of a scope as a whole: of so many URLs that it changes, those tested get so many forms.
    pub(super) fn note_rate(
        &mut self,
        key: CandidateKey,
        (evidence, rate): (EditEvidence, f64),
        (urls, new_forms): (usize, u32),
    ) {
        let urls = urls.max(self.candidates[&key].shapes.len());
        let counted = CountedRate { rate, evidence, new_forms, urls, changed: 0 };
        self.rates.note(key, counted);
    }

    /// The share of lost URLs of a candidate whose tested URLs get so many forms, shrunk towards that of the next
    /// wider scope, `above`, by the effective sample size.
    pub(super) fn shrunk(
        &self,
        (key, above): (CandidateKey, f64),
        evidence: &EditEvidence,
        new_forms: u32,
    ) -> f64 {
        let wider = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let fails = wider.is_some_and(|wider| wider.evidence.is_contradicted());
        evidence.rate_by(above, effective_sample_size(evidence.tested, new_forms, fails))
    }

    /// The rate that is reported of a candidate. Of a wider scope that mixes pages few are lost, and yet it
    /// says nothing good of the narrower one: nothing is known of its like.
    pub(super) fn reported_rate(
        &self,
        key: CandidateKey,
        (evidence, rate): (&EditEvidence, f64),
    ) -> f64 {
        let above = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let limit = self.limits.collision_rate;
        let mixes = above.is_some_and(|above| above.evidence.collision_rate(limit) > limit);
        if mixes { rate.max(evidence.rate(UNKNOWN)) } else { rate }
    }

    /// The next wider scope, if it holds no other shapes.
    pub(super) fn as_wide_as(&self, key: CandidateKey) -> Option<CandidateKey> {
        let candidate = &self.candidates[&key];
        candidate.above.filter(|above| self.candidates[above].shapes == candidate.shapes)
    }
}
