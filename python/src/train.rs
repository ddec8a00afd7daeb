//! Training from Python: crawls on disk or rows of Python objects, a model for every site.

mod crawl;
mod job;

use std::collections::HashMap;
use std::num::NonZero;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use undust::crawl::ReadOptions;
use undust::{Config, Method};

use self::crawl::{Input, read};
use self::job::{Done, Job};
use crate::errors::{CrawlError, Error, raised, sentence};
use crate::ingest::{options_of, site_rule};
use crate::settings::config;

/// Trains every site of these crawls; what became of each, the largest site first. The package's
/// `train` has the documentation.
#[pyfunction]
#[pyo3(signature = (crawls, models, *, method, settings, site_by, host, fields, lenient, jobs))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn train<'p>(
    py: Python<'p>,
    crawls: Vec<Input<'p>>,
    models: PathBuf,
    method: &str,
    settings: Option<&Bound<'p, PyAny>>,
    site_by: &str,
    host: Option<String>,
    fields: HashMap<String, String>,
    lenient: bool,
    jobs: Option<NonZero<usize>>,
) -> PyResult<Bound<'p, PyList>> {
    let method: Method = method.parse().map_err(|error| raised(&error))?;
    let config = config(settings)?;
    let by = site_rule(site_by)?;
    let labels = config.labels.is_used();
    let options = ReadOptions { lenient, host, labels, ..options_of(fields)? };
    let (read, report) = read(py, crawls, &options, by, method.learns_from_urls())?;
    if read.sites.is_empty() {
        let described = format!("no page to learn from: {report}; left out: {}", read.left_out);
        return Err(CrawlError::new_err(described));
    }
    let job = Job { method, config: &config, models: &models, jobs };
    let all_done = job.train_all(py, read.sites)?;
    if let Some(described) = nothing(&all_done, &config) {
        return Err(Error::new_err(described));
    }
    let described = all_done.iter().map(|done| describe(py, done)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, described)
}

/// A sentence where no site got a model.
fn nothing(all_done: &[Done], config: &Config) -> Option<String> {
    if all_done.iter().any(|done| done.folder.is_some()) {
        return None;
    }
    let failed = all_done.iter().find_map(|done| done.error.as_ref());
    Some(failed.map_or_else(
        || {
            format!(
                "no site has the {} pages and {} duplicate clusters that a model needs: crawl \
                 more, or lower site.min_pages and site.min_clusters in the settings",
                config.site.min_pages, config.site.min_clusters
            )
        },
        sentence,
    ))
}

/// What became of a site, as a dict.
fn describe<'p>(py: Python<'p>, done: &Done) -> PyResult<Bound<'p, PyDict>> {
    let described = PyDict::new(py);
    described.set_item("site", &done.site)?;
    described.set_item("outcome", done.outcome)?;
    described.set_item("pages", done.pages)?;
    described.set_item("clusters", done.clusters)?;
    described.set_item("folder", done.folder.as_deref())?;
    described.set_item("error", done.error.as_ref().map(sentence))?;
    Ok(described)
}
