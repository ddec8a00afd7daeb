//! Records as JSON: lines, one array, objects on many lines, or a list in an object.

mod container;
mod items;
mod mend;
mod object;

use undust_util::error::Result;

use self::items::{JsonItems, JsonRead};
use super::{MOST_BYTES, Records};
use crate::fields::{Field, Known};
use crate::input::InputContext;
use crate::item::Item;
use crate::options::ReadOptions;
use crate::source::Source;

/// What a list of pages of a WACZ file says that it is.
const PAGES: &str = "json-pages-";

/// The fields of a manifest, by their plain names.
const MANIFEST: [&str; 14] = [
    "url",
    "status",
    "location",
    "title",
    "simhash",
    "texthash",
    "digest",
    "words",
    "length",
    "canonical",
    "ogurl",
    "novarysearch",
    "alternates",
    "time",
];

/// Those that only manifests have, or that only they keep.
const OF_MANIFEST: [&str; 7] =
    ["simhash", "texthash", "digest", "words", "length", "time", "importance"];

/// The fields that hold a page.
const BODIES: [Field; 3] = [Field::Html, Field::Text, Field::Message];

/// What a line of JSON may be one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonLine {
    Manifest,
    /// A log whose lines are JSON.
    Log,
    /// Items of a crawl, or the beginning of such.
    Feed,
}

impl JsonLine {
    /// Whether a line may be such a one.
    pub(crate) fn is(self, line: &[u8], options: &ReadOptions) -> bool {
        Self::of(line, options) == Some(self)
    }

    /// What a line may be one of, as all of its fields say together.
    fn of(line: &[u8], options: &ReadOptions) -> Option<Self> {
        let is_array = line.starts_with(b"[");
        let line = line.strip_prefix(b"[").unwrap_or(line).trim_ascii_start();
        // An item on many lines begins with a brace alone.
        if is_array && line.is_empty() || line == b"{" {
            return Some(Self::Feed);
        }
        let line = line.strip_suffix(b",").unwrap_or(line);
        if !line.starts_with(b"{") {
            return None;
        }
        let Seen { values, is_whole, is_cut } = Seen::of(line);
        let has_name = |name: &str| values.iter().any(|(known, _)| known == name);
        let has_field = |field: Field| {
            let of = |name: &str| Known::of(name, options).map(|known| known.field);
            values.iter().any(|(name, _)| of(name) == Some(field))
        };
        let has_body = BODIES.into_iter().any(has_field);
        let is_manifest = has_name("simhash") || has_name("digest") && has_name("status");
        // As manifests name them.
        let (names_it, has_status) = (has_name("url"), has_name("status"));
        // A line that lost its url, or all.
        let is_rest = values.iter().all(|(name, _)| MANIFEST.contains(&&**name));
        // What a program writes that knows of no manifest; another line of it may be of another kind.
        let is_foreign = !is_rest && !OF_MANIFEST.into_iter().any(has_name);
        let may_be_manifest =
            names_it || is_rest && (has_status || is_whole || is_cut && values.is_empty());
        let lists_pages = values.first().is_some_and(names_list_of_pages);
        let names_url = has_field(Field::Url);
        let item = Item::of(values, options);
        if item.is_logged() && item.has_address() && !is_array {
            return Some(Self::Log);
        }
        let is_item = names_url || item.has_address();
        let is_path = item.has_address() && !item.has_whole_url();
        let is_feed = is_array
            // Where the page stands first, the URL may stand behind the cut.
            || is_cut && (has_body || !may_be_manifest)
            || lists_pages
            || options.fields.url.is_some() && is_item
            || is_item && !is_manifest && (has_body || is_path || is_foreign || !(has_status && names_it) && is_whole)
            || container::list_in(line, options).is_some();
        match is_feed {
            true => Some(Self::Feed),
            false => may_be_manifest.then_some(Self::Manifest),
        }
    }
}

/// Whether a line says of a redirect or an error no more than feeds do, too.
pub(crate) fn is_of_no_page(line: &[u8]) -> bool {
    let Seen { values, is_whole, .. } = Seen::of(line);
    let has = |name: &str| values.iter().any(|(known, _)| known == name);
    let is_page = |(name, value): &(String, String)| name == "status" && value == "200";
    is_whole && has("status") && !values.iter().any(is_page) && !OF_MANIFEST.into_iter().any(has)
}

/// Whether a line holds a page.
pub(crate) fn has_page(line: &[u8], options: &ReadOptions) -> bool {
    let is_page = |(name, _): &(String, String)| {
        Known::of(name, options).is_some_and(|known| BODIES.contains(&known.field))
    };
    line.starts_with(b"{") && Seen::of(line).values.iter().any(is_page)
}

/// What a line has, up to its end or to its first fault.
struct Seen {
    values: object::Values,
    is_whole: bool,
    is_cut: bool,
}

impl Seen {
    fn of(line: &[u8]) -> Self {
        let read = |line: &[u8]| {
            let mut values = Vec::new();
            let read = object::read(line, &mut values);
            let (is_whole, is_cut) = (read.is_ok(), read.is_err_and(|error| error.is_eof()));
            Self { values, is_whole, is_cut }
        };
        let seen = read(line);
        let mended = (!seen.is_whole && !seen.is_cut).then(|| mend::mended(line)).flatten();
        mended.map_or(seen, |line| read(&line))
    }
}

/// The names that a line of JSON has, for people.
pub(crate) fn names(line: &[u8]) -> Option<String> {
    let Seen { values, is_whole, .. } = line.starts_with(b"{").then(|| Seen::of(line))?;
    let names = is_whole.then(|| Item::of(values, &ReadOptions::default()).names())?;
    Some(names).filter(|names| !names.is_empty())
}

/// Reads records.
pub(crate) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut items = JsonItems::new(source, context.options);
    let (mut item, mut records) = (Vec::new(), Records::default());
    loop {
        match items.read(&mut item) {
            Ok(JsonRead::End) => return records.end(context),
            Ok(JsonRead::Whole(line)) => {
                records.swelling = items.source.swelling();
                match values(&item) {
                    // The first line of the list of pages of a WACZ file.
                    Ok(values) if values.iter().any(names_list_of_pages) => {}
                    Ok(values) => records.take(Item::of(values, context.options), line, context)?,
                    Err(error) => records.bad(line, &error.to_string(), context)?,
                }
            }
            Ok(JsonRead::TooLong(line)) => {
                let reason = format!("is an item of more than {} MiB", MOST_BYTES >> 20);
                records.bad(line, &reason, context)?;
            }
            Ok(JsonRead::Bad(line)) => records.bad(line, "is not an item", context)?,
            Err(error) => return context.cut(error, &format!("line {}", items.line)),
        }
    }
}

/// The values of an object. One that is no JSON is mended if that is known how to do.
fn values(item: &[u8]) -> serde_json::Result<object::Values> {
    let mut values = Vec::new();
    let Err(error) = object::read(item, &mut values) else { return Ok(values) };
    let mended = mend::mended(item).ok_or(error)?;
    values.clear();
    object::read(&mended, &mut values)?;
    Ok(values)
}

fn names_list_of_pages((name, value): &(String, String)) -> bool {
    name == "format" && value.starts_with(PAGES)
}
