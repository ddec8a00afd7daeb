//! Feeds as JSON lines or as one array.

mod items;

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use undust_util::error::Result;

use self::items::{JsonItems, JsonRead};
use super::{Item, MOST_BYTES, take};
use crate::fields::{Field, plain};
use crate::input::InputContext;
use crate::options::ReadOptions;
use crate::source::Source;

/// What a list of pages of a WACZ file says that it is.
const PAGES: &str = "json-pages-";
/// Levels of nested objects that are looked into.
const MOST_DEPTH: usize = 2;
/// Whether a line could be one of a feed: an array's, or an item with a URL that is no line of a
/// manifest, which has a status and no body.
pub(crate) fn looks_like(line: &[u8], options: &ReadOptions) -> bool {
    let is_array = line.starts_with(b"[");
    let line = line.strip_prefix(b"[").unwrap_or(line).trim_ascii_start();
    // An item on many lines begins with a brace alone.
    if is_array && line.is_empty() || line == b"{" {
        return true;
    }
    if !line.starts_with(b"{") {
        return false;
    }
    let (keys, is_cut) = keys(line);
    let has = |name: &str| keys.iter().any(|key| key == name);
    let has_one = |field: Field| match options.given(field) {
        Some(name) => has(&name),
        None => field.names().iter().any(|name| has(name)),
    };
    let has_body = has_one(Field::Html) || options.body_field.is_none() && has_one(Field::Text);
    let is_item = has_one(Field::Url);
    let is_manifest = has("simhash") || has("digest") && has("status");
    let lists_pages = keys.first().is_some_and(|key| key == "format")
        && memchr::memmem::find(line, PAGES.as_bytes()).is_some();
    is_array && (is_item || keys.is_empty())
        // Where the page stands first, the URL may stand behind the cut.
        || is_cut && has_body
        || lists_pages
        || options.url_field.is_some() && is_item
        || is_item && !is_manifest && (has_body || !has("status") && is_whole(line))
}

/// A truncated line does not show the fields after the cut.
fn is_whole(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line.strip_suffix(b",").unwrap_or(line)).is_ok()
}

/// The plain names of an object's fields up to the end of the text, and whether the text is truncated.
fn keys(line: &[u8]) -> (Vec<String>, bool) {
    let mut keys = Vec::new();
    let mut text = serde_json::Deserializer::from_slice(line);
    let read = Keys { all: &mut keys, before: String::new() }.deserialize(&mut text);
    (keys, read.is_err_and(|error| error.is_eof()))
}

/// Collects the names of fields, those of nested objects with a dot between.
struct Keys<'k> {
    all: &'k mut Vec<String>,
    before: String,
}

impl<'de> DeserializeSeed<'de> for Keys<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let name = nested(&self.before, &key);
            self.all.push(name.clone());
            if name.bytes().filter(|byte| *byte == b'.').count() < MOST_DEPTH {
                map.next_value_seed(Keys { all: &mut *self.all, before: name })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// The plain name of a field in an object of this plain name.
fn nested(before: &str, key: &str) -> String {
    // A dot of the key itself is none between two names.
    let key = plain(&key.replace('.', ""));
    if before.is_empty() { key } else { format!("{before}.{key}") }
}

/// Reads a feed.
pub(crate) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut items = JsonItems::new(source);
    let mut item = Vec::new();
    loop {
        match items.read(&mut item) {
            Ok(JsonRead::End) => return Ok(()),
            Ok(JsonRead::Whole(line)) => match serde_json::from_slice(&item) {
                Ok(fields) => take_one(fields, line, context)?,
                Err(error) => context.bad_entry(line, &error.to_string()),
            },
            Ok(JsonRead::TooLong(line)) => {
                context
                    .bad_entry(line, &format!("is an item of more than {} MiB", MOST_BYTES >> 20));
            }
            Ok(JsonRead::Bad(line)) => context.bad_entry(line, "is not an item"),
            Err(error) => return context.cut(error, &format!("line {}", items.line)),
        }
    }
}

fn take_one(fields: Map<String, Value>, number: u64, context: &mut InputContext<'_>) -> Result<()> {
    // The first line of the list of pages of a WACZ file.
    if fields.get("format").and_then(Value::as_str).is_some_and(|name| name.starts_with(PAGES)) {
        return Ok(());
    }
    let mut item = Item::default();
    collect(fields, "", 0, &mut item);
    take(item, number, context)
}

/// Collects the fields that are texts, numbers, or lists of one such, also those of nested objects.
fn collect(fields: Map<String, Value>, before: &str, depth: usize, item: &mut Item) {
    for (key, value) in fields {
        let name = nested(before, &key);
        let value = match value {
            Value::Array(mut list) if list.len() == 1 => list.remove(0),
            value => value,
        };
        match value {
            Value::String(text) => item.push(name, text),
            Value::Number(number) => item.push(name, number.to_string()),
            Value::Object(fields) if depth < MOST_DEPTH => collect(fields, &name, depth + 1, item),
            _ => {}
        }
    }
}
