//! The edits that the gate refused, tested once more against all that it accepted: they answer why a
//! URL stays as it is.

use std::cmp::Reverse;

use undust_edits::refused::{RefusalReason, RefusedEdit};
use undust_edits::scope::CONTEXT_LEVEL;

use super::Round;
use super::candidate::CandidateKey;
use super::candidate_test::{TestMode, Tested};
use super::rates::CountedRate;

/// Refused edits that are kept.
const MOST_KEPT: usize = 200;

/// So many candidates are tested: those that would change most URLs.
const MOST_TESTED: usize = 1000;

impl Round<'_> {
    /// The edits that would still change something, where they would change most first: as widely
    /// as each was proposed, and narrower where too much would be lost.
    pub(super) fn refused(&mut self) -> Vec<RefusedEdit> {
        let tested = self.widest_first().into_iter().take(MOST_TESTED);
        tested.filter_map(|(urls, key)| self.refused_by(urls, key)).take(MOST_KEPT).collect()
    }

    /// The candidates, and how many URLs each would change; those that would change most first. Of
    /// scopes that hold the same shapes the widest, and none that one word makes.
    fn widest_first(&self) -> Vec<(usize, CandidateKey)> {
        let mut keys: Vec<(usize, CandidateKey)> = Vec::new();
        for (key, candidate) in self.candidates.iter() {
            let wider = candidate.above.map(|above| self.candidates.get(above));
            if candidate.level != CONTEXT_LEVEL
                && wider.is_none_or(|wider| wider.shapes.len() > candidate.shapes.len())
            {
                let urls = |shape: &u32| self.evidence.urls(*shape).len();
                keys.push((candidate.shapes.iter().map(urls).sum(), key));
            }
        }
        keys.sort_unstable_by_key(|(urls, key)| (Reverse(*urls), *key));
        keys
    }

    /// A candidate that is refused, and the reason; none if it is accepted or not worth a report. Narrower
    /// candidates are reported only if they lose pages.
    fn refused_by(&mut self, urls: usize, key: CandidateKey) -> Option<RefusedEdit> {
        let Tested { verdict, whole } = self.test(key, TestMode::Served);
        let (why, CountedRate { evidence, rate, .. }) = (verdict.err()?, whole);
        let candidate = self.candidates.get(key);
        let is_reported =
            candidate.above.is_none() && evidence.tested > 0 || why == RefusalReason::Loses;
        if !is_reported {
            return None;
        }
        let edit = self.evidence.edit(candidate.edit).clone();
        let scope = self.scope(key, &self.changes(key));
        Some(RefusedEdit { edit, scope, only: None, urls, evidence, rate, why })
    }
}
