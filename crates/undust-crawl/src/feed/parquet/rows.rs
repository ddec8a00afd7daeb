//! The rows of a Parquet file as items: only the columns that are used are read, a few rows at a time.

mod budget;
mod delta;
mod footer;
mod guarded;
mod pages;
#[cfg(test)]
mod tests;
mod thrift;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::SchemaDescriptor;

use undust_pages::url_text::url_text;

use self::budget::Budget;
use self::guarded::guarded;
use self::pages::{CurrentPage, Pages};
use super::MAGIC;
use crate::error::{CrawlReason, Error, Result};
use crate::feed::{MOST_BYTES, Records};
use crate::fields::{Known, plain};
use crate::input::InputContext;
use crate::item::{Item, MOST_NAMES};
use crate::options::ReadOptions;
use crate::source::{Source, fault};

/// Rows that are read at once.
const ROWS: usize = 64;
/// Most bytes of values of a column that are read at once, if each is a copy.
const MOST_COPIED: u64 = 64 << 20;
/// Types of texts and numbers. Times may be fractions.
const READ_TYPES: [Type; 4] = [Type::BYTE_ARRAY, Type::INT32, Type::INT64, Type::DOUBLE];
/// What programs call the elements of a list, by its plain name.
const ELEMENTS: [&str; 4] = [".list.element", ".list.item", ".bag.arrayelement", ".array"];
/// What each column of a row costs besides its value.
const CELL_COST: u64 = 16;

/// Reads a file, row group after row group. What comes through a pipe, or is compressed as a whole, is written to a
/// temporary file first, because the list of columns is at the end.
pub(crate) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let path = context.path;
    let file = match plain_file(path) {
        Some(file) => file,
        None => spooled(source).map_err(|error| fault(path, error))?,
    };
    let damaged = |source| Error::at(path, CrawlReason::Damaged { source });
    let length = file.metadata().map_err(Error::io("read", path))?.len();
    // What was unpacked once has used up a part of what it may become.
    let budget = Arc::new(Budget::of(length / source.swelling().max(1)));
    let opened = || {
        footer::check(&file)?;
        SerializedFileReader::new(file.try_clone()?)
    };
    let reader = guarded(opened).map_err(damaged)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let columns = used_columns(&schema, context.options);
    if !columns.iter().any(|column| column.known.field.is_of_url()) {
        let columns = names(&schema);
        return Err(Error::at(path, CrawlReason::UnknownTable { columns }));
    }
    let swelling = source.swelling();
    let (mut row, mut records) = (1, Records { swelling, ..Records::default() });
    for number in 0..reader.num_row_groups() {
        let read = guarded(|| Group::of(&*reader.get_row_group(number)?, &columns, &file, &budget));
        let mut group = match read {
            Ok(group) => group,
            Err(error) => return context.cut(error, &format!("row {row}")),
        };
        loop {
            let rows = match guarded(|| group.rows()) {
                Ok(rows) if rows.is_empty() => break,
                Ok(rows) => rows,
                Err(error) => return context.cut(error, &format!("row {row}")),
            };
            for cells in rows {
                match guarded(|| group.item(cells, &budget)) {
                    Ok(Some(item)) => records.take(item, row, context)?,
                    Ok(None) => records.bad(row, "is longer than 16 MiB", context)?,
                    Err(error) => return context.cut(error, &format!("row {row}")),
                }
                row += 1;
            }
        }
    }
    records.end(context)
}

/// The file itself, if it can be read at any place and is not compressed as a whole.
fn plain_file(path: &Path) -> Option<File> {
    // Opening a named pipe would take what is in it.
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let mut start = [0; MAGIC.len()];
    file.read_exact(&mut start).ok()?;
    (start == MAGIC).then_some(file)
}

