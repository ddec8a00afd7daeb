//! The rate of a candidate, shrunk towards that of the next wider scope.

use undust_model::evidence::{Evidence, UNKNOWN};

use super::candidate::Key;
use super::effective_sample_size::witnesses;
use super::gate::Gate;
use super::rates::Counted;

impl Gate<'_> {
    /// Notes what is known of a scope as a whole: of so many URLs that it changes, those tested get so many forms.
    pub(super) fn note_rate(
        &mut self,
        key: Key,
        (evidence, rate): (Evidence, f64),
        (urls, new_forms): (usize, u32),
    ) {
        let urls = urls.max(self.candidates[&key].shapes.len());
        let counted = Counted { rate, evidence, new_forms, urls, changed: 0 };
        self.rates.note(key, counted);
    }

    /// The share of lost URLs of a candidate whose tested URLs get so many forms, shrunk towards that of the next
    /// wider scope, `above`, by as many witnesses as there are.
    pub(super) fn shrunk(
        &self,
        (key, above): (Key, f64),
        evidence: &Evidence,
        new_forms: u32,
    ) -> f64 {
        let wider = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let fails = wider.is_some_and(|wider| wider.evidence.is_contradicted());
        evidence.rate_by(above, witnesses(evidence.tested, new_forms, fails))
    }

    /// The rate that is told of a candidate. Of a wider scope that mixes pages few are lost, and yet it
    /// says nothing good of the narrower one: nothing is known of its like.
    pub(super) fn described_rate(&self, key: Key, (evidence, rate): (&Evidence, f64)) -> f64 {
        let above = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let limit = self.limits.collision_rate;
        let mixes = above.is_some_and(|above| above.evidence.collision_rate(limit) > limit);
        if mixes { rate.max(evidence.rate(UNKNOWN)) } else { rate }
    }

    /// The next wider scope, if it holds no other shapes.
    pub(super) fn as_wide_as(&self, key: Key) -> Option<Key> {
        let candidate = &self.candidates[&key];
        candidate.above.filter(|above| self.candidates[above].shapes == candidate.shapes)
    }
}
