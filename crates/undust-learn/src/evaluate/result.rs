//! What comes out of an evaluation. Its JSON is a contract.

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use crate::report::Report;
use crate::report::network::{NetworkReport, Stopped};
use undust_model::model::Model;

use super::by_shape::FiguresByShape;
use super::details::JudgedDetails;
use super::split::{JudgedRule, Split};
use super::units::stem;
use crate::simulate::Replay;
pub use crate::simulate::bootstrap::IntervalBounds;
use crate::simulate::bootstrap::{RESAMPLES, bootstrap};
use crate::training::hold_out::HoldOut;

/// What all methods did on one site. The names of the fields are a contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteResult {
    /// The site.
    pub site: String,
    /// The file that its pages are from.
    pub crawl: String,
    /// Share of the pages that was learned from, as asked for.
    pub split: f64,
    /// Which pages were held out to test on.
    pub hold_out: HoldOut,
    /// Pages to learn from.
    pub train_pages: usize,
    /// Their duplicate clusters.
    pub train_clusters: usize,
    /// Pages to test on.
    pub test_pages: usize,
    /// Their duplicate clusters.
    pub test_clusters: usize,
    /// How the rule of duplicates itself does, if pages are judged by what the crawl says of them.
    #[serde(flatten)]
    pub judged: Option<JudgedRule>,
    /// URLs to test on whose shape no URL to learn from has.
    pub unseen_urls: usize,
    /// The program's version.
    pub undust: &'static str,
    /// In the order asked for.
    pub methods: Vec<MethodResult>,
}

/// What one method did on one site.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodResult {
    /// The method.
    pub name: String,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: MethodOutcome,
}

/// Figures, or the reason why there are none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MethodOutcome {
    /// It learned, and was replayed.
    Evaluated(Box<Figures>),
    /// It could not learn.
    Failed {
        /// One sentence.
        error: String,
    },
}

/// The figures of one replay. None of them is ever NaN.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Share of the fetched pages that showed something new.
    pub precision: f64,
    /// Share of the clusters that were seen.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// URLs fetched.
    pub crawled: usize,
    /// Clusters seen.
    pub covered: usize,
    /// Clusters never seen.
    pub lost: usize,
    /// Fetches that showed nothing new.
    pub redundant: usize,
    /// The same, apart by whether the URL's shape occurred in the part learned from.
    pub by_shape: FiguresByShape,
    /// 95 % bootstrap intervals over clusters.
    pub intervals: IntervalBounds,
    /// Seconds that learning took, to the millisecond.
    pub fit_seconds: f64,
    /// Rules of the model; 0 if it is no set of rules.
    pub rules: usize,
    /// Rules that the clusters suggested, if the method learns rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<usize>,
    /// What the learner capped, sampled or could not check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether what was learned leaves every URL as it is.
    pub learned_nothing: bool,
    /// How the network was trained, if the model is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkFigures>,
    /// What a report shows in addition to the figures; none unless it was asked for, and of one method alone.
    #[serde(skip)]
    pub details: Option<Box<JudgedDetails>>,
}

/// How a network was trained.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NetworkFigures {
    /// Distinct template pairs that it saw.
    pub templates: usize,
    /// Steps taken.
    pub steps: usize,
    /// The step whose weights were kept.
    pub best_step: usize,
    /// Share of the held-out pairs that those weights translate exactly.
    pub exact_match: f64,
    /// Why training ended.
    pub stopped: Stopped,
}

impl SiteResult {
    /// Of a unit, with what methods did.
    pub(super) fn of(split: &Split, methods: Vec<MethodResult>) -> SiteResult {
        let ((train, train_clusters), (test, test_clusters)) = (split.train(), split.test());
        SiteResult {
            site: split.unit.site.clone(),
            crawl: split.unit.crawl.clone(),
            split: split.options.split,
            hold_out: split.options.hold_out,
            train_pages: train.len(),
            train_clusters: train_clusters.len(),
            test_pages: test.len(),
            test_clusters: test_clusters.len(),
            judged: split.judged,
            unseen_urls: split.unseen_urls(),
            undust: env!("CARGO_PKG_VERSION"),
            methods,
        }
    }

