//! Tables of pages as Screaming Frog exports them: CSV whose first line names the columns, with
//! commas, semicolons or tabs between them. Pages with equal hashes are duplicates.

use undust_pages::response::Response;
use undust_pages::url_text::{url_text, without_controls, without_fragment};
use undust_util::error::Result;

use super::capture::{absolute, names_html};
use super::cells;
use super::cells::Cells;
use super::fields::{Field, plain};
use super::input::{Found, InputContext};
use super::source::Source;

/// What it calls the URL in its five languages.
const ADDRESS: [&str; 4] = ["Address", "Adresse", "Dirección", "Indirizzo"];

/// Largest size of an entry in bytes.
const MOST_BYTES: usize = 1024 * 1024;

/// Whether a line could name the columns of a table.
pub(super) fn looks_like(line: &[u8]) -> bool {
    header(line).is_some()
}

/// The columns that a line names, and the reader of the lines after it.
fn header(line: &[u8]) -> Option<(Columns, Cells)> {
    let names_address = ADDRESS.iter().any(|name| cells::names(line, name.as_bytes()));
    names_address.then(|| cells::header(line, Columns::of))?
}

/// Reads a table: an entry becomes a response whose only content is its hash.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    const BAD: &str = "is not a row of the table";
    // Tables that were put together name their columns again, and before those of the first
    // stands the name of the table.
    let header = |line: &[u8], _: &_| header(line);
    cells::each_record(
        source,
        context,
        MOST_BYTES,
        BAD,
        header,
        |columns: &Columns, record, context| {
            match columns.entry(record.text, record.cells) {
                TableRow::Page(response) => return (context.emit)(Found::Response(response)),
                TableRow::NotHtml => context.report.not_html += 1,
                TableRow::Bad => context.bad_entry(record.number, BAD),
            }
            Ok(())
        },
    )
}

/// The positions of the columns that are used.
struct Columns {
    count: usize,
    address: usize,
    status: usize,
    content_type: Option<usize>,
    hash: Option<usize>,
    title: Option<usize>,
    canonical: Option<usize>,
    redirect: Option<usize>,
    size: Option<usize>,
}

enum TableRow {
    Page(Box<Response>),
    NotHtml,
    Bad,
}

impl Columns {
    /// The columns of these names; `None` for names of another table.
    fn of(names: &[Vec<u8>]) -> Option<Columns> {
        let names: Vec<String> =
            names.iter().map(|name| plain(&String::from_utf8_lossy(name.trim_ascii()))).collect();
        let at = |field: Field| {
            field.names().iter().find_map(|name| names.iter().position(|known| known == name))
        };
        Some(Columns {
            count: names.len(),
            address: at(Field::Url)?,
            status: at(Field::Status).filter(|at| names[*at] != "status")?,
            content_type: at(Field::ContentType)
                .or_else(|| names.iter().position(|name| name == "content")),
            hash: at(Field::Digest),
            title: at(Field::Title),
            canonical: at(Field::Canonical),
            redirect: at(Field::Location),
            size: names.iter().position(|name| matches!(name.as_str(), "size" | "sizebytes")),
        })
    }

    fn entry(&self, record: &[u8], cells: &mut Cells) -> TableRow {
        let values = cells.of(record).filter(|values| values.len() == self.count);
        let Some(values) = values else {
            return TableRow::Bad;
        };
        let bytes = |at: usize| values.get(at).map_or(&b""[..], |value| value.trim_ascii());
        let text = |at: Option<usize>| {
            let text = String::from_utf8_lossy(bytes(at?)).into_owned();
            Some(text).filter(|text| !text.is_empty())
        };
        let url = without_controls(without_fragment(url_text(bytes(self.address))));
        let Some(status) = text(Some(self.status)).and_then(|status| status.parse().ok()) else {
            return TableRow::Bad;
        };
        if url.is_empty() {
            return TableRow::Bad;
        }
        let location = text(self.redirect).filter(|_| (300..400).contains(&status));
        let content_type = text(self.content_type);
        if location.is_none() && content_type.is_some_and(|kind| !names_html(&kind)) {
            return TableRow::NotHtml;
        }
        let page = |at| text(at).filter(|_| status == 200);
        TableRow::Page(Box::new(Response {
            status,
            location: location.and_then(|to| absolute(&to, &url)),
            title: page(self.title)
                .map(|title| title.split_whitespace().collect::<Vec<_>>().join(" ")),
            digest: page(self.hash),
            canonical: page(self.canonical).and_then(|to| absolute(&to, &url)),
            length: page(self.size).and_then(|size| size.parse().ok()),
            url,
            ..Response::default()
        }))
    }
}
