//! Feeds as CSV, whose first line names the fields.

use undust_pages::url_text::url_text;
use undust_util::error::Result;

use super::{Item, MOST_BYTES, MOST_NAMES, take};
use crate::cells;
use crate::cells::Cells;
use crate::fields::{Field, plain};
use crate::input::InputContext;
use crate::options::ReadOptions;
use crate::source::Source;
use crate::spreadsheet;

/// Names of a column that alone make a line a header.
const URL_COLUMNS: [&str; 6] = ["url", "uri", "address", "adresse", "dirección", "indirizzo"];
/// Largest size of a header in bytes.
const LONGEST_HEADER: usize = 64 * 1024;
/// Largest size of a field's name in bytes.
const LONGEST_NAME: usize = 128;

/// Whether a line could name the fields of a feed, among them the URL. If the URL is the only
/// field, the line counts only if an option gives its name. A Screaming Frog table is read as such
/// a table, which gives more data, unless an option names a column.
pub(crate) fn looks_like(line: &[u8], options: &ReadOptions) -> bool {
    let Some((fields, _)) = header(line, options) else { return false };
    let is_named = options.body_field.as_ref().is_some_and(|body| fields.has(&plain(body)))
        || options.status_field.is_some()
        || options.digest_field.is_some();
    (options.url_field.is_some() || fields.names.len() > 1)
        && (is_named || !spreadsheet::looks_like(line))
}

fn header(line: &[u8], options: &ReadOptions) -> Option<(CsvFields, Cells)> {
    let given = options.given(Field::Url);
    let names_url = |name: &String| match &given {
        Some(given) => name == given,
        None => URL_COLUMNS.contains(&name.as_str()),
    };
    let fields = |cells: &[Vec<u8>]| {
        let texts = cells.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()));
        let is_header = given.is_some() || texts.clone().all(|text| could_name_a_field(&text));
        let names: Vec<String> = texts.map(|text| plain(&text)).collect();
        let has_url = is_header && names.iter().any(names_url);
        has_url.then_some(CsvFields { names })
    };
    // A line of a page, which there are many of, is cut into cells only where it may name columns.
    let is_short = line.len() <= LONGEST_HEADER;
    let looks_so = is_short && (given.is_some() || memchr::memmem::find(line, b"://").is_none());
    looks_so.then(|| cells::header(line, fields))?
}

/// What a line has that could name the columns of a table, two at least.
pub(crate) fn columns(line: &[u8]) -> Option<String> {
    let names = |cells: &[Vec<u8>]| {
        let texts = cells.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()));
        let texts: Vec<_> = texts.take(MOST_NAMES).collect();
        let is_table = texts.len() > 1 && texts.iter().all(|text| could_name_a_field(text));
        is_table.then(|| texts.join(", "))
    };
    Some(cells::header(line.get(..line.len().min(LONGEST_HEADER))?, names)?.0)
}

/// Whether a cell could be a name. Lines of logs, objects and markup contain text that is never a
/// field name, and may also contain `,url,`, because an author can write anything into a page's
/// title.
fn could_name_a_field(cell: &str) -> bool {
    let is_foreign = |c: char| c.is_control() || c == '"' || c == '\\';
    let is_object = cell.starts_with(['{', '<']);
    cell.len() <= LONGEST_NAME && !is_object && !cell.contains(is_foreign) && !cell.contains("://")
}

/// The names of the fields.
struct CsvFields {
    /// As they are compared.
    names: Vec<String>,
}

impl CsvFields {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }
}

/// Reads a feed.
pub(crate) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    const BAD: &str = "is not an item";
    // Two runs of a spider leave two headers in one file; an item has a URL.
    let header = |line: &[u8], options: &ReadOptions| {
        memchr::memmem::find(line, b"://").is_none().then(|| header(line, options))?
    };
    cells::each_record(
        source,
        context,
        MOST_BYTES,
        BAD,
        header,
        |fields: &CsvFields, record, context| match record.cells.of(record.text) {
            Some(values) if values.len() == fields.names.len() => {
                take_one(fields, values, record.number, context)
            }
            _ => {
                context.bad_entry(record.number, BAD);
                Ok(())
            }
        },
    )
}

/// Takes an item. A missing field is empty.
fn take_one(
    fields: &CsvFields,
    values: Vec<Vec<u8>>,
    number: u64,
    context: &mut InputContext<'_>,
) -> Result<()> {
    let mut item = Item::default();
    for (name, value) in fields.names.iter().zip(values) {
        let is_url = context.options.may_name_url(name);
        item.push(name.clone(), if is_url { url_text(value.trim_ascii()) } else { text(value) });
    }
    take(item, number, context)
}

fn text(value: Vec<u8>) -> String {
    String::from_utf8(value)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
