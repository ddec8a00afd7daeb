//! WARC 1.0 and 1.1 (ISO 28500) records, one at a time.
//!
//! Written by hand: the crates for WARC hold whole records in memory, stop at the first
//! damage, or take a cut file for a whole one.

use std::io::{self, BufRead};

use memchr::memmem;

use super::block::Block;
use super::device::is_damage;
use super::http::HEAD_BYTES;
use super::intake::{Found, Intake};
use super::lines::{ReadLine, read_line};
use super::record::{Headers, RecordKind, WarcRecord};
use super::source::Source;
use crate::error::Result;

/// Most bytes of a record's headers; more are damage.
const MAX_HEADER_BYTES: usize = 1024 * 1024;
/// Bytes held of a block that holds no page.
const OTHER_BYTES: usize = 64 * 1024;
/// What begins a record inside a block that should have ended before it.
const NEXT_RECORD: &[u8] = b"\nWARC/1.";
/// Whether a line could begin a record.
pub(super) fn looks_like(line: &[u8]) -> bool {
    line.starts_with(b"WARC/")
}

/// Reads the records of a WARC file. A record that cannot be read is counted, and reading
/// goes on at the next record that can be found.
pub(super) fn read(source: &mut Source, intake: &mut Intake<'_>) -> Result<()> {
    let mut reader = Reader { source, number: 0, lost: false, doubtful: 0 };
    loop {
        match reader.next(intake) {
            Ok(Some(record)) => (intake.emit)(Found::Record(Box::new(record)))?,
            Ok(None) => return Ok(()),
            Err(Trouble::Damage(reason)) => reader.skip(&reason, intake),
            Err(Trouble::Read(error)) if is_inner_damage(&error) => {
                reader.skip(&error.to_string(), intake);
            }
            Err(Trouble::Read(error)) => {
                let place = format!("record {}", reader.number);
                return intake.cut(error, &place);
            }
        }
    }
}

fn is_inner_damage(error: &io::Error) -> bool {
    is_damage(error) && error.kind() == io::ErrorKind::InvalidData
}

enum Trouble {
    /// This record is bad; others may follow.
    Damage(String),
    /// The input cannot be read here.
    Read(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Read(error)
    }
}

fn damage<T>(reason: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Damage(reason.into()))
}

/// A record's length is believed until it proves wrong: what looks like a record inside a page
/// is part of the page, whoever wrote it there. Where a length was wrong, what it swallowed is
/// read a second time, and there no length is believed over the beginning of another
/// record. So no byte is read more than twice.
struct Reader<'s> {
    source: &'s mut Source,
    /// Records begun so far.
    number: u64,
    /// After damage: everything up to the next record is part of it.
    lost: bool,
    /// Up to this position the input is read for the second time.
    doubtful: u64,
}

/// How a block ended.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// Where its length says.
    Claimed,
    /// Before, with the input.
    Input,
    /// Before, because another record begins there.
    Record,
    /// Before, because it cannot be believed any longer.
    Unbelieved,
}

