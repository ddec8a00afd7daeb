//! Feeds as XML: `<items>` has an `<item>` for each item, which has an element for each field.

use std::io::{self, BufRead};
use std::mem;

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, Event};

use undust_util::error::Result;

use super::{MOST_BYTES, Records};
use crate::fields::{Known, plain};
use crate::input::InputContext;
use crate::item::Item;
use crate::lines::{ReadRecord, line_feeds};
use crate::options::ReadOptions;
use crate::source::Source;

/// Largest size of a text between two tags outside of items; a longer text is split.
const MOST_BETWEEN: usize = 64 * 1024;
/// The nesting depth of a field's element.
const FIELD: usize = 2;
/// Largest nesting depth. Scrapy writes a list of lists with three levels.
const MOST_DEPTH: usize = 256;

/// Whether a line could begin a feed. `<item>` alone does not, because RSS also has it.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    is_tag(after_declaration(line), b"<items")
}

/// A line without the declaration of XML that it may begin with.
pub(crate) fn after_declaration(line: &[u8]) -> &[u8] {
    let line = match line.strip_prefix(b"<?xml") {
        Some(rest) => memchr::memmem::find(rest, b"?>").map_or(rest, |at| &rest[at + 2..]),
        None => line,
    };
    line.trim_ascii()
}

/// Whether the text begins with the tag of this name.
fn is_tag(text: &[u8], name: &[u8]) -> bool {
    let after = text.strip_prefix(name).and_then(<[u8]>::first);
    after.is_some_and(|byte| *byte == b'>' || byte.is_ascii_whitespace())
}

/// Reads a feed.
pub(crate) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut items = XmlItems { source, suspect_until: 0, line: 1, has_end_to_come: false };
    let (mut item, mut records) = (Vec::new(), Records::default());
    loop {
        match items.read(&mut item) {
            Ok(ReadRecord::End) => return records.end(context),
            Ok(ReadRecord::Bad(line)) => records.bad(line, "is not an item", context)?,
            Ok(ReadRecord::Whole(line)) => {
                records.swelling = items.source.swelling();
                match fields(&String::from_utf8_lossy(&item), context.options) {
                    Ok(item) => records.take(item, line, context)?,
                    Err(reason) => records.bad(line, &reason, context)?,
                }
            }
            Err(error) => return context.cut(error, &format!("line {}", items.line)),
        }
    }
}

/// The fields of an item that are texts. Text in nested elements is not a field.
fn fields(item: &str, options: &ReadOptions) -> Result<Item, String> {
    let mut reader = Reader::from_str(item);
    let (mut fields, mut depth) = (Item::default(), 0);
    let (mut name, mut value) = (String::new(), String::new());
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        match event {
            Event::Start(_) if depth == MOST_DEPTH => return Err("has too many levels".into()),
            Event::Start(tag) => {
                depth += 1;
                if depth == FIELD {
                    tag.name().as_ref().clone_into(&mut name);
                    value.clear();
                }
            }
            Event::End(_) => {
                if depth == FIELD {
                    let name = plain(&name);
                    fields.push(Known::of(&name, options), name, mem::take(&mut value));
                }
                depth -= 1;
            }
            Event::Text(text) if depth == FIELD => value.push_str(&text),
            Event::CData(text) if depth == FIELD => value.push_str(&text),
            Event::GeneralRef(letter) if depth == FIELD => value.push_str(&letter_of(&letter)?),
            Event::Eof => return Ok(fields),
            _ => {}
        }
    }
}

/// The letter that a reference such as `&lt;` stands for.
pub(crate) fn letter_of(reference: &BytesRef<'_>) -> Result<String, String> {
    let number = reference.resolve_char_ref().map_err(|error| error.to_string())?;
    let named = || resolve_predefined_entity(reference).map(str::to_owned);
    let letter = number.map(String::from).or_else(named);
    letter.ok_or_else(|| {
        format!("holds `&{};`, which is not a known character reference", &**reference)
    })
}

/// Finds the items. If an item does not end within the bound, only its first tag is lost: the
/// following bytes are read again, and in these no item may be inside another. So no byte is read
/// more than twice, and an item without an end does not lose others.
struct XmlItems<'s> {
    source: &'s mut Source,
    /// Up to this position the input is read for the second time.
    suspect_until: u64,
    line: u64,
    /// Whether the end of an item that was too long is still to come. That end tag does not belong
    /// to another item.
    has_end_to_come: bool,
}

impl XmlItems<'_> {
    fn read(&mut self, item: &mut Vec<u8>) -> io::Result<ReadRecord> {
        loop {
            item.clear();
            if !self.read_tag(item, MOST_BETWEEN)? {
                return Ok(ReadRecord::End);
            }
            match tag(item) {
                Tag::Begin(at) => _ = item.drain(..at),
                Tag::End if mem::take(&mut self.has_end_to_come) => continue,
                Tag::End => return Ok(ReadRecord::Bad(self.line)),
                Tag::Other => continue,
            }
            self.has_end_to_come = false;
            return self.read_rest(item);
        }
    }

    /// Continues after the tag that begins an item.
    fn read_rest(&mut self, item: &mut Vec<u8>) -> io::Result<ReadRecord> {
        let (first, begun, mut depth) = (self.line, item.len(), 1);
        let is_suspect = self.source.position() < self.suspect_until;
        while item.len() < MOST_BYTES {
            let before = item.len();
            if !self.read_tag(item, MOST_BYTES)? {
                break;
            }
            match tag(&item[before..]) {
                Tag::End if depth == 1 => return Ok(ReadRecord::Whole(first)),
                Tag::End => depth -= 1,
                Tag::Begin(at) if is_suspect => {
                    self.read_again(&item[before + at..]);
                    return Ok(ReadRecord::Bad(first));
                }
                Tag::Begin(_) => depth += 1,
                Tag::Other => {}
            }
        }
        self.has_end_to_come = item.len() >= MOST_BYTES;
        if !is_suspect {
            self.suspect_until = self.source.position();
            self.read_again(&item[begun..]);
        }
        Ok(ReadRecord::Bad(first))
    }

    fn read_again(&mut self, bytes: &[u8]) {
        self.line -= line_feeds(bytes);
        self.source.unread(bytes);
    }

    /// Appends the bytes up to the end of the next tag, but not much more than `most` bytes; false
    /// at the end of the input.
    fn read_tag(&mut self, text: &mut Vec<u8>, most: usize) -> io::Result<bool> {
        let before = text.len();
        loop {
            let available = self.source.fill_buf()?;
            if available.is_empty() {
                return Ok(text.len() > before);
            }
            let end = memchr::memchr(b'>', available);
            let part = &available[..end.map_or(available.len(), |at| at + 1)];
            self.line += line_feeds(part);
            text.extend_from_slice(part);
            let bytes = part.len();
            self.source.consume(bytes);
            if end.is_some() || text.len() - before >= most {
                return Ok(true);
            }
        }
    }
}

/// The tag at the end of a text that has no other tag.
enum Tag {
    /// `<item>`, and its position in the text.
    Begin(usize),
    /// `</item>`.
    End,
    Other,
}

fn tag(text: &[u8]) -> Tag {
    let Some(at) = memchr::memrchr(b'<', text).filter(|_| text.ends_with(b">")) else {
        return Tag::Other;
    };
    match &text[at..] {
        begin if is_tag(begin, b"<item") => Tag::Begin(at),
        end if is_tag(end, b"</item") => Tag::End,
        _ => Tag::Other,
    }
}
