//! What an output may replace: an earlier output, but nothing that is read, and no crawl. Who forgets the name of an
//! output gives a crawl in its place (`undust evaluate --json a.jsonl b.jsonl`).

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use undust_crawl::kind::{MANIFEST, PACKED, crawl_in};
use undust_crawl::manifest::is_response;
use undust_crawl::source::{first_line, open_text};
use undust_util::error::Result;

use super::failure::Failure;

/// How tables begin that undust writes and that name a column of URLs, as feeds do.
const TABLES: [&[u8]; 2] = [b"mark\turl\t", b"edit,notation,"];

/// How rules for duplicate-url-discarder begin, a list of objects as feeds are.
const RULES: &[u8] = b"[\n  {\n    \"args\": [";

/// How a report begins, whose rows name URLs.
const REPORT: &[u8] = b"{\"undust\":";

/// Refuses outputs that would replace an input, or a crawl.
///
/// # Errors
///
/// One sentence about the first such output.
pub(super) fn check_outputs<'p>(
    outputs: impl IntoIterator<Item = &'p PathBuf>,
    inputs: &[PathBuf],
) -> Result<()> {
    outputs.into_iter().try_for_each(|output| check(output, inputs, |_| true))
}

/// The same for an output that is a manifest: it may replace another one.
pub(super) fn check_manifest(output: &Path, inputs: &[PathBuf]) -> Result<()> {
    check(output, inputs, |kind| kind != MANIFEST)
}

/// Refuses an output that would replace an input, whatever it holds.
pub(super) fn check_no_input(output: &Path, inputs: &[PathBuf]) -> Result<()> {
    check(output, inputs, |_| false)
}

fn check(output: &Path, inputs: &[PathBuf], is_refused: impl Fn(&str) -> bool) -> Result<()> {
    // Devices and pipes are written to and not replaced.
    let is_file = fs::metadata(output).is_ok_and(|found| found.is_file());
    if !is_file || output == Path::new("-") {
        return Ok(());
    }
    let path = output.to_owned();
    if inputs.iter().any(|input| is_same(input, output)) {
        return Err(Failure::ReplacesInput { path }.into());
    }
    match crawl_at(output).filter(|kind| is_refused(kind)) {
        Some(kind) => Err(Failure::ReplacesCrawl { path, kind }.into()),
        None => Ok(()),
    }
}

/// Whether two names lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path).ok();
    place(one).is_some_and(|place_of_one| place(other) == Some(place_of_one))
}

/// The kind of the crawl that a file holds, as its beginning shows. Results of undust are none.
fn crawl_at(path: &Path) -> Option<&'static str> {
    let mut file = open_text(path, Arc::default()).ok()?;
    let beginning = file.fill_buf().ok()?;
    let kind = crawl_in(beginning).filter(|_| !beginning.starts_with(RULES))?;
    let (_, line) = first_line(&mut file);
    let is_crawl = kind != MANIFEST || is_response(line);
    (is_crawl && !is_result(line)).then_some(if kind == PACKED {
        "a compressed file"
    } else {
        kind
    })
}

/// Whether this is the first line of a result that looks like a feed, because it names URLs, or is an object on many
/// lines, as `export --to json` writes it.
fn is_result(line: &[u8]) -> bool {
    /// What the lines of `validate` have, and no page.
    #[derive(Deserialize)]
    struct Line {
        form: Option<IgnoredAny>,
        operation: Option<IgnoredAny>,
    }
    let is_line = |line: Line| line.form.is_some() && line.operation.is_some();
    line == b"{"
        || line.starts_with(REPORT)
        || TABLES.iter().any(|start| line.starts_with(start))
        || serde_json::from_slice(line).is_ok_and(is_line)
}
