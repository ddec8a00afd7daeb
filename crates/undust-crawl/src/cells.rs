//! The cells of a CSV table, with any delimiter.

use csv_core::{ReadRecordResult, Reader};

use undust_util::error::Result;

use super::input::InputContext;
use super::multiline_csv::{MultilineCsv, Quotes, ReadRecord, reader};
use super::options::ReadOptions;
use super::source::Source;

/// Delimiters that programs write between cells; German and French ones write a semicolon.
pub(super) const DELIMITERS: [u8; 3] = *b",;\t";

/// Largest number of columns.
const MOST_COLUMNS: usize = 4096;

/// Reads the cells of one record after another. One reader serves a whole table, because a new
/// reader builds a state table, which takes longer than reading a record.
pub(super) struct Cells {
    delimiter: u8,
    reader: Reader,
}

impl Cells {
    /// For cells with this byte between them.
    pub(super) fn new(delimiter: u8) -> Cells {
        Cells { delimiter, reader: reader(delimiter) }
    }

    /// Finds the ends of records.
    pub(super) fn quotes(&self) -> Quotes {
        Quotes::new(self.delimiter)
    }

    /// The cells of a record; `None` if there are too many.
    pub(super) fn of(&mut self, record: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut text = vec![0; record.len() + 1];
        let delimiters = memchr::memchr_iter(self.delimiter, record).count();
        let mut ends = vec![0; delimiters.min(MOST_COLUMNS) + 2];
        let (mut read, mut written, mut ended) = (0, 0, 0);
        self.reader.reset();
        loop {
            let (result, input, output, count) = self.reader.read_record(
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
}

/// A record of a table.
pub(super) struct TableRecord<'r> {
    /// Reads its cells.
    pub cells: &'r mut Cells,
    pub text: &'r [u8],
    /// The line where it begins, from 1.
    pub number: u64,
}

/// Reads tables, one after another. `header` reads a line that names columns; `take` gets its
/// result with each record after it. A record longer than `most` bytes is counted as a bad entry,
/// with the reason `bad`. Lines before the first header are skipped.
pub(super) fn each_record<H>(
    source: &mut Source,
    context: &mut InputContext<'_>,
    most: usize,
    bad: &str,
    header: impl Fn(&[u8], &ReadOptions) -> Option<(H, Cells)>,
    mut take: impl FnMut(&H, TableRecord<'_>, &mut InputContext<'_>) -> Result<()>,
) -> Result<()> {
    let mut csv = MultilineCsv::new(Quotes::new(DELIMITERS[0]), most);
    let mut table: Option<(H, Cells)> = None;
    let mut record = Vec::new();
    loop {
        let number = match csv.read(source, &mut record) {
            Ok(ReadRecord::End) => return Ok(()),
            Ok(ReadRecord::Whole(number)) => number,
            Ok(ReadRecord::Bad(number)) => {
                context.bad_entry(number, bad);
                continue;
            }
            Err(error) => return context.cut(error, &format!("line {}", csv.number())),
        };
        if let Some(found) = header(&record, context.options) {
            csv.quotes = found.1.quotes();
            table = Some(found);
        } else if let Some((columns, cells)) = &mut table {
            take(columns, TableRecord { cells, text: &record, number }, context)?;
        }
    }
}

/// Whether a cell of a line could be this one. Cheap, and rarely true for a line that is not a
/// header.
pub(super) fn names(line: &[u8], name: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let is_quote = |byte: &u8| *byte == b'"' || byte.is_ascii_whitespace();
    memchr::memmem::find(line, name).is_some()
        && line.split(|byte| DELIMITERS.contains(byte)).any(|cell| {
            let start = cell.iter().position(|byte| !is_quote(byte)).unwrap_or(cell.len());
            let end = cell.iter().rposition(|byte| !is_quote(byte)).map_or(start, |at| at + 1);
            &cell[start..end] == name
        })
}

/// Tries the delimiters. Returns the result of `columns` for the first delimiter with which the
/// line names columns, and the reader of the records after it.
pub(super) fn header<T>(
    line: &[u8],
    mut columns: impl FnMut(&[Vec<u8>]) -> Option<T>,
) -> Option<(T, Cells)> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    DELIMITERS.iter().find_map(|&delimiter| {
        let mut cells = Cells::new(delimiter);
        Some((columns(&cells.of(line)?)?, cells))
    })
}
