//! A folder of models, asked from Python.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyString};
use rayon::prelude::*;
use undust::{Canonicalizer, How, Reason, Registry};

use crate::errors::{Error, SettingsError, raised};

/// URLs that one thread translates at once; fewer are not worth a second thread.
const BATCH: usize = 512;

/// The models of a folder, one registry for all threads of the process.
///
/// A model that training replaces is served within a second.
#[pyclass(frozen, module = "undust")]
pub(crate) struct Models {
    path: PathBuf,
    min_confidence: f64,
    registry: Registry,
}

/// A URL's canonical form, and how it was found.
#[pyclass(frozen, get_all, module = "undust")]
pub(crate) struct Translation {
    /// The canonical form.
    canonical: String,
    /// Whether it is another text than the URL.
    changed: bool,
    /// `rules`, `network`, `memo`, `normal form` or `unchanged`.
    how: &'static str,
    /// Why the URL came back as it came, if it did.
    reason: Option<String>,
    /// The rules or edits that were applied, in their notation; empty if none was.
    cause: String,
}

#[pymethods]
impl Translation {
    fn __repr__(&self) -> String {
        let Self { canonical, how, cause, .. } = self;
        match &self.reason {
            Some(reason) => format!("<Translation {canonical} ({how}: {reason})>"),
            None => format!("<Translation {canonical} ({how}) by {cause}>"),
        }
    }
}

#[pymethods]
impl Models {
    #[new]
    #[pyo3(signature = (path, *, min_confidence = 0.0))]
    fn new(py: Python<'_>, path: PathBuf, min_confidence: f64) -> PyResult<Self> {
        if !(0.0..=1.0).contains(&min_confidence) {
            let told = format!("min_confidence is {min_confidence}: it must be from 0 to 1");
            return Err(SettingsError::new_err(told));
        }
        let registry = py.detach(|| Registry::open(&path)).map_err(|error| raised(&error))?;
        Ok(Self { path, min_confidence, registry })
    }

    /// The canonical form of a URL; the URL itself where no model knows better.
    fn translate<'p>(
        &self,
        py: Python<'p>,
        url: Bound<'p, PyString>,
    ) -> PyResult<Bound<'p, PyString>> {
        let text = PyBackedStr::try_from(url.clone())?;
        let form = py.detach(|| self.form(&text));
        Ok(form.map_or(url, |form| PyString::new(py, &form)))
    }

    /// The forms of many URLs, in their order, on all cores.
    fn translate_many<'p>(
        &self,
        py: Python<'p>,
        urls: &Bound<'p, PyAny>,
    ) -> PyResult<Bound<'p, PyList>> {
        let mut given = Vec::new();
        let mut texts: Vec<PyBackedStr> = Vec::new();
        for url in urls.try_iter()? {
            let url = url?.cast_into::<PyString>()?;
            texts.push(url.clone().try_into()?);
            given.push(url);
        }
        let forms: Vec<Option<String>> = py.detach(|| self.forms(&texts));
        let forms = given.into_iter().zip(forms).map(|(url, form)| match form {
            Some(form) => PyString::new(py, &form),
            None => url,
        });
        PyList::new(py, forms.collect::<Vec<_>>())
    }

    /// The form of a URL, and how it was found.
    fn translation(&self, py: Python<'_>, url: PyBackedStr) -> Translation {
        py.detach(|| {
            let found = self.registry.translate(&url);
            if !found.cause.is_trusted(self.min_confidence) {
                let reason = Some(Reason::TooLittleConfidence.to_string());
                let (canonical, cause) = (url.to_string(), String::new());
                return Translation { canonical, changed: false, how: "unchanged", reason, cause };
            }
            let (how, reason) = found.how.told();
            let changed = *found.canonical != *url;
            let (canonical, cause) = (found.canonical.into_owned(), found.cause.to_string());
            Translation { canonical, changed, how, reason, cause }
        })
    }

    /// The form of a URL, if it is another text; else the reason why the URL came back as it
    /// came, if there is one. For callers who ask often: it makes nothing else.
    fn ask(&self, py: Python<'_>, url: PyBackedStr) -> (Option<String>, Option<String>) {
        py.detach(|| {
            let found = self.registry.translate(&url);
            match found.how {
                How::Unchanged(reason) => (None, Some(reason.to_string())),
                _ if *found.canonical == *url => (None, None),
                _ if !found.cause.is_trusted(self.min_confidence) => {
                    (None, Some(Reason::TooLittleConfidence.to_string()))
                }
                _ => (Some(found.canonical.into_owned()), None),
            }
        })
    }

    /// Why a URL gets its form: what `undust explain --format json` says, as a dict.
    fn explain<'p>(&self, py: Python<'p>, url: PyBackedStr) -> PyResult<Bound<'p, PyAny>> {
        let explanation = py.detach(|| self.registry.explain(&url));
        pythonize::pythonize(py, &explanation).map_err(|error| Error::new_err(error.to_string()))
    }

    /// Another process opens the folder anew.
    fn __getnewargs_ex__<'p>(
        &self,
        py: Python<'p>,
    ) -> PyResult<(Bound<'p, PyAny>, Bound<'p, PyAny>)> {
        let kwargs = pyo3::types::PyDict::new(py);
        kwargs.set_item("min_confidence", self.min_confidence)?;
        Ok(((&self.path,).into_pyobject(py)?.into_any(), kwargs.into_any()))
    }

    fn __repr__(&self) -> String {
        format!("Models({:?})", self.path)
    }
}

impl Models {
    /// The form of a URL; nothing where it is the URL.
    fn form(&self, url: &str) -> Option<String> {
        let found = self.registry.translate(url);
        let is_form = matches!(found.how, How::Unchanged(_)) || *found.canonical == *url;
        let is_sure = || self.min_confidence <= 0.0 || found.cause.is_trusted(self.min_confidence);
        (!is_form && is_sure()).then(|| found.canonical.into_owned())
    }

    fn forms(&self, urls: &[PyBackedStr]) -> Vec<Option<String>> {
        let batch = |urls: &[PyBackedStr]| {
            self.registry.prepare(&mut urls.iter().map(|url| &**url));
            urls.iter().map(|url| self.form(url)).collect::<Vec<_>>()
        };
        urls.par_chunks(BATCH).flat_map_iter(batch).collect()
    }
}
