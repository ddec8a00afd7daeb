//! The judgement: what each method would have saved and lost on the last part of a
//! crawl, after learning from the part before it (Xu, Liu and Callan, SIGIR 2017,
//! section 3).
//!
//! A crawl becomes one [`Unit`] or one a site ([`units`]); its [`Parts`] are clustered
//! apart; each method learns from the first and is replayed on the second; what comes
//! out is a [`SiteResult`], for a program as JSON, for people as a [`table`]. Units and
//! methods are independent jobs ([`evaluate_all`]).

mod queue;
mod result;
mod rules;
mod rules_table;
mod table;
mod units;

use std::time::Instant;

pub use queue::evaluate_all;
pub use result::{
    Figures, IntervalBounds, MethodResult, NetworkFigures, Outcome, SiteResult, tell_apart,
};
pub use rules::{Effect, RuleReport, Selection};
pub use rules_table::rules_table;
pub use table::table;
pub use units::{Unit, UnitBy, Units, units};

use crate::cluster::{ClusterOptions, Clusters, cluster};
use crate::crawl::{Page, split};
use crate::pairs::TrainingSet;
use crate::simulate::{Replay, simulate};
use crate::{Error, Method, Result, Workshop};

/// How methods are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judging {
    /// Share of the pages, the first ones, that is learned from; below 1.
    pub split: f64,
    /// What a duplicate is.
    pub clusters: ClusterOptions,
    /// Also compute the weighted F with this β: recall counts β times as much.
    pub beta: Option<f64>,
    /// Seed of the bootstrap.
    pub seed: u64,
    /// Whether sets of rules get a rule-level report.
    pub rules: bool,
}

/// Learn from three quarters, as in the paper.
impl Default for Judging {
    fn default() -> Judging {
        Judging {
            split: 0.75,
            clusters: ClusterOptions::default(),
            beta: None,
            seed: 17,
            rules: false,
        }
    }
}

/// A unit, cut into the part to learn from and the part to judge by. Neither part
/// knows of the other's duplicates.
#[derive(Debug, Clone)]
pub struct Parts {
    unit: Unit,
    judging: Judging,
    train: Clusters,
    test: Clusters,
}

impl Parts {
    /// Cuts and clusters.
    ///
    /// # Errors
    ///
    /// A sentence where no page is left to judge by. That there is none to learn from
    /// is no error: the methods then learn nothing.
    pub fn of(unit: Unit, judging: &Judging) -> Result<Parts> {
        let (train, test) = split(&unit.pages, judging.split);
        if test.is_empty() {
            let reason = format!("of {} pages none is left to judge by", unit.pages.len());
            return Err(Error::Crawl { path: unit.crawl.into(), reason });
        }
        let [train, test] = [train, test].map(|part| cluster(part, &judging.clusters));
        Ok(Parts { unit, judging: *judging, train, test })
    }

    /// The pages to learn from, and their clusters.
    pub fn train(&self) -> (&[Page], &Clusters) {
        (&self.unit.pages[..self.cut()], &self.train)
    }

    /// The pages to judge by, and their clusters.
    pub fn test(&self) -> (&[Page], &Clusters) {
        (&self.unit.pages[self.cut()..], &self.test)
    }

    /// What is judged.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    fn cut(&self) -> usize {
        self.train.labels().len()
    }

    /// Has a method learn and replays it. A method that fails is a result, too.
    pub fn judge(&self, method: Method, workshop: &Workshop<'_>) -> MethodResult {
        let outcome = match self.learn_and_replay(method, workshop) {
            Ok(figures) => Outcome::Judged(Box::new(figures)),
            Err(error) => Outcome::Failed { error: error.to_string() },
        };
        MethodResult { name: method.name().to_owned(), outcome }
    }

    fn learn_and_replay(&self, method: Method, workshop: &Workshop<'_>) -> Result<Figures> {
        let (pages, clusters) = self.train();
        let set = TrainingSet::new(pages, clusters);
        let started = Instant::now();
        let model = method.learn(&set, workshop)?;
        let fit_seconds = started.elapsed().as_secs_f64();
        let mut figures = Figures::of(&self.replay(&model), &model, fit_seconds, &self.judging);
        figures.learned_nothing &= method != Method::KeepAll;
        if let Some(learner) = method.learner().filter(|_| self.judging.rules) {
            figures.rule_report = Some(rules::report(self, learner, workshop.config));
        }
        Ok(figures)
    }

    fn replay(&self, model: &dyn crate::Canonicalizer) -> Replay {
        let (pages, clusters) = self.test();
        simulate(pages, clusters, model)
    }
}

/// Judges methods on one unit, one after the other.
///
/// # Errors
///
/// That of [`Parts::of`].
pub fn evaluate(
    unit: Unit,
    methods: &[Method],
    workshop: &Workshop<'_>,
    judging: &Judging,
) -> Result<SiteResult> {
    let parts = Parts::of(unit, judging)?;
    let methods = methods.iter().map(|&method| parts.judge(method, workshop)).collect();
    Ok(SiteResult { methods, ..SiteResult::without_methods(&parts) })
}

#[cfg(test)]
mod tests;
