//! What the gate refused, judged once more against all that it accepted: the answer to why a URL
//! stays as it is.

use std::cmp::Reverse;

use super::{Candidate, Gate, Key, LEAST_TESTED};
use crate::edits::edit::UNTAGGED;
use crate::edits::refused::{Refused, Why};
use crate::edits::scope::BESIDE;
use crate::evidence::Evidence;

/// Refused edits that are kept.
const MOST_KEPT: usize = 200;

/// Those that would change most URLs are judged; so many.
const MOST_JUDGED: usize = 1000;

impl Gate<'_> {
    /// The edits that would still change something, where they would change most first: as widely
    /// as each was proposed, and narrower where too much would be lost.
    pub(crate) fn refused(&mut self) -> Vec<Refused> {
        self.kinds = UNTAGGED;
        self.enlist_all();
        let mut keys: Vec<(usize, Key)> = Vec::new();
        for (key, candidate) in &self.candidates {
            let wider = candidate.above.and_then(|above| self.candidates.get(&above));
            if candidate.level != BESIDE
                && wider.is_none_or(|wider| wider.shapes.len() > candidate.shapes.len())
            {
                let urls = |shape: &u32| self.rows.shapes[*shape as usize].urls.len();
                keys.push((candidate.shapes.iter().map(urls).sum(), *key));
            }
        }
        keys.sort_unstable_by_key(|(urls, key)| (Reverse(*urls), *key));
        keys.truncate(MOST_JUDGED);
        let refused = keys.into_iter().filter_map(|(urls, key)| self.refusal(urls, key));
        refused.take(MOST_KEPT).collect()
    }

    fn refusal(&mut self, urls: usize, key: Key) -> Option<Refused> {
        let above = self.rate_above(key);
        let candidate = &self.candidates[&key];
        let Candidate { level, scope, .. } = *candidate;
        let edit = self.proposals.edit(candidate.edit);
        let evidence = Evidence::from(&self.forms.effect(&mut self.moves(&self.changes(key))));
        let rate = evidence.rate(above);
        let is_widest = candidate.above.is_none();
        let is_refuted = evidence.tested >= LEAST_TESTED && rate > self.risk.rate;
        let why = if evidence.tested < LEAST_TESTED || rate > self.risk.rate && evidence.lost == 0 {
            Why::Untested
        } else if rate > self.risk.rate {
            Why::Loses
        } else if evidence.mixture(self.risk.mixture) > self.risk.mixture {
            Why::Mixes
        } else if evidence.saved <= 0 || evidence.gain(self.risk.price) <= 0.0 {
            Why::SavesNothing
        } else {
            Why::Budget
        };
        let edit = edit.clone();
        let refused = Refused { edit, level, scope, beside: None, urls, evidence, rate, why };
        // Of an edit that no URL tells anything of there is nothing to say.
        (is_widest && evidence.tested > 0 || is_refuted).then_some(refused)
    }
}
