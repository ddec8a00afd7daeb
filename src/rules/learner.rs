//! From a site's duplicate clusters to a set of rules, the same way for every learner:
//! candidates, measured, filtered, put in order.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::evidence::{Counting, Evidence, Measured, Sample, measure, without_redundant};
use super::rule::{Candidates, Rule};
use super::set::{Learned, RuleSet};
use super::{dustbuster, duster, rewrite, tree};
use crate::config::{Config, FalsePositives, RulesConfig};
use crate::pairs::TrainingSet;

/// Who learns the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Learner {
    /// Rewrite rules (Dasgupta, Kumar, Sasturkar, KDD 2008).
    Rewrite,
    /// Decision-tree rules with deep tokens (Koppula et al., WSDM 2010).
    Tree,
    /// DustBuster (Bar-Yossef, Keidar, Schonfeld, WWW 2007).
    Dustbuster,
    /// DUSTER (Rodrigues et al., TKDE 2015).
    Duster,
}

/// A site's rules, ready to translate and to be kept.
#[derive(Debug)]
pub struct Lesson {
    /// Who learned them.
    pub learner: Learner,
    /// At work.
    pub rules: RuleSet,
    /// How learning went.
    pub facts: Facts,
}

/// How rules were learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Rules that the clusters suggested.
    pub candidates: usize,
    /// Rules that stood the test.
    pub kept: usize,
    /// What was capped, sampled or could not be checked, a sentence each.
    pub notes: Vec<String>,
}

/// Candidates, and what is known of each.
#[derive(Debug)]
pub struct Study {
    learner: Learner,
    rules: Vec<Rule>,
    measured: Vec<Measured>,
    suggested: usize,
    /// What was capped, sampled or could not be checked, a sentence each.
    pub notes: Vec<String>,
}

/// What it takes for a rule to be kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// What counts as a false positive.
    pub count: FalsePositives,
    /// Largest share of them.
    pub max_false_positives: f64,
    /// Fewest URLs that the rule changes.
    pub min_coverage: usize,
}

impl From<&RulesConfig> for Limits {
    fn from(config: &RulesConfig) -> Self {
        let RulesConfig { count, max_false_positives, min_coverage } = *config;
        Self { count, max_false_positives, min_coverage }
    }
}

impl Learner {
    /// Every learner.
    pub const ALL: [Self; 4] = [Self::Rewrite, Self::Tree, Self::Dustbuster, Self::Duster];

    /// Its name on the command line, in tables and in model folders.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rewrite => "rewrite",
            Self::Tree => "tree",
            Self::Dustbuster => "dustbuster",
            Self::Duster => "duster",
        }
    }

    /// The learner of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|learner| learner.name() == name)
    }

    /// How its paper counts false positives.
    pub fn counting(self) -> Counting {
        match self {
            Self::Rewrite => Counting::Changed,
            Self::Tree => Counting::Judged,
            Self::Dustbuster => Counting::Known,
            Self::Duster => Counting::Buckets,
        }
    }

    /// Learns a site's rules and keeps those within the configured limits that do something
    /// which no broader one does (DustBuster eliminates redundant rules in its own way).
    pub fn learn(self, set: &TrainingSet<'_>, config: &Config) -> Lesson {
        let study = self.study(set, config);
        let mut rules = study.select(&Limits::from(&config.rules));
        if self != Self::Dustbuster {
            let everything = Sample::new(set.pages(), set.clusters(), &[]);
            rules = RuleSet::new(without_redundant(rules.into_rules(), &everything));
        }
        let (candidates, kept) = (study.candidates(), rules.rules().len());
        Lesson { learner: self, rules, facts: Facts { candidates, kept, notes: study.notes } }
    }

    /// Makes the candidates and measures them on the clusters that may judge them.
    pub fn study(self, set: &TrainingSet<'_>, config: &Config) -> Study {
        let seed = config.seq2seq.seed;
        let Candidates { rules, suggested, learned_from, notes } = match self {
            Self::Rewrite => rewrite::candidates(set, &config.rewrite, seed),
            Self::Tree => tree::candidates(set, &config.tree, seed),
            Self::Dustbuster => dustbuster::candidates(set, &config.dustbuster, seed),
            Self::Duster => duster::candidates(set, &config.duster, seed),
        };
        let rules: Vec<Rule> = rules.into_iter().filter(|rule| rule.check().is_ok()).collect();
        let sample = Sample::new(set.pages(), set.clusters(), &learned_from);
        let measured = measure(&rules, &sample);
        Study { learner: self, suggested: suggested.max(rules.len()), rules, measured, notes }
    }
}

