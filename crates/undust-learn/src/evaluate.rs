//! The judgement: what each method would have saved and lost on the last part of a
//! crawl, after learning from the part before it (Xu, Liu and Callan, SIGIR 2017,
//! section 3).
//!
//! A crawl becomes one [`Unit`] or one a site ([`units`]); it is [split](Split) into two parts,
//! which are clustered apart; each method learns from the first, and the model that would be
//! served, its site's guard included, is replayed on the second. What comes out is a
//! [`SiteResult`]. Units and methods are independent jobs ([`evaluate_all`](queue::evaluate_all)).

pub mod queue;
pub mod result;
pub mod rules;
#[cfg(test)]
mod tests;
pub mod units;

use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashSet;

use undust_cluster::clusters::{ClusterOptions, Clusters, cluster};
use undust_model::conventions::UrlConventions;
use undust_model::learned::Learned;
use undust_model::model::Model;
use undust_model::report::Report;
use undust_model::site_model::{SiteModel, SiteScope};
use undust_pages::page::Page;
use undust_url::site::site_of;
use undust_util::error::{Error, Result};
use undust_util::plural::counted;

use self::result::{Figures, Judgement, MethodResult, SiteResult};
use self::units::Unit;
use crate::learners::learner::Learner;
use crate::method::{Method, Training};
use crate::simulate::simulate;
use crate::training::hold_out::HoldOut;
use crate::training::{NormalizedSet, TrainingSet};

/// How methods are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvaluationOptions {
    /// Share of the pages that is learned from, the first ones if what is held out is so by time; below 1.
    pub split: f64,
    /// Which pages are held out to judge by.
    pub hold_out: HoldOut,
    /// What a duplicate is.
    pub clusters: ClusterOptions,
    /// Also compute the weighted F with this β: recall counts β times as much.
    pub beta: Option<f64>,
    /// Seed of the bootstrap, and of what is held out.
    pub seed: u64,
    /// Whether sets of rules get a rule-level report.
    pub rules: bool,
}

/// Learn from three quarters, as in the paper.
impl Default for EvaluationOptions {
    fn default() -> EvaluationOptions {
        EvaluationOptions {
            split: 0.75,
            hold_out: HoldOut::Time,
            clusters: ClusterOptions::default(),
            beta: None,
            seed: 17,
            rules: false,
        }
    }
}

/// A unit, split into the part to learn from and the part to judge by. Neither part knows of
/// the other's duplicates.
#[derive(Debug, Clone)]
pub struct Split {
    unit: Unit,
    options: EvaluationOptions,
    train: Clusters,
    test: Clusters,
    /// The sites of the unit's pages: a model's answers must stay among them.
    home: Arc<FxHashSet<Box<str>>>,
}

impl Split {
    /// Cuts and clusters.
    ///
    /// # Errors
    ///
    /// A sentence where no page is left to judge by. That there is none to learn from
    /// is no error: the methods then learn nothing.
    pub fn of(mut unit: Unit, options: &EvaluationOptions) -> Result<Split> {
        let (pages, cut) = options.hold_out.split(unit.pages, options.split, options.seed);
        unit.pages = pages;
        let (train, test) = unit.pages.split_at(cut);
        if test.is_empty() {
            let reason = nothing_held_out(unit.pages.len(), options);
            return Err(Error::Crawl { path: unit.crawl.into(), reason, remedy: None });
        }
        let [train, test] = [train, test].map(|part| cluster(part, &options.clusters));
        let sites = unit.pages.iter().filter_map(|page| site_of(&page.url, unit.site_by));
        let home: FxHashSet<Box<str>> = sites.map(Box::from).collect();
        Ok(Split { unit, options: *options, train, test, home: Arc::new(home) })
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

    /// Has a method learn and replays what it learned. A method that fails is a result, too.
    pub fn judge(&self, method: Method, training: &Training<'_>) -> MethodResult {
        let judgement = match self.learn_and_replay(method, training) {
            Ok(figures) => Judgement::Judged(Box::new(figures)),
            Err(error) => Judgement::Failed { error: error.to_string() },
        };
        MethodResult { name: method.name().to_owned(), judgement }
    }

    fn learn_and_replay(&self, method: Method, training: &Training<'_>) -> Result<Figures> {
        let (pages, clusters) = self.train();
        let set = TrainingSet::by(pages, clusters, &training.config.canonical);
        let started = Instant::now();
        if let (Method::Rules(learner), true) = (method, self.options.rules) {
            return Ok(self.study_and_replay(learner, &set, training));
        }
        let learned = method.learn(&set, training)?;
        let mut figures = self.replayed(learned, started.elapsed().as_secs_f64());
        figures.learned_nothing &= !method.is_baseline();
        Ok(figures)
    }

    /// The same as [`Method::learn`] makes of rules, and a report of the candidates.
    fn study_and_replay(
        &self,
        learner: &'static Learner,
        set: &TrainingSet<'_>,
        training: &Training<'_>,
    ) -> Figures {
        let started = Instant::now();
        let normalized = NormalizedSet::of(set, &training.config.gate);
        let conventions = Arc::new(normalized.conventions().clone());
        let set = normalized.set();
        let study = learner.study_observed(&set, training.config, training.observer);
        let (rules, how) = study.learn(&training.config.rules);
        let mut report = Report::new(learner.name, self.cut(), self.train.len());
        report.rules = Some(how);
        let learned =
            Learned::new(Model::Rules(rules), report, UrlConventions::clone(&conventions));
        let mut figures = self.replayed(learned, started.elapsed().as_secs_f64());
        figures.rule_report = Some(rules::report(self, &study, &conventions));
        figures
    }

    fn replayed(&self, learned: Learned, fit_seconds: f64) -> Figures {
        let Learned { model, report, conventions } = learned;
        let model = self.served(conventions, model);
        let (pages, clusters) = self.test();
        let replay = simulate(pages, clusters, &model);
        Figures::of(&replay, (model.model(), &report), fit_seconds, &self.options)
    }

    /// The model as it would be served.
    fn served(&self, conventions: Option<Arc<UrlConventions>>, model: Model) -> SiteModel {
        let home = SiteScope::AnyOf(Arc::clone(&self.home), self.unit.site_by);
        SiteModel::new(&self.unit.site, (conventions, model), home)
    }
}

/// Why no page is left to judge by.
fn nothing_held_out(pages: usize, options: &EvaluationOptions) -> String {
    let groups = match options.hold_out {
        HoldOut::Folder if pages > 0 => "folders",
        HoldOut::Shape if pages > 0 => "shapes",
        _ => return format!("none of {} is left to judge by", counted(pages, "page")),
    };
    let percent = 100.0 * (1.0 - options.split);
    let pages = counted(pages, "page");
    format!("{pages} cannot be split: no set of {groups} has about {percent:.0} % of them")
}

/// Judges methods on one unit, one after the other.
///
/// # Errors
///
/// No page is left to judge by.
pub fn evaluate(
    unit: Unit,
    methods: &[Method],
    training: &Training<'_>,
    options: &EvaluationOptions,
) -> Result<SiteResult> {
    let split = Split::of(unit, options)?;
    let methods = methods.iter().map(|&method| split.judge(method, training)).collect();
    Ok(SiteResult { methods, ..SiteResult::without_methods(&split) })
}
