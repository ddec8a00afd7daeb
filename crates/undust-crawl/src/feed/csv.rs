//! Feeds as CSV, whose first line names the fields.

use undust_pages::url_text::url_text;
use undust_util::error::Result;

use super::{MOST_BYTES, Records};
use crate::cells;
use crate::cells::Cells;
use crate::fields::{Field, Known, plain};
use crate::input::InputContext;
use crate::item::{Item, MOST_NAMES};
use crate::options::ReadOptions;
use crate::source::Source;
use crate::spreadsheet;

/// Names of a column that alone make a line a header.
const URL_COLUMNS: [&str; 6] = ["url", "uri", "address", "adresse", "dirección", "indirizzo"];
/// Columns of known names, one of them for a URL or a part of it, that together make a line a header.
const LEAST_KNOWN: usize = 3;
/// Largest size of a header in bytes.
const LONGEST_HEADER: usize = 64 * 1024;
/// Largest size of a field's name in bytes.
const LONGEST_NAME: usize = 128;

/// Whether a line could name the fields of a feed, among them the URL. If the URL is the only
/// field, the line counts only if an option gives its name. A Screaming Frog table is read as such
/// a table, which gives more data, unless an option names a column.
pub(crate) fn looks_like(line: &[u8], options: &ReadOptions) -> bool {
    let Some((fields, _)) = header(line, options) else { return false };
    let is_named = options.fields.body.as_ref().is_some_and(|body| fields.has(&plain(body)))
        || options.fields.status.is_some()
        || options.fields.digest.is_some()
        || fields.are_logged();
    (options.fields.url.is_some() || fields.names.len() > 1)
        && (is_named || !spreadsheet::looks_like(line))
}

fn header(line: &[u8], options: &ReadOptions) -> Option<(CsvFields, Cells)> {
    let given = options.given(Field::Url);
    let names_url = |fields: &CsvFields| match &given {
        Some(given) => fields.has(given),
        None => URL_COLUMNS.iter().any(|name| fields.has(name)) || fields.are_known(),
    };
    let fields = |cells: &[Vec<u8>]| {
        let texts = cells.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()));
        let is_header = given.is_some() || texts.clone().all(|text| could_name_a_field(&text));
        let names: Vec<String> = texts.map(|text| plain(&text)).collect();
        let known = names.iter().map(|name| Known::of(name, options)).collect();
        Some(CsvFields { names, known }).filter(|fields| is_header && names_url(fields))
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
    /// The fields that they are known for.
    known: Vec<Option<Known>>,
}

impl CsvFields {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    fn fields(&self) -> impl Iterator<Item = Field> {
        self.known.iter().flatten().map(|known| known.field)
    }

    /// Whether enough names are known, one of them for a URL.
    fn are_known(&self) -> bool {
        self.fields().any(Field::is_of_url) && self.fields().count() >= LEAST_KNOWN
    }

    /// Whether a server logged the rows, though some columns are called as those of a crawl.
    fn are_logged(&self) -> bool {
        let is_visitor = |field| matches!(field, Field::Agent | Field::Client);
        self.fields().any(|field| field == Field::Method) && self.fields().any(is_visitor)
    }
}

/// Reads a feed.
pub(crate) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    const BAD: &str = "is not an item";
    // Two runs of a spider leave two headers in one file; an item has a URL, or at least a path.
    let is_begun = std::cell::Cell::new(false);
    let header = |line: &[u8], options: &ReadOptions| {
        let may_be_one = !is_begun.get() || memchr::memchr(b'/', line).is_none();
        let found = may_be_one.then(|| header(line, options))?;
        is_begun.set(is_begun.get() || found.is_some());
        found
    };
    let mut records = Records { swelling: source.swelling(), ..Records::default() };
    cells::each_record(
        source,
        context,
        MOST_BYTES,
        BAD,
        header,
        |fields: &CsvFields, record, context| match record.cells.of(record.text) {
            Some(values) if values.len() == fields.names.len() => {
                records.take(item(fields, values), record.number, context)
            }
            _ => {
                records.bad(record.number, BAD, context);
                Ok(())
            }
        },
    )?;
    records.end(context)
}

/// The item of a row. A missing field is empty.
fn item(fields: &CsvFields, values: Vec<Vec<u8>>) -> Item {
    let mut item = Item::default();
    for ((name, &known), value) in fields.names.iter().zip(&fields.known).zip(values) {
        let is_of_url = known.is_some_and(|known| known.field.is_of_url());
        item.push(
            known,
            name.clone(),
            if is_of_url { url_text(value.trim_ascii()) } else { text(value) },
        );
    }
    item
}

fn text(value: Vec<u8>) -> String {
    String::from_utf8(value)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
