//! The model of one site as it was learned, saved and loaded, without a registry.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use undust_url::site::SiteBy;

use super::{SiteModel, SiteScope};
use crate::error::{Error, ModelReason, Result};
use crate::folder::files::{load, save_parts};
use crate::folder::info::TrainingRecord;
use crate::learned::Learned;
use crate::operation::Disabled;
use crate::report::Report;
use crate::translation::{Canonicalizer, Translation};

impl SiteModel {
    /// What was learned of a site, ready to serve and to be saved. `settings` are kept as a record
    /// of the training.
    pub fn learned(site: &str, by: SiteBy, settings: Value, learned: Learned) -> Self {
        let Learned { model, report, conventions } = learned;
        let record = TrainingRecord { config: settings, report };
        Self {
            record: Some(Box::new(record)),
            ..Self::new(site, conventions, model, alone(site, by))
        }
    }

    /// Loads the folder of a model, `models/<site>/`, with what `undust observe` switched off.
    ///
    /// # Errors
    ///
    /// No such folder, a folder of another format, a damaged file.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let disabled = Disabled::read(folder)?;
        let (info, conventions, model) = load(folder)?;
        let record = info.record().map(Box::new);
        let scope = alone(&info.site, info.site_by);
        Ok(Self { record, ..Self::new(&info.site, conventions, model, scope) }.without(disabled))
    }

    /// Writes the folder of the model, in place of an older one at once. The last part of the
    /// path must be the site's name.
    ///
    /// # Errors
    ///
    /// Another name, a model without a record of its training, a folder that cannot be written.
    /// The old model then stays.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        if folder.file_name().is_none_or(|name| name != &*self.site) {
            return Err(Error::at(folder, ModelReason::WrongName { site: self.site.to_string() }));
        }
        let (record, by) = match (&self.record, &self.scope) {
            (Some(record), SiteScope::AnyOf(_, by)) => (record, *by),
            _ => return Err(Error::at(folder, ModelReason::NoRecord)),
        };
        let models = folder.parent().unwrap_or(Path::new("."));
        save_parts(models, (&self.site, by), record, self.conventions(), &self.model)
    }

    /// The canonical form of `url`, how it was found and why. The URL is normalised first. A URL
    /// that cannot be translated stays unchanged; no answer is of another site.
    pub fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        Canonicalizer::canonicalize(self, url)
    }

    /// How it was learned, if that is known.
    pub fn report(&self) -> Option<&Report> {
        self.record.as_deref().map(|record| &record.report)
    }
}

/// Whose URLs a model answers with that no registry serves: those of its own site.
fn alone(site: &str, by: SiteBy) -> SiteScope {
    SiteScope::AnyOf(Arc::new([site.into()].into_iter().collect()), by)
}
