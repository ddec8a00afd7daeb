//! Finds the items of a feed in JSON, however they lie on its lines: one on each, all on one as
//! `json.dumps` writes an array, or each on many.

use std::io::{self, BufRead};
use std::mem;

use crate::feed::MOST_BYTES;
use crate::source::Source;

/// Bytes that are passed over at most where an item is too long and lies on many lines.
const MOST_PASSED: usize = 256 * 1024 * 1024;

/// What was read.
pub(super) enum JsonRead {
    End,
    /// What begins as an item and ends as one, and the line where it begins.
    Whole(u64),
    /// An item that is too long, and the same.
    TooLong(u64),
    /// No item, and the same.
    Bad(u64),
}

/// Finds the items. One that does not end costs its first line: what follows is read again, where
/// no item may go over two. So no byte is read more than twice, and a brace that nobody closed does
/// not lose what comes after it. One that is too long costs itself, for its end is looked for.
pub(super) struct JsonItems<'s> {
    source: &'s mut Source,
    /// Up to this position the input is read for the second time.
    suspect_until: u64,
    /// The line that is read next.
    pub line: u64,
}

impl<'s> JsonItems<'s> {
    pub(super) fn new(source: &'s mut Source) -> Self {
        JsonItems { source, suspect_until: 0, line: 1 }
    }

    /// Reads the next item.
    pub(super) fn read(&mut self, item: &mut Vec<u8>) -> io::Result<JsonRead> {
        item.clear();
        match self.pass_marks()? {
            None => Ok(JsonRead::End),
            Some(b'{') => self.read_item(item),
            Some(_) => self.pass_line(),
        }
    }

    /// Passes over what stands between items: the marks of the array that they stand in. Two runs of
    /// a spider leave two arrays in one file. Returns the byte that follows.
    fn pass_marks(&mut self) -> io::Result<Option<u8>> {
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = available.iter().position(|byte| !is_mark(*byte));
            let (next, bytes) = (end.map(|end| available[end]), end.unwrap_or(available.len()));
            self.line += lines(&available[..bytes]);
            self.source.consume(bytes);
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Passes over the rest of a line. What follows on a line something that is no item is lost
    /// with it.
    fn pass_line(&mut self) -> io::Result<JsonRead> {
        let first = self.line;
        while self.line == first {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                break;
            }
            let bytes = memchr::memchr(b'\n', available).map_or(available.len(), |end| end + 1);
            self.line += lines(&available[..bytes]);
            self.source.consume(bytes);
        }
        Ok(JsonRead::Bad(first))
    }

    /// Reads on from the brace that begins an item.
    fn read_item(&mut self, item: &mut Vec<u8>) -> io::Result<JsonRead> {
        let (first, is_suspect) = (self.line, self.source.position() < self.suspect_until);
        // Where in the item its second line begins, and how many bytes of it were not kept.
        let (mut second, mut passed) = (None, 0);
        let mut braces = Braces::default();
        loop {
            let available = self.source.fill_buf()?;
            let (bytes, met) = braces.read(available);
            if bytes == 0 {
                break;
            }
            if item.len() <= MOST_BYTES {
                item.extend_from_slice(&available[..bytes]);
            } else {
                passed += bytes;
            }
            self.line += lines(&available[..bytes]);
            self.source.consume(bytes);
            let is_too_long = item.len() > MOST_BYTES;
            match met {
                Met::End if !is_too_long => return Ok(JsonRead::Whole(first)),
                Met::End => return Ok(JsonRead::TooLong(first)),
                Met::Line if is_too_long && second.is_none() => {
                    return Ok(JsonRead::TooLong(first));
                }
                Met::Line if is_suspect => return Ok(JsonRead::Bad(first)),
                Met::Line => _ = second.get_or_insert(item.len()),
                Met::Nothing => {}
            }
            let goes_on = |second| match passed {
                0 => is_field(&item[second..]),
                _ => passed <= MOST_PASSED,
            };
            if is_too_long && !second.is_none_or(goes_on) {
                break;
            }
        }
        if passed > 0 {
            return Ok(JsonRead::TooLong(first));
        }
        self.suspect_until = self.suspect_until.max(self.source.position());
        let again = second.map_or(&[][..], |second| &item[second..]);
        self.line -= lines(again);
        self.source.unread(again);
        Ok(JsonRead::Bad(first))
    }
}

/// Whether a byte stands between items, or is one of a byte-order mark.
fn is_mark(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"[],\xef\xbb\xbf".contains(&byte)
}

/// Whether the second line of an item holds a field, as where it was written for people. Behind a
/// brace that nobody closed stands another item.
fn is_field(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"\"")
}

fn lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Sees where an item ends: where its braces are closed.
#[derive(Default)]
struct Braces {
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

/// What some bytes of an item end with.
#[derive(Debug, PartialEq, Eq)]
enum Met {
    /// The item. No text of JSON goes over a line: what looks so is damage, and ends there.
    End,
    /// A line of it.
    Line,
    Nothing,
}

impl Braces {
    /// Reads up to the end of the item or of the line; how many bytes that are.
    fn read(&mut self, bytes: &[u8]) -> (usize, Met) {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'\n' if self.in_text => return (at, Met::End),
                b'\n' => return (at, Met::Line),
                _ if mem::take(&mut self.is_escaped) => {}
                b'"' => self.in_text = !self.in_text,
                b'\\' if self.in_text => self.is_escaped = true,
                _ if self.in_text => {
                    // Most bytes are those of pages.
                    let rest = &bytes[at..];
                    at += memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
                }
                b'{' => self.depth += 1,
                b'}' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return (at, Met::End);
                    }
                }
                _ => {}
            }
        }
        (at, Met::Nothing)
    }
}
