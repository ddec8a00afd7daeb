//! WARC 1.0 and 1.1 (ISO 28500) records, one at a time.
//!
//! Written by hand, because the crates for WARC hold whole records in memory, stop at the first
//! damage, or accept a truncated file as complete.

use memchr::memmem;

use undust_util::error::Result;

use super::block::{RecordBodies, RecordSyntax, cut};
use super::digest::{normal, sha1};
use super::http::HEAD_BYTES;
use super::input::InputContext;
use super::lines::ReadLine;
use super::record::{Headers, RecordKind, WarcRecord};
use super::records;
use super::records::{Records, Trouble, damage, of_block};
use super::source::Source;

/// Largest size of a record's headers in bytes; larger headers count as damage.
const MAX_HEADER_BYTES: usize = 1024 * 1024;
/// Bytes that are kept of a block without a page.
const OTHER_BYTES: usize = 64 * 1024;
/// Letters of SHA-1 in hex.
const SHA1_HEX: usize = 40;
/// The beginning of a record, searched for inside a block that should have ended before it.
const NEXT_RECORD: &[u8] = b"\nWARC/1.";

static SYNTAX: RecordSyntax = RecordSyntax {
    find: |bytes| memmem::find(bytes, NEXT_RECORD).map(|at| at + 1),
    begins: is_version,
    ends: |bytes, _| bytes.starts_with(b"\r\n\r\n") || looks_like(bytes.trim_ascii_start()),
    reach: NEXT_RECORD.len(),
};

/// Whether a line could begin a record.
pub(super) fn looks_like(line: &[u8]) -> bool {
    line.starts_with(b"WARC/")
}

/// Reads the records of a WARC file.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    records::read(source, context, &SYNTAX, next)
}

fn next(
    records: &mut Records<'_>,
    context: &InputContext<'_>,
) -> Result<Option<WarcRecord>, Trouble> {
    while find_record(records)? {
        records.begin();
        let headers = headers(&mut records.bodies)?;
        let kind = RecordKind::of(&headers);
        let hold = match kind {
            Some(_) => context.options.max_body.saturating_add(HEAD_BYTES),
            None => OTHER_BYTES,
        };
        let digest = block_digest(kind, &headers);
        let is_part = |block: &[u8]| digest.is_some_and(|digest| digest != sha1(block));
        let taken = records.bodies.take(length(&headers)?, hold, is_part)?;
        let swelling = records.bodies.swelling();
        let record =
            |block, is_cut| Some(WarcRecord { kind: kind?, headers, block, is_cut, swelling });
        if let Some(record) = of_block(taken, record)? {
            return Ok(Some(record));
        }
    }
    Ok(None)
}

/// Reads up to and including the version line of the next record; false at the end.
fn find_record(records: &mut Records<'_>) -> Result<bool, Trouble> {
    if records.lost {
        records.bodies.pass()?;
    }
    let mut line = Vec::new();
    loop {
        match records.bodies.line(&mut line)? {
            ReadLine::End => return Ok(false),
            ReadLine::Whole if is_version(&line) => return Ok(true),
            ReadLine::Whole if records.lost || line.trim_ascii().is_empty() => {}
            ReadLine::TooLong if records.lost => {}
            _ => return records.stray("does not begin with WARC/1"),
        }
    }
}

fn headers(bodies: &mut RecordBodies<'_>) -> Result<Headers, Trouble> {
    let (mut headers, mut line, mut bytes) = (Headers::default(), Vec::new(), 0);
    loop {
        if bodies.record_begins_member() {
            return damage("has truncated headers");
        }
        match bodies.line(&mut line)? {
            ReadLine::Whole if line.is_empty() => return Ok(headers),
            ReadLine::Whole => {}
            ReadLine::TooLong => return damage("has an endless header line"),
            ReadLine::End => return Err(cut().into()),
        }
        bytes += line.len() + 1;
        if bytes > MAX_HEADER_BYTES {
            return damage("has endless headers");
        }
        // The next record begins inside these headers: it must not be lost with them.
        if is_version(&line) {
            bodies.unread_line(&line);
            return damage("has truncated headers");
        }
        // A line that is no field is skipped: the other fields may be enough.
        headers.push_line(&line);
    }
}

fn length(headers: &Headers) -> Result<u64, Trouble> {
    let Some(length) = headers.text("Content-Length") else {
        return damage("has no Content-Length");
    };
    match length.parse() {
        Ok(length) => Ok(length),
        Err(_) => damage(format!("has a Content-Length that is not a number: {length}")),
    }
}

/// SHA-1 of the block in hex, if the record names it. Not for revisits, because wget names another
/// digest there.
fn block_digest(kind: Option<RecordKind>, headers: &Headers) -> Option<String> {
    if kind == Some(RecordKind::Revisit) {
        return None;
    }
    let digest = normal(headers.text("WARC-Block-Digest")?)?;
    Some(digest).filter(|digest| digest.len() == SHA1_HEX && !digest.contains(':'))
}

fn is_version(line: &[u8]) -> bool {
    line.starts_with(b"WARC/1.") || line.starts_with(b"WARC/0.")
}
