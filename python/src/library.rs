//! The library that a column comes from, which gets its answer as a column of its own.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyList};

use crate::arrow::Forms;

/// Whose column was given.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Library {
    /// An array of pyarrow, in one piece.
    PyArrow,
    /// One in many pieces.
    PyArrowChunked,
    Polars,
    /// Some of its columns lend Arrow data by making them first, and none takes a list amiss.
    Pandas,
    Other,
}

impl Library {
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Library> {
        let module = given.get_type().module()?;
        Ok(match module.to_str()?.split('.').next() {
            Some("pyarrow") if given.hasattr("__arrow_c_array__")? => Library::PyArrow,
            Some("pyarrow") => Library::PyArrowChunked,
            Some("polars") => Library::Polars,
            Some("pandas") => Library::Pandas,
            _ => Library::Other,
        })
    }

    /// Whether its columns are read in place.
    pub(crate) fn lends(self) -> bool {
        self != Library::Pandas
    }

    /// The forms as a column of the library; where it is not known which, as they are.
    pub(crate) fn column<'p>(
        self,
        given: &Bound<'p, PyAny>,
        forms: Vec<Forms>,
    ) -> PyResult<Bound<'p, PyAny>> {
        let py = given.py();
        let forms = forms.into_iter().map(|forms| Bound::new(py, forms));
        let forms = PyList::new(py, forms.collect::<PyResult<Vec<_>>>()?)?;
        match self {
            Library::PyArrow => py.import("pyarrow")?.call_method1("array", (forms.get_item(0)?,)),
            Library::PyArrowChunked => {
                let pyarrow = py.import("pyarrow")?;
                let array = |forms| pyarrow.call_method1("array", (forms,));
                let chunks = forms.iter().map(array).collect::<PyResult<Vec<_>>>()?;
                let kind = [("type", given.getattr("type")?)].into_py_dict(py)?;
                pyarrow.call_method("chunked_array", (chunks,), Some(&kind))
            }
            Library::Polars => {
                // What comes by Arrow's interface does not get the name that is given with it.
                let series = given.get_type().call1(("", forms.get_item(0)?))?;
                series.call_method1("alias", (given.getattr("name")?,))
            }
            Library::Pandas | Library::Other => forms.get_item(0),
        }
    }
}
