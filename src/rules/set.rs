//! Rules at work: any URL of their site in, its canonical form out.

use std::borrow::Cow;

use super::dustbuster::Substitutions;
use super::evidence::Evidence;
use super::index::Index;
use super::rule::Rule;
use crate::translation::{Canonicalizer, How, Reason, Translation};
use crate::url::KeyedUrl;

/// Most rules that are applied to one URL, one after the other.
const MAX_STEPS: usize = 10;

/// A rule with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "expected an object with `rule`")]
pub struct Learned {
    /// The rule.
    pub rule: Rule,
    /// What it did to the crawl that it was learned from.
    #[serde(default)]
    pub evidence: Evidence,
    /// A URL of that crawl, and what the rule makes of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<[String; 2]>,
}

/// Rules in the order in which they are tried, indexed.
#[derive(Debug)]
pub struct RuleSet {
    rules: Vec<Learned>,
    engine: Engine,
}

/// How a set of rules is applied.
#[derive(Debug)]
enum Engine {
    /// The first rule that is for the URL, then again, until none is.
    FirstMatch(Index),
    /// DustBuster's passes.
    Passes(Substitutions),
}

impl RuleSet {
    /// Puts rules to work: DustBuster's in passes, all others by the first match.
    pub fn new(rules: Vec<Learned>) -> Self {
        let substitutions: Option<Vec<_>> = rules
            .iter()
            .map(|learned| match &learned.rule {
                Rule::Substitution(rule) => Some(rule.clone()),
                _ => None,
            })
            .collect();
        let engine = match substitutions.filter(|rules| !rules.is_empty()) {
            Some(substitutions) => Engine::Passes(Substitutions::new(substitutions)),
            None => {
                let in_order: Vec<_> = rules.iter().map(|learned| &learned.rule).collect();
                Engine::FirstMatch(Index::new(&in_order))
            }
        };
        Self { rules, engine }
    }

    /// The rules without what applies them.
    pub fn into_rules(self) -> Vec<Learned> {
        self.rules
    }

    /// The rules, in the order in which they are tried.
    pub fn rules(&self) -> &[Learned] {
        &self.rules
    }

    /// The canonical form of a URL of the site, and how it was found. A microsecond or two,
    /// whatever the number of rules, if rules differ in something that a URL must have: those
    /// that do not are tried one after the other.
    pub fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        let canonical = match &self.engine {
            Engine::FirstMatch(index) => self.settle(url, index),
            Engine::Passes(substitutions) => substitutions.settle(url),
        };
        match canonical {
            Some(canonical) if canonical == url => {
                Translation { canonical, how: How::Unchanged(Reason::NoRule) }
            }
            Some(canonical) => Translation { canonical, how: How::Rules },
            None => Translation { canonical: url.into(), how: How::Unchanged(Reason::Unstable) },
        }
    }

    /// Applies rules until none is for the URL. Where they go round in a circle, its smallest
    /// URL is the form of all its URLs. Nothing where there is no end within bounds, so that
    /// such a URL is its own form: what is canonical stays so.
    fn settle<'u>(&self, url: &'u str, index: &Index) -> Option<Cow<'u, str>> {
        let mut found = Vec::new();
        let Some(first) = self.step(url, index, &mut found) else {
            return Some(Cow::Borrowed(url));
        };
        let mut trail = vec![Cow::Borrowed(url), Cow::Owned(first)];
        while trail.len() <= MAX_STEPS + 1 {
            let last = &trail[trail.len() - 1];
            if last.len() > 2 * url.len() + 64 {
                return None;
            }
            let Some(next) = self.step(last, index, &mut found) else { return trail.pop() };
            if let Some(from) = trail.iter().position(|before| *before == next) {
                return trail.drain(from..).min();
            }
            trail.push(Cow::Owned(next));
        }
        None
    }

    fn step(&self, url: &str, index: &Index, found: &mut Vec<u32>) -> Option<String> {
        let keyed = KeyedUrl::parse(url);
        index.find(url, keyed.as_ref(), found);
        found.iter().find_map(|&rule| self.rules[rule as usize].rule.apply_to(url, keyed.as_ref()))
    }
}

impl Canonicalizer for RuleSet {
    fn canonicalize<'u>(&self, url: &'u str) -> Cow<'u, str> {
        self.translate(url).canonical
    }
}

#[cfg(test)]
mod tests;
