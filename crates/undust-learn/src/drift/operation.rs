//! What a crawl says of one operation of a model.

use std::fmt;

use serde::Serialize;

use undust_edits::shrinkage::{UNKNOWN, shrunk};
use undust_model::operation::OperationRef;

/// The largest share of wrong URLs, shrunk, with which an operation holds.
const LARGEST_RATE: f64 = 0.03;

/// With fewer wrong URLs it may be chance: a page that changed while it was crawled.
const LEAST_WRONG: usize = 2;

/// An operation, and what it did to the URLs of a crawl.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Operation {
    /// Its notation.
    #[serde(rename = "operation")]
    pub notation: String,
    /// Where it holds, if that was learned, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// What to take away from its model to be without it; none where nothing can be.
    #[serde(skip)]
    pub reference: Option<OperationRef>,
    /// URLs that it changed, or helped to.
    pub changed: usize,
    /// Of these, URLs that share their form with another URL. Others prove nothing.
    pub tested: usize,
    /// URLs that it put into a form of other pages.
    pub wrong: usize,
    /// Clusters that a crawler would never see, in forms where it is to blame.
    pub lost: usize,
    /// The share of wrong URLs, shrunk.
    pub rate: f64,
    /// Whether it holds.
    pub verdict: OperationVerdict,
}

/// Whether an operation holds on a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationVerdict {
    /// It puts too many URLs into forms of other pages.
    Refuted,
    /// It merges URLs, and those are of one page.
    Held,
    /// It merges no URLs of the crawl, or so few that one wrong URL may be chance.
    Untested,
}

impl fmt::Display for OperationVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Refuted => "refuted",
            Self::Held => "held",
            Self::Untested => "untested",
        })
    }
}

impl Operation {
    /// An untested operation.
    pub(super) fn new(notation: String, reference: Option<OperationRef>) -> Self {
        let scope = None;
        let (changed, tested, wrong, lost) = (0, 0, 0, 0);
        let (rate, verdict) = (0.0, OperationVerdict::Untested);
        Self { notation, scope, reference, changed, tested, wrong, lost, rate, verdict }
    }

    /// Decides by its counts.
    pub(super) fn decide(&mut self) {
        self.rate = shrunk(self.wrong as f64, self.tested as f64, UNKNOWN);
        self.verdict = match self.tested {
            0 => OperationVerdict::Untested,
            _ if self.wrong == 0 || self.rate <= LARGEST_RATE => OperationVerdict::Held,
            _ if self.wrong < LEAST_WRONG => OperationVerdict::Untested,
            _ => OperationVerdict::Refuted,
        };
    }

    /// What it does, and where.
    pub fn label(&self) -> String {
        match &self.scope {
            Some(scope) => format!("{} ({scope})", self.notation),
            None => self.notation.clone(),
        }
    }

    /// Whether it is refuted.
    pub(crate) fn is_refuted(&self) -> bool {
        self.verdict == OperationVerdict::Refuted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_follows_from_the_counts() {
        for (tested, wrong, verdict) in [
            (0, 0, OperationVerdict::Untested),
            (2, 0, OperationVerdict::Held),
            (3, 1, OperationVerdict::Untested),
            (50, 1, OperationVerdict::Held),
            (3, 2, OperationVerdict::Refuted),
            (73, 2, OperationVerdict::Refuted),
            (74, 2, OperationVerdict::Held),
        ] {
            let mut operation = Operation { tested, wrong, ..Operation::new("".into(), None) };
            operation.decide();
            assert_eq!(operation.verdict, verdict, "{tested} tested, {wrong} wrong");
        }
    }
}
