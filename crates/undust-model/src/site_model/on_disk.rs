//! The model of one site as it was learned, saved and loaded, without a registry.

use std::path::Path;
use std::sync::Arc;

use super::SiteModel;
use crate::error::{Error, ModelReason, Result};
use crate::folder::files::{load, model_files, save_files};
use crate::operation::Disabled;

impl SiteModel {
    /// Loads the folder of a model, `models/<site>/`, with what `undust observe` switched off.
    ///
    /// # Errors
    ///
    /// No such folder, a folder of another format, a damaged file.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let disabled = Disabled::read(folder)?;
        let (info, conventions, model) = load(folder)?;
        let alone = Arc::new([info.site.as_str().into()].into_iter().collect());
        let model = Self::new(&info.site, (alone, info.site_by), conventions, model);
        Ok(Self { info: Some(info), ..model.without(disabled) })
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
        let Some(info) = &self.info else {
            return Err(Error::at(folder, ModelReason::NoRecord));
        };
        let models = folder.parent().unwrap_or(Path::new("."));
        let files = model_files(info, self.conventions.as_deref(), &self.model)?;
        save_files(models, &self.site, &files)
    }
}
