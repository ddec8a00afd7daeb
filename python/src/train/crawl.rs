//! Crawls as Python hands them over: paths, or rows.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods};
use undust::crawl::{ReadOptions, ReadReport, Response, SiteBy};
use undust::learn::{FoundSites, SitesBuilder, read_crawl};

use crate::errors::{CrawlError, raised};
use crate::page::Html;

/// A crawl: a file, or an iterable of rows (dicts).
#[derive(FromPyObject)]
pub(crate) enum Input<'p> {
    File(PathBuf),
    Rows(Bound<'p, PyAny>),
}

/// Reads crawls, each later in time than those before it. Of logs and lists, which only some
/// methods learn from, it holds a URL, a status and a length each.
pub(super) fn read(
    py: Python<'_>,
    inputs: Vec<Input<'_>>,
    options: &ReadOptions,
    by: SiteBy,
    from_urls: bool,
) -> PyResult<(FoundSites, ReadReport)> {
    let mut sites = SitesBuilder::new(inputs.len(), from_urls);
    if options.labels {
        sites = sites.with_labels();
    }
    let mut report = ReadReport::default();
    let options = ReadOptions { lists: from_urls, ..options.clone() };
    for input in inputs {
        match input {
            Input::File(path) => {
                let read = py.detach(|| read_crawl(&path, &options, &mut sites));
                report.add(read.map_err(|error| raised(&error))?);
            }
            Input::Rows(rows) => {
                sites.next_crawl();
                take_rows(&mut sites, &mut report, &rows, options.lenient)?;
            }
        }
    }
    Ok((py.detach(|| sites.finish(by)), report))
}

fn take_rows(
    sites: &mut SitesBuilder,
    report: &mut ReadReport,
    rows: &Bound<'_, PyAny>,
    lenient: bool,
) -> PyResult<()> {
    for (number, row) in (1u64..).zip(rows.try_iter()?) {
        match response(&row?) {
            Ok(Some(response)) => {
                report.responses += 1;
                sites.push(response);
            }
            Ok(None) => report.not_html += 1,
            Err(_) if lenient => report.bad_manifest_lines += 1,
            Err(reason) => {
                let described = format!("row {number}: {reason}; lenient=True skips such rows");
                return Err(CrawlError::new_err(described));
            }
        }
    }
    Ok(())
}

/// The response of a row: the fields of a manifest's line, or `html` in place of what is made of
/// it. Nothing where the page is not HTML. The reason where it is no response.
fn response(row: &Bound<'_, PyAny>) -> Result<Option<Response>, String> {
    let text = |error: PyErr| error.value(row.py()).to_string();
    let row = row.cast::<PyDict>().map_err(|_| "is not a dict".to_owned())?;
    let response: Response = pythonize::depythonize(row).map_err(|error| error.to_string())?;
    if response.url.is_empty() {
        return Err("the url is empty".into());
    }
    let html = row.get_item("html").map_err(text)?.filter(|html| !html.is_none());
    let Some(html) = html.filter(|_| response.status == 200) else { return Ok(Some(response)) };
    let html: Html<'_> = html.extract().map_err(|_| "html is not str or bytes".to_owned())?;
    let read = html.response(row.py(), &response.url, None).map_err(text)?;
    Ok(read.map(|page| Response { time: response.time, importance: response.importance, ..page }))
}
