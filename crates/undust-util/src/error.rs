//! What can go wrong, each in one sentence: what, where, and what to do.
//!
//! [`Error`] says where. What is wrong with its own subject a crate says by a [`Reason`]: an enum, one
//! variant for each sentence, which a caller can match by [`Error::reason`]. The sentences speak of no
//! command line: what would help is a [`Remedy`], which each interface says in its own words.

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::address::shown;

/// The result of every fallible operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that ends the work. Damage to one record or one line is not an error: it is skipped
/// and counted (see the report of reading).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system, or a pipe, said no.
    #[error("cannot {action} {}: {source}", shown(called(action, path)))]
    Io {
        /// What was tried, as a verb: `read`, `write`, `create`.
        action: &'static str,
        /// The file, or `-` for a standard stream.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// A crate says what is wrong with its own subject.
    #[error("{}{reason}", place(*subject, path.as_deref(), *line))]
    Reason {
        /// What it is about.
        subject: Subject,
        /// The file or folder, or the name of the variable or flag, unless the reason names it.
        path: Option<PathBuf>,
        /// The one-based line of the file, where one is at fault.
        line: Option<u64>,
        /// What is wrong, and what to do: a [`Reason`].
        reason: Box<dyn std::error::Error + Send + Sync>,
        /// What would help, where that is known.
        remedy: Option<Remedy>,
    },
    /// An error that is kept, too, such as that of a model which cannot be loaded.
    #[error("{0}")]
    Shared(Arc<Error>),
    /// A result cannot be written as JSON.
    #[error("{0}")]
    Json(serde_json::Error),
    /// This build lacks a cargo feature.
    #[error("this build of undust lacks the feature `{0}`")]
    MissingFeature(&'static str),
    /// The caller's own error, such as that of a function which takes what is read.
    #[error("{0}")]
    Caller(Box<dyn std::error::Error + Send + Sync>),
}

/// What is wrong, in the words of the crate that found it.
pub trait Reason: std::error::Error + Send + Sync + 'static {
    /// What the errors are about.
    const SUBJECT: Subject = Subject::Other;

    /// What would help, where that is known.
    fn remedy(&self) -> Option<Remedy> {
        None
    }
}

/// What an [`Error`] is about, as far as callers treat errors differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A crawl.
    Crawl,
    /// Settings, wherever they are from.
    Settings,
    /// Models.
    Model,
    /// What is kept of a crawl that goes on.
    State,
    /// Anything else.
    Other,
}

/// What would help against an [`Error`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Skip and count damaged lines: `ReadOptions::lenient`.
    SkipDamage,
    /// Name the host of a log: `ReadOptions::host`.
    NameHost,
    /// Learn from it by the method that needs URLs alone, or translate it.
    LearnFromUrls,
    /// Learn from the log by the method that needs no pages.
    LearnFromLog,
    /// Train a site, by this method if one is known.
    Train(Option<String>),
    /// Build with this cargo feature.
    Build(&'static str),
    /// Make folders of a pack.
    Unpack,
    /// Make a pack of a folder.
    Pack,
    /// Train on the processor.
    UseProcessor,
}

/// The path as a sentence begins by it.
fn place(subject: Subject, path: Option<&Path>, line: Option<u64>) -> String {
    let Some(path) = path else { return String::new() };
    let subject = match subject {
        Subject::Model => "model ",
        Subject::State => "state ",
        _ => "",
    };
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    format!("{subject}{}{line}: ", shown(path))
}

/// A file, or a standard stream by its name.
fn called<'p>(action: &str, path: &'p Path) -> &'p Path {
    match (path.to_str(), action) {
        (Some("-"), "read") => Path::new("standard input"),
        (Some("-"), _) => Path::new("standard output"),
        _ => path,
    }
}

impl<R: Reason> From<R> for Error {
    fn from(reason: R) -> Self {
        Error::of(None, None, reason)
    }
}

impl Error {
    /// For `map_err`: an I/O error with what was tried and where.
    pub fn io(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Error {
        let path = path.as_ref().to_path_buf();
        move |source| Error::Io { action, path, source }
    }

    /// What is wrong with a file, a folder, a variable or a flag.
    pub fn at(path: impl Into<PathBuf>, reason: impl Reason) -> Error {
        Error::of(Some(path.into()), None, reason)
    }

    /// What is wrong with a line of a file. Lines count from one.
    pub fn at_line(path: impl Into<PathBuf>, line: u64, reason: impl Reason) -> Error {
        Error::of(Some(path.into()), Some(line), reason)
    }

    fn of<R: Reason>(path: Option<PathBuf>, line: Option<u64>, reason: R) -> Error {
        let remedy = reason.remedy();
        Error::Reason { subject: R::SUBJECT, path, line, reason: Box::new(reason), remedy }
    }

    /// Whether this is a closed pipe, as left by `| head`: no failure for a filter.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What the error is about.
    pub fn subject(&self) -> Subject {
        match self {
            Error::Reason { subject, .. } => *subject,
            Error::Shared(error) => error.subject(),
            _ => Subject::Other,
        }
    }

    /// The reason, if it is one of these.
    pub fn reason<R: Reason>(&self) -> Option<&R> {
        match self {
            Error::Reason { reason, .. } => reason.downcast_ref(),
            Error::Shared(error) => error.reason(),
            _ => None,
        }
    }

    /// What would help, where that is known.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::Reason { remedy, .. } => remedy.clone(),
            Error::MissingFeature(feature) => Some(Remedy::Build(feature)),
            _ => None,
        }
    }
}
