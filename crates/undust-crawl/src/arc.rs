//! ARC 1.0 and 2.0, the Internet Archive's format before WARC: a line of fields, then as many
//! bytes as its last field says, which are an HTTP response.

use memchr::memmem;

use undust_util::error::Result;

use super::access_log::{is_address, parsed};
use super::block::RecordSyntax;
use super::http::HEAD_BYTES;
use super::input::InputContext;
use super::lines::ReadLine;
use super::record::{Headers, RecordKind, WarcRecord};
use super::records;
use super::records::{Records, Trouble, damage, of_block};
use super::source::Source;
use super::stamp::rfc3339;

/// Longest line of fields that is recognised inside a block of wrong length.
const REACH: usize = 8 * 1024;
/// Fields after the URL: address, date, type, length.
const FIELDS: usize = 4;
/// Version 2 has five more between type and length.
const FIELDS_2: usize = 9;
/// The header before the records of a file.
const FILE: &[u8] = b"filedesc://";

static SYNTAX: RecordSyntax = RecordSyntax {
    find: find_record,
    begins: |bytes| first_line(bytes).is_some_and(|line| Header::whole(line).is_some()),
    ends: |bytes, holds_record| !holds_record && bytes.starts_with(b"\n"),
    reach: REACH,
};

/// Whether a line could begin a record.
pub(super) fn looks_like(line: &[u8]) -> bool {
    line.starts_with(FILE) || Header::parse(line).is_some_and(|header| is_web(header.url))
}

/// Reads the records of an ARC file.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    records::read(source, context, &SYNTAX, next)
}

/// The first record inside a block that should have ended before it.
fn find_record(bytes: &[u8]) -> Option<usize> {
    let lines = memmem::find_iter(bytes, b"\nhttp").map(|at| at + 1);
    let is_record =
        |at: &usize| first_line(&bytes[*at..]).is_some_and(|line| Header::whole(line).is_some());
    lines.into_iter().find(is_record)
}

fn first_line(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = &bytes[..bytes.len().min(REACH)];
    memchr::memchr(b'\n', bytes).map(|end| bytes[..end].trim_ascii())
}

fn is_web(url: &[u8]) -> bool {
    url.starts_with(b"http://") || url.starts_with(b"https://")
}

fn next(
    records: &mut Records<'_>,
    context: &InputContext<'_>,
) -> Result<Option<WarcRecord>, Trouble> {
    if records.lost {
        records.bodies.pass()?;
    }
    let mut line = Vec::new();
    loop {
        let header = match records.bodies.line(&mut line)? {
            ReadLine::End => return Ok(None),
            ReadLine::Whole => Header::parse(&line),
            ReadLine::TooLong => None,
        };
        let Some(header) = header else {
            if records.lost || line.trim_ascii().is_empty() {
                continue;
            }
            return records.stray("does not begin with a URL, an address and a date");
        };
        records.begin();
        let Some(length) = header.length else {
            return damage("has a length that is not a number");
        };
        let hold = match is_web(header.url) {
            true => context.options.max_body.saturating_add(HEAD_BYTES),
            false => 0,
        };
        let taken = records.bodies.take(length, hold, |_| false)?;
        let swelling = records.bodies.swelling();
        let record = |block, is_cut| header.record(block, is_cut, swelling);
        if let Some(record) = of_block(taken, record)? {
            return Ok(Some(record));
        }
    }
}

/// The line before a record's block.
#[derive(Debug, PartialEq)]
struct Header<'l> {
    url: &'l [u8],
    date: &'l [u8],
    mime: &'l [u8],
    length: Option<u64>,
}

impl<'l> Header<'l> {
    /// URLs of old crawls hold spaces, so the fields are counted from the end of the line.
    fn parse(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        Self::of_fields(line, FIELDS).or_else(|| Self::of_fields(line, FIELDS_2))
    }

    fn of_fields(line: &'l [u8], count: usize) -> Option<Self> {
        let mut fields = line.rsplitn(count + 1, |&byte| byte == b' ');
        let length = fields.next()?;
        let mut mime = fields.next()?;
        for _ in FIELDS..count {
            mime = fields.next()?;
        }
        let (date, address, url) = (fields.next()?, fields.next()?, fields.next()?);
        let is_date = (8..=18).contains(&date.len()) && date.iter().all(u8::is_ascii_digit);
        let is_header = is_date && is_address(address) && !url.is_empty();
        is_header.then(|| Header { url, date, mime, length: parsed(length) })
    }

    /// A header that is valid in all fields, as required inside a page.
    fn whole(line: &'l [u8]) -> Option<Self> {
        Self::parse(line).filter(|header| header.length.is_some() && is_web(header.url))
    }

    /// The same as a record of a WARC file. Servers of the nineties sent pages without HTTP
    /// headers.
    fn record(&self, block: Vec<u8>, is_cut: bool, swelling: u64) -> Option<WarcRecord> {
        if !is_web(self.url) {
            return None;
        }
        let kind = match block.starts_with(b"HTTP/") {
            true => RecordKind::Response,
            false => RecordKind::Resource,
        };
        let mut headers = Headers::default();
        headers.push("WARC-Target-URI", self.url);
        headers.push("Content-Type", self.mime);
        if let Some(date) = std::str::from_utf8(self.date).ok().and_then(rfc3339) {
            headers.push("WARC-Date", date.as_bytes());
        }
        Some(WarcRecord { kind, headers, block, is_cut, swelling })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_both_versions() {
        let parsed = |line: &'static str| {
            let header = Header::parse(line.as_bytes())?;
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Some((text(header.url), text(header.date), text(header.mime), header.length))
        };
        let expected = |url: &str| {
            Some((url.to_owned(), "20140216050221".to_owned(), "text/html".to_owned(), Some(1591)))
        };
        assert_eq!(
            parsed("http://x/a b 93.184.216.119 20140216050221 text/html 1591"),
            expected("http://x/a b")
        );
        assert_eq!(
            parsed("http://x/ 1.2.3.4 20140216050221 text/html 200 - - 12 x.arc.gz 1591"),
            expected("http://x/")
        );
        let unknown = parsed("http://x/ 1.2.3.4 20140216050221 text/html -1");
        assert_eq!(unknown.map(|(.., length)| length), Some(None));
        for line in
            ["http://x/ 1.2.3.4 2014021605022x text/html 1", "URL IP-address Archive-date", ""]
        {
            assert_eq!(parsed(line), None);
        }
    }
}
