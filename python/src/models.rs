//! A folder of models, or a pack wherever it is, asked from Python.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyString};
use rayon::prelude::*;
use undust::live::{Observation, observe};
use undust::model::LookupError;
use undust::{Canonicalizer, Error as LibraryError, How, Reason, Registry};

use crate::answers::{Answer, Observed, Translation};
use crate::arrow::{Cell, Column};
use crate::errors::{Error, raised, refuse_text, require_share};
use crate::library::Library;
use crate::storage::{self, Place};

/// URLs that one thread translates at once; fewer are not worth a second thread.
const BATCH: usize = 512;

/// The models of a folder or pack, one registry for all threads of the process.
///
/// A model that training replaces is served within a second.
#[pyclass(frozen, module = "undust")]
pub(crate) struct Models {
    /// A path or an address.
    path: PathBuf,
    /// What it is called in messages.
    name: String,
    /// Whether it is a pack in storage elsewhere.
    is_stored: bool,
    refresh: f64,
    timeout: f64,
    min_confidence: f64,
    exploration: f64,
    registry: Registry,
}

/// What becomes of a URL.
enum Becomes {
    /// Its form, which may be the URL.
    Form,
    /// The URL: it is fetched all the same.
    Explored,
    /// The URL: its form is not trusted enough.
    TooUnsure,
}

#[pymethods]
impl Models {
    #[new]
    #[pyo3(signature = (
        path, *, min_confidence = 0.0, exploration = 0.0, refresh = 30.0, timeout = 30.0
    ))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        min_confidence: f64,
        exploration: f64,
        refresh: f64,
        timeout: f64,
    ) -> PyResult<Self> {
        require_share("min_confidence", min_confidence)?;
        require_share("exploration", exploration)?;
        let (name, registry, is_stored) = match Place::of(py, &path)? {
            Place::Here(path) => {
                let opened = py.detach(|| Registry::open(&path));
                let registry = opened.map_err(|error| raised(&error))?;
                (path.display().to_string(), registry, false)
            }
            Place::Elsewhere(address) => {
                let (name, registry) = storage::open(py, address, timeout, refresh)?;
                (name, registry, true)
            }
        };
        Ok(Self { path, name, is_stored, refresh, timeout, min_confidence, exploration, registry })
    }

    /// The canonical form of a URL; the URL itself where no model knows better.
    fn canonicalize<'p>(
        &self,
        py: Python<'p>,
        url: Bound<'p, PyString>,
    ) -> PyResult<Bound<'p, PyString>> {
        let text = PyBackedStr::try_from(url.clone())?;
        let form = py.detach(|| self.form(&text)).map_err(|error| raised(&error))?;
        Ok(form.map_or(url, |form| PyString::new(py, &form)))
    }

    /// The forms of many URLs, in their order, on all cores: a list, or an Arrow column for one.
    fn canonicalize_many<'p>(
        &self,
        py: Python<'p>,
        urls: &Bound<'p, PyAny>,
    ) -> PyResult<Bound<'p, PyAny>> {
        refuse_text("urls", urls)?;
        let library = Library::of(urls)?;
        match library.lends().then(|| Column::lent_by(urls)).transpose()?.flatten() {
            Some(column) => self.canonicalize_column(py, urls, &column, library),
            None => self.canonicalize_list(py, urls).map(Bound::into_any),
        }
    }

    /// The form of a URL, and how it was found.
    fn translation(&self, py: Python<'_>, url: PyBackedStr) -> PyResult<Translation> {
        let translation = py.detach(|| {
            let found = self.found(&url)?;
            let (how, reason) = found.how.describe();
            let (form, cause) = (found.canonical.to_string(), found.cause.to_string());
            let unchanged = Translation {
                canonical: url.to_string(),
                changed: false,
                how: "unchanged",
                reason: Some(Reason::TooLittleConfidence.to_string()),
                cause: String::new(),
                explored: None,
            };
            Ok(match self.becomes(&url, &found) {
                Becomes::TooUnsure => unchanged,
                Becomes::Explored => {
                    Translation { how, reason, cause, explored: Some(form), ..unchanged }
                }
                Becomes::Form => {
                    let changed = form != *url;
                    Translation { canonical: form, changed, how, reason, cause, explored: None }
                }
            })
        });
        translation.map_err(|error: Arc<LibraryError>| raised(&error))
    }

    /// The form of a URL if it is another text, or why the URL came back as it came. For callers who
    /// ask often: it makes nothing else.
    fn ask(&self, py: Python<'_>, url: PyBackedStr) -> Answer {
        py.detach(|| {
            let found = self.registry.canonicalize(&url);
            match found.how {
                How::Unchanged(reason) => return Answer::unchanged(Some(reason.to_string())),
                _ if *found.canonical == *url => return Answer::unchanged(None),
                _ => {}
            }
            match self.becomes(&url, &found) {
                Becomes::TooUnsure => {
                    Answer::unchanged(Some(Reason::TooLittleConfidence.to_string()))
                }
                Becomes::Explored => Answer::unchanged(Some("explored".to_owned())),
                Becomes::Form => Answer::form(found.canonical.into_owned()),
            }
        })
    }

    /// The sites that have a model, in order.
    fn sites(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let sites = py.detach(|| {
            let mut sites = self.registry.sites()?.collect::<Result<Vec<_>, _>>()?;
            sites.sort();
            Ok(sites)
        });
        sites.map_err(|error: LibraryError| raised(&error))
    }

    /// Reports what came back of a URL that was fetched though another URL of its form was: its form
    /// or any other one, and whether both showed the same page.
    fn observe(&self, py: Python<'_>, url: String, form: String, same: bool) -> PyResult<Observed> {
        self.observe_many(py, vec![(url, form, same)])
    }

    /// Reports what came back of many URLs, as `observe` does of one.
    fn observe_many(
        &self,
        py: Python<'_>,
        observations: Vec<(String, String, bool)>,
    ) -> PyResult<Observed> {
        let observation = |(url, form, same)| Observation { url, form, same };
        let observations: Vec<_> = observations.into_iter().map(observation).collect();
        let observed = py.detach(|| observe(&self.registry, &observations));
        observed.map(Observed::from).map_err(|error| raised(&error))
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
        kwargs.set_item("exploration", self.exploration)?;
        kwargs.set_item("refresh", self.refresh)?;
        kwargs.set_item("timeout", self.timeout)?;
        Ok(((self.path.as_os_str(),).into_pyobject(py)?.into_any(), kwargs.into_any()))
    }

    fn __repr__(&self) -> String {
        format!("Models({:?})", self.name)
    }
}

