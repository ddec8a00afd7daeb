//! Addresses that never show the secrets in them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// An address of storage or of the web, which may hold a secret. Its text is had by `reveal` alone.
#[pyclass(frozen, eq, hash, module = "undust._undust")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Address(pub(crate) undust::Address);

#[pymethods]
impl Address {
    #[new]
    fn new(text: String) -> Self {
        Self(undust::Address::new(text))
    }

    /// The whole text, for whoever connects.
    fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// A message of another library; None where it quotes a secret.
    fn quiet<'m>(&self, message: &'m str) -> Option<&'m str> {
        self.0.quiet(message)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }

    /// Other processes connect, too.
    fn __getnewargs__<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyTuple>> {
        PyTuple::new(py, [self.0.reveal()])
    }
}
