//! A queue of URLs in, their canonical forms out: one line in, one line out, in order,
//! whatever the lines are.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{Error, Result};
use crate::model::registry::{Absence, LONGEST_URL, Registry};
use crate::model::site_model::{SiteModel, same_host};
use crate::translation::{Canonicalizer, How, Reason, Translation};

/// Bytes read at once; the lines among them are translated together, the network decoding
/// what is new in batches.
const BLOCK: usize = 1 << 16;
/// Longest line, in bytes, that is held in memory; a longer one is passed on as it comes.
const LONGEST: usize = 1 << 16;

/// How a translated queue is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueFormat {
    /// The canonical form alone.
    Text,
    /// An object a line: url, canonical, site, how, reason, cause.
    Jsonl,
}

/// What a [`Queue`] does beside translating.
#[derive(Debug, Clone, Copy)]
pub struct QueueOptions {
    /// How lines are written.
    pub format: QueueFormat,
    /// Whether only the first URL of each canonical form is written, as it came. Takes 16
    /// bytes of memory a form; without it, memory does not grow with the queue.
    pub unique: bool,
}

/// How many lines were translated how.
#[derive(Debug, Clone, Default)]
pub struct QueueCounts {
    /// Lines read.
    pub lines: u64,
    /// Lines written; fewer only with [`QueueOptions::unique`].
    pub written: u64,
    /// Lines whose canonical form is not the line itself.
    pub changed: u64,
    how: FxHashMap<How, u64>,
    /// Models that could not be loaded, each once.
    pub broken: Vec<Arc<Error>>,
}

impl QueueCounts {
    /// Lines that were translated this way.
    pub fn of(&self, how: How) -> u64 {
        self.how.get(&how).copied().unwrap_or(0)
    }
}

impl fmt::Display for QueueCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [memo, network, rules] = [How::Memo, How::Network, How::Rules].map(|how| self.of(how));
        write!(f, "{} lines, {} written, {} changed; ", self.lines, self.written, self.changed)?;
        write!(f, "{memo} from the memo, {network} by the network")?;
        if rules > 0 {
            write!(f, ", {rules} by rules")?;
        }
        match self.of(How::NormalForm) {
            0 => {}
            normal => write!(f, ", {normal} by the normal form")?,
        }
        for reason in Reason::ALL {
            match self.of(How::Unchanged(reason)) {
                0 => {}
                count => write!(f, ", {count} unchanged ({reason})")?,
            }
        }
        Ok(())
    }
}

/// What ended a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    OfLine,
    OfInput,
    /// Nothing within [`LONGEST`] bytes.
    Never,
}

/// Reads a line with its end.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<End> {
    let mut input = io::Read::take(input, LONGEST as u64);
    let read = input.read_until(b'\n', line)?;
    Ok(match line.last() {
        Some(b'\n') => End::OfLine,
        _ if read == LONGEST => End::Never,
        _ => End::OfInput,
    })
}

/// Translates one input after another as one queue. Memory does not grow with the number
/// of lines or their length.
pub struct Queue<'q> {
    registry: &'q Registry,
    output: &'q mut dyn Write,
    options: QueueOptions,
    counts: QueueCounts,
    seen: HashSet<u128, FxBuildHasher>,
    /// Whether the last line written has no end yet.
    is_open: bool,
}

impl<'q> Queue<'q> {
    /// An empty queue.
    pub fn new(registry: &'q Registry, output: &'q mut dyn Write, options: QueueOptions) -> Self {
        Self {
            registry,
            output,
            options,
            counts: QueueCounts::default(),
            seen: HashSet::default(),
            is_open: false,
        }
    }

