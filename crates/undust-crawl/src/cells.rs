//! The cells of a CSV table, with any delimiter.

use csv_core::{ReadRecordResult, Reader};

use super::lines::without_mark;
use super::multiline_csv::{Quotes, reader};

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

/// Tries the delimiters. Returns the result of `columns` for the first delimiter with which the
/// line names columns, and the reader of the records after it.
pub(super) fn header<T>(
    line: &[u8],
    mut columns: impl FnMut(&[Vec<u8>]) -> Option<T>,
) -> Option<(T, Cells)> {
    let line = without_mark(line);
    DELIMITERS.iter().find_map(|&delimiter| {
        let mut cells = Cells::new(delimiter);
        Some((columns(&cells.of(line)?)?, cells))
    })
}
