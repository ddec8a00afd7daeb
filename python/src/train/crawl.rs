//! Crawls as Python hands them over: paths, or rows.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods};
use undust::{
    Answer, LeftOut, Page, Pages, PagesBuilder, ReadOptions, ReadReport, Response, Site, SiteBy,
    add_crawls, add_listings, read_all, sites_of,
};

use crate::errors::{CrawlError, raised};
use crate::page::Html;

/// A crawl: a file, or an iterable of rows (dicts).
#[derive(FromPyObject)]
pub(crate) enum Input<'p> {
    File(PathBuf),
    Rows(Bound<'p, PyAny>),
}

/// What was read.
pub(super) struct Read {
    pub sites: Vec<Site>,
    pub report: ReadReport,
    pub left_out: LeftOut,
}

/// Reads crawls, each later in time than those before it. Of logs and lists, which only some
/// methods learn from, it holds a URL, a status and a length each.
pub(super) fn read(
    py: Python<'_>,
    inputs: Vec<Input<'_>>,
    options: &ReadOptions,
    by: SiteBy,
    from_urls: bool,
) -> PyResult<Read> {
    let options = ReadOptions { lists: from_urls, ..options.clone() };
    let mut intake = Intake { are_many: inputs.len() > 1, from_urls, ..Intake::default() };
    for input in inputs {
        intake.begin();
        match input {
            Input::File(path) => py.detach(|| intake.file(path, &options))?,
            Input::Rows(rows) => intake.rows(&rows, options.lenient)?,
        }
    }
    Ok(py.detach(|| intake.finish(by)))
}

#[derive(Default)]
struct Intake {
    are_many: bool,
    from_urls: bool,
    all: PagesBuilder,
    /// Each crawl by itself, if there are several.
    crawls: Vec<PagesBuilder>,
    /// Of logs and lists, and of crawls: these answers count only if there is no page at all.
    listed: Vec<Answer>,
    crawled: Vec<Answer>,
    report: ReadReport,
}

impl Intake {
    fn begin(&mut self) {
        self.all.next_crawl();
        if self.are_many {
            self.crawls.push(PagesBuilder::new());
        }
    }

    fn push(&mut self, response: Response) {
        if self.from_urls && response.simhash.is_none() && response.digest.is_none() {
            let Response { url, status, length, is_listed, .. } = &response;
            let answer = Answer { url: url.clone(), status: *status, length: *length };
            if *is_listed { self.listed.push(answer) } else { self.crawled.push(answer) }
        }
        if let Some(crawl) = self.crawls.last_mut() {
            crawl.push(response.clone());
        }
        self.all.push(response);
    }

    fn file(&mut self, path: PathBuf, options: &ReadOptions) -> PyResult<()> {
        let report = read_all(&[path], options, &mut |response| {
            self.push(response);
            Ok(())
        });
        let report = report.map_err(|error| raised(&error))?;
        self.report.responses += report.responses;
        self.report.notes.extend(report.notes);
        Ok(())
    }

    fn rows(&mut self, rows: &Bound<'_, PyAny>, lenient: bool) -> PyResult<()> {
        for (number, row) in (1u64..).zip(rows.try_iter()?) {
            match response(&row?) {
                Ok(Some(response)) => {
                    self.report.responses += 1;
                    self.push(response);
                }
                Ok(None) => self.report.not_html += 1,
                Err(_) if lenient => self.report.bad_manifest_lines += 1,
                Err(reason) => {
                    let told = format!("row {number}: {reason}: lenient=True skips such rows");
                    return Err(CrawlError::new_err(told));
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, by: SiteBy) -> Read {
        let Pages { pages, left_out, .. } = self.all.finish();
        let crawls: Vec<Vec<Page>> =
            self.crawls.into_iter().map(|crawl| crawl.finish().pages).collect();
        if pages.is_empty() {
            self.listed.append(&mut self.crawled);
        }
        let mut sites = sites_of(pages, by);
        add_crawls(&mut sites, crawls);
        add_listings(&mut sites, self.listed, by);
        Read { sites, report: self.report, left_out }
    }
}

/// The response of a row: the fields of a manifest's line, or `html` in place of what is made of
/// it. Nothing where the page is not HTML. The reason where it is no response.
fn response(row: &Bound<'_, PyAny>) -> Result<Option<Response>, String> {
    let text = |error: PyErr| error.value(row.py()).to_string();
    let row = row.cast::<PyDict>().map_err(|_| "is no dict".to_owned())?;
    let response: Response = pythonize::depythonize(row).map_err(|error| error.to_string())?;
    if response.url.is_empty() {
        return Err("the url is empty".into());
    }
    let html = row.get_item("html").map_err(text)?.filter(|html| !html.is_none());
    let Some(html) = html.filter(|_| response.status == 200) else { return Ok(Some(response)) };
    let html: Html<'_> = html.extract().map_err(|_| "html is no str or bytes".to_owned())?;
    let read = html.response(row.py(), &response.url, None).map_err(text)?;
    Ok(read.map(|page| Response { time: response.time, importance: response.importance, ..page }))
}
