//! Feeds as JSON lines or as one array.

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::super::intake::Intake;
use super::super::joined::{Joined, ReadRecord, Scan};
use super::super::options::ReadOptions;
use super::super::source::Source;
use super::{MOST_BYTES, bodies, status_of, take};
use crate::error::Result;

/// What every line of a manifest has, and hardly a feed.
const OF_MANIFEST: [&str; 2] = ["simhash", "digest"];

/// Whether a line could be one of a feed: an array's, or an item with a URL that is no line of a
/// manifest, which has a status and no body.
pub(in crate::crawl) fn looks_like(line: &[u8], options: &ReadOptions) -> bool {
    let is_array = line.starts_with(b"[");
    let line = line.strip_prefix(b"[").unwrap_or(line).trim_ascii_start();
    if is_array && line.is_empty() {
        return true;
    }
    if !line.starts_with(b"{") {
        return false;
    }
    let keys = keys(line);
    let has = |name: &str| keys.iter().any(|key| key == name);
    let is_item = has(options.url_field());
    is_array && (is_item || keys.is_empty())
        || options.url_field.is_some() && is_item
        || is_item
            && !OF_MANIFEST.iter().any(|name| has(name))
            && (bodies(options).any(has) || !has("status") && is_whole(line))
}

/// A line that is cut says nothing about the fields behind the cut.
fn is_whole(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line.strip_suffix(b",").unwrap_or(line)).is_ok()
}

/// The names of an object's fields, as far as the text goes.
fn keys(line: &[u8]) -> Vec<String> {
    let mut keys = Keys(Vec::new());
    // Of an object that is cut there are the names before the cut.
    _ = DeserializeSeed::deserialize(&mut keys, &mut serde_json::Deserializer::from_slice(line));
    keys.0
}

struct Keys(Vec<String>);

impl<'de> DeserializeSeed<'de> for &mut Keys {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Keys {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            self.0.push(key);
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// Reads a feed.
pub(in crate::crawl) fn read(source: &mut Source, intake: &mut Intake<'_>) -> Result<()> {
    let mut joined = Joined::new(Braces::default(), MOST_BYTES);
    let mut record = Vec::new();
    loop {
        match joined.read(source, &mut record) {
            Ok(ReadRecord::End) => return Ok(()),
            Ok(ReadRecord::Whole(number)) => take_all(&record, number, intake)?,
            Ok(ReadRecord::Bad(number)) => intake.bad_entry(number, "is no item"),
            Err(error) => return intake.cut(error, &format!("line {}", joined.number())),
        }
    }
}

/// Takes the items of a record: none where an array begins or ends, several where they stand on
/// one line. What follows one that is none is lost with it.
fn take_all(record: &[u8], number: u64, intake: &mut Intake<'_>) -> Result<()> {
    let mut text = without_array(record);
    while !text.is_empty() {
        let mut items = serde_json::Deserializer::from_slice(text).into_iter();
        match items.next() {
            Some(Ok(item)) => take_one(item, number, intake)?,
            Some(Err(error)) => {
                intake.bad_entry(number, &error.to_string());
                return Ok(());
            }
            None => return Ok(()),
        }
        text = without_array(text.get(items.byte_offset()..).unwrap_or_default());
    }
    Ok(())
}

/// A record without the marks of the array that it stands in. Two runs of a spider leave two
/// arrays in one file.
fn without_array(record: &[u8]) -> &[u8] {
    let mut text = record.strip_prefix(b"\xef\xbb\xbf").unwrap_or(record);
    let is_mark = |byte: &u8| byte.is_ascii_whitespace() || b"[],".contains(byte);
    while let [mark, rest @ ..] = text
        && is_mark(mark)
    {
        text = rest;
    }
    while let [rest @ .., mark] = text
        && is_mark(mark)
    {
        text = rest;
    }
    text
}

fn take_one(mut item: Map<String, Value>, number: u64, intake: &mut Intake<'_>) -> Result<()> {
    let status = match item.get("status") {
        None | Some(Value::Null) => status_of(None),
        Some(Value::String(status)) => status_of(Some(status)),
        Some(status) => status.as_u64().and_then(|status| status.try_into().ok()).unwrap_or(0),
    };
    let text = |field: &str| match item.remove(field) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    take(status, text, number, intake)
}

/// Sees where an item ends: where its braces are closed.
#[derive(Default)]
struct Braces {
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

impl Scan for Braces {
    fn begin(&mut self) {
        *self = Braces::default();
    }

    fn ends_with(&mut self, line: &[u8]) -> bool {
        for &byte in line {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_text => self.is_escaped = true,
                b'"' => self.in_text = !self.in_text,
                _ if self.in_text => {}
                b'{' => self.depth += 1,
                b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        // No text of JSON goes over a line: what looks so is damage, and ends here.
        self.depth == 0 || self.in_text
    }
}
