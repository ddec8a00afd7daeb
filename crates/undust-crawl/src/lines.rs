//! Lines of a text input, of bounded length.

use std::io::{self, BufRead};

/// Longest line; no crawl has longer ones. The bound prevents binary input from filling the memory.
pub(super) const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum ReadLine {
    /// Nothing, because the input is at its end.
    End,
    /// A line, its line end removed.
    Whole,
    /// A line over 16 MiB, which was skipped.
    TooLong,
}

/// What was read of records that may extend over several lines.
pub(super) enum ReadRecord {
    End,
    /// A record, and the number of its first line.
    Whole(u64),
    /// No record: the number of the line.
    Bad(u64),
}

/// A text without the mark that editors and PowerShell write before its first line.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The words of a line, by the white space between them.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// The number of line feeds in a text.
pub(super) fn line_feeds(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Reads one line, ended by LF, CRLF or the end of the input, into `line`.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<ReadLine> {
    line.clear();
    let (mut bytes, mut ended) = (0, false);
    while !ended {
        let available = input.fill_buf()?;
        if available.is_empty() {
            break;
        }
        let newline = memchr::memchr(b'\n', available);
        let part = newline.map_or(available.len(), |at| at + 1);
        // A line that gets too long is still read to its end, so the next line starts right.
        if bytes + part <= MAX_LINE_BYTES {
            line.extend_from_slice(&available[..part]);
        }
        (bytes, ended) = (bytes + part, newline.is_some());
        input.consume(part);
    }
    while let Some(b'\n' | b'\r') = line.last() {
        line.pop();
    }
    Ok(match bytes {
        0 => ReadLine::End,
        1..=MAX_LINE_BYTES => ReadLine::Whole,
        _ => ReadLine::TooLong,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_lines() {
        let mut input = &b"a\r\n\nb"[..];
        let mut line = Vec::new();
        for expected in ["a", "", "b"] {
            assert_eq!(read_line(&mut input, &mut line).unwrap(), ReadLine::Whole);
            assert_eq!(line, expected.as_bytes());
        }
        assert_eq!(read_line(&mut input, &mut line).unwrap(), ReadLine::End);
    }

    #[test]
    fn an_endless_line_is_skipped() {
        let data = ["x".repeat(MAX_LINE_BYTES + 1), "y".into()].join("\n");
        let (mut input, mut line) = (data.as_bytes(), Vec::new());
        assert_eq!(read_line(&mut input, &mut line).unwrap(), ReadLine::TooLong);
        assert_eq!(read_line(&mut input, &mut line).unwrap(), ReadLine::Whole);
        assert_eq!(line, b"y");
    }
}
