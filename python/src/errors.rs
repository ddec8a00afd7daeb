//! The library's errors as exceptions: its own sentence, and what would help in Python's words.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use undust::error::Subject;
use undust::{Error as LibraryError, Remedy};

create_exception!(undust, Error, PyException, "What undust cannot do, and what would help.");
create_exception!(undust, ModelError, Error, "A folder of models cannot be used.");
create_exception!(undust, CrawlError, Error, "A crawl cannot be read.");
create_exception!(undust, SettingsError, Error, "A setting is wrong.");
create_exception!(undust, StateError, Error, "The state of a live crawl cannot be used.");

/// The exception of an error of the library.
pub(crate) fn raised(error: &LibraryError) -> PyErr {
    // Reading may have ended by one, which is then raised instead.
    if matches!(error, LibraryError::Io { .. })
        && let Err(interrupt) = Python::attach(|py| py.check_signals())
    {
        return interrupt;
    }
    let sentence = sentence(error);
    match error.subject() {
        Subject::Model => ModelError::new_err(sentence),
        Subject::Crawl => CrawlError::new_err(sentence),
        Subject::Settings => SettingsError::new_err(sentence),
        Subject::State => StateError::new_err(sentence),
        _ => Error::new_err(sentence),
    }
}

/// Refuses a share that is none.
pub(crate) fn require_share(name: &str, share: f64) -> PyResult<()> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    Err(SettingsError::new_err(format!("{name} is {share}: it must be from 0 to 1")))
}

/// Refuses one text where many belong: it would be taken for a list of its letters.
pub(crate) fn refuse_text(name: &str, given: &Bound<'_, PyAny>) -> PyResult<()> {
    if !given.is_instance_of::<PyString>() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} is one str: pass a list of them")))
}

/// Its sentence, and what would help.
pub(crate) fn sentence(error: &LibraryError) -> String {
    match error.remedy().as_ref().and_then(help) {
        Some(help) => format!("{error}: {help}"),
        None => error.to_string(),
    }
}

fn help(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::SkipDamage => "lenient=True skips and counts such lines".into(),
        Remedy::NameHost => "pass host=\"www.example.org\"".into(),
        Remedy::LearnFromUrls => "method=\"dustbuster\" learns from URLs alone".into(),
        Remedy::Train(None) => "undust.train makes one".into(),
        Remedy::Train(Some(method)) => {
            format!("undust.train(…, method=\"{method}\") makes it again")
        }
        Remedy::Build("network") => {
            "the wheel cannot train networks, but serves those that the program trained".into()
        }
        _ => return None,
    })
}
