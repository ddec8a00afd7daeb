//! What is known of a rule: the counts by which rules are kept, ordered and shown.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::rule::Rule;
use undust_edits::shrinkage::{UNKNOWN, shrunk};
use undust_edits::translation::{Applied, StepDetails, StepEvidence};

/// A rule with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "expected an object with `rule`")]
pub struct MeasuredRule {
    /// The rule.
    pub rule: Rule,
    /// What it did to the crawl that it was learned from.
    #[serde(default)]
    pub evidence: RuleEvidence,
    /// The first URL of that crawl that the rule changes, and its image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<[String; 2]>,
}

impl MeasuredRule {
    /// A rule of which nothing is known yet.
    pub fn unmeasured(rule: Rule) -> Self {
        Self { rule, evidence: RuleEvidence::default(), example: None }
    }
}

/// Nothing where it was never measured: a rule of a log, or one written by hand.
impl Applied for MeasuredRule {
    fn evidence(&self) -> Option<StepEvidence> {
        let RuleEvidence { coverage, shared, collisions, .. } = self.evidence;
        let bound = shrunk(collisions as f64, shared as f64, UNKNOWN);
        let known =
            StepEvidence { tested: shared, lost: collisions, bound, ..StepEvidence::default() };
        (coverage > 0).then_some(known)
    }

    fn details(&self) -> Option<StepDetails> {
        let examples = self.example.iter().cloned().collect();
        let scope = "wherever it matches".into();
        Some(StepDetails { scope, is_restricted: false, exceptions: 0, examples })
    }
}

/// The notation of the rule.
impl fmt::Display for MeasuredRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

/// What a rule, applied once and alone, does to some pages of a crawl. Numbers of URLs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleEvidence {
    /// URLs that the rule changes.
    pub coverage: usize,
    /// Changed URLs whose image is a URL of the crawl.
    pub known: usize,
    /// Changed URLs whose image is a URL of another cluster: false positives as the papers on
    /// rewrite rules and DustBuster count them.
    pub wrong: usize,
    /// Coverage without pages that have no duplicate (Koppula et al., section 5.2).
    pub with_duplicate: usize,
    /// `wrong` without pages that have no duplicate.
    pub wrong_with_duplicate: usize,
    /// URLs that share their form with another, changed or not: DUSTER's support.
    pub shared: usize,
    /// URLs whose shared form spans more than one cluster: DUSTER's false positives.
    pub strict_collisions: usize,
    /// Key collisions: URLs outside their form's majority cluster. Each is a page that a crawler
    /// would miss.
    pub collisions: usize,
}

/// What counts as a false positive of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FalsePositives {
    /// As the method's own paper counts them.
    Paper,
    /// URLs outside their form's majority cluster: each is a page that a crawler would miss.
    Collisions,
    /// Every URL that gets one form with a URL of another cluster.
    Strict,
}

/// Whose paper's share of false positives is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Image in another cluster, among all changed URLs: rewrite rules.
    Changed,
    /// Image in another cluster, among changed URLs with duplicates: decision-tree rules.
    WithDuplicate,
    /// Image in another cluster, among changed URLs whose image is known: DustBuster.
    Known,
    /// URLs in mixed buckets, among all URLs in buckets: DUSTER.
    Buckets,
}

impl RuleEvidence {
    /// The share of false positives, 0 to 1; 0 if nothing is counted.
    pub fn rate(&self, count: FalsePositives, paper: Counting) -> f64 {
        let (part, whole) = match (count, paper) {
            (FalsePositives::Collisions, _) => (self.collisions, self.coverage),
            (FalsePositives::Strict, _) => (self.strict_collisions, self.coverage),
            (FalsePositives::Paper, Counting::Changed) => (self.wrong, self.coverage),
            (FalsePositives::Paper, Counting::WithDuplicate) => {
                (self.wrong_with_duplicate, self.with_duplicate)
            }
            (FalsePositives::Paper, Counting::Known) => (self.wrong, self.known),
            (FalsePositives::Paper, Counting::Buckets) => (self.strict_collisions, self.shared),
        };
        if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
    }
}
