//! What the gate refused, judged once more against all that it accepted: the answer to why a URL
//! stays as it is.

use std::cmp::Reverse;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Candidate, Gate, Key, LEAST_TESTED};
use crate::edits::edit::{Edit, UNTAGGED};
use crate::edits::scope::{BESIDE, Beside};
use crate::gate::evidence::Evidence;

/// Refused edits that are kept.
const MOST_KEPT: usize = 200;

/// Those that would change most URLs are judged; so many.
const MOST_JUDGED: usize = 1000;

/// An edit that the gate did not let pass, where, and what was known of it in the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Refused {
    /// The edit.
    pub edit: Edit,
    /// The level of its scope.
    pub level: usize,
    /// Its scope.
    pub scope: u64,
    /// The word that makes the scope, if one does, of an edit that was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
    /// URLs that it would have changed.
    pub urls: usize,
    /// What it would have done to them.
    pub evidence: Evidence,
    /// Its rate of loss, shrunk.
    pub rate: f64,
    /// What was wrong with it.
    pub why: Why,
}

/// Why an edit was refused; what is wrong first is told first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Why {
    /// Too few of its URLs came to share a form with another.
    Untested,
    /// Too much would be lost.
    Loses,
    /// Too many URLs would get the form of another page.
    Mixes,
    /// It would save no fetch, or fewer than what it loses is worth.
    SavesNothing,
    /// All edits together would have lost more than the gate's risk.
    Budget,
    /// It was accepted, and the crawl replayed with all that was lost too much by it.
    Replay,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Untested => "too few URLs tell whether it holds",
            Self::Loses => "too many pages would be lost",
            Self::Mixes => "too many URLs would get the form of another page",
            Self::SavesNothing => "it saves less than it costs",
            Self::Budget => "all edits together would lose more than the risk that is taken",
            Self::Replay => "with all the others it loses too many pages",
        })
    }
}

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
        let evidence = Evidence::of(&self.forms.effect(&mut self.moves(&self.changes(key))));
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
