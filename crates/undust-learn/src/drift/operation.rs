//! What a crawl says of one operation of a model.

use std::fmt;

use serde::Serialize;

use undust_edits::shrinkage::{UNKNOWN, shrunk};
use undust_model::operation::OperationRef;

use crate::gate::select_edits::RATE;

/// With fewer pages that collide it may be chance: two are one page that changed while it was crawled.
const LEAST_COLLISIONS: usize = 3;

/// An operation, and what it did to the URLs of a crawl.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
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
    /// Pages that the tested URLs show. One that a word of the URL names counts once for each of its URLs.
    pub pages: usize,
    /// Pages that collide: it gives a URL of one the form of a URL of another, and both count.
    pub collisions: usize,
    /// Clusters that a crawler would never see, in forms where it is to blame.
    pub lost: usize,
    /// The share of pages that collide, shrunk.
    pub rate: f64,
    /// Whether it holds.
    pub verdict: OperationVerdict,
}

/// Whether an operation holds on a crawl.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationVerdict {
    /// Too many pages collide.
    Refuted,
    /// It merges URLs, and few pages or none collide.
    Held,
    /// It merges no URLs of the crawl, or two pages alone collide, which may be chance.
    #[default]
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
    /// Decides by its counts.
    pub(super) fn decide(&mut self) {
        self.rate = shrunk(self.collisions as f64, self.pages as f64, UNKNOWN);
        self.verdict = match self.tested {
            0 => OperationVerdict::Untested,
            _ if self.collisions == 0 || self.rate <= RATE => OperationVerdict::Held,
            _ if self.collisions < LEAST_COLLISIONS => OperationVerdict::Untested,
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
        for (pages, collisions, verdict) in [
            (0, 0, OperationVerdict::Untested),
            (2, 0, OperationVerdict::Held),
            (2, 2, OperationVerdict::Untested),
            (28, 2, OperationVerdict::Held),
            (3, 3, OperationVerdict::Refuted),
            (40, 3, OperationVerdict::Refuted),
            (41, 3, OperationVerdict::Held),
        ] {
            let counts = Operation { tested: pages, pages, collisions, ..Operation::default() };
            let mut operation = counts;
            operation.decide();
            assert_eq!(operation.verdict, verdict, "{pages} pages, {collisions} collide");
        }
    }
}
