//! Responses as rows of Arrow tables: what engines such as Spark carry from one step to the next.
//!
//! A row has the fields of a manifest's line, and what orders and spreads it: its `site`, a `hash`
//! of its URL, the number of its `crawl`, and its place in it, `seq`.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int16Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, Float64Array, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
    StructArray,
};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use undust::crawl::{Response, Simhash, SiteBy, TextHash, site_of};
use xxhash_rust::xxh3::xxh3_64;

use crate::arrow::{array_of, broken, lend, lend_schema};

/// Where a row stands among those of its site: crawl, and place in it.
pub(crate) type Place = (i32, i64);

/// Rows of an Arrow table, for whatever takes in Arrow's record batches.
#[pyclass(frozen, module = "undust")]
pub(crate) struct Rows {
    array: StructArray,
}

#[pymethods]
impl Rows {
    /// Their type, as Arrow's interface gives it.
    fn __arrow_c_schema__<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyCapsule>> {
        lend_schema(py, self.array.data_type())
    }

    /// The rows, as Arrow's interface lends them.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'p>(
        &self,
        py: Python<'p>,
        requested_schema: Option<&Bound<'p, PyAny>>,
    ) -> PyResult<(Bound<'p, PyCapsule>, Bound<'p, PyCapsule>)> {
        let _ = requested_schema;
        lend(py, &self.array)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self) -> String {
        format!("<{} rows>", self.array.len())
    }
}

impl Rows {
    /// Rows of these columns, which are of one length.
    pub(crate) fn of(columns: Vec<(&str, ArrayRef)>) -> PyResult<Rows> {
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, column)| (name, column, true)),
        );
        Ok(Rows { array: batch.map_err(broken)?.into() })
    }

    /// Responses in crawl order, from the one at `from` on; with `labels` what their pages
    /// say of themselves beyond `canonical`, too.
    pub(crate) fn of_responses(
        responses: &[Response],
        by: SiteBy,
        crawl: i32,
        from: i64,
        labels: bool,
    ) -> PyResult<Rows> {
        let text = |of: fn(&Response) -> Option<&str>| texts(responses.iter().map(of));
        let simhashes = responses.iter().map(|one| one.simhash.map(|hash| hex(hash.0)));
        let simhashes: Vec<_> = simhashes.collect();
        let text_hashes = responses.iter().map(|one| one.text_hash.map(|hash| hex(hash.0)));
        let text_hashes: Vec<_> = text_hashes.collect();
        let count = |of: fn(&Response) -> Option<u64>| -> ArrayRef {
            let count = |one| of(one).map(|count| i64::try_from(count).unwrap_or(i64::MAX));
            Arc::new(responses.iter().map(count).collect::<Int64Array>())
        };
        let status = responses.iter().map(|one| Some(i32::from(one.status)));
        let places = (from..).take(responses.len()).map(Some);
        let importance = responses.iter().map(|one| one.importance);
        let mut columns = keys(responses.iter().map(|one| Some(one.url.as_str())), by);
        columns.extend([
            ("crawl", Arc::new(Int32Array::from_value(crawl, responses.len())) as ArrayRef),
            ("seq", Arc::new(places.collect::<Int64Array>())),
            ("url", text(|one| Some(&one.url))),
            ("status", Arc::new(status.collect::<Int32Array>())),
            ("location", text(|one| one.location.as_deref())),
            ("title", text(|one| one.title.as_deref())),
            ("simhash", texts(simhashes.iter().map(Option::as_deref))),
            ("text_hash", texts(text_hashes.iter().map(Option::as_deref))),
            ("digest", text(|one| one.digest.as_deref())),
            ("words", count(|one| one.words)),
            ("length", count(|one| one.length)),
            ("canonical", text(|one| one.canonical.as_deref())),
            ("time", text(|one| one.time.as_deref())),
            ("importance", Arc::new(importance.collect::<Float64Array>())),
        ]);
        if labels {
            let alternates = lists(responses.iter().map(|one| one.alternates.as_slice()));
            columns.extend([
                ("og_url", text(|one| one.og_url.as_deref())),
                ("no_vary_search", text(|one| one.no_vary_search.as_deref())),
                ("alternates", alternates),
            ]);
        }
        Rows::of(columns)
    }
}

