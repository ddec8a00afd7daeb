//! What a rule is, whichever learner found it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::dustbuster::Substitution;
use super::duster::Pattern;
use super::key_rule::KeyRule;
use crate::url::KeyedUrl;

/// A rule: which URLs it is for, and what it makes of them. Total: applied to any string it
/// answers or declines, and never panics.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Over keys and values, as rewrite rules and decision trees learn.
    Keys(KeyRule),
    /// A regular expression over a URL's tokens, as DUSTER learns.
    Pattern(Pattern),
    /// One substring for another, as DustBuster learns.
    Substitution(Substitution),
}

impl Rule {
    /// What the rule makes of `url`; nothing where it does not apply or changes nothing.
    pub fn apply(&self, url: &str) -> Option<String> {
        match self {
            Self::Keys(_) => self.apply_to(url, KeyedUrl::parse(url).as_ref()),
            _ => self.apply_to(url, None),
        }
    }

    /// The same where the URL's keys are known already; `keyed` is none for no URL.
    pub fn apply_to(&self, url: &str, keyed: Option<&KeyedUrl<'_>>) -> Option<String> {
        match self {
            Self::Keys(rule) => rule.apply(keyed?).filter(|image| image != url),
            Self::Pattern(rule) => rule.apply(url),
            Self::Substitution(rule) => rule.apply(url),
        }
    }

    /// How many keys or tokens the rule pins: the more, the fewer URLs it is for.
    pub fn specificity(&self) -> usize {
        match self {
            Self::Keys(rule) => rule.specificity(),
            Self::Pattern(rule) => rule.specificity(),
            Self::Substitution(rule) => rule.specificity(),
        }
    }

    /// Whether a rule read from a file means anything; the reason where it does not.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Keys(rule) => rule.check(),
            Self::Pattern(rule) => rule.check(),
            Self::Substitution(rule) => rule.check(),
        }
    }
}

/// The notation for people: context → transformation.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys(rule) => rule.fmt(f),
            Self::Pattern(rule) => rule.fmt(f),
            Self::Substitution(rule) => rule.fmt(f),
        }
    }
}

/// What a learner found, before anything is known of how its rules fare.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    /// Distinct rules, in an order that follows from the crawl and the settings alone.
    pub rules: Vec<Rule>,
    /// Rules that were suggested before the learner's own validation refused some; 0 where it
    /// has none.
    pub suggested: usize,
    /// Clusters that may not judge the rules, for the rules were made of them; by cluster.
    /// Empty where all clusters may.
    pub learned_from: Vec<bool>,
    /// What was capped, sampled or could not be checked: one sentence each, for the user.
    pub notes: Vec<String>,
}
