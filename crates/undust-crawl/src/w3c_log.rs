//! Logs in the extended format of the W3C, whose line `#Fields:` names the columns: those of IIS and of CloudFront.

use undust_pages::url_text::url_text;
use undust_util::error::Result;

use super::access_log::BAD;
use super::feed::Records;
use super::fields::{Field, Known, plain};
use super::input::InputContext;
use super::item::Item;
use super::lines::words;
use super::options::ReadOptions;
use super::source::Source;

const FIELDS: &[u8] = b"#Fields:";

/// Whether a line names the columns of such a log.
pub(super) fn looks_like(line: &[u8]) -> bool {
    columns(line).is_some()
}

/// Reads a log. Lines before the names of the columns, and those that begin with `#`, are skipped.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let (mut named, mut records) = (None, Records::of_log());
    context.each_line(source, |line, number, context| {
        let line = line.unwrap_or_default().trim_ascii();
        if let Some(columns) = columns(line) {
            named = Some(columns);
        } else if !line.starts_with(b"#") {
            return match named.as_deref().and_then(|columns| item(line, columns)) {
                Some(item) => records.take(item, number, context),
                None => context.bad_log_line(number, BAD),
            };
        }
        Ok(())
    })?;
    records.end(context)
}

/// The fields of the columns, if these are those of requests.
fn columns(line: &[u8]) -> Option<Vec<Option<Known>>> {
    let names = line.strip_prefix(FIELDS)?;
    let options = ReadOptions::default();
    let known = |name: &[u8]| Known::of(&plain(&String::from_utf8_lossy(name)), &options);
    let columns: Vec<_> = words(names).map(known).collect();
    let has = |field| columns.iter().flatten().any(|known| known.field == field);
    [Field::Method, Field::Path, Field::Status].into_iter().all(has).then_some(columns)
}

/// What a line says; none if it has not a value for each column. `-` is no value, except for the name of a program.
fn item(line: &[u8], columns: &[Option<Known>]) -> Option<Item> {
    let values: Vec<&[u8]> = words(line).collect();
    let mut item = Item::default();
    for (value, known) in values.iter().zip(columns) {
        let Some(known) = *known else { continue };
        let is_nothing = *value == b"-" && known.field != Field::Agent;
        let value = if is_nothing { String::new() } else { url_text(value) };
        item.push(Some(known), String::new(), value);
    }
    (values.len() == columns.len()).then_some(item)
}
