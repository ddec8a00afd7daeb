//! From a site's duplicate clusters to a set of rules, the same way for every learner:
//! candidates are made, measured, filtered and put in order.

use crate::report::RulesReport;

use undust_rules::measured::{Counting, MeasuredRule, RuleEvidence};
use undust_rules::rule::{CandidateRules, Rule};
use undust_rules::set::RuleSet;

use super::dustbuster::listing::Listing;
use super::measure::{LabelledUrls, Measured, measure_observed, without_redundant};
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

/// A site's candidates, and what is known of each.
struct Study<'s> {
    learner: &'static Learner,
    /// All URLs: on those a rule may be redundant.
    everything: LabelledUrls<'s>,
    rules: Vec<MeasuredRule>,
    /// Candidates, including those that a learner's own validation refused.
    suggested: usize,
    notes: Vec<String>,
}

impl Learner {
    /// Learns a site's rules: those within the limits that do something which no broader one
    /// does.
    pub fn learn(
        &'static self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> (RuleSet, RulesReport) {
        self.study(set, config, observer).learn(&config.rules)
    }

    /// Makes the candidates and measures them on the clusters that they were not made of.
    fn study<'s>(
        &'static self,
        set: &'s TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> Study<'s> {
        observer.progress(self.name, 0, 0);
        let CandidateRules { rules, suggested, learned_from, mut notes } =
            (self.candidates)(set, config);
        let rules: Vec<Rule> = rules.into_iter().filter(|rule| rule.check().is_ok()).collect();
        let urls = LabelledUrls::new(set.pages(), set.clusters(), &learned_from);
        let suggested = suggested.max(rules.len());
        let Measured { rules, note } = measure_observed(rules, &urls, observer);
        notes.extend(note);
        let everything = LabelledUrls::new(set.pages(), set.clusters(), &[]);
        Study { learner: self, everything, suggested, rules, notes }
    }
}

impl Study<'_> {
    /// The rules within the limits, and how they were found.
    fn learn(&self, limits: &RuleLimits) -> (RuleSet, RulesReport) {
        let rules = self.select(limits);
        let (candidates, kept) = (self.suggested, rules.rules().len());
        (rules, RulesReport { candidates, kept, notes: self.notes.clone() })
    }

    /// The candidates within the limits, without redundant ones, in the learner's order.
    fn select(&self, limits: &RuleLimits) -> RuleSet {
        let rules = self.within(limits);
        if self.learner.order == Order::AsGiven {
            return RuleSet::new(rules);
        }
        RuleSet::new(without_redundant(rules, &self.everything))
    }

    fn within(&self, limits: &RuleLimits) -> Vec<MeasuredRule> {
        let passes = |evidence: &RuleEvidence| {
            (self.learner.support)(evidence) >= limits.min_coverage.max(1)
                && self.rate(evidence, limits) <= limits.max_false_positives
        };
        let kept = self.rules.iter().filter(|measured| passes(&measured.evidence));
        let mut kept: Vec<MeasuredRule> = kept.cloned().collect();
        self.sort(&mut kept, limits);
        kept
    }

    fn rate(&self, evidence: &RuleEvidence, limits: &RuleLimits) -> f64 {
        evidence.rate(limits.count, self.learner.counting)
    }

    fn sort(&self, rules: &mut [MeasuredRule], limits: &RuleLimits) {
        let safe = |a: &MeasuredRule, b: &MeasuredRule| {
            let [a_rate, b_rate] = [a, b].map(|rule| self.rate(&rule.evidence, limits));
            a_rate.total_cmp(&b_rate).then(b.evidence.coverage.cmp(&a.evidence.coverage))
        };
        let narrow = |a: &MeasuredRule, b: &MeasuredRule| {
            b.rule.specificity().cmp(&a.rule.specificity()).then_with(|| safe(a, b))
        };
        match self.learner.order {
            Order::AsGiven => {}
            Order::NarrowFirst => rules.sort_by(narrow),
            Order::SafeFirst => rules.sort_by(safe),
        }
    }
}

#[cfg(test)]
mod tests;