/// Lists of texts.
fn lists<'t>(lists: impl Iterator<Item = &'t [String]>) -> ArrayRef {
    let mut made = ListBuilder::new(StringBuilder::new());
    lists.for_each(|list| made.append_value(list.iter().map(Some)));
    Arc::new(made.finish())
}

fn texts<'t>(texts: impl Iterator<Item = Option<&'t str>>) -> ArrayRef {
    Arc::new(texts.collect::<StringArray>())
}

fn hex(bits: u64) -> String {
    format!("{bits:016x}")
}

/// The columns `site` and `hash` of URLs.
pub(crate) fn keys<'u>(
    urls: impl Iterator<Item = Option<&'u str>> + Clone,
    by: SiteBy,
) -> Vec<(&'static str, ArrayRef)> {
    let sites = urls.clone().map(|url| url.and_then(|url| site_of(url, by)));
    let sites: Vec<_> = sites.collect();
    let hash = |url: Option<&str>| url.map(|url| xxh3_64(url.as_bytes()).cast_signed());
    vec![
        ("site", texts(sites.iter().map(Option::as_deref))),
        ("hash", Arc::new(urls.map(hash).collect::<Int64Array>())),
    ]
}

/// A record batch that another library lends.
pub(crate) fn batch_of(given: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    if !given.hasattr("__arrow_c_array__")? {
        return Err(PyTypeError::new_err("this is no Arrow record batch"));
    }
    let array = array_of(given, |data_type| match data_type {
        DataType::Struct(_) => Ok(data_type),
        other => Err(PyTypeError::new_err(format!("an Arrow array of {other} is no record batch"))),
    })?;
    if array.null_count() > 0 {
        return Err(PyTypeError::new_err("a record batch has rows, and this array has nulls"));
    }
    array.to_data().validate_full().map_err(broken)?;
    Ok(RecordBatch::from(array.as_struct()))
}

/// The columns of a batch of responses. Only `url` and `status` must be there.
pub(crate) struct ResponseColumns<'b> {
    crawl: Whole<'b>,
    seq: Whole<'b>,
    url: Text<'b>,
    status: Whole<'b>,
    location: Text<'b>,
    title: Text<'b>,
    simhash: Text<'b>,
    text_hash: Text<'b>,
    digest: Text<'b>,
    words: Whole<'b>,
    length: Whole<'b>,
    canonical: Text<'b>,
    time: Text<'b>,
    importance: Option<&'b Float64Array>,
    og_url: Text<'b>,
    no_vary_search: Text<'b>,
    alternates: Option<&'b ListArray>,
}

impl<'b> ResponseColumns<'b> {
    pub(crate) fn of(batch: &'b RecordBatch) -> PyResult<Self> {
        let importance = batch.column_by_name("importance");
        Ok(Self {
            crawl: Whole::of(batch, "crawl")?,
            seq: Whole::of(batch, "seq")?,
            url: Text::of(batch, "url")?.required("url")?,
            status: Whole::of(batch, "status")?.required("status")?,
            location: Text::of(batch, "location")?,
            title: Text::of(batch, "title")?,
            simhash: Text::of(batch, "simhash")?,
            text_hash: Text::of(batch, "text_hash")?,
            digest: Text::of(batch, "digest")?,
            words: Whole::of(batch, "words")?,
            length: Whole::of(batch, "length")?,
            canonical: Text::of(batch, "canonical")?,
            time: Text::of(batch, "time")?,
            importance: importance.and_then(|column| column.as_primitive_opt::<Float64Type>()),
            og_url: Text::of(batch, "og_url")?,
            no_vary_search: Text::of(batch, "no_vary_search")?,
            alternates: batch.column_by_name("alternates").and_then(|column| column.as_list_opt()),
        })
    }

    /// Where a row stands.
    pub(crate) fn place(&self, row: usize) -> Place {
        let crawl = self.crawl.get(row).and_then(|crawl| i32::try_from(crawl).ok());
        (crawl.unwrap_or_default(), self.seq.get(row).unwrap_or_default())
    }

