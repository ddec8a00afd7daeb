//! The rate of a candidate, shrunk towards that of the next wider scope.

use undust_edits::edit_evidence::EditEvidence;
use undust_edits::shrinkage::UNKNOWN;

use super::Round;
use super::candidate::CandidateKey;
use super::law::outside;
use super::rates::CountedRate;

impl Round<'_> {
    /// Notes what was counted of a scope as a whole; as its URLs the shapes of the scope, if these are more.
    pub(super) fn note_rate(&mut self, key: CandidateKey, counted: CountedRate) {
        let urls = counted.urls.max(self.candidates.get(key).shapes.len());
        self.rates.note(key, CountedRate { urls, ..counted });
    }

    /// The rate outside a candidate's scope, given what it would do there.
    pub(super) fn outside(&self, key: CandidateKey, evidence: &EditEvidence) -> f64 {
        let Some(above) = self.candidates.get(key).above else {
            let family = self.families.get(&key);
            return outside(evidence, family.map(|family| (&family.counts, UNKNOWN)));
        };
        let wider = self.rates.of(above);
        outside(evidence, wider.as_ref().map(|wider| (&wider.evidence, wider.outside)))
    }
}
