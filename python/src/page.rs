//! What a page says: its line of a manifest, and the fingerprint of its text.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use undust::crawl::{Response, response_of_page};

use crate::errors::Error;

/// A page as text, or as the bytes that a server sent.
#[derive(FromPyObject)]
pub(crate) enum Html<'p> {
    Text(Bound<'p, PyString>),
    Bytes(Bound<'p, PyBytes>),
}

impl Html<'_> {
    /// Its response for `url`; nothing where the type says that it is not HTML.
    pub(crate) fn response(
        &self,
        py: Python<'_>,
        url: &str,
        content_type: Option<&str>,
    ) -> PyResult<Option<Response>> {
        match self {
            // Text has no encoding any more, whatever its header or <meta> says.
            Self::Text(text) => {
                let text = text.to_cow()?;
                Ok(py.detach(|| {
                    response_of_page(url, text.as_bytes(), Some("text/html; charset=utf-8"))
                }))
            }
            Self::Bytes(bytes) => {
                let bytes = bytes.as_bytes();
                Ok(py.detach(|| response_of_page(url, bytes, content_type)))
            }
        }
    }
}

/// The 64-bit fingerprint of a page's visible text, as 16 hex digits; None without a word.
#[pyfunction]
#[pyo3(signature = (html, content_type = None))]
pub(crate) fn simhash<'p>(
    py: Python<'p>,
    html: Html<'p>,
    content_type: Option<&str>,
) -> PyResult<Option<String>> {
    let charset = content_type.and_then(|named| named.split_once(';')).map(|(_, rest)| rest);
    let content_type = format!("text/html;{}", charset.unwrap_or_default());
    let response = html.response(py, "", Some(&content_type))?;
    Ok(response.and_then(|page| page.simhash).map(|simhash| format!("{:016x}", simhash.0)))
}

/// A page that was answered with status 200 as a row of a manifest; None where it is not HTML.
#[pyfunction]
#[pyo3(signature = (url, html, content_type = None))]
pub(crate) fn page<'p>(
    py: Python<'p>,
    url: &str,
    html: Html<'p>,
    content_type: Option<&str>,
) -> PyResult<Option<Bound<'p, PyAny>>> {
    let Some(response) = html.response(py, url, content_type)? else { return Ok(None) };
    let row = pythonize::pythonize(py, &response);
    row.map(Some).map_err(|error| Error::new_err(error.to_string()))
}
