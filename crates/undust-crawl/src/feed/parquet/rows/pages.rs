//! The pages of a column, each looked at before it is unpacked: what its header says that it becomes is paid for
//! first, and what the crate would make of its values.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;

use super::budget::Budget;
use super::delta;
use super::thrift::{Thrift, damaged};

type Checked<T> = Result<T, ParquetError>;

/// Most bytes of a column in a row group, unpacked: a page is held in memory as a whole.
const MOST_COLUMN_BYTES: u64 = 1 << 30;

/// A page of values; there are pages of dictionaries, too.
const DATA_PAGES: [i32; 2] = [0, 3];
const DICTIONARY_PAGE: i32 = 2;

/// The page whose values are read, for whoever decides how many are read at once.
#[derive(Debug, Default)]
pub(super) struct CurrentPage {
    /// Rows that are still to be read.
    rows: AtomicU64,
    /// Bytes of its longest value at most, if each value is copied when it is read.
    copied: AtomicU64,
}

impl CurrentPage {
    /// How many rows are read at once, of `most`: none of another page, which may have longer values, and of
    /// values that are copied no more than `bytes`.
    pub(super) fn rows_at_once(&self, most: usize, bytes: u64) -> usize {
        let rows = self.rows.load(Ordering::Relaxed).max(1);
        let copied = self.copied.load(Ordering::Relaxed).max(1);
        let rows = rows.min((bytes / copied).max(1));
        most.min(usize::try_from(rows).unwrap_or(most))
    }

    pub(super) fn was_read(&self, rows: usize) {
        let left = self.rows.load(Ordering::Relaxed).saturating_sub(rows as u64);
        self.rows.store(left, Ordering::Relaxed);
    }
}

/// The pages of a column in a row group.
pub(super) struct Pages {
    inner: Box<dyn PageReader>,
    file: File,
    /// Where the next header begins, and bytes up to the end of the column.
    at: u64,
    left: u64,
    is_gzip: bool,
    kind: Type,
    /// The definition level of a value that is there.
    defined: i16,
    /// Whether it is of lists, whose levels come first.
    is_list: bool,
    /// Rows whose values have not come.
    rows: u64,
    /// Bytes that it may still become.
    most: u64,
    budget: Arc<Budget>,
    /// The page whose values are read.
    pub page: Arc<CurrentPage>,
}

impl Pages {
    /// Of a column that has one value a row; in a list, too.
    pub(super) fn of(
        group: &dyn RowGroupReader,
        place: usize,
        file: &File,
        budget: &Arc<Budget>,
    ) -> Checked<Self> {
        let metadata = group.metadata();
        let chunk = metadata.column(place);
        let unpacked = u64::try_from(chunk.uncompressed_size());
        if unpacked.is_ok_and(|bytes| bytes > MOST_COLUMN_BYTES) {
            return Err(too_large());
        }
        let (at, left) = chunk.byte_range();
        let length = file.metadata()?.len();
        if at.checked_add(left).is_none_or(|end| end > length) {
            return Err(damaged("a column lies beyond the end of the file"));
        }
        Ok(Self {
            inner: group.get_column_page_reader(place)?,
            file: file.try_clone()?,
            at,
            left,
            is_gzip: matches!(chunk.compression(), Compression::GZIP(_)),
            kind: chunk.column_type(),
            defined: chunk.column_descr().max_def_level(),
            is_list: chunk.column_descr().max_rep_level() > 0,
            rows: u64::try_from(metadata.num_rows()).unwrap_or(0),
            most: MOST_COLUMN_BYTES,
            budget: Arc::clone(budget),
            page: Arc::default(),
        })
    }

    /// Looks at the next page and pays for it.
    fn admit(&mut self) -> Checked<()> {
        let header = Header::read(&mut self.file, self.at, self.left)?;
        self.at += header.length;
        self.left -= header.length;
        let bytes = header.unpacked.max(header.packed);
        if header.packed > self.left {
            return Err(damaged("a page ends beyond its column"));
        }
        self.most = self.most.checked_sub(bytes).ok_or_else(too_large)?;
        self.budget.take(bytes)?;
        if self.is_gzip {
            self.check_gzip(header)?;
        }
        self.at += header.packed;
        self.left -= header.packed;
        Ok(())
    }

    /// The crate unpacks gzip to its end, whatever the header says. Of other codecs it makes no more.
    fn check_gzip(&mut self, header: Header) -> Checked<()> {
        self.file.seek(SeekFrom::Start(self.at))?;
        let packed = BufReader::new((&self.file).take(header.packed));
        let mut unpacked = MultiGzDecoder::new(packed).take(header.unpacked + 1);
        match io::copy(&mut unpacked, &mut io::sink()) {
            Ok(bytes) if bytes > header.unpacked => {
                Err(damaged("a page becomes more than it says"))
            }
            // What is damaged the crate tells.
            _ => Ok(()),
        }
    }

