//! Reading and writing of crawl manifests: one JSON object per line, one response each.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use serde_json::value::RawValue;

use undust_pages::response::Response;
use undust_pages::url_text::without_fragment;
use undust_util::json;

use super::device::is_damage;
use super::input::{Found, InputContext};
use super::lines::{ReadLine, read_line, without_mark};
use super::source::Source;
use crate::error::{CrawlReason, Error, ManifestReason, Result};
use crate::output_file::OutputFile;

/// How long a line for standard output may wait for further lines.
const PATIENCE: Duration = Duration::from_millis(50);

/// Reads a manifest. Blank lines are skipped. A bad line is an error, or with
/// [`lenient`](super::options::ReadOptions::lenient) skipped and counted.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        number += 1;
        let response = match read_line(source, &mut line) {
            Ok(ReadLine::End) => return Ok(()),
            Ok(ReadLine::TooLong) => Err(ManifestReason::TooLong),
            Ok(ReadLine::Whole) if is_blank(&line) => continue,
            Ok(ReadLine::Whole) => parse(&line).map(|response| Response {
                truth: context.options.truth_field.as_ref().and_then(|name| field(&line, name)),
                ..response
            }),
            Err(source) if is_damage(&source) && !context.options.lenient => {
                return Err(context.unusable(CrawlReason::Cut { source, line: number }));
            }
            Err(error) => return context.cut(error, &format!("line {number}")),
        };
        match response {
            Ok(response) => (context.emit)(Found::Response(Box::new(response)))?,
            Err(reason) if !context.options.lenient => {
                return Err(Error::at_line(context.path, number, reason));
            }
            Err(reason) => {
                context.report.bad_manifest_lines += 1;
                context.note_line(number, reason)?;
            }
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    without_mark(line).trim_ascii().is_empty()
}

/// Whether a line is one of a manifest.
pub fn is_response(line: &[u8]) -> bool {
    parse(line).is_ok()
}

fn parse(line: &[u8]) -> Result<Response, ManifestReason> {
    match serde_json::from_slice::<Response>(without_mark(line)) {
        Ok(response) if matches!(response.url.as_bytes(), [] | [b'#', ..]) => {
            Err(ManifestReason::NoUrl)
        }
        Ok(response) if response.url.starts_with('/') => Err(ManifestReason::NoHost),
        Ok(response) => Ok(Response { url: without_fragment(response.url), ..response }),
        Err(error) => Err(ManifestReason::Json { detail: json::detail(&error) }),
    }
}

/// The text of a field, or its value as it is written, such as a number of any size; none where it is null, empty or
/// missing.
fn field(line: &[u8], name: &str) -> Option<String> {
    let mut fields =
        serde_json::from_slice::<HashMap<String, &RawValue>>(without_mark(line)).ok()?;
    let written = fields.remove(name)?.get();
    match serde_json::from_str(written).unwrap_or_default() {
        Value::Null => None,
        Value::String(text) => (!text.is_empty()).then_some(text),
        _ => Some(written.to_owned()),
    }
}

/// Writes a manifest: gzip for a name that ends in `.gz`, zstd for `.zst`, else plain; `-` is
/// standard output. A file appears under its name when [`finish`](Self::finish) is done.
/// Until then, and after any error, an older file of that name stays as it is.
pub struct ManifestWriter {
    path: PathBuf,
    sink: BufWriter<OutputFile>,
    /// When a reader of standard output last got all lines; none for a file.
    flushed: Option<Instant>,
}

impl ManifestWriter {
    /// Begins a manifest at `path`.
    ///
    /// # Errors
    ///
    /// A file that cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        let file = OutputFile::create(path).map_err(Error::io("create", path))?;
        let flushed = matches!(file, OutputFile::Stdout(_)).then(Instant::now);
        Ok(ManifestWriter { path: path.into(), sink: BufWriter::new(file), flushed })
    }

    /// Writes one line.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn write(&mut self, response: &Response) -> Result<()> {
        self.line(response).map_err(Error::io("write", &self.path))
    }

    fn line(&mut self, response: &Response) -> io::Result<()> {
        json::write_line(&mut self.sink, response)?;
        // Flush early while lines come slowly, so that a reader sees them at once; fast lines are not slowed.
        if self.flushed.is_some_and(|at| at.elapsed() > PATIENCE) {
            self.flushed = Some(Instant::now());
            self.sink.flush()?;
        }
        Ok(())
    }

    /// Ends the manifest and gives it its name.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or renamed.
    pub fn finish(self) -> Result<()> {
        let whole = self.sink.into_inner().map_err(io::IntoInnerError::into_error);
        whole.and_then(OutputFile::finish).map_err(Error::io("write", &self.path))
    }
}
