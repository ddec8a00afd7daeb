//! Records that may extend over several lines, such as those of CSV.

use std::io;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::lines::{ReadLine, ReadRecord, read_line};
use super::source::Source;

/// Reads records of bounded length. If a record does not end within the bound, only its first line
/// is lost: the following lines are read again, and in these no record may extend over two lines.
/// So no byte is read more than twice, and an unclosed quotation mark does not lose what comes
/// after it.
pub(super) struct MultilineCsv {
    pub quotes: Quotes,
    most: usize,
    /// Up to this position the input is read for the second time.
    suspect_until: u64,
    /// Lines read; a line that is read a second time counts once.
    number: u64,
    line: Vec<u8>,
}

impl MultilineCsv {
    /// Records of at most `most` bytes.
    pub(super) fn new(quotes: Quotes, most: usize) -> Self {
        MultilineCsv { quotes, most, suspect_until: 0, number: 0, line: Vec::new() }
    }

    /// The line that is read next.
    pub(super) fn number(&self) -> u64 {
        self.number + 1
    }

    /// Reads the next record, its lines joined by line feeds; blank lines between records are skipped.
    pub(super) fn read(
        &mut self,
        source: &mut Source,
        record: &mut Vec<u8>,
    ) -> io::Result<ReadRecord> {
        record.clear();
        match self.first_line(source, record)? {
            ReadLine::End => return Ok(ReadRecord::End),
            ReadLine::TooLong => return Ok(ReadRecord::Bad(self.number)),
            ReadLine::Whole => {}
        }
        self.quotes.0.reset();
        if self.quotes.ends_with(record) {
            return Ok(ReadRecord::Whole(self.number));
        }
        self.read_on(source, record)
    }

    /// Reads the next line that is not blank.
    fn first_line(&mut self, source: &mut Source, line: &mut Vec<u8>) -> io::Result<ReadLine> {
        loop {
            let read = read_line(source, line)?;
            self.number += u64::from(read != ReadLine::End);
            if read != ReadLine::Whole || !line.trim_ascii().is_empty() {
                return Ok(read);
            }
        }
    }

    /// Continues after the first line of a record that does not end there.
    fn read_on(&mut self, source: &mut Source, record: &mut Vec<u8>) -> io::Result<ReadRecord> {
        let (first, start) = (self.number, record.len());
        let is_suspect = source.position() <= self.suspect_until;
        let mut lines = 0;
        while !is_suspect && record.len() <= self.most {
            match read_line(source, &mut self.line)? {
                ReadLine::End => break,
                ReadLine::TooLong => {
                    self.number += lines + 1;
                    return Ok(ReadRecord::Bad(first));
                }
                ReadLine::Whole => lines += 1,
            }
            record.push(b'\n');
            record.extend_from_slice(&self.line);
            if self.quotes.ends_with(&self.line) {
                self.number += lines;
                return Ok(ReadRecord::Whole(first));
            }
        }
        self.suspect_until = self.suspect_until.max(source.position());
        if lines > 0 {
            let again = [record.get(start + 1..).unwrap_or_default(), b"\n"].concat();
            source.unread(&again);
        }
        Ok(ReadRecord::Bad(first))
    }
}

/// Reads cells with this byte between them.
pub(super) fn reader(delimiter: u8) -> Reader {
    ReaderBuilder::new().delimiter(delimiter).build()
}

/// Finds the end of a record: a line feed outside quotation marks.
pub(super) struct Quotes(Reader);

impl Quotes {
    /// For cells with this byte between them.
    pub(super) fn new(delimiter: u8) -> Quotes {
        Quotes(reader(delimiter))
    }

    /// Takes a line of the record, without its line end; returns whether the record ends with it.
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