/// DustBuster's rules of a log or a list of URLs. What their URLs show cannot be checked
/// there; so those are kept of which enough images are listed, too: a rule that makes up URLs
/// would spoil a queue. Of each only the coverage and those images are known.
pub fn learn_listing(listing: &dustbuster::Listing, config: &Config) -> Lesson {
    let seed = config.seq2seq.seed;
    let found = dustbuster::candidates_of(listing, &config.dustbuster, seed);
    let urls = listing.records().iter().map(|record| &*record.url).collect();
    let measured = measure(&found.rules, &Sample::unlabelled(urls));
    let rules = found.rules.iter().zip(&measured);
    let least = config.dustbuster.min_known;
    let rules = rules.filter(|(_, measured)| measured.evidence.known >= least);
    let rules: Vec<Learned> = rules.map(|(rule, measured)| measured.describe(rule)).collect();
    let (candidates, kept) = (found.suggested.max(found.rules.len()), rules.len());
    let mut notes = found.notes;
    if kept < found.rules.len() {
        let left_out = found.rules.len() - kept;
        notes.push(format!(
            "{left_out} rules were left out that make fewer than {least} URLs of the list."
        ));
    }
    let facts = Facts { candidates, kept, notes };
    Lesson { learner: Learner::Dustbuster, rules: RuleSet::new(rules), facts }
}

impl Study {
    /// Number of candidates, those included that a learner's own validation refused.
    pub fn candidates(&self) -> usize {
        self.suggested
    }

    /// What is known of each candidate.
    pub fn evidence(&self) -> impl Iterator<Item = &Evidence> {
        self.measured.iter().map(|measured| &measured.evidence)
    }

    /// The candidates within the limits, in order: DustBuster's as it validated them; all
    /// others by the number of keys that they pin (not DUSTER's), then by the share of false
    /// positives, then by coverage. A rule must change enough URLs, DUSTER's unite enough
    /// (its minsupp).
    pub fn select(&self, limits: &Limits) -> RuleSet {
        let rate = |evidence: &Evidence| evidence.rate(limits.count, self.learner.counting());
        let passes = |evidence: &Evidence| {
            let support = match self.learner {
                Learner::Duster => evidence.shared,
                _ => evidence.coverage,
            };
            support >= limits.min_coverage.max(1) && rate(evidence) <= limits.max_false_positives
        };
        let rules = self.rules.iter().zip(&self.measured);
        let kept = rules.filter(|(_, measured)| passes(&measured.evidence));
        let mut kept: Vec<Learned> = kept.map(|(rule, measured)| measured.describe(rule)).collect();
        if self.learner != Learner::Dustbuster {
            kept.sort_by(|a, b| {
                let narrow = match self.learner {
                    Learner::Duster => Ordering::Equal,
                    _ => b.rule.specificity().cmp(&a.rule.specificity()),
                };
                let safe = rate(&a.evidence).total_cmp(&rate(&b.evidence));
                let broad = b.evidence.coverage.cmp(&a.evidence.coverage);
                narrow.then(safe).then(broad)
            });
        }
        RuleSet::new(kept)
    }
}

#[cfg(test)]
mod tests;
