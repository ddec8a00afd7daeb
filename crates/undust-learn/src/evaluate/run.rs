//! A method on a unit: its result, and what the details of one method are made from once all are done.

use crate::report::LabelReport;
use undust_model::site_model::SiteModel;

use super::details::JudgedDetails;
use super::result::{Figures, MethodOutcome, MethodResult, SiteResult};
use super::split::Split;
use crate::method::Method;
use crate::simulate::Replay;

/// What a method did on a unit.
pub struct MethodRun {
    result: MethodResult,
    /// Where a report wants details.
    replayed: Option<Replayed>,
}

/// A model, and what it fetched of the held-out pages.
pub(super) struct Replayed {
    pub replay: Replay,
    pub model: SiteModel,
    pub labels: Vec<LabelReport>,
}

impl MethodRun {
    /// One that could not learn, and why.
    pub fn failed(method: Method, error: &str) -> Self {
        let outcome = MethodOutcome::Failed { error: error.to_owned() };
        Self { result: MethodResult { name: method.name().to_owned(), outcome }, replayed: None }
    }

    pub(super) fn of(method: Method, figures: Figures, replayed: Option<Replayed>) -> Self {
        let outcome = MethodOutcome::Evaluated(Box::new(figures));
        Self { result: MethodResult { name: method.name().to_owned(), outcome }, replayed }
    }

    /// The figures, unless it failed.
    pub fn figures(&self) -> Option<&Figures> {
        self.result.figures()
    }

    fn judge(&mut self, split: &Split) {
        let MethodOutcome::Evaluated(figures) = &mut self.result.outcome else { return };
        let replayed = self.replayed.take();
        figures.details = replayed.map(|replayed| Box::new(JudgedDetails::of(split, replayed)));
    }
}

impl Split {
    /// What the methods did, in this order. A report judges `auto`, else the first that is no baseline and has figures.
    pub fn result(&self, mut runs: Vec<MethodRun>) -> SiteResult {
        if let Some(run) = judged(&mut runs) {
            run.judge(self);
        }
        SiteResult::of(self, runs.into_iter().map(|run| run.result).collect())
    }
}

fn judged(runs: &mut [MethodRun]) -> Option<&mut MethodRun> {
    let is_baseline = |name: &str| name.parse::<Method>().is_ok_and(Method::is_baseline);
    let learned = runs.iter_mut().filter(|run| !is_baseline(&run.result.name));
    learned
        .filter(|run| run.figures().is_some())
        .min_by_key(|run| run.result.name != Method::Auto.name())
}
