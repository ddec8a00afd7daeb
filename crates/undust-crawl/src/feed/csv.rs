//! Feeds as CSV, whose first line names the fields.

use undust_pages::url_text::url_text;
use undust_util::error::Result;

use super::{MOST_BYTES, status_of, take};
use crate::cells;
use crate::cells::Cells;
use crate::input::InputContext;
use crate::options::ReadOptions;
use crate::source::Source;
use crate::spreadsheet;

/// Largest size of a field's name in bytes.
const LONGEST_NAME: usize = 128;

/// Whether a line could name the fields of a feed, one of which is the URL. If the URL is the only
/// field, the line counts only if an option gives its name. A Screaming Frog table is read as such
/// a table, which gives more data, unless an option names the column with the page.
pub(crate) fn looks_like(line: &[u8], options: &ReadOptions) -> bool {
    let Some((fields, _)) = header(line, options) else { return false };
    let has_body = || options.body_field.as_ref().is_some_and(|body| fields.at(body).is_some());
    (options.url_field.is_some() || fields.names.len() > 1)
        && (!spreadsheet::looks_like(line) || has_body())
}

fn header(line: &[u8], options: &ReadOptions) -> Option<(CsvFields, Cells)> {
    let url_field = options.url_field();
    let fields = |names: &[Vec<u8>]| {
        let name = |name: &Vec<u8>| String::from_utf8_lossy(name.trim_ascii()).into_owned();
        let names: Vec<String> = names.iter().map(name).collect();
        let url = names.iter().position(|name| name == url_field)?;
        let is_header =
            options.url_field.is_some() || names.iter().all(|name| could_name_a_field(name));
        is_header.then_some(CsvFields { names, url })
    };
    cells::names(line, url_field.as_bytes()).then(|| cells::header(line, fields))?
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
    names: Vec<String>,
    url: usize,
}

impl CsvFields {
    fn at(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
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
    mut values: Vec<Vec<u8>>,
    number: u64,
    context: &mut InputContext<'_>,
) -> Result<()> {
    let mut text = |field: &str| {
        let at = fields.at(field)?;
        let value = std::mem::take(values.get_mut(at)?);
        (!value.is_empty()).then(|| match at == fields.url {
            true => url_text(value.trim_ascii()),
            false => String::from_utf8_lossy(&value).into_owned(),
        })
    };
    let status = text("status");
    take(status_of(status.as_deref()), text, number, context)
}