impl Models {
    /// What is found for a URL. Storage that fails is an error: that a model cannot be had now says nothing of the URL.
    fn found<'u>(&self, url: &'u str) -> Result<undust::Translation<'u>, Arc<LibraryError>> {
        let model = self.registry.model(url);
        match &model {
            Err(LookupError { error: Some(error), .. })
                if self.is_stored && matches!(**error, LibraryError::Io { .. }) =>
            {
                Err(Arc::clone(error))
            }
            model => Ok(model.canonicalize(url)),
        }
    }

    /// The form of a URL; nothing where it is the URL.
    fn form(&self, url: &str) -> Result<Option<String>, Arc<LibraryError>> {
        let found = self.found(url)?;
        let is_form = matches!(found.how, How::Unchanged(_)) || *found.canonical == *url;
        let is_taken = !is_form && matches!(self.becomes(url, &found), Becomes::Form);
        Ok(is_taken.then(|| found.canonical.into_owned()))
    }

    fn becomes(&self, url: &str, found: &undust::Translation<'_>) -> Becomes {
        let is_sure = self.min_confidence <= 0.0 || found.cause.is_trusted(self.min_confidence);
        let explores = || {
            let model = (self.exploration > 0.0).then(|| self.registry.model(url));
            model.is_some_and(|model| {
                model.is_ok_and(|model| model.explores(url, found, self.exploration))
            })
        };
        match is_sure {
            false => Becomes::TooUnsure,
            true if explores() => Becomes::Explored,
            true => Becomes::Form,
        }
    }

    /// The forms of what can be iterated over; what does not change is the same object.
    fn canonicalize_list<'p>(
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
        let forms = py.detach(|| self.forms(&texts, |url| url))?;
        let forms = given.into_iter().zip(forms).map(|(url, form)| match form {
            Some(form) => PyString::new(py, &form),
            None => url,
        });
        PyList::new(py, forms.collect::<Vec<_>>())
    }

    /// The forms of a column, as a column of the library that it comes from.
    fn canonicalize_column<'p>(
        &self,
        py: Python<'p>,
        urls: &Bound<'p, PyAny>,
        column: &Column,
        library: Library,
    ) -> PyResult<Bound<'p, PyAny>> {
        if column.is_void() {
            return Ok(urls.clone());
        }
        let forms = py.detach(|| {
            let texts = column.texts()?;
            let forms = self.forms(&texts, |url| url.unwrap_or_default())?;
            let cell = |(url, form): (Option<_>, Option<_>)| {
                url.map(|url| form.map_or(Cow::Borrowed(url), Cow::Owned))
            };
            let cells: Vec<Cell<'_>> = texts.into_iter().zip(forms).map(cell).collect();
            match library {
                Library::PyArrowChunked => column.with_in_chunks(&cells),
                _ => column.with(&cells).map(|forms| vec![forms]),
            }
        })?;
        library.column(urls, forms)
    }

    /// The forms of these URLs; nothing for one that is its form.
    fn forms<T: Sync>(
        &self,
        urls: &[T],
        text: impl Fn(&T) -> &str + Sync,
    ) -> PyResult<Vec<Option<String>>> {
        let batch = |urls: &[T]| {
            self.registry.prepare(&mut urls.iter().map(&text));
            urls.iter().map(|url| self.form(text(url))).collect::<Result<Vec<_>, _>>()
        };
        let forms: Result<Vec<_>, _> = urls.par_chunks(BATCH).map(batch).collect();
        Ok(forms.map_err(|error| raised(&error))?.into_iter().flatten().collect())
    }
}
