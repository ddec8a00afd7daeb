//! What a rule is, whichever learner found it.

use std::fmt;

use serde::{Deserialize, Serialize};

use undust_url::keyed_url::KeyedUrl;
use undust_util::op_counter;

use super::dustbuster::substitution;
use super::dustbuster::substitution::Substitution;
use super::duster::features as duster;
use super::duster::pattern::Pattern;
use super::feature::{Feature, Kinds, Sieve};
use super::key_rule::{KeyRule, features as key_rule};

/// A rule: the URLs that it is for, and what it makes of them. Total: it answers or declines any
/// string, and never panics.
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
    /// The image of `url`; nothing if the rule does not apply or changes nothing.
    pub fn apply(&self, url: &str) -> Option<String> {
        match self {
            Self::Keys(_) => self.apply_to(url, KeyedUrl::parse(url).as_ref()),
            _ => self.apply_to(url, None),
        }
    }

    /// The same with the URL's keys already parsed; `keyed` is none if the text is no URL.
    pub fn apply_to(&self, url: &str, keyed: Option<&KeyedUrl<'_>>) -> Option<String> {
        op_counter::count(1);
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

    /// What every URL has that the rule is for.
    pub(crate) fn features(&self) -> Vec<Feature> {
        match self {
            Self::Keys(rule) => rule.features(),
            Self::Pattern(rule) => rule.features(),
            Self::Substitution(rule) => rule.features(),
        }
    }

    /// A second test of the URLs that have one of its features, for rules that share most of
    /// theirs.
    pub(crate) fn sieve(&self) -> Option<Sieve> {
        match self {
            Self::Pattern(rule) => Some(rule.sieve()),
            Self::Keys(_) | Self::Substitution(_) => None,
        }
    }

    /// The names of arguments that it is about. A rule written by hand may name some that training
    /// never saw.
    pub fn argument_names(&self) -> Vec<String> {
        match self {
            Self::Keys(rule) => rule.argument_names().map(str::to_owned).collect(),
            Self::Pattern(rule) => names_in(&rule.literals()),
            Self::Substitution(Substitution::Text(rule)) => names_in(&rule.from),
            Self::Substitution(Substitution::Parameter(rule)) => vec![rule.name.clone()],
        }
    }

    /// Whether a rule, read from a file, is meaningful; the reason if it is not.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Keys(rule) => rule.check(),
            Self::Pattern(rule) => rule.check(),
            Self::Substitution(rule) => rule.check(),
        }
    }
}

/// The names of arguments in a part of a URL.
pub fn names_in(text: &str) -> Vec<String> {
    let arguments = text.split(['?', '&', ';']).skip(1);
    arguments.filter_map(|text| Some(text.split_once('=')?.0.to_owned())).collect()
}

/// Shows `take` the hashes of the features of these kinds that a URL has: what the features of
/// rules are compared with. Allocates nothing.
pub(crate) fn each_feature(
    url: &str,
    keyed: Option<&KeyedUrl<'_>>,
    kinds: Kinds,
    take: &mut impl FnMut(u64),
) {
    if let Some(keyed) = keyed {
        key_rule::each_feature(keyed, kinds, take);
    }
    if kinds.has(Kinds::WORD.with(Kinds::PREFIX)) {
        duster::each_feature(url, kinds, take);
    }
    if kinds.has(Kinds::RUN) {
        substitution::each_feature(url, take);
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
pub struct CandidateRules {
    /// Distinct rules, in an order that follows from the crawl and the settings alone.
    pub rules: Vec<Rule>,
    /// Number of rules before the learner's own validation; 0 if it has none.
    pub suggested: usize,
    /// By cluster: whether rules were made of it, so that it may not test them. Empty if all
    /// clusters may.
    pub learned_from: Vec<bool>,
    /// What was capped, sampled or could not be checked: one sentence each, for the user.
    pub notes: Vec<String>,
}
