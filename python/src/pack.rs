//! A pack in the making, for models that come one by one from elsewhere.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use undust::model::pack;

use crate::errors::raised;
use crate::ingest::site_rule;

/// Writes models into a pack, which takes its name when it is finished.
#[pyclass(module = "undust")]
pub(crate) struct PackWriter(Option<pack::PackWriter>);

#[pymethods]
impl PackWriter {
    #[new]
    #[pyo3(signature = (path, *, append = false))]
    fn new(path: PathBuf, append: bool) -> PyResult<Self> {
        let writer = match append {
            true => pack::PackWriter::append(&path),
            false => pack::PackWriter::create(&path),
        };
        writer.map(|writer| Self(Some(writer))).map_err(|error| raised(&error))
    }

    /// Adds the model of a site: the files of its folder, by name. `site_by` is what the site's name
    /// means, `host` or `domain`.
    fn add(
        &mut self,
        site: &str,
        site_by: &str,
        files: BTreeMap<String, PyBackedBytes>,
    ) -> PyResult<()> {
        let by = site_rule(site_by)?;
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, content)| (name.as_str(), &**content)).collect();
        let writer = self.0.as_mut().ok_or_else(finished)?;
        writer.add(site, Some(by), &files).map_err(|error| raised(&error))
    }

    /// Ends the pack, and puts it in the place of the one before; the number of its models.
    fn finish(&mut self, py: Python<'_>) -> PyResult<u64> {
        let writer = self.0.take().ok_or_else(finished)?;
        py.detach(|| writer.finish()).map_err(|error| raised(&error))
    }
}

/// Writes the model of a site, the files of its folder by name, below `models`, in place of the one
/// there at once.
#[pyfunction]
pub(crate) fn save_model(
    models: PathBuf,
    site: &str,
    files: BTreeMap<String, PyBackedBytes>,
) -> PyResult<()> {
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, content)| (name.as_str(), content.to_vec())).collect();
    undust::model::save_files(&models, site, &files).map_err(|error| raised(&error))
}

fn finished() -> PyErr {
    PyValueError::new_err("the pack is finished")
}
