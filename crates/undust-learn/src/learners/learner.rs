//! From a site's duplicate clusters to a set of rules, the same way for every learner:
//! candidates are made, measured, filtered and put in order.

use crate::report::RulesReport;

use undust_rules::measured::{Counting, MeasuredRule, RuleEvidence};
use undust_rules::rule::{CandidateRules, Rule};
use undust_rules::set::RuleSet;

use super::dustbuster::listing::Listing;
use super::measure::{LabelledUrls, Measured, measure, without_redundant};
use crate::config::{Config, RuleLimits};
use crate::observer::Observer;
use crate::training::TrainingSet;

/// A learner of rules: all that the rest of the crate knows of one.
#[derive(Debug)]
pub struct Learner {
    /// Its name on the command line, in tables and in model folders.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Makes candidate rules of a site. The same site and settings give the same candidates.
    pub candidates: fn(&TrainingSet<'_>, &Config) -> CandidateRules,
    /// How its paper counts false positives.
    pub counting: Counting,
    /// The support of a rule, in URLs; rules with too little are dropped.
    pub support: fn(&RuleEvidence) -> usize,
    /// The order in which its rules are tried.
    pub order: Order,
    /// Learns from the URLs of a log or a list; none if it needs pages.
    pub from_urls: Option<FromListing>,
}

/// Learns rules from URLs alone, and reports how.
pub(crate) type FromListing = fn(&Listing, &Config) -> (RuleSet, RulesReport);

/// The order in which a learner's rules are tried. Equals stay in the order of the candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As the learner gave them. It has already eliminated redundant ones in its own way.
    AsGiven,
    /// By the most pinned keys, then the smallest share of false positives, then the largest
    /// coverage.
    NarrowFirst,
    /// By the smallest share of false positives, then the largest coverage.
    SafeFirst,
}

impl Learner {
    /// Learns a site's rules: those within the limits that do something which no broader one
    /// does.
    pub fn learn(
        &self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> (RuleSet, RulesReport) {
        let (mut rules, mut report) = self.within_limits(set, config, observer);
        if self.order != Order::AsGiven {
            // On all URLs a rule may be redundant.
            rules = without_redundant(rules, &LabelledUrls::new(set.pages(), set.clusters(), &[]));
        }
        report.kept = rules.len();
        (RuleSet::new(rules), report)
    }

    /// The candidates within the limits, in the learner's order, measured on the clusters that they were not made of.
    fn within_limits(
        &self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> (Vec<MeasuredRule>, RulesReport) {
        observer.progress(self.name, 0, 0);
        let CandidateRules { rules, suggested, learned_from, mut notes } =
            (self.candidates)(set, config);
        let rules: Vec<Rule> = rules.into_iter().filter(|rule| rule.check().is_ok()).collect();
        let candidates = suggested.max(rules.len());
        let urls = LabelledUrls::new(set.pages(), set.clusters(), &learned_from);
        let Measured { mut rules, note } = measure(rules, &urls, observer);
        notes.extend(note);
        let limits = &config.rules;
        rules.retain(|MeasuredRule { evidence, .. }| {
            (self.support)(evidence) >= limits.min_coverage.max(1)
                && self.rate(evidence, limits) <= limits.max_false_positives
        });
        self.sort(&mut rules, limits);
        let kept = rules.len();
        (rules, RulesReport { candidates, kept, notes })
    }

    fn rate(&self, evidence: &RuleEvidence, limits: &RuleLimits) -> f64 {
        evidence.rate(limits.count, self.counting)
    }

    fn sort(&self, rules: &mut [MeasuredRule], limits: &RuleLimits) {
        let safe = |a: &MeasuredRule, b: &MeasuredRule| {
            let [a_rate, b_rate] = [a, b].map(|rule| self.rate(&rule.evidence, limits));
            a_rate.total_cmp(&b_rate).then(b.evidence.coverage.cmp(&a.evidence.coverage))
        };
        let narrow = |a: &MeasuredRule, b: &MeasuredRule| {
            b.rule.specificity().cmp(&a.rule.specificity()).then_with(|| safe(a, b))
        };
        match self.order {
            Order::AsGiven => {}
            Order::NarrowFirst => rules.sort_by(narrow),
            Order::SafeFirst => rules.sort_by(safe),
        }
    }
}

#[cfg(test)]
mod tests;
