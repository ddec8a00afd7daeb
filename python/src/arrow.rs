//! Arrow's columns of text, by its C data interface: read where they lie, and given as new ones.

use std::borrow::Cow;
use std::ffi::CStr;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{
    Array, ArrayReader, ArrayRef, LargeStringArray, StringArray, StringViewArray, make_array,
};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};

/// The names that the interface gives to its capsules.
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// A text or a null; a text that did not change is the one in the buffer.
pub(crate) type Cell<'c> = Option<Cow<'c, str>>;

/// A column of text whose buffers another library keeps.
pub(crate) struct Column {
    data_type: DataType,
    chunks: Vec<ArrayRef>,
}

impl Column {
    /// The column that an object lends; none if it lends no Arrow data.
    pub(crate) fn lent_by(given: &Bound<'_, PyAny>) -> PyResult<Option<Column>> {
        if given.hasattr("__arrow_c_array__")? {
            array(given).map(Some)
        } else if given.hasattr("__arrow_c_stream__")? {
            stream(given).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Whether it holds nulls at most, and no text.
    pub(crate) fn is_void(&self) -> bool {
        self.data_type == DataType::Null
    }

    /// Its texts, after a look whether they are whole: text that is no UTF-8 must not come
    /// further.
    pub(crate) fn texts(&self) -> PyResult<Vec<Option<&str>>> {
        let mut texts = Vec::with_capacity(self.chunks.iter().map(|chunk| chunk.len()).sum());
        for chunk in &self.chunks {
            chunk.to_data().validate_full().map_err(broken)?;
            match chunk.data_type() {
                DataType::Utf8 => texts.extend(chunk.as_string::<i32>()),
                DataType::LargeUtf8 => texts.extend(chunk.as_string::<i64>()),
                _ => texts.extend(chunk.as_string_view()),
            }
        }
        Ok(texts)
    }

    /// A column of these cells, of the same type, in one piece.
    pub(crate) fn with(&self, cells: &[Cell<'_>]) -> PyResult<Forms> {
        let array: ArrayRef = match self.data_type {
            DataType::Utf8 if !is_short(cells) => {
                let described = "the forms have more than 2 GiB of text, which an Arrow array of \
                            string cannot hold: use large_string";
                return Err(PyOverflowError::new_err(described));
            }
            DataType::Utf8 => make_array(cells.iter().collect::<StringArray>().into()),
            DataType::LargeUtf8 => make_array(cells.iter().collect::<LargeStringArray>().into()),
            _ => make_array(cells.iter().collect::<StringViewArray>().into()),
        };
        Ok(Forms { array })
    }

    /// The same in pieces as long as the column's own.
    pub(crate) fn with_in_chunks(&self, mut cells: &[Cell<'_>]) -> PyResult<Vec<Forms>> {
        let chunk = |chunk: &ArrayRef| {
            let (of_chunk, rest) = cells.split_at(chunk.len());
            cells = rest;
            self.with(of_chunk)
        };
        self.chunks.iter().map(chunk).collect()
    }
}

/// Whether 31 bits count the bytes of the text.
fn is_short(cells: &[Cell<'_>]) -> bool {
    let bytes = cells.iter().flatten().map(|text| text.len()).sum::<usize>();
    i32::try_from(bytes).is_ok()
}

/// The forms of an Arrow column, for whatever takes in Arrow arrays.
#[pyclass(frozen, module = "undust")]
pub(crate) struct Forms {
    array: ArrayRef,
}

#[pymethods]
impl Forms {
    /// Their type, as Arrow's interface gives it.
    fn __arrow_c_schema__<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyCapsule>> {
        lend_schema(py, self.array.data_type())
    }

    /// The forms, as Arrow's interface lends them. They are of their own type whatever is
    /// requested, as the interface allows.
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
        format!("<Forms of {} URLs>", self.array.len())
    }
}

/// The two capsules of an array, as Arrow's interface lends it.
pub(crate) fn lend<'p>(
    py: Python<'p>,
    array: &dyn Array,
) -> PyResult<(Bound<'p, PyCapsule>, Bound<'p, PyCapsule>)> {
    let (data, _) = to_ffi(&array.to_data()).map_err(broken)?;
    Ok((lend_schema(py, array.data_type())?, PyCapsule::new_with_value(py, data, ARRAY)?))
}

/// The capsule of a type.
pub(crate) fn lend_schema<'p>(
    py: Python<'p>,
    data_type: &DataType,
) -> PyResult<Bound<'p, PyCapsule>> {
    let field = Field::new("", data_type.clone(), !matches!(data_type, DataType::Struct(_)));
    let schema = FFI_ArrowSchema::try_from(field).map_err(broken)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// What an object's `__arrow_c_array__` lends.
fn array(given: &Bound<'_, PyAny>) -> PyResult<Column> {
    let array = array_of(given, text_type)?;
    Ok(Column { data_type: array.data_type().clone(), chunks: vec![array] })
}

/// The array that an object's `__arrow_c_array__` lends, if `check` lets its type pass.
pub(crate) fn array_of(
    given: &Bound<'_, PyAny>,
    check: fn(DataType) -> PyResult<DataType>,
) -> PyResult<ArrayRef> {
    let lent = given.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = lent.extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: the capsules' names say what they hold, both are alive, and the array is moved out as
    // the interface requires: the capsule frees nothing then.
    let (schema, array) = unsafe { (schema.as_ref(), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if schema.release().is_none() || array.is_released() {
        return Err(PyValueError::new_err("the Arrow array was already handed over"));
    }
    let data_type = check(DataType::try_from(schema).map_err(broken)?)?;
    // SAFETY: whoever lends an array answers for its buffers; the type is the one given with it.
    let data = unsafe { from_ffi_and_data_type(array, data_type) }.map_err(broken)?;
    Ok(make_array(data))
}

/// What an object's `__arrow_c_stream__` lends.
fn stream(given: &Bound<'_, PyAny>) -> PyResult<Column> {
    let lent = given.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = lent.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: as above.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) }.map_err(broken)?;
    let data_type = text_type(reader.field().data_type().clone())?;
    let chunks = reader.collect::<Result<_, _>>().map_err(broken)?;
    Ok(Column { data_type, chunks })
}

/// The type, if it is one of text, or of nothing but nulls.
fn text_type(data_type: DataType) -> PyResult<DataType> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => Ok(data_type),
        DataType::Struct(_) => {
            Err(PyTypeError::new_err("this is a table: pass its column of URLs"))
        }
        other => Err(PyTypeError::new_err(format!(
            "an Arrow array of {other} does not hold URLs: cast it to string, large_string or string_view"
        ))),
    }
}

pub(crate) fn broken(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("the Arrow array is invalid: {error}"))
}