    /// Translates the lines of `input`; errors call it `name`. What can be read at once is
    /// translated at once and written out before more is waited for, so that a program at
    /// the other end of a pipe gets its answers.
    pub fn feed(&mut self, name: &Path, input: impl Read) -> Result<()> {
        let mut input = BufReader::with_capacity(BLOCK, input);
        let mut block = Vec::new();
        loop {
            let mut line = Vec::new();
            let end = read_line(&mut input, &mut line).map_err(Error::io("read", name))?;
            if end != End::Never && !line.is_empty() {
                block.push(mem::take(&mut line));
            }
            if input.buffer().is_empty() || end != End::OfLine {
                self.translate(&block)?;
                block.clear();
                self.output.flush().map_err(Error::io("write", "-"))?;
            }
            match end {
                End::OfLine => {}
                End::Never => self.pass_on(line, name, &mut input)?,
                End::OfInput => return Ok(()),
            }
        }
    }

    /// Flushes the output; what was done.
    pub fn finish(self) -> Result<QueueCounts> {
        self.output.flush().map_err(Error::io("write", "-"))?;
        Ok(self.counts)
    }
}

/// A line taken apart: what is around a URL, and the URL.
struct Line<'l> {
    url: &'l [u8],
    /// Carriage return and line feed, as they came.
    end: &'l [u8],
    /// The model of its site, or why there is none.
    model: Result<Arc<SiteModel>, Reason>,
}

/// A line of [`QueueFormat::Jsonl`].
#[derive(Serialize)]
struct Record<'r> {
    url: &'r str,
    canonical: &'r str,
    site: Option<&'r str>,
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
}