    /// The URL of a row, if it has one.
    pub(crate) fn url(&self, row: usize) -> Option<&'b str> {
        self.url.get(row).filter(|url| !url.is_empty())
    }

    /// A row as a response; none if its URL, status, simhash or text hash is none.
    pub(crate) fn response(&self, row: usize) -> Option<Response> {
        let text = |column: &Text<'b>| column.get(row).map(str::to_owned);
        let count =
            |column: &Whole<'b>| column.get(row).and_then(|count| u64::try_from(count).ok());
        let importance = self.importance.filter(|column| column.is_valid(row));
        Some(Response {
            url: self.url(row)?.to_owned(),
            status: self.status.get(row).and_then(|status| u16::try_from(status).ok())?,
            location: text(&self.location),
            title: text(&self.title),
            simhash: cell(self.simhash.get(row), Simhash::from_hex)?,
            text_hash: cell(self.text_hash.get(row), TextHash::from_hex)?,
            digest: text(&self.digest),
            words: count(&self.words),
            length: count(&self.length),
            canonical: text(&self.canonical),
            time: text(&self.time),
            importance: importance.map(|column| column.value(row)),
            og_url: text(&self.og_url),
            no_vary_search: text(&self.no_vary_search),
            alternates: self.alternates(row),
            ..Response::default()
        })
    }
}

impl ResponseColumns<'_> {
    fn alternates(&self, row: usize) -> Vec<String> {
        let list = self.alternates.filter(|column| column.is_valid(row));
        let Some(list) = list.map(|column| column.value(row)) else { return Vec::new() };
        let texts = Text(Some(&list));
        (0..list.len()).filter_map(|at| texts.get(at)).map(str::to_owned).collect()
    }
}

/// What stands in a cell, or that it is empty; none if it is neither.
fn cell<T>(written: Option<&str>, parse: fn(&str) -> Option<T>) -> Option<Option<T>> {
    match written.filter(|hex| !hex.is_empty()) {
        Some(hex) => parse(hex).map(Some),
        None => Some(None),
    }
}

/// A column of text, which may be missing.
pub(crate) struct Text<'b>(Option<&'b ArrayRef>);

impl<'b> Text<'b> {
    pub(crate) fn of(batch: &'b RecordBatch, name: &str) -> PyResult<Self> {
        let column = batch.column_by_name(name);
        match column.map(|column| column.data_type()) {
            None | Some(DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
                Ok(Self(column))
            }
            Some(DataType::Null) => Ok(Self(None)),
            Some(other) => Err(wrong(name, other, "text")),
        }
    }

    pub(crate) fn required(self, name: &str) -> PyResult<Self> {
        self.0.is_some().then_some(self).ok_or_else(|| missing(name))
    }

    pub(crate) fn get(&self, row: usize) -> Option<&'b str> {
        let column = self.0.filter(|column| column.is_valid(row))?;
        Some(match column.data_type() {
            DataType::Utf8 => column.as_string::<i32>().value(row),
            DataType::LargeUtf8 => column.as_string::<i64>().value(row),
            _ => column.as_string_view().value(row),
        })
    }
}

/// A column of whole numbers, which may be missing.
pub(crate) struct Whole<'b>(Option<&'b ArrayRef>);

impl<'b> Whole<'b> {
    pub(crate) fn of(batch: &'b RecordBatch, name: &str) -> PyResult<Self> {
        let column = batch.column_by_name(name);
        match column.map(|column| column.data_type()) {
            None | Some(DataType::Int16 | DataType::Int32 | DataType::Int64) => Ok(Self(column)),
            Some(DataType::Null) => Ok(Self(None)),
            Some(other) => Err(wrong(name, other, "whole numbers (short, int or long)")),
        }
    }

    fn required(self, name: &str) -> PyResult<Self> {
        self.0.is_some().then_some(self).ok_or_else(|| missing(name))
    }

    pub(crate) fn get(&self, row: usize) -> Option<i64> {
        let column = self.0.filter(|column| column.is_valid(row))?;
        Some(match column.data_type() {
            DataType::Int16 => i64::from(column.as_primitive::<Int16Type>().value(row)),
            DataType::Int32 => i64::from(column.as_primitive::<Int32Type>().value(row)),
            _ => column.as_primitive::<Int64Type>().value(row),
        })
    }
}

fn missing(name: &str) -> PyErr {
    PyValueError::new_err(format!("the pages have no column {name:?}"))
}

fn wrong(name: &str, found: &DataType, wanted: &str) -> PyErr {
    let error = ArrowError::SchemaError(format!("column {name:?} is {found}, not {wanted}"));
    PyTypeError::new_err(error.to_string())
}
