//! Rules at work: any URL of their site in, its canonical form out.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use undust_url::keyed_url::KeyedUrl;

use super::dustbuster::canonize::Substitutions;
use super::index::RuleIndex;
use super::measured::MeasuredRule;
use super::rule::Rule;
use undust_edits::translation::{Cause, Rewriter, Translation};
use undust_edits::translation::{Circle, FixpointOptions, longest_form, to_fixpoint};

/// The first rule that applies, again and again, until none does.
const FIRST_MATCH: FixpointOptions =
    FixpointOptions { most_changes: 10, bounds_length: true, circle: Circle::Smallest };

/// MA of DustBuster, the most passes over all rules. More than two changed nothing in the
/// paper's experiments (Bar-Yossef, Keidar, Schonfeld, WWW 2007, Figure 6).
pub(super) const PASSES: FixpointOptions =
    FixpointOptions { most_changes: 10, bounds_length: true, circle: Circle::NoAnswer };

/// Rules in the order in which they are tried, indexed.
#[derive(Debug)]
pub struct RuleSet {
    rules: Vec<Arc<MeasuredRule>>,
    engine: Engine,
}

/// How a set of rules is applied.
#[derive(Debug)]
enum Engine {
    /// The first rule that applies, again and again, until none does.
    FirstMatch(RuleIndex),
    /// DustBuster's passes.
    Passes(Substitutions),
}

impl RuleSet {
    /// Puts rules to work: DustBuster's in passes, all others by the first match.
    pub fn new(rules: Vec<MeasuredRule>) -> Self {
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
                Engine::FirstMatch(RuleIndex::new(&in_order))
            }
        };
        Self { rules: rules.into_iter().map(Arc::new).collect(), engine }
    }

    /// The rules, in the order in which they are tried.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &MeasuredRule> {
        self.rules.iter().map(AsRef::as_ref)
    }

    /// The same rules except those in these places.
    pub fn without(&self, places: &FxHashSet<usize>) -> Self {
        let kept = self.rules().enumerate().filter(|(place, _)| !places.contains(place));
        Self::new(kept.map(|(_, rule)| rule.clone()).collect())
    }

    /// What the first rule that applies to `url` makes of it.
    fn step(
        &self,
        url: &str,
        index: &RuleIndex,
        found: &mut Vec<u32>,
        cause: &mut Cause,
    ) -> Option<String> {
        let keyed = KeyedUrl::parse(url);
        index.find(url, keyed.as_ref(), found);
        found.iter().find_map(|&place| {
            let rule = &self.rules[place as usize];
            let image = rule.rule.apply_to(url, keyed.as_ref())?;
            cause.push(Arc::clone(rule) as _);
            Some(image)
        })
    }
}

impl Rewriter for RuleSet {
    /// A microsecond or two, however many rules there are, if each needs something of a URL that
    /// few others need. Rules without such a feature are tried one after the other.
    fn rewrite<'u>(&self, url: &'u str) -> Translation<'u> {
        let fixpoint = match &self.engine {
            Engine::FirstMatch(index) => {
                let mut found = Vec::new();
                to_fixpoint(url, FIRST_MATCH, |url, cause| {
                    Ok(self.step(url, index, &mut found, cause))
                })
            }
            Engine::Passes(substitutions) => {
                let longest = longest_form(url);
                to_fixpoint(url, PASSES, |url, cause| {
                    let mut applied =
                        |place: usize| cause.push(Arc::clone(&self.rules[place]) as _);
                    substitutions.pass(url, longest, &mut applied)
                })
            }
        };
        Translation::settled(url, fixpoint)
    }
}

#[cfg(test)]
mod tests;
