//! Evaluation: what each method would have saved and lost on the last part of a
//! crawl, after learning from the part before it (Xu, Liu and Callan, SIGIR 2017,
//! section 3).
//!
//! A crawl becomes one [`Unit`] or one a site ([`units`]); it is [split](Split) into two parts; each method learns
//! from the first, and the model that would be served, its site's guard included, is replayed on the second. What
//! comes out is a [`SiteResult`]. Units and methods are independent jobs ([`evaluate_all`](queue::evaluate_all)).

pub mod by_shape;
pub mod details;
mod options;
pub mod queue;
pub mod result;
pub mod run;
mod split;
#[cfg(test)]
mod tests;
pub mod units;

use std::time::Instant;

use crate::learned::Learned;
use undust_util::error::Result;

pub use self::options::EvaluationOptions;
use self::result::{Figures, SiteResult};
use self::run::{MethodRun, Replayed};
pub use self::split::{JudgedRule, Split};
use self::units::Unit;
use crate::method::{Method, Training};
use crate::simulate::simulate;
use crate::training::TrainingSet;

impl Split {
    /// Has a method learn and replays what it learned. A method that fails is a result, too.
    pub fn evaluate(&self, method: Method, training: &Training<'_>) -> MethodRun {
        match self.learn_and_replay(method, training) {
            Ok((figures, replayed)) => MethodRun::of(method, figures, replayed),
            Err(error) => MethodRun::failed(method, &error.to_string()),
        }
    }

    fn learn_and_replay(
        &self,
        method: Method,
        training: &Training<'_>,
    ) -> Result<(Figures, Option<Replayed>)> {
        let (pages, clusters) = self.train();
        let set = TrainingSet::by(pages, clusters, &training.config.canonical);
        let started = Instant::now();
        let learned = method.learn(&set, training)?;
        let (mut figures, replayed) = self.replayed(learned, started.elapsed().as_secs_f64());
        figures.learned_nothing &= !method.is_baseline();
        Ok((figures, replayed))
    }

    fn replayed(&self, learned: Learned, fit_seconds: f64) -> (Figures, Option<Replayed>) {
        let Learned { model, report, conventions } = learned;
        let model = self.served(conventions, model);
        let (pages, clusters) = self.test();
        let replay = simulate(pages, clusters, &model);
        let figures = Figures::of(&replay, &model.model, &report, fit_seconds, self);
        let details = self.options.details;
        (figures, details.then_some(Replayed { replay, model, labels: report.labels }))
    }
}

/// Evaluates methods on one unit, one after the other.
///
/// # Errors
///
/// No page is left to test on.
pub fn evaluate(
    unit: Unit,
    methods: &[Method],
    training: &Training<'_>,
    options: &EvaluationOptions,
) -> Result<SiteResult> {
    let split = Split::of(unit, options)?;
    Ok(split.result(methods.iter().map(|&method| split.evaluate(method, training)).collect()))
}
