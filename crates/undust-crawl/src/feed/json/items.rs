//! Finds the items of a feed in JSON, whether each is on one line, all are on one line (as
//! `json.dumps` writes an array), or each is on many lines.

use std::io::{self, BufRead};
use std::mem;

use super::container;
use crate::feed::MOST_BYTES;
use crate::lines::line_feeds;
use crate::options::ReadOptions;
use crate::source::Source;

/// Largest number of bytes that are skipped if an item is too long and is on many lines.
const MOST_PASSED: usize = 256 * 1024 * 1024;

/// Bytes of an object that are looked at for a list of records in it.
const SEEN_FOR_LIST: usize = 64 * 1024;

/// What was read.
pub(super) enum JsonRead {
    End,
    /// A text that begins and ends like an item, and the line where it begins.
    Whole(u64),
    /// An item that is too long, and the line where it begins.
    TooLong(u64),
    /// A text that is not an item, and the line where it begins.
    Bad(u64),
}

/// Finds the items. If an item does not end, only its first line is lost: the following lines are
/// read again, and in these no item may extend over two lines. So no byte is read more than twice,
/// and an unclosed brace does not lose what comes after it. An item that is too long is skipped up
/// to its end.
pub(super) struct JsonItems<'s> {
    pub source: &'s mut Source,
    options: &'s ReadOptions,
    /// The number of objects around the list whose items are read; none without such a list.
    around: Option<usize>,
    /// Whether the next object may have its records in a list: the first one, and what follows such a one.
    may_have_list: bool,
    /// Up to this position the input is read for the second time.
    suspect_until: u64,
    /// The line that is read next.
    pub line: u64,
}

impl<'s> JsonItems<'s> {
    pub(super) fn new(source: &'s mut Source, options: &'s ReadOptions) -> Self {
        let (around, may_have_list) = (None, true);
        JsonItems { source, options, around, may_have_list, suspect_until: 0, line: 1 }
    }

    /// Reads the next item.
    pub(super) fn read(&mut self, item: &mut Vec<u8>) -> io::Result<JsonRead> {
        item.clear();
        loop {
            match self.pass_marks()? {
                None => return Ok(JsonRead::End),
                Some(b']') => self.leave_list()?,
                Some(b'{') if self.may_have_list && self.enter_list()? => {}
                Some(b'{') => return self.read_item(item),
                Some(_) => return self.pass_line(),
            }
        }
    }

    /// Passes over the beginning of an object that has its records in a list; false if it has none.
    fn enter_list(&mut self) -> io::Result<bool> {
        let (mut braces, mut seen, mut wanted) = (Braces::default(), 0, 1);
        // A pipe may give one object and then be silent for hours.
        let end = loop {
            let head = self.source.peek(wanted);
            let is_all = head.len() < wanted || head.len() >= SEEN_FOR_LIST;
            let head = &head[..head.len().min(SEEN_FOR_LIST)];
            match braces.object(&head[seen..]) {
                Some(end) => break seen + end,
                None if is_all => break head.len(),
                None => (seen, wanted) = (head.len(), head.len() + 1),
            }
        };
        let object = &self.source.peek(end)[..end];
        let list = container::list_in(object, self.options);
        let (bytes, depth) = list.map_or((0, None), |list| (list.at, Some(list.depth)));
        self.line += line_feeds(&object[..bytes]);
        self.source.consume(bytes);
        (self.around, self.may_have_list) = (depth, false);
        Ok(depth.is_some())
    }

    /// Passes over what follows a list, up to the end of the objects around it.
    fn leave_list(&mut self) -> io::Result<()> {
        let mut braces =
            Braces { depth: self.around.take().unwrap_or_default(), ..Braces::default() };
        self.may_have_list = true;
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(());
            }
            let end = braces.object(available);
            let bytes = end.unwrap_or(available.len());
            self.line += line_feeds(&available[..bytes]);
            self.source.consume(bytes);
            if end.is_some() {
                return Ok(());
            }
        }
    }

    /// Skips the text between items, which is the punctuation of their array. Two runs of a spider
    /// leave two arrays in one file. Returns the byte that follows, which may be the end of a list in an object.
    fn pass_marks(&mut self) -> io::Result<Option<u8>> {
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(None);
            }
            let is_end = |byte: &u8| !is_mark(*byte) || self.around.is_some() && *byte == b']';
            let end = available.iter().position(is_end);
            let (next, bytes) = (end.map(|end| available[end]), end.unwrap_or(available.len()));
            self.line += line_feeds(&available[..bytes]);
            self.source.consume(bytes);
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Skips the rest of a line. Items after invalid text on the same line are lost.
    fn pass_line(&mut self) -> io::Result<JsonRead> {
        let first = self.line;
        while self.line == first {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                break;
            }
            let bytes = memchr::memchr(b'\n', available).map_or(available.len(), |end| end + 1);
            self.line += line_feeds(&available[..bytes]);
            self.source.consume(bytes);
        }
        Ok(JsonRead::Bad(first))
    }

    /// Continues after the brace that begins an item.
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
            self.line += line_feeds(&available[..bytes]);
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
        self.line -= line_feeds(again);
        self.source.unread(again);
        Ok(JsonRead::Bad(first))
    }
}

/// Whether a byte may occur between items, or belongs to a byte-order mark.
fn is_mark(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"[],\xef\xbb\xbf".contains(&byte)
}

/// Whether the second line of an item holds a field, as in indented JSON. After an unclosed brace,
/// the next line is another item.
fn is_field(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"\"")
}

/// Finds the end of an item: where its braces are closed.
#[derive(Default)]
pub(super) struct Braces {
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

/// What the scanned bytes of an item complete.
#[derive(Debug, PartialEq, Eq)]
enum Met {
    /// The item. No JSON string extends over a line: an unclosed one is damage, and ends at the
    /// line end.
    End,
    /// A line of it.
    Line,
    Nothing,
}

impl Braces {
    /// Where the object ends with which the bytes begin, or in which they are; none if it goes on.
    pub(super) fn object(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            let (read, met) = self.read(&bytes[at..]);
            at += read;
            match met {
                Met::End => return Some(at),
                Met::Line => {}
                Met::Nothing => break,
            }
        }
        None
    }

    /// Reads up to the end of the item or of the line; returns the number of bytes.
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
