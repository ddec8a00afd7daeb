//! Who learns a site while it is crawled.

use std::path::PathBuf;

use undust_cluster::clusters::Clusters;
use undust_edits::editor::Editor;
use undust_learn::config::Config;
use undust_learn::learned::Learned;
use undust_learn::method::{Method, Training};
use undust_learn::observer::Observer;
use undust_learn::report::Report;
use undust_learn::training::TrainingSet;
use undust_model::model::Model;
use undust_pages::page::Page;
use undust_util::error::Result;

use super::evidence::Hypotheses;
use super::kept_model::{KeptModel, ModelKey};
use super::propose::{Deletions, OnePage, Unproven};

/// What a learner has to do with the folder of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeping {
    /// It keeps nothing there: each start learns all sites again.
    Nothing,
    /// It keeps what it learns by these settings.
    Learned(String),
    /// It reads what was learned by these settings, and keeps nothing.
    ReadOnly(String),
    /// It learns nothing, because the figures of the state alone are wanted, whatever the settings.
    FiguresOnly,
}

/// Learns a site from the pages that were fetched.
pub trait Learn: Send + Sync {
    /// What is proposed for an unknown site.
    fn begin(&self) -> Hypotheses;

    /// What these pages teach. The same pages must teach the same.
    ///
    /// # Errors
    ///
    /// Those of [`Method::learn`]. What was believed before stays.
    fn learn(
        &self,
        pages: &[Page],
        clusters: &Clusters,
        observer: &dyn Observer,
    ) -> Result<Hypotheses>;

    /// What it has to do with the folder of a state.
    fn keeping(&self) -> Keeping {
        Keeping::Nothing
    }

    /// What was learned before and kept by this key; none if it is not what it was.
    fn kept(&self, _key: &ModelKey) -> Option<Hypotheses> {
        None
    }

    /// Whether nobody wants to know any more: a replay ends then.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Learns by [`Method::Auto`]; what it accepts is believed. Deletions are proposed from the first
/// page on, and what the settings ask for.
#[derive(Clone, Default)]
pub struct AutoLearner {
    /// The settings of training.
    pub config: Config,
    /// The folder of a state, which keeps what was learned, so that a start need not learn it again.
    pub state: Option<PathBuf>,
    /// Whether the state is only read.
    pub is_read_only: bool,
}

impl AutoLearner {
    /// By these settings.
    pub fn new(config: Config) -> Self {
        Self { config, ..Self::default() }
    }
}

/// Learns nothing: for a state whose figures alone are wanted.
#[derive(Debug, Clone, Copy)]
pub struct NoLearner;

impl Learn for NoLearner {
    fn begin(&self) -> Hypotheses {
        Hypotheses::default()
    }

    fn learn(&self, _: &[Page], _: &Clusters, _: &dyn Observer) -> Result<Hypotheses> {
        Ok(Hypotheses::default())
    }

    fn kept(&self, _: &ModelKey) -> Option<Hypotheses> {
        Some(Hypotheses::default())
    }

    fn keeping(&self) -> Keeping {
        Keeping::FiguresOnly
    }
}

/// What the accepted edits make of URLs where they were not tested, too. None where they hold in all of their scope.
fn beyond_reach(accepted: &Learned) -> Option<Learned> {
    let Model::Edits(editor) = &accepted.model else { return None };
    if editor.rules().all(|rule| rule.accepted.only.is_none()) {
        return None;
    }
    let bold = Editor::from_json(&editor.to_json().ok()?).ok()?.extrapolating();
    let (model, conventions) = (Model::Edits(Box::new(bold)), accepted.conventions.clone());
    Some(Learned { model, conventions, report: Report::default() })
}

impl AutoLearner {
    /// What the gate accepts, or accepted of the same pages, and by what it is kept. What was interrupted is not kept.
    fn accepted(
        &self,
        set: &TrainingSet<'_>,
        training: &Training<'_>,
    ) -> Result<(Learned, Option<ModelKey>)> {
        let Some(state) = self.state.as_ref() else {
            return Ok((Method::Auto.learn(set, training)?, None));
        };
        let key = ModelKey::of(set.pages(), set.clusters(), &self.config);
        let kept = key.clone().map(|key| KeptModel::of(state, key));
        if let Some(learned) = kept.as_ref().and_then(KeptModel::read) {
            return Ok((learned, key));
        }
        let learned = Method::Auto.learn(set, training)?;
        let is_to_be_kept = !self.is_read_only && !training.observer.interrupted();
        let is_kept = kept.filter(|_| is_to_be_kept).is_some_and(|kept| kept.write(&learned));
        Ok((learned, key.filter(|_| is_kept)))
    }

    fn believing(&self, accepted: Learned, kept: Option<ModelKey>) -> Hypotheses {
        let mut hypotheses = Hypotheses { kept, ..self.begin() };
        if let Some(bold) = beyond_reach(&accepted) {
            hypotheses.learned.push(Box::new(Unproven::new("beyond reach", bold)));
        }
        hypotheses.accepted = Some(Box::new(accepted));
        hypotheses
    }
}

impl Learn for AutoLearner {
    fn begin(&self) -> Hypotheses {
        let mut hypotheses = Hypotheses::default();
        hypotheses.given.push(Box::new(Deletions));
        hypotheses.given.push(Box::new(OnePage));
        hypotheses
    }

    fn learn(
        &self,
        pages: &[Page],
        clusters: &Clusters,
        observer: &dyn Observer,
    ) -> Result<Hypotheses> {
        let set = TrainingSet::by(pages, clusters, &self.config.canonical);
        let training = Training { observer, ..Training::new(&self.config) };
        let (accepted, kept) = self.accepted(&set, &training)?;
        Ok(self.believing(accepted, kept))
    }

    fn keeping(&self) -> Keeping {
        let settings = || self.config.record().to_string();
        match (&self.state, self.is_read_only) {
            (None, _) => Keeping::Nothing,
            (Some(_), false) => Keeping::Learned(settings()),
            (Some(_), true) => Keeping::ReadOnly(settings()),
        }
    }

    fn kept(&self, key: &ModelKey) -> Option<Hypotheses> {
        let accepted = KeptModel::of(self.state.as_ref()?, key.clone()).read()?;
        Some(self.believing(accepted, Some(key.clone())))
    }
}
