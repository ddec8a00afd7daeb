//! An archive as rows, and the keys of URLs, for engines that spread them over machines.

use std::collections::HashMap;
use std::path::PathBuf;
use std::slice;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use pyo3::prelude::*;
use undust::crawl::{ReadOptions, Response, SiteBy, read_all, redirect_targets, site_of};

use crate::arrow::Column;
use crate::errors::{CrawlError, SettingsError, raised};
use crate::table::{Rows, Text, batch_of, keys};

/// Rows of a batch.
const BATCH: usize = 4096;

/// The responses of one file, whatever `undust train` reads, in batches, and a sentence on what
/// was read and skipped. Its rows are numbered from `first` on; with `labels` they have `og_url`,
/// `no_vary_search` and `alternates`, too.
/// It reads on the caller's thread: an engine gives each task one core.
#[pyfunction]
#[pyo3(signature = (path, *, crawl, first, site_by, fields, host, lenient, max_body, labels))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn ingest(
    py: Python<'_>,
    path: PathBuf,
    crawl: i32,
    first: i64,
    site_by: &str,
    fields: HashMap<String, String>,
    host: Option<String>,
    lenient: bool,
    max_body: Option<usize>,
    labels: bool,
) -> PyResult<(Vec<Rows>, String)> {
    let by = site_rule(site_by)?;
    let defaults = options_of(fields)?;
    let max_body = max_body.unwrap_or(defaults.max_body);
    let options = ReadOptions { lenient, host, max_body, threads: 1, ..defaults };
    py.detach(|| {
        let mut batches =
            Batches { by, crawl, labels, next: first, pending: Vec::new(), done: Vec::new() };
        let report = read_all(slice::from_ref(&path), &options, &mut |response| {
            batches.push(response);
            Ok(())
        });
        let report = report.map_err(|error| raised(&error))?;
        Ok((batches.finish()?, report.to_string()))
    })
}

/// The columns `site` and `hash` of a column of URLs.
#[pyfunction]
pub(crate) fn site_keys(py: Python<'_>, urls: &Bound<'_, PyAny>, site_by: &str) -> PyResult<Rows> {
    let by = site_rule(site_by)?;
    let Some(column) = Column::lent_by(urls)? else {
        return Err(CrawlError::new_err("URLs must come as an Arrow array of text"));
    };
    py.detach(|| Rows::of(keys(column.texts()?.into_iter(), by)))
}

/// Where the redirects of a batch lead that leave the site: its `site` with each `url` that the
/// target may have in a crawl.
#[pyfunction]
pub(crate) fn redirects_away(
    py: Python<'_>,
    batch: &Bound<'_, PyAny>,
    site_by: &str,
) -> PyResult<Rows> {
    let by = site_rule(site_by)?;
    let batch = batch_of(batch)?;
    py.detach(|| {
        let (sites, locations) = (Text::of(&batch, "site")?, Text::of(&batch, "location")?);
        let (mut of_sites, mut urls) = (Vec::new(), Vec::new());
        for row in 0..batch.num_rows() {
            let (Some(site), Some(location)) = (sites.get(row), locations.get(row)) else {
                continue;
            };
            if site_of(location, by).is_some_and(|target| target != site) {
                for url in redirect_targets(location) {
                    of_sites.push(Some(site));
                    urls.push(Some(url.into_owned()));
                }
            }
        }
        Rows::of(vec![
            ("site", Arc::new(of_sites.into_iter().collect::<StringArray>()) as ArrayRef),
            ("url", Arc::new(urls.into_iter().collect::<StringArray>())),
        ])
    })
}

/// What is one site.
pub(crate) fn site_rule(site_by: &str) -> PyResult<SiteBy> {
    match site_by {
        "host" => Ok(SiteBy::Host),
        "domain" => Ok(SiteBy::Domain),
        other => Err(SettingsError::new_err(format!(
            "site_by is {other:?}: it must be \"host\" or \"domain\""
        ))),
    }
}

/// How files are read whose fields have these names.
pub(crate) fn options_of(names: HashMap<String, String>) -> PyResult<ReadOptions> {
    let mut options = ReadOptions::default();
    for (field, name) in names {
        let unknown = || {
            SettingsError::new_err(format!(
                "fields has {field:?}: it may have \"url\", \"body\", \"status\", \"digest\", \"location\" and \"title\""
            ))
        };
        *options.fields.of(&field).ok_or_else(unknown)? = Some(name);
    }
    Ok(options)
}

/// Responses that become batches of rows.
struct Batches {
    by: SiteBy,
    crawl: i32,
    labels: bool,
    next: i64,
    pending: Vec<Response>,
    done: Vec<PyResult<Rows>>,
}

impl Batches {
    fn push(&mut self, response: Response) {
        self.pending.push(response);
        if self.pending.len() == BATCH {
            self.end_batch();
        }
    }

    fn end_batch(&mut self) {
        let rows = Rows::of_responses(&self.pending, self.by, self.crawl, self.next, self.labels);
        self.done.push(rows);
        self.next += self.pending.len() as i64;
        self.pending.clear();
    }

    fn finish(mut self) -> PyResult<Vec<Rows>> {
        if !self.pending.is_empty() {
            self.end_batch();
        }
        self.done.into_iter().collect()
    }
}
