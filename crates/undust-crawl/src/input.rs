//! What the readers of all kinds of input share: the current input, and the receiver of what they
//! find.

use std::fmt::Display;
use std::io;
use std::path::Path;

use undust_pages::response::Response;
use undust_util::address::shown;

use super::device::is_damage;
use super::lines::{ReadLine, read_line};
use super::options::ReadOptions;
use super::record::WarcRecord;
use super::report::ReadReport;
use super::source::Source;
use crate::error::{CrawlReason, Error, Result};

/// What a reader found in an input.
pub(super) enum Found {
    /// A response that is complete.
    Response(Box<Response>),
    /// A record whose HTML is still to be parsed, on another thread.
    Record(Box<WarcRecord>),
    /// A page whose text is still to be read, on another thread.
    Page(Box<RawPage>),
}

impl Found {
    /// The size of all texts in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Found::Record(record) => record.bytes(),
            Found::Response(response) => response.bytes(),
            Found::Page(page) => page.response.bytes() + page.body.len(),
        }
    }
}

/// A response with its body, as a crawler stored both.
#[derive(Debug)]
pub(super) struct RawPage {
    pub response: Response,
    pub body: Vec<u8>,
    /// Whether the body is plain text rather than HTML.
    pub is_text: bool,
}

/// One input being read.
pub(super) struct InputContext<'a> {
    pub path: &'a Path,
    pub options: &'a ReadOptions,
    pub report: &'a mut ReadReport,
    /// Takes what is found, in crawl order. Its error ends the reading.
    pub emit: &'a mut dyn FnMut(Found) -> Result<()>,
}

impl InputContext<'_> {
    /// A read failed. An error of the system ends the run. Damage is counted, and noted with the
    /// position where reading stopped, such as `line 7`.
    pub(super) fn cut(&mut self, error: io::Error, place: &str) -> Result<()> {
        if !is_damage(&error) {
            return Err(Error::Io { action: "read", path: self.path.into(), source: error });
        }
        self.report.cut_inputs += 1;
        self.report.note_cut(|| {
            format!("{}: {error}, at {place}; the data before it is used", shown(&self.path))
        });
        Ok(())
    }

    /// Counts a line or entry that cannot be read.
    pub(super) fn bad_entry(&mut self, line: u64, reason: &str) -> Result<()> {
        self.report.bad_entries += 1;
        self.note_line(line, reason)
    }

    /// Counts a line of a log that cannot be read.
    pub(super) fn bad_log_line(&mut self, line: u64, reason: &str) -> Result<()> {
        self.report.bad_log_lines += 1;
        self.note_line(line, reason)
    }

    /// Notes why a line is skipped, which its kind counts.
    pub(super) fn note_line(&mut self, line: u64, reason: impl Display) -> Result<()> {
        self.report.note(|| format!("{}:{line}: {reason}", shown(&self.path)));
        Ok(())
    }

    /// Passes every line that is not blank to `take`, with its number; `None` is a line that is too
    /// long.
    pub(super) fn each_line(
        &mut self,
        source: &mut Source,
        mut take: impl FnMut(Option<&[u8]>, u64, &mut Self) -> Result<()>,
    ) -> Result<()> {
        let mut line = Vec::new();
        for number in 1.. {
            match read_line(source, &mut line) {
                Ok(ReadLine::End) => break,
                Ok(ReadLine::Whole) if line.trim_ascii().is_empty() => {}
                Ok(ReadLine::Whole) => take(Some(&line), number, self)?,
                Ok(ReadLine::TooLong) => take(None, number, self)?,
                Err(error) => return self.cut(error, &format!("line {number}")),
            }
        }
        Ok(())
    }

    /// The error for an input that cannot be used at all.
    pub(super) fn unusable(&self, reason: CrawlReason) -> Error {
        Error::at(self.path, reason)
    }
}