    /// Looks at what a page holds, and pays for what the crate makes of it at once.
    fn check(&mut self, page: &Page) -> Checked<()> {
        let (buffer, count) = (page.buffer(), u64::from(page.num_values()));
        if let Page::DictionaryPage { .. } = page {
            return self.check_dictionary(buffer.len() as u64, count);
        }
        self.rows = self
            .rows
            .checked_sub(count)
            .ok_or_else(|| damaged("a column has more values than its row group has rows"))?;
        let is_copied = page.encoding() == Encoding::DELTA_BYTE_ARRAY;
        let copied = if is_copied { buffer.len() as u64 } else { 0 };
        self.page.rows.store(count, Ordering::Relaxed);
        self.page.copied.store(copied, Ordering::Relaxed);
        if is_copied || page.encoding() == Encoding::DELTA_LENGTH_BYTE_ARRAY {
            // Lengths, and those of the beginnings that values share.
            self.budget.take(8 * count)?;
            let mut values = self.values(page)?;
            for _ in 0..1 + usize::from(is_copied) {
                values = delta::skip(values, count)?;
            }
        }
        Ok(())
    }

    fn check_dictionary(&self, bytes: u64, count: u64) -> Checked<()> {
        let (packed, unpacked) = match self.kind {
            Type::INT32 => (4, 4),
            Type::INT64 | Type::DOUBLE => (8, 8),
            // Each has its length before it.
            _ => (4, size_of::<ByteArray>() as u64),
        };
        if count * packed > bytes {
            return Err(damaged("a dictionary has more values than bytes"));
        }
        self.budget.take(count * unpacked)
    }

    /// What is behind the definition levels of a page.
    fn values<'p>(&self, page: &'p Page) -> Checked<&'p [u8]> {
        let mut buffer: &[u8] = page.buffer();
        if let (true, Page::DataPage { rep_level_encoding, .. }) = (self.is_list, page) {
            let values = u64::from(page.num_values());
            let lists = match rep_level_encoding {
                Encoding::RLE => with_length(buffer),
                _ => values.div_ceil(8),
            };
            let place = usize::try_from(lists).unwrap_or(usize::MAX);
            buffer = buffer.get(place..).ok_or_else(|| damaged("a page ends within its levels"))?;
        }
        let levels = match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len)
            }
            _ if self.defined == 0 => 0,
            Page::DataPage { def_level_encoding: Encoding::RLE, .. } => with_length(buffer),
            // One bit after the other.
            _ => {
                let bits = u64::from(16 - self.defined.leading_zeros());
                (u64::from(page.num_values()) * bits).div_ceil(8)
            }
        };
        let place = usize::try_from(levels).unwrap_or(usize::MAX);
        buffer.get(place..).ok_or_else(|| damaged("a page ends within its levels"))
    }
}

/// Bytes of levels that begin with their length.
fn with_length(buffer: &[u8]) -> u64 {
    4 + u64::from(buffer.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)))
}

fn too_large() -> ParquetError {
    let sentence = "a column has more than 1 GiB in a row group; write smaller row groups";
    ParquetError::General(sentence.to_owned())
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Checked<Option<Page>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.admit()?;
        let page = self.inner.get_next_page()?;
        page.iter().try_for_each(|page| self.check(page))?;
        Ok(page)
    }

    /// Nothing looks ahead where each row has one value, nor skips.
    fn peek_next_page(&mut self) -> Checked<Option<PageMetadata>> {
        Err(ParquetError::NYI("looking ahead of a page".to_owned()))
    }

    /// Each row has one value, so none goes on.
    fn at_record_boundary(&mut self) -> Checked<bool> {
        Ok(true)
    }

    fn skip_next_page(&mut self) -> Checked<()> {
        Err(ParquetError::NYI("passing over a page".to_owned()))
    }
}

impl Iterator for Pages {
    type Item = Checked<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

/// What the header of a page says of its lengths.
#[derive(Debug, Clone, Copy)]
struct Header {
    /// Bytes of the header itself.
    length: u64,
    packed: u64,
    unpacked: u64,
}

impl Header {
    fn read(file: &mut File, at: u64, most: u64) -> Checked<Self> {
        file.seek(SeekFrom::Start(at))?;
        let mut thrift = Thrift::new(BufReader::new(file), most);
        let (mut last, mut known) = (0, [None; 3]);
        while let Some(field) = thrift.field(last)? {
            last = field.id;
            match usize::try_from(last - 1).ok().and_then(|place| known.get_mut(place)) {
                Some(place) => *place = Some(thrift.i32(field)?),
                None => thrift.skip(field)?,
            }
        }
        let [Some(kind), Some(unpacked), Some(packed)] = known else {
            return Err(damaged("the header of a page lacks a length"));
        };
        // The crate would pass over any other, and over its header.
        if kind != DICTIONARY_PAGE && !DATA_PAGES.contains(&kind) {
            return Err(damaged("a page is of no kind that columns have"));
        }
        let length = |value: i32| {
            u64::try_from(value).map_err(|_| damaged("the length of a page is negative"))
        };
        Ok(Self { length: thrift.read, packed: length(packed)?, unpacked: length(unpacked)? })
    }
}