fn spooled(source: &mut Source) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(source, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// The names of the columns, for people.
fn names(schema: &SchemaDescriptor) -> String {
    let names = schema.columns().iter().map(|column| column.path().parts().join("."));
    names.take(MOST_NAMES).collect::<Vec<_>>().join(", ")
}

/// A column that is read.
struct UsedColumn {
    place: usize,
    /// Its plain name, with dots between the names of nested ones.
    name: String,
    known: Known,
}

/// Columns that have one value a row, or lists, of a type that a field may have, and a name that is known or that the
/// user gives.
fn used_columns(schema: &SchemaDescriptor, options: &ReadOptions) -> Vec<UsedColumn> {
    let mut used = Vec::new();
    for (place, column) in schema.columns().iter().enumerate() {
        let parts: Vec<String> = column.path().parts().iter().map(|part| plain(part)).collect();
        let mut name = parts.join(".");
        if column.max_rep_level() > 1 || !READ_TYPES.contains(&column.physical_type()) {
            continue;
        }
        if column.max_rep_level() == 1 {
            let list = ELEMENTS.iter().find_map(|element| name.strip_suffix(element));
            name = list.unwrap_or(&name).to_owned();
        }
        used.extend(Known::of(&name, options).map(|known| UsedColumn { place, known, name }));
    }
    used
}

/// The columns of a row group.
struct Group {
    columns: Vec<Column>,
    /// Rows that are still to be read.
    rows: usize,
}

struct Column {
    name: String,
    /// The definition level of a value that is there.
    defined: i16,
    known: Known,
    reader: ColumnReader,
    page: Arc<CurrentPage>,
}

/// What a column has in a row. It is copied when the row is taken: many rows may have one long value.
enum Cell {
    Text(ByteArray),
    Number(i64),
    Fraction(f64),
}

impl Group {
    fn of(
        group: &dyn RowGroupReader,
        columns: &[UsedColumn],
        file: &File,
        budget: &Arc<Budget>,
    ) -> Result<Self, ParquetError> {
        let metadata = group.metadata();
        let column = |UsedColumn { place, name, known }: &UsedColumn| {
            let description = metadata.column(*place).column_descr_ptr();
            let defined = description.max_def_level();
            let pages = Pages::of(group, *place, file, budget)?;
            let page = Arc::clone(&pages.page);
            let reader = get_column_reader(description, Box::new(pages));
            let (name, known) = (name.clone(), *known);
            Ok::<_, ParquetError>(Column { name, defined, known, reader, page })
        };
        let rows = usize::try_from(metadata.num_rows()).unwrap_or(0);
        // A list of one text, such as a header, is that text. Lists of more say nothing of a row.
        let has_one = |used: &&UsedColumn| {
            let column = metadata.column(used.place);
            column.column_descr().max_rep_level() == 0 || column.num_values() == metadata.num_rows()
        };
        let columns = columns.iter().filter(has_one).map(column);
        Ok(Self { columns: columns.collect::<Result<_, _>>()?, rows })
    }

    /// What the columns have in the next rows; none after the last.
    fn rows(&mut self) -> Result<Vec<Vec<Option<Cell>>>, ParquetError> {
        let at_once = self.columns.iter().map(|one| one.page.rows_at_once(ROWS, MOST_COPIED));
        let count = at_once.min().unwrap_or(ROWS).min(self.rows);
        self.rows -= count;
        let mut rows: Vec<_> = (0..count).map(|_| Vec::with_capacity(self.columns.len())).collect();
        for column in self.columns.iter_mut().filter(|_| count > 0) {
            let cells = column.cells(count)?;
            column.page.was_read(count);
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        }
        Ok(rows)
    }

    /// The item of a row; none if it is too long.
    fn item(&self, row: Vec<Option<Cell>>, budget: &Budget) -> Result<Option<Item>, ParquetError> {
        let length = |cell: &Option<Cell>| match cell {
            Some(Cell::Text(text)) => text.len(),
            _ => 0,
        };
        let bytes: usize = row.iter().map(length).sum();
        budget.take(CELL_COST * row.len() as u64)?;
        if bytes > MOST_BYTES {
            return Ok(None);
        }
        budget.take(bytes as u64)?;
        let (mut item, mut bytes) = (Item::default(), 0);
        for (column, cell) in self.columns.iter().zip(row) {
            let Some(cell) = cell else { continue };
            let value = column.text(&cell);
            bytes += value.len();
            item.push(Some(column.known), column.name.clone(), value);
        }
        Ok((bytes <= MOST_BYTES).then_some(item))
    }
}

impl Column {
    fn text(&self, cell: &Cell) -> String {
        match cell {
            Cell::Number(number) => number.to_string(),
            Cell::Fraction(number) => number.to_string(),
            Cell::Text(text) if self.known.field.is_of_url() => url_text(text.data().trim_ascii()),
            Cell::Text(text) => String::from_utf8_lossy(text.data()).into_owned(),
        }
    }

    /// The values of the next rows. Columns of other types are [not used](used_columns).
    fn cells(&mut self, rows: usize) -> Result<Vec<Option<Cell>>, ParquetError> {
        let defined = self.defined;
        match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                values(reader, defined, rows, Cell::Text)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                values(reader, defined, rows, |value| Cell::Number(value.into()))
            }
            ColumnReader::Int64ColumnReader(reader) => values(reader, defined, rows, Cell::Number),
            ColumnReader::DoubleColumnReader(reader) => {
                values(reader, defined, rows, Cell::Fraction)
            }
            _ => Ok((0..rows).map(|_| None).collect()),
        }
    }
}

/// The next values of a column; none where a row has none.
fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    defined: i16,
    rows: usize,
    cell: impl Fn(T::T) -> Cell,
) -> Result<Vec<Option<Cell>>, ParquetError> {
    let (mut levels, mut lists, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let (read, ..) = reader.read_records(rows, Some(&mut levels), Some(&mut lists), &mut values)?;
    if read < rows || lists.len() > rows {
        return Err(ParquetError::EOF("a column ends before its row group".to_owned()));
    }
    let mut values = values.into_iter().map(cell);
    if defined == 0 {
        return Ok(values.map(Some).collect());
    }
    Ok(levels.iter().map(|level| if *level == defined { values.next() } else { None }).collect())
}
