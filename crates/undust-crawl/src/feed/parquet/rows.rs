//! The rows of a Parquet file as items: only the columns that are used are read, a few rows at a time.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::SchemaDescriptor;

use undust_pages::url_text::url_text;
use undust_util::error::{CrawlReason, Error, Result};

use super::MAGIC;
use super::guarded::guarded;
use crate::feed::{Item, MOST_BYTES, MOST_NAMES, SUBSET, take};
use crate::fields::{ALL_FIELDS, Field, plain};
use crate::input::InputContext;
use crate::options::ReadOptions;
use crate::source::{Source, fault};

/// Rows that are read at once. A row may have a page.
const ROWS: usize = 64;
/// Most bytes of a column in a row group, decompressed: a page is held in memory as a whole.
const MOST_COLUMN_BYTES: i64 = 1 << 30;

/// Reads a file, row group after row group. What comes through a pipe, or is compressed as a whole, is written to a
/// temporary file first, because the list of columns is at the end.
pub(crate) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let path = context.path;
    let file = match plain_file(path) {
        Some(file) => file,
        None => spooled(source).map_err(|error| fault(path, error))?,
    };
    let unusable = |reason| Error::Crawl { path: path.into(), reason, remedy: None };
    let damaged = |source| unusable(CrawlReason::Damaged { source });
    let file = guarded(|| SerializedFileReader::new(file)).map_err(damaged)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let columns = Columns::of(&schema, context.options);
    if !columns.has_url {
        let columns = names(&schema);
        return Err(unusable(CrawlReason::UnknownTable { columns }));
    }
    let mut row = 1;
    for number in 0..file.num_row_groups() {
        let read = guarded(|| Group::of(&*file.get_row_group(number)?, &columns));
        let mut group = match read {
            Ok(group) => group,
            Err(error) => return context.cut(error, &format!("row {row}")),
        };
        loop {
            let items = match guarded(|| group.items()) {
                Ok(items) if items.is_empty() => break,
                Ok(items) => items,
                Err(error) => return context.cut(error, &format!("row {row}")),
            };
            for item in items {
                match item {
                    Some(item) => take(item, row, context)?,
                    None => context.bad_entry(row, "is longer than 16 MiB"),
                }
                row += 1;
            }
        }
    }
    Ok(())
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

/// The columns that are read.
struct Columns {
    used: Vec<UsedColumn>,
    has_url: bool,
}

struct UsedColumn {
    place: usize,
    /// Its plain name, with dots between the names of nested ones.
    name: String,
    may_be_url: bool,
}

impl Columns {
    /// Columns that have one value a row and a name that is known or that the user gives.
    fn of(schema: &SchemaDescriptor, options: &ReadOptions) -> Self {
        let is_of = |field: Field, name: &str| match options.given(field) {
            Some(given) => given == name,
            None => field.names().contains(&name),
        };
        let (mut used, mut has_url) = (Vec::new(), false);
        for (place, column) in schema.columns().iter().enumerate() {
            let parts: Vec<String> = column.path().parts().iter().map(|part| plain(part)).collect();
            let name = parts.join(".");
            if column.max_rep_level() > 0 {
                continue;
            }
            has_url |= is_of(Field::Url, &name);
            if name == SUBSET || ALL_FIELDS.iter().any(|field| is_of(*field, &name)) {
                used.push(UsedColumn { place, may_be_url: options.may_name_url(&name), name });
            }
        }
        Self { used, has_url }
    }
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
    may_be_url: bool,
    reader: ColumnReader,
}

impl Group {
    fn of(group: &dyn RowGroupReader, columns: &Columns) -> Result<Self, ParquetError> {
        let metadata = group.metadata();
        let column = |UsedColumn { place, name, may_be_url }: &UsedColumn| {
            let chunk = metadata.column(*place);
            if chunk.uncompressed_size() > MOST_COLUMN_BYTES {
                return Err(ParquetError::General(format!(
                    "the column `{name}` has more than 1 GiB in a row group; write smaller row groups"
                )));
            }
            let defined = chunk.column_descr().max_def_level();
            let reader = group.get_column_reader(*place)?;
            Ok(Column { name: name.clone(), defined, may_be_url: *may_be_url, reader })
        };
        let rows = usize::try_from(metadata.num_rows()).unwrap_or(0);
        Ok(Self { columns: columns.used.iter().map(column).collect::<Result<_, _>>()?, rows })
    }

    /// The next rows; none after the last. An item that is too long is none.
    fn items(&mut self) -> Result<Vec<Option<Item>>, ParquetError> {
        let rows = self.rows.min(ROWS);
        self.rows -= rows;
        let mut items: Vec<(Item, usize)> = (0..rows).map(|_| (Item::default(), 0)).collect();
        for column in self.columns.iter_mut().filter(|_| rows > 0) {
            let values = column.values(rows)?;
            for ((item, bytes), value) in items.iter_mut().zip(values) {
                let Some(value) = value else { continue };
                *bytes += value.len();
                item.push(column.name.clone(), value);
            }
        }
        let short = items.into_iter().map(|(item, bytes)| (bytes <= MOST_BYTES).then_some(item));
        Ok(short.collect())
    }
}

impl Column {
    /// The values of the next rows, as texts. Numbers that no field has, such as fractions, are left out.
    fn values(&mut self, rows: usize) -> Result<Vec<Option<String>>, ParquetError> {
        let (defined, is_url) = (self.defined, self.may_be_url);
        let text = |value: &ByteArray| match is_url {
            true => url_text(value.data().trim_ascii()),
            false => String::from_utf8_lossy(value.data()).into_owned(),
        };
        match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => values(reader, defined, rows, text),
            ColumnReader::Int32ColumnReader(reader) => {
                values(reader, defined, rows, i32::to_string)
            }
            ColumnReader::Int64ColumnReader(reader) => {
                values(reader, defined, rows, i64::to_string)
            }
            _ => Ok(vec![None; rows]),
        }
    }
}

/// The next values of a column, each as a text; none where a row has none.
fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    defined: i16,
    rows: usize,
    text: impl Fn(&T::T) -> String,
) -> Result<Vec<Option<String>>, ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (read, ..) = reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    if read < rows {
        return Err(ParquetError::EOF("a column ends before its row group".to_owned()));
    }
    if defined == 0 {
        return Ok(values.iter().map(|value| Some(text(value))).collect());
    }
    let mut values = values.iter();
    let value = |level: &i16| (*level == defined).then(|| values.next().map(&text)).flatten();
    Ok(levels.iter().map(value).collect())
}
