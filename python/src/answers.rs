//! What `Models` answers, as objects with attributes.

use pyo3::prelude::*;
use undust::live::{Observed as Tested, ObservedOperation as TestedOperation};

/// A URL's canonical form, and how it was found.
#[pyclass(frozen, get_all, eq, module = "undust")]
#[derive(PartialEq)]
pub(crate) struct Translation {
    /// The canonical form.
    pub canonical: String,
    /// Whether it is another text than the URL.
    pub changed: bool,
    /// `rules`, `network`, `cache`, `normal form` or `unchanged`.
    pub how: &'static str,
    /// Why the method did not change the URL: for `normal form` and `unchanged`.
    pub reason: Option<String>,
    /// The rules or edits that were applied, in their notation; empty if none was.
    pub cause: String,
    /// The form that it would have had, where the URL came back as it came so that it is fetched
    /// all the same. `how` and `cause` are of that form.
    pub explored: Option<String>,
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

/// The form of a URL, or why the URL stays as it is.
#[pyclass(frozen, get_all, eq, module = "undust")]
#[derive(PartialEq)]
pub(crate) struct Answer {
    /// The canonical form, if it is another text than the URL.
    pub form: Option<String>,
    /// Why the URL came back as it came, if there is a reason; `explored` where it is fetched to
    /// see what comes back.
    pub reason: Option<String>,
}

impl Answer {
    /// The URL has another form.
    pub(crate) fn form(form: String) -> Self {
        Self { form: Some(form), reason: None }
    }

    /// The URL stays as it is.
    pub(crate) fn unchanged(reason: Option<String>) -> Self {
        Self { form: None, reason }
    }
}

#[pymethods]
impl Answer {
    fn __repr__(&self) -> String {
        match (&self.form, &self.reason) {
            (Some(form), _) => format!("<Answer {form}>"),
            (None, Some(reason)) => format!("<Answer unchanged: {reason}>"),
            (None, None) => "<Answer unchanged>".to_owned(),
        }
    }
}

/// What became of observations.
#[pyclass(frozen, get_all, eq, module = "undust")]
#[derive(PartialEq)]
pub(crate) struct Observed {
    /// Observations that counted.
    counted: usize,
    /// Of these, how many showed another page than their form.
    conflicts: usize,
    /// Observations that did not count: no model, or the two URLs do not have one form that an
    /// operation of the model brought about.
    passed_over: usize,
    /// Of these, how many are of sites without a model that can be loaded.
    without_model: usize,
    /// The operations that they were about, those that failed first.
    operations: Vec<ObservedOperation>,
}

impl From<Tested> for Observed {
    fn from(tested: Tested) -> Self {
        Self {
            counted: tested.counted,
            conflicts: tested.conflicts,
            passed_over: tested.passed_over,
            without_model: tested.without_model,
            operations: tested.operations.into_iter().map(Into::into).collect(),
        }
    }
}

#[pymethods]
impl Observed {
    fn __repr__(&self) -> String {
        let Self { counted, conflicts, passed_over, .. } = self;
        format!("<Observed {counted} counted, {conflicts} conflicts, {passed_over} passed over>")
    }
}

/// An operation, and all that came back of its URLs since its model was learned.
#[pyclass(frozen, get_all, eq, skip_from_py_object, module = "undust")]
#[derive(Clone, PartialEq)]
pub(crate) struct ObservedOperation {
    /// The site of its model.
    site: String,
    /// Its notation.
    operation: String,
    /// URLs that showed the page of their form.
    agreed: u64,
    /// URLs that showed another page.
    disagreed: u64,
    /// `off` (it failed, and is switched off until the next training), `held` (it passed a test)
    /// or `open` (too little came back so far).
    status: String,
}

impl From<TestedOperation> for ObservedOperation {
    fn from(tested: TestedOperation) -> Self {
        Self {
            site: tested.site,
            operation: tested.operation,
            agreed: tested.agreed,
            disagreed: tested.disagreed,
            status: tested.status.to_string(),
        }
    }
}

#[pymethods]
impl ObservedOperation {
    fn __repr__(&self) -> String {
        let Self { site, operation, agreed, disagreed, status } = self;
        format!(
            "<ObservedOperation {operation} of {site}: {status}, {agreed} agreed, {disagreed} disagreed>"
        )
    }
}
