//! Settings as Python gives them.

use std::path::PathBuf;

use pyo3::prelude::*;
use undust::Config;

use crate::errors::SettingsError;

/// Settings from a dict of sections, or from the path of a settings file.
pub(crate) fn config(settings: Option<&Bound<'_, PyAny>>) -> PyResult<Config> {
    let wrong = |error: undust::Error| SettingsError::new_err(error.to_string());
    let Some(settings) = settings else { return Ok(Config::default()) };
    if let Ok(path) = settings.extract::<PathBuf>() {
        return Config::read(&path).map_err(wrong);
    }
    let table: toml::Table = pythonize::depythonize(settings)
        .map_err(|error| SettingsError::new_err(format!("settings: {error}")))?;
    Config::from_table(table).map_err(wrong)
}
