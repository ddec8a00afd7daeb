//! Packs in storage elsewhere: `undust/_storage.py` reads the ranges that the library asks for.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyboardInterrupt, PyPermissionError, PyTimeoutError,
};
use pyo3::prelude::*;
use undust::model::pack::ReadAt;
use undust::{Address, Registry};

use crate::errors::{SettingsError, raised};

/// Where models are.
pub(crate) enum Place {
    /// At a path of this machine.
    Here(PathBuf),
    /// At an address of storage elsewhere.
    Elsewhere(Address),
}

impl Place {
    /// What a path or an address means.
    pub(crate) fn of(py: Python<'_>, path: &Path) -> PyResult<Self> {
        match path.to_str().and_then(|text| Some((text, scheme(text)?))) {
            None => Ok(Self::Here(path.to_path_buf())),
            Some((address, "file")) => {
                let path = module(py)?.getattr("local_path")?.call1((address,))?;
                Ok(Self::Here(path.extract()?))
            }
            Some((address, _)) => Ok(Self::Elsewhere(Address::new(address))),
        }
    }
}

/// The scheme of an address; none of a path.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    (scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_part))
        .then_some(scheme)
}

fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("undust._storage")
}

/// The models of a pack at an address. A range that does not come within `timeout` seconds is an error; every
/// `refresh` seconds the registry looks for a new pack.
pub(crate) fn open(
    py: Python<'_>,
    address: Address,
    timeout: f64,
    refresh: f64,
) -> PyResult<(String, Registry)> {
    require_seconds("timeout", timeout)?;
    let refresh = Duration::from_secs_f64(require_seconds("refresh", refresh)?);
    let name = address.to_string();
    let address = crate::address::Address(address);
    let storage = module(py)?.getattr("Storage")?.call1((address, timeout))?.unbind();
    let opened = py.detach(|| Registry::open_stored(&name, move || opened(&storage), refresh));
    Ok((name, opened.map_err(|error| raised(&error))?))
}

fn require_seconds(name: &str, seconds: f64) -> PyResult<f64> {
    /// More than a year is no time that anybody means, and infinity is none.
    const MOST: f64 = 3.2e7;
    if (0.001..=MOST).contains(&seconds) {
        return Ok(seconds);
    }
    let told = format!("{name} is {seconds}: it must be a number of seconds, from 0.001 on");
    Err(SettingsError::new_err(told))
}

/// `undust._storage.Opened`.
struct Opened {
    object: Py<PyAny>,
    length: u64,
    version: String,
}

fn opened(storage: &Py<PyAny>) -> io::Result<Arc<dyn ReadAt>> {
    let open = |py: Python<'_>| {
        let object = storage.call_method0(py, "open")?;
        let length = object.getattr(py, "length")?.extract(py)?;
        let version = object.getattr(py, "version")?.extract(py)?;
        Ok(Opened { object, length, version })
    };
    asked(open).map(|opened| Arc::new(opened) as Arc<dyn ReadAt>)
}

impl ReadAt for Opened {
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let is_whole = asked(|py| {
            let read = self.object.call_method1(py, "read_at", (buffer.len(), at))?;
            let bytes: &[u8] = read.extract(py)?;
            let is_whole = bytes.len() == buffer.len();
            if is_whole {
                buffer.copy_from_slice(bytes);
            }
            Ok(is_whole)
        });
        if is_whole? { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn version(&self) -> String {
        self.version.clone()
    }
}

/// Asks Python, which lets go of its lock while it waits for storage.
fn asked<T>(ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    let asked = Python::try_attach(|py| ask(py).map_err(|error| failure(py, error)));
    asked.unwrap_or_else(|| Err(io::Error::other("Python is ending")))
}

/// What Python raised as what the library knows. An interrupt is raised once more when Python goes on.
fn failure(py: Python<'_>, error: PyErr) -> io::Error {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        let again = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
        return again.map_or_else(io::Error::other, |_| io::Error::other("it was interrupted"));
    }
    let is_replaced = error.get_type(py).name().is_ok_and(|name| name == "ReplacedError");
    let kind = match () {
        () if is_replaced => ErrorKind::StaleNetworkFileHandle,
        () if error.is_instance_of::<PyTimeoutError>(py) => ErrorKind::TimedOut,
        () if error.is_instance_of::<PyFileNotFoundError>(py) => ErrorKind::NotFound,
        () if error.is_instance_of::<PyPermissionError>(py) => ErrorKind::PermissionDenied,
        () => ErrorKind::Other,
    };
    io::Error::new(kind, error.value(py).to_string())
}
