//! What a method made of a site: the model, how the site writes its URLs, and how learning went.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use undust_edits::conventions::UrlConventions;
use undust_model::folder::files::{self, save_files};
use undust_model::folder::info::ModelInfo;
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_model::translation::{Canonicalizer, Translation};
use undust_url::site::SiteBy;

use crate::error::Result;
use crate::report::Report;

/// What a method made of a site, and how.
#[derive(Debug)]
pub struct Learned {
    /// The model, which takes normalised URLs; [`Learned`] itself takes any.
    pub model: Model,
    /// How that went.
    pub report: Report,
    /// The URL conventions of the site. A baseline has none, so that it measures a crawler without
    /// undust.
    pub conventions: Option<Arc<UrlConventions>>,
}

impl Learned {
    /// Combines a model, its report and the URL conventions.
    pub fn new(model: Model, report: Report, mut conventions: UrlConventions) -> Self {
        match &model {
            Model::Rules(rules) => {
                conventions.know(rules.rules().flat_map(|one| one.rule.argument_names()));
            }
            // The gate has seen what becomes of all that its edits copy.
            Model::Edits(_) => conventions = conventions.without_delimiter_patterns(),
            _ => {}
        }
        let is_plain = matches!(model, Model::Identity | Model::TokenIdentity);
        let conventions = (!is_plain).then(|| Arc::new(conventions));
        Self { model, report, conventions }
    }

    /// Ready to serve and to be saved. `settings` are kept as a record of the training.
    pub fn into_site_model(self, site: &str, by: SiteBy, settings: Value) -> SiteModel {
        let (alone, info) = ([site.into()].into_iter().collect(), self.info((site, by), settings));
        let mut model = SiteModel::new(site, (Arc::new(alone), by), self.conventions, self.model);
        model.info = Some(info);
        model
    }

    fn info(&self, site: (&str, SiteBy), settings: Value) -> ModelInfo {
        let record = json!({ "config": settings, "report": self.report });
        ModelInfo::new(site, &self.report.method, record)
    }
}

/// The files of a model's folder, for callers that store models elsewhere. `settings` are kept as a
/// record of the training; nothing depends on them.
///
/// # Errors
///
/// What cannot be written as JSON.
pub fn model_files(
    site: (&str, SiteBy),
    settings: Value,
    learned: &Learned,
) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let info = learned.info(site, settings);
    files::model_files(&info, learned.conventions.as_deref(), &learned.model)
}

/// Writes these files as the folder of `site` below `models`, in place of the one that is there.
///
/// # Errors
///
/// A folder that cannot be written. The old model then stays.
pub fn save(models: &Path, site: (&str, SiteBy), settings: Value, learned: &Learned) -> Result<()> {
    save_files(models, site.0, &model_files(site, settings, learned)?)
}

/// What will be served, without the guard of the site.
impl Canonicalizer for Learned {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        self.model.canonicalize(self.conventions.as_ref(), url)
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        self.model.prepare_normalized(self.conventions.as_deref(), urls);
    }
}
