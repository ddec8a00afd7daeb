//! Feeds as CSV, whose first line names the fields.

use undust_pages::url_text::url_text;
use undust_util::error::Result;

use super::{MOST_BYTES, Records};
use crate::cells;
use crate::cells::{Cells, DELIMITERS};
use crate::fields::{Field, Known, plain};
use crate::input::InputContext;
use crate::item::{Item, MOST_NAMES};
use crate::lines::ReadRecord;
use crate::multiline_csv::{MultilineCsv, Quotes};
use crate::options::ReadOptions;
use crate::source::Source;

/// Names of a column that alone make a line a header.
const URL_COLUMNS: [&str; 2] = ["url", "uri"];
/// What Screaming Frog calls the URL in its five languages.
const ADDRESSES: [&str; 4] = ["address", "adresse", "dirección", "indirizzo"];
/// Columns of known names, one of them for a URL or a part of it, that together make a line a header.
const LEAST_KNOWN: usize = 3;
/// Largest size of a header in bytes.
const LONGEST_HEADER: usize = 64 * 1024;
/// Largest size of a field's name in bytes.
const LONGEST_NAME: usize = 128;

/// Whether a line could name the fields of a feed, among them the URL. If the URL is the only
/// field, the line counts only if an option gives its name.
pub(crate) fn looks_like(line: &[u8], options: &ReadOptions) -> bool {
    header(line, options)
        .is_some_and(|(fields, _)| options.fields.url.is_some() || fields.names.len() > 1)
}

/// Whether a line names the columns of a table as Screaming Frog exports it, and no option says that it is another.
pub(crate) fn is_of_screaming_frog(line: &[u8], options: &ReadOptions) -> bool {
    let Some((fields, _)) = header(line, options) else { return false };
    let is_named = options.fields.body.as_ref().is_some_and(|body| fields.has(&plain(body)))
        || options.fields.status.is_some()
        || options.fields.digest.is_some()
        || fields.are_logged();
    !is_named && fields.are_of_screaming_frog()
}

fn header(line: &[u8], options: &ReadOptions) -> Option<(CsvFields, Cells)> {
    let given = options.given(Field::Url);
    let names_url = |fields: &CsvFields| match &given {
        Some(given) => fields.has(given),
        None => {
            let is_url = |name: &&str| fields.has(name);
            URL_COLUMNS.iter().chain(&ADDRESSES).any(is_url) || fields.are_known()
        }
    };
    let fields = |cells: &[Vec<u8>]| {
        let texts = cells.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()));
        let is_header = given.is_some() || texts.clone().all(|text| could_name_a_field(&text));
        let names: Vec<String> = texts.map(|text| plain(&text)).collect();
        let known = names.iter().map(|name| Known::of(name, options)).collect();
        let mut fields = CsvFields { names, known };
        if fields.are_of_screaming_frog() {
            fields.name_content_type();
        }
        Some(fields).filter(|fields| is_header && names_url(fields))
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

    fn are_of_screaming_frog(&self) -> bool {
        let is_code = |(name, known): (&String, &Option<Known>)| {
            name != "status" && known.is_some_and(|known| known.field == Field::Status)
        };
        ADDRESSES.iter().any(|name| self.has(name))
            && self.names.iter().zip(&self.known).any(is_code)
    }

    /// Old tables of Screaming Frog have the type under a name that means the page itself elsewhere.
    fn name_content_type(&mut self) {
        if let Some(at) = self.names.iter().position(|name| name == "content") {
            self.known[at] = Some(Known { field: Field::ContentType, rank: u8::MAX });
        }
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
    let mut records = Records { swelling: source.swelling(), ..Records::default() };
    let mut csv = MultilineCsv::new(Quotes::new(DELIMITERS[0]), MOST_BYTES);
    let mut table: Option<(CsvFields, Cells)> = None;
    let mut record = Vec::new();
    loop {
        let number = match csv.read(source, &mut record) {
            Ok(ReadRecord::End) => break,
            Ok(ReadRecord::Whole(number)) => number,
            Ok(ReadRecord::Bad(number)) => {
                context.bad_entry(number, BAD)?;
                continue;
            }
            Err(error) => {
                context.cut(error, &format!("line {}", csv.number()))?;
                break;
            }
        };
        // Two runs of a spider leave two headers in one file; an item has a URL, or at least a path. Before the first
        // header may stand the name of the table.
        let may_be_header = table.is_none() || memchr::memchr(b'/', &record).is_none();
        if let Some(found) = may_be_header.then(|| header(&record, context.options)).flatten() {
            csv.quotes = found.1.quotes();
            table = Some(found);
        } else if let Some((fields, cells)) = &mut table {
            match cells.of(&record) {
                Some(values) if values.len() == fields.names.len() => {
                    records.take(item(fields, values), number, context)?;
                }
                _ => records.bad(number, BAD, context)?,
            }
        }
    }
    records.end(context)
}

/// The item of a row. A missing field is empty.
fn item(fields: &CsvFields, values: Vec<Vec<u8>>) -> Item {
    let mut item = Item::default();
    for ((name, &known), value) in fields.names.iter().zip(&fields.known).zip(values) {
        let is_of_url = known.is_some_and(|known| known.field.is_of_url());
        let value = if is_of_url { url_text(value.trim_ascii()) } else { text(value) };
        item.push(known, name.clone(), value);
    }
    item
}

fn text(value: Vec<u8>) -> String {
    String::from_utf8(value)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