impl Reader<'_> {
    fn skip(&mut self, reason: &str, intake: &mut Intake<'_>) {
        self.lost = true;
        intake.report.damaged_records += 1;
        intake
            .report
            .note(|| format!("{}: record {}: {reason}", intake.path.display(), self.number));
    }

    /// The next record that may hold a page; `None` at the end.
    fn next(&mut self, intake: &Intake<'_>) -> Result<Option<WarcRecord>, Trouble> {
        loop {
            if !self.find_record()? {
                return Ok(None);
            }
            self.number += 1;
            self.lost = false;
            let headers = self.headers()?;
            let kind = RecordKind::of(&headers);
            let hold = match kind {
                Some(_) => intake.options.max_body.saturating_add(HEAD_BYTES),
                None => OTHER_BYTES,
            };
            let (block, is_cut) = self.block(&headers, hold)?;
            if let Some(kind) = kind {
                return Ok(Some(WarcRecord { kind, headers, block, is_cut }));
            }
        }
    }

    /// Reads up to the version line of the next record, and past it; false at the end.
    fn find_record(&mut self) -> Result<bool, Trouble> {
        let mut line = Vec::new();
        loop {
            match read_line(self.source, &mut line)? {
                ReadLine::End => return Ok(false),
                ReadLine::Whole if is_version(&line) => return Ok(true),
                ReadLine::Whole if self.lost || line.trim_ascii().is_empty() => {}
                ReadLine::TooLong if self.lost => {}
                _ => {
                    self.number += 1;
                    return damage("does not begin with WARC/1");
                }
            }
        }
    }

    fn headers(&mut self) -> Result<Headers, Trouble> {
        let (mut headers, mut line, mut bytes) = (Headers::default(), Vec::new(), 0);
        loop {
            match read_line(self.source, &mut line)? {
                ReadLine::Whole if line.is_empty() => return Ok(headers),
                ReadLine::Whole => {}
                ReadLine::TooLong => return damage("has a header without end"),
                ReadLine::End => return Err(cut().into()),
            }
            bytes += line.len() + 1;
            if bytes > MAX_HEADER_BYTES {
                return damage("has headers without end");
            }
            // The next record begins inside these headers: it must not be lost with them.
            if is_version(&line) {
                self.source.unread(&[&line[..], b"\n"].concat());
                return damage("has headers that are cut");
            }
            // A line that is no field is skipped: the other fields may be enough.
            headers.push_line(&line);
        }
    }

    /// At most `hold` bytes of the block, and whether that cut it.
    fn block(&mut self, headers: &Headers, hold: usize) -> Result<(Vec<u8>, bool), Trouble> {
        let Some(length) = headers.text("Content-Length") else {
            return damage("has no Content-Length");
        };
        let Ok(length) = length.parse::<u64>() else {
            return damage(format!("has a Content-Length that is no number: {length}"));
        };
        let mut block = Block::new(hold);
        let end = match self.read_block(&mut block, length) {
            Ok(end) => end,
            // What was swallowed before the damage may be good.
            Err(error) => {
                return match is_damage(&error) && self.take_back(block)? {
                    true => damage("is shorter than its Content-Length"),
                    false => Err(error.into()),
                };
            }
        };
        if end == End::Claimed && self.at_boundary() {
            return Ok((block.held, length > hold as u64));
        }
        // At the border of a member the next record stands already.
        let has_more = end == End::Record || self.take_back(block)?;
        match end {
            End::Input if !has_more => Err(cut().into()),
            End::Claimed => damage("does not end where its Content-Length says"),
            _ => damage("is shorter than its Content-Length"),
        }
    }

    /// Reads a block, to its claimed length if that is believed so far.
    fn read_block(&mut self, block: &mut Block, length: u64) -> io::Result<End> {
        let is_doubtful = self.source.position() < self.doubtful;
        // Nothing between this record and the next.
        if length > 0 && self.source.peek(8).starts_with(&NEXT_RECORD[1..]) {
            if is_doubtful {
                return Ok(End::Record);
            }
            block.record_begins();
        }
        while block.bytes < length {
            if self.source.begins_member() && self.source.peek(8).starts_with(&NEXT_RECORD[1..]) {
                return Ok(End::Record);
            }
            if block.is_unbelieved() {
                return Ok(End::Unbelieved);
            }
            let to_member = self.source.bytes_to_member();
            let ahead = self.source.peek(NEXT_RECORD.len());
            if ahead.is_empty() && self.source.fill_buf()?.is_empty() {
                return Ok(End::Input);
            }
            let ahead = self.source.peek(0);
            let left = usize::try_from(length - block.bytes).unwrap_or(usize::MAX);
            let step = ahead.len().min(left).min(to_member.unwrap_or(usize::MAX));
            let found = memmem::find(&ahead[..step], NEXT_RECORD);
            // The beginning of a record may stand across the end of what is in sight.
            let step = match found {
                Some(at) => at + 1,
                None if step > NEXT_RECORD.len() => step - (NEXT_RECORD.len() - 1),
                None => step,
            };
            block.take(&ahead[..step])?;
            self.source.consume(step);
            if found.is_some() {
                if is_doubtful {
                    return Ok(End::Record);
                }
                block.record_begins();
            }
        }
        Ok(End::Claimed)
    }

    /// Whether the source is where a record may end.
    fn at_boundary(&mut self) -> bool {
        let ahead = self.source.peek(64);
        let next = ahead.trim_ascii_start();
        ahead.starts_with(b"\r\n\r\n") || next.is_empty() || next.starts_with(b"WARC/")
    }

    /// Lets everything be read again from the first record that a block of wrong length
    /// swallowed; whether there is one.
    fn take_back(&mut self, block: Block) -> io::Result<bool> {
        let end = self.source.position();
        let has_more = block.take_back(self.source)?;
        if has_more {
            self.doubtful = self.doubtful.max(end);
        }
        Ok(has_more)
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends too early")
}

fn is_version(line: &[u8]) -> bool {
    line.starts_with(b"WARC/1.") || line.starts_with(b"WARC/0.")
}