impl Queue<'_> {
    fn translate(&mut self, block: &[Vec<u8>]) -> Result<()> {
        let mut lines: Vec<Line<'_>> = Vec::with_capacity(block.len());
        for line in block {
            let line = self.line(line, lines.last());
            lines.push(line);
        }
        let mut by_model: FxHashMap<*const SiteModel, (&SiteModel, Vec<&str>)> =
            FxHashMap::default();
        for line in &lines {
            if let (Ok(model), Ok(url)) = (&line.model, std::str::from_utf8(line.url)) {
                let of_model = by_model.entry(Arc::as_ptr(model));
                of_model.or_insert_with(|| (model, Vec::new())).1.push(url);
            }
        }
        for (model, urls) in by_model.into_values() {
            model.prepare(&mut urls.into_iter());
        }
        lines.iter().try_for_each(|line| self.answer(line))
    }

    fn line<'l>(&mut self, line: &'l [u8], before: Option<&Line<'_>>) -> Line<'l> {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let url = content.strip_suffix(b"\r").unwrap_or(content);
        Line { url, end: &line[url.len()..], model: self.model(url, before) }
    }

    /// The model of a URL. Queues often hold many URLs of a host in a row: a line that begins like
    /// the one before it takes its model.
    fn model(&mut self, url: &[u8], before: Option<&Line<'_>>) -> Result<Arc<SiteModel>, Reason> {
        if url.len() > LONGEST_URL {
            return Err(Reason::TooLong);
        }
        let url = std::str::from_utf8(url).map_err(|_| Reason::NoUrl)?;
        if let Some(Line { url: other, model: Ok(model), .. }) = before
            && std::str::from_utf8(other).is_ok_and(|other| same_host(other, url))
        {
            return Ok(Arc::clone(model));
        }
        self.registry.model(url).map_err(|Absence { reason, error }| {
            if let Some(error) = error {
                self.note_broken(error);
            }
            reason
        })
    }

    fn note_broken(&mut self, error: Arc<Error>) {
        let broken = &mut self.counts.broken;
        let is_known = |known: &Arc<Error>| {
            Arc::ptr_eq(known, &error) || known.to_string() == error.to_string()
        };
        if !broken.iter().any(is_known) {
            broken.push(error);
        }
    }

    fn answer(&mut self, line: &Line<'_>) -> Result<()> {
        let Ok(url) = std::str::from_utf8(line.url) else {
            return self.write_bytes(line);
        };
        let translation = match &line.model {
            Ok(model) => model.translate(url),
            Err(reason) => Translation::unchanged(url, *reason),
        };
        self.count(translation.how, translation.canonical != url);
        if self.options.unique && !self.seen.insert(xxh3_128(translation.canonical.as_bytes())) {
            return Ok(());
        }
        match self.options.format {
            QueueFormat::Text if self.options.unique => self.write(&[line.url, line.end]),
            QueueFormat::Text => self.write(&[translation.canonical.as_bytes(), line.end]),
            QueueFormat::Jsonl => {
                let site = line.model.as_ref().ok().map(|model| model.site().as_ref());
                self.write_record(url, &translation, site)
            }
        }
    }

    /// A line that is no text comes back byte for byte; JSON holds only text, so there the
    /// bytes that are none are replaced by U+FFFD.
    fn write_bytes(&mut self, line: &Line<'_>) -> Result<()> {
        let reason = if line.url.len() > LONGEST_URL { Reason::TooLong } else { Reason::NoUrl };
        self.count(How::Unchanged(reason), false);
        if self.options.unique && !self.seen.insert(xxh3_128(line.url)) {
            return Ok(());
        }
        match self.options.format {
            QueueFormat::Text => self.write(&[line.url, line.end]),
            QueueFormat::Jsonl => {
                let url = String::from_utf8_lossy(line.url);
                self.write_record(&url, &Translation::unchanged(url.as_ref(), reason), None)
            }
        }
    }

    fn write_record(
        &mut self,
        url: &str,
        translation: &Translation<'_>,
        site: Option<&str>,
    ) -> Result<()> {
        let (how, reason) = match translation.how {
            How::Memo => ("memo", None),
            How::Network => ("network", None),
            How::Rules => ("rules", None),
            How::NormalForm => ("normal form", None),
            How::Unchanged(reason) => ("unchanged", Some(reason.to_string())),
        };
        let cause = Some(&translation.cause).filter(|cause| !cause.is_empty());
        let cause = cause.map(ToString::to_string);
        let record = Record { url, canonical: &translation.canonical, site, how, reason, cause };
        let json = serde_json::to_vec(&record)
            .map_err(io::Error::from)
            .map_err(Error::io("write", "-"))?;
        self.write(&[&json, b"\n"])
    }

    /// Writes a line in parts. The last part is its end.
    fn write(&mut self, parts: &[&[u8]]) -> Result<()> {
        if self.is_open {
            self.put(b"\n")?;
        }
        self.counts.written += 1;
        self.is_open = parts.last().is_some_and(|end| !end.ends_with(b"\n"));
        parts.iter().try_for_each(|part| self.put(part))
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.output.write_all(bytes).map_err(Error::io("write", "-"))
    }

    fn count(&mut self, how: How, changed: bool) {
        self.counts.lines += 1;
        self.counts.changed += u64::from(changed);
        *self.counts.how.entry(how).or_default() += 1;
    }

    /// Passes a line on that is too long to be held: in text as it comes, in JSON only its
    /// beginning. With [`QueueOptions::unique`] it always counts as new.
    fn pass_on(&mut self, mut head: Vec<u8>, name: &Path, input: &mut dyn BufRead) -> Result<()> {
        let text = self.options.format == QueueFormat::Text;
        if text {
            self.count(How::Unchanged(Reason::TooLong), false);
            self.write(&[&head])?;
        } else {
            head.truncate(LONGEST_URL + 1);
            self.write_bytes(&Line { url: &head, end: b"", model: Err(Reason::TooLong) })?;
        }
        loop {
            let mut rest = Vec::new();
            let end = read_line(input, &mut rest).map_err(Error::io("read", name))?;
            if text {
                self.put(&rest)?;
                self.is_open = end != End::OfLine;
            }
            if end != End::Never {
                return Ok(());
            }
        }
    }
}

#[cfg(all(test, feature = "network"))]
mod tests;