    /// What a method did, by its name.
    pub fn method(&self, name: &str) -> Option<&MethodResult> {
        self.methods.iter().find(|method| method.name == name)
    }
}

impl MethodResult {
    /// The figures, unless it failed.
    pub fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            MethodOutcome::Evaluated(figures) => Some(figures),
            MethodOutcome::Failed { .. } => None,
        }
    }
}

impl Figures {
    pub(super) fn of(
        replay: &Replay,
        model: &Model,
        report: &Report,
        fit_seconds: f64,
        split: &Split,
    ) -> Self {
        let rules = report.rules.as_ref();
        Figures {
            precision: replay.precision(),
            recall: replay.recall(),
            f1: replay.f1(),
            crawled: replay.crawled,
            covered: replay.covered,
            lost: replay.lost(),
            redundant: replay.redundant(),
            by_shape: split.by_shape(replay),
            intervals: bootstrap(replay, RESAMPLES, split.options.seed),
            fit_seconds: (fit_seconds * 1e3).round() / 1e3,
            rules: rules.map_or(0, |rules| rules.kept),
            candidates: rules.map(|rules| rules.candidates),
            notes: rules.map(|rules| rules.notes.clone()).unwrap_or_default(),
            learned_nothing: changes_nothing(model),
            network: report.network.as_ref().map(NetworkFigures::of),
            details: None,
        }
    }
}

/// Whether a model leaves every URL as it is.
fn changes_nothing(model: &Model) -> bool {
    matches!(model, Model::Identity | Model::Rules(_) | Model::Edits(_))
        && model.operations().is_empty()
}

impl NetworkFigures {
    fn of(network: &NetworkReport) -> NetworkFigures {
        let report = &network.training;
        NetworkFigures {
            templates: network.templates,
            steps: report.curve.last().map_or(0, |check| check.step),
            best_step: report.best.step,
            exact_match: report.best.exact_match,
            stopped: report.stopped,
        }
    }
}

/// Where several results share a site's name, appends the name of the crawl's file, or its path
/// if that is shared, too.
pub fn make_names_unique(results: &mut [SiteResult]) {
    let name = |result: &SiteResult| result.site.clone();
    let name_and_stem =
        |result: &SiteResult| format!("{} ({})", result.site, stem(Path::new(&result.crawl)));
    let (names, long_names) = (counts(results, name), counts(results, name_and_stem));
    for result in results.iter_mut().filter(|result| names[&result.site] > 1) {
        let long_name = name_and_stem(result);
        result.site = match long_names[&long_name] {
            1 => long_name,
            _ => format!("{} ({})", result.site, result.crawl),
        };
    }
}

fn counts(results: &[SiteResult], name: impl Fn(&SiteResult) -> String) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for result in results {
        *counts.entry(name(result)).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use undust_rules::dustbuster::substitution::Substitution;
    use undust_rules::dustbuster::text_substitution::TextSubstitution;
    use undust_rules::measured::MeasuredRule;
    use undust_rules::rule::Rule;
    use undust_rules::set::RuleSet;

    use super::*;

    #[test]
    fn a_model_without_rules_changes_nothing() {
        let (from, to) = ("/print".to_owned(), String::new());
        let text = TextSubstitution { from, to, at_start: false, at_end: true };
        let rule = MeasuredRule::unmeasured(Rule::Substitution(Substitution::Text(text)));
        let of = |rules: Vec<MeasuredRule>| Model::Rules(RuleSet::new(rules));
        assert!(changes_nothing(&of(Vec::new())) && changes_nothing(&Model::Identity));
        assert!(!changes_nothing(&of(vec![rule])) && !changes_nothing(&Model::TokenIdentity));
    }
}
