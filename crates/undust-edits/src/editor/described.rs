//! What an editor does and does not do, for people and programs.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{Editor, ServedEdit};
use crate::accepted::{AcceptedEdit, Suppression};
use crate::program::copy;
use crate::refused::{RefusalReason, RefusedEdit};
use crate::scope_words::words;
use crate::spell::spell;
use crate::translation::{Applied, StepDetails, StepEvidence, spelled_out};

/// An accepted edit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditDescription {
    /// Its notation.
    pub notation: String,
    /// The probability that a network gives it; none where no network wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
    /// What the crawl says for it and against it.
    #[serde(flatten)]
    pub evidence: Option<StepEvidence>,
    /// Where it holds, and what it leaves alone.
    #[serde(flatten)]
    pub details: Option<StepDetails>,
}

/// A refused edit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RefusalDescription {
    /// Its notation.
    pub notation: String,
    /// Where it was proposed, in words.
    pub scope: Cow<'static, str>,
    /// URLs of the crawl that it would have changed; none where that was not counted, of an edit
    /// that was accepted first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub urls: Option<usize>,
    /// What the crawl says for it and against it.
    #[serde(flatten)]
    pub evidence: StepEvidence,
    /// Why it was refused, in words.
    pub why: String,
}

impl EditDescription {
    /// The description of anything that is applied to URLs.
    pub fn of(step: &dyn Applied) -> Self {
        Self {
            notation: step.to_string(),
            probability: step.probability(),
            evidence: step.evidence(),
            details: step.details(),
        }
    }
}

/// What was done, where it holds, its evidence and its examples, a line each. Lines after the first
/// are indented.
impl fmt::Display for EditDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled_out(&self.notation))?;
        if let Some(details) = &self.details {
            write!(f, "\n   {}", details.scope)?;
            match details.exceptions {
                0 => {}
                1 => f.write_str(", with one exception")?,
                some => write!(f, ", with {some} exceptions")?,
            }
        }
        if let Some(probability) = self.probability {
            write!(f, "\n   the network gives it a probability of {probability:.2}")?;
        }
        if let Some(evidence) = &self.evidence {
            write!(f, "\n   {evidence}")?;
        }
        for [url, form] in self.details.iter().flat_map(|details| &details.examples) {
            write!(f, "\n   {url}\n   → {form}")?;
        }
        Ok(())
    }
}

/// An accepted edit where it does not hold.
fn suppressed(rule: &ServedEdit, why: Suppression) -> RefusalDescription {
    let AcceptedEdit { evidence, rate, .. } = &rule.accepted;
    RefusalDescription {
        notation: rule.notation.clone(),
        scope: rule.scope.clone(),
        urls: None,
        evidence: evidence.describe(*rate),
        why: match why {
            Suppression::Excepted => {
                "accepted elsewhere; URLs like this one are an exception, because it loses pages there"
            }
            Suppression::Unknown => "accepted elsewhere; not tested on pages like this one",
        }
        .into(),
    }
}

impl Editor {
    /// The accepted edits, in the order in which they are applied.
    pub fn describe(&self) -> Vec<EditDescription> {
        self.rules().map(|rule: &ServedEdit| EditDescription::of(rule)).collect()
    }

    /// What the gate refused, the most widely proposed first.
    pub fn refusals(&self) -> Vec<RefusalDescription> {
        self.record.refused.iter().map(|refused| self.refusal(refused)).collect()
    }

    /// Edits that would change this URL's form and do not: accepted edits of which the URL is an
    /// exception, and refused edits, each once, in its widest scope. The most tested come first.
    pub fn refusals_of(&self, url: &str) -> Vec<RefusalDescription> {
        let shape = self.ask(url, |_, shape, _| Some(shape.to_vec()));
        let Some(shape) = shape else { return Vec::new() };
        let program = self.program(&shape).0.unwrap_or_else(|| copy(&shape));
        let changes = |refused: &&RefusedEdit| refused.would_apply(&program).is_some();
        let mut seen = FxHashSet::default();
        let once = |refused: &&RefusedEdit| seen.insert(refused.edit.clone());
        let mut found: Vec<&RefusedEdit> =
            self.record.refused.iter().filter(changes).filter(once).collect();
        found.sort_by_key(|refused| Reverse(refused.evidence.tested));
        let here = |rule: &Arc<ServedEdit>| {
            rule.accepted.suppression(&program).map(|why| suppressed(rule, why))
        };
        let suppressed = self.rules.iter().filter_map(here);
        suppressed.chain(found.into_iter().map(|refused| self.refusal(refused))).collect()
    }

    fn refusal(&self, refused: &RefusedEdit) -> RefusalDescription {
        RefusalDescription {
            notation: spell(&refused.edit, &self.lexicon, &self.literals),
            scope: words(
                &refused.edit,
                &refused.scope,
                refused.only.as_ref(),
                &self.lexicon,
                &self.marks,
            ),
            urls: (refused.why != RefusalReason::Replay).then_some(refused.urls),
            evidence: refused.evidence.describe(refused.rate),
            why: refused.why.to_string(),
        }
    }
}
