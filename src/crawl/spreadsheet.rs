//! Tables of pages as Screaming Frog exports them: CSV whose first line names the columns. Pages
//! with equal hashes are duplicates.

use csv_core::{ReadRecordResult, Reader};

use super::capture::{absolute, names_html};
use super::intake::{Found, Intake};
use super::joined::{Joined, ReadRecord, Scan};
use super::response::Response;
use super::source::Source;
use super::url_text::{url_text, without_controls, without_fragment};
use crate::error::Result;

/// Bytes of an entry, and columns, at most.
const MOST_BYTES: usize = 1024 * 1024;
const MOST_COLUMNS: usize = 4096;

/// Whether a line could name the columns of a table.
pub(super) fn looks_like(line: &[u8]) -> bool {
    is_address_named(line) && Columns::of(line, &mut Reader::new()).is_some()
}

/// Cheap, and true of hardly any other line.
fn is_address_named(line: &[u8]) -> bool {
    memchr::memmem::find(line, b"Address").is_some()
}

/// Reads a table: an entry becomes a response without content, its hash apart.
pub(super) fn read(source: &mut Source, intake: &mut Intake<'_>) -> Result<()> {
    let mut joined = Joined::new(Quotes(Reader::new()), MOST_BYTES);
    // One for all entries: it makes a table of all states and bytes, which takes longer than an
    // entry.
    let mut reader = Reader::new();
    let mut columns: Option<Columns> = None;
    let mut record = Vec::new();
    loop {
        let number = match joined.read(source, &mut record) {
            Ok(ReadRecord::End) => return Ok(()),
            Ok(ReadRecord::Whole(number)) => number,
            Ok(ReadRecord::Bad(number)) => {
                intake.bad_entry(number, "is no entry of a table");
                continue;
            }
            Err(error) => return intake.cut(error, &format!("line {}", joined.number())),
        };
        // Tables that were put together name their columns again.
        let names = is_address_named(&record).then(|| Columns::of(&record, &mut reader));
        if let Some(found) = names.flatten() {
            columns = Some(found);
            continue;
        }
        // Before the names of the columns stands the name of the table.
        let Some(columns) = &columns else { continue };
        match columns.entry(&record, &mut reader) {
            Entry::Page(response) => (intake.emit)(Found::Response(response))?,
            Entry::NotHtml => intake.report.not_html += 1,
            Entry::Bad => intake.bad_entry(number, "is no entry of a table"),
        }
    }
}

/// Sees where an entry ends: at a line feed that no quotation mark encloses.
struct Quotes(Reader);

impl Scan for Quotes {
    fn begin(&mut self) {
        self.0.reset();
    }

    fn ends_with(&mut self, line: &[u8]) -> bool {
        let (mut out, mut ends) = ([0; 4096], [0; 512]);
        let mut input = line;
        loop {
            let (result, read, ..) = self.0.read_record(input, &mut out, &mut ends);
            input = &input[read..];
            match result {
                ReadRecordResult::InputEmpty => break,
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
                ReadRecordResult::Record | ReadRecordResult::End => return true,
            }
        }
        let (result, ..) = self.0.read_record(b"\n", &mut out, &mut ends);
        matches!(result, ReadRecordResult::Record)
    }
}

/// The values of an entry; `None` for more than there may be.
fn values(record: &[u8], reader: &mut Reader) -> Option<Vec<Vec<u8>>> {
    let mut text = vec![0; record.len() + 1];
    let mut ends = vec![0; memchr::memchr_iter(b',', record).count().min(MOST_COLUMNS) + 2];
    let (mut read, mut written, mut ended) = (0, 0, 0);
    reader.reset();
    loop {
        let (result, input, output, count) = reader.read_record(
            record.get(read..)?,
            text.get_mut(written..)?,
            ends.get_mut(ended..)?,
        );
        (read, written, ended) = (read + input, written + output, ended + count);
        match result {
            ReadRecordResult::Record | ReadRecordResult::End => break,
            ReadRecordResult::InputEmpty => {}
            ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => return None,
        }
    }
    let mut start = 0;
    let value = |&end: &usize| {
        let value = text.get(start..end)?.to_vec();
        start = end;
        Some(value)
    };
    ends.get(..ended)?.iter().map(value).collect()
}

/// Where the columns stand that matter.
struct Columns {
    count: usize,
    address: usize,
    status: usize,
    content_type: Option<usize>,
    hash: Option<usize>,
    title: Option<usize>,
    canonical: Option<usize>,
    redirect: Option<usize>,
    size: Option<usize>,
}

enum Entry {
    Page(Box<Response>),
    NotHtml,
    Bad,
}

impl Columns {
    /// The columns that a line names; `None` for one that names none.
    fn of(line: &[u8], reader: &mut Reader) -> Option<Columns> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let names = values(line, reader)?;
        let at = |wanted: &[&str]| {
            let is_wanted = |name: &Vec<u8>| {
                wanted.iter().any(|w| name.trim_ascii().eq_ignore_ascii_case(w.as_bytes()))
            };
            names.iter().position(is_wanted)
        };
        Some(Columns {
            count: names.len(),
            address: at(&["Address"])?,
            status: at(&["Status Code"])?,
            content_type: at(&["Content Type", "Content"]),
            hash: at(&["Hash"]),
            title: at(&["Title 1"]),
            canonical: at(&["Canonical Link Element 1"]),
            redirect: at(&["Redirect URL", "Redirect URI"]),
            size: at(&["Size (bytes)", "Size (Bytes)", "Size"]),
        })
    }

    fn entry(&self, record: &[u8], reader: &mut Reader) -> Entry {
        let values = values(record, reader).filter(|values| values.len() == self.count);
        let Some(values) = values else {
            return Entry::Bad;
        };
        let bytes = |at: usize| values.get(at).map_or(&b""[..], |value| value.trim_ascii());
        let text = |at: Option<usize>| {
            let text = String::from_utf8_lossy(bytes(at?)).into_owned();
            Some(text).filter(|text| !text.is_empty())
        };
        let url = without_controls(without_fragment(url_text(bytes(self.address))));
        let Some(status) = text(Some(self.status)).and_then(|status| status.parse().ok()) else {
            return Entry::Bad;
        };
        if url.is_empty() {
            return Entry::Bad;
        }
        let location = text(self.redirect).filter(|_| (300..400).contains(&status));
        let content_type = text(self.content_type);
        if location.is_none() && content_type.is_some_and(|kind| !names_html(&kind)) {
            return Entry::NotHtml;
        }
        let page = |at| text(at).filter(|_| status == 200);
        Entry::Page(Box::new(Response {
            status,
            location: location.and_then(|to| absolute(&to, &url)),
            title: page(self.title)
                .map(|title| title.split_whitespace().collect::<Vec<_>>().join(" ")),
            digest: page(self.hash),
            canonical: page(self.canonical).and_then(|to| absolute(&to, &url)),
            length: page(self.size).and_then(|size| size.parse().ok()),
            url,
            ..Response::default()
        }))
    }
}
