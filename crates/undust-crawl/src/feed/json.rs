//! Feeds as JSON lines or as one array.

mod items;

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use undust_util::error::Result;

use self::items::{JsonItems, JsonRead};
use super::{MOST_BYTES, bodies, status_of, take};
use crate::input::InputContext;
use crate::options::ReadOptions;
use crate::source::Source;

/// Fields of manifests that hardly any feed has.
const OF_MANIFEST: [&str; 2] = ["simhash", "digest"];

/// Whether a line could be one of a feed: an array's, or an item with a URL that is no line of a
/// manifest, which has a status and no body.
pub(crate) fn looks_like(line: &[u8], options: &ReadOptions) -> bool {
    let is_array = line.starts_with(b"[");
    let line = line.strip_prefix(b"[").unwrap_or(line).trim_ascii_start();
    if is_array && line.is_empty() {
        return true;
    }
    if !line.starts_with(b"{") {
        return false;
    }
    let (keys, is_cut) = keys(line);
    let has = |name: &str| keys.iter().any(|key| key == name);
    let is_item = has(options.url_field());
    is_array && (is_item || keys.is_empty())
        // Where the page stands first, the URL may stand behind the cut.
        || is_cut && bodies(options).any(has)
        || options.url_field.is_some() && is_item
        || is_item
            && !OF_MANIFEST.iter().any(|name| has(name))
            && (bodies(options).any(has) || !has("status") && is_whole(line))
}

/// A truncated line does not show the fields after the cut.
fn is_whole(line: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(line.strip_suffix(b",").unwrap_or(line)).is_ok()
}

/// The names of an object's fields up to the end of the text, and whether the text is truncated.
fn keys(line: &[u8]) -> (Vec<String>, bool) {
    let mut keys = Keys(Vec::new());
    let mut text = serde_json::Deserializer::from_slice(line);
    let read = DeserializeSeed::deserialize(&mut keys, &mut text);
    (keys.0, read.is_err_and(|error| error.is_eof()))
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

fn take_one(
    mut item: Map<String, Value>,
    number: u64,
    context: &mut InputContext<'_>,
) -> Result<()> {
    let status = match item.get("status") {
        None | Some(Value::Null) => status_of(None),
        Some(Value::String(status)) => status_of(Some(status)),
        Some(status) => status.as_u64().and_then(|status| status.try_into().ok()).unwrap_or(0),
    };
    let text = |field: &str| match item.remove(field) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    take(status, text, number, context)
}
