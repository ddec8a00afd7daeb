//! What can go wrong, each in one sentence: what, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

/// The result of every fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that ends a command. Damage to one record or one line is not an
/// error: it is skipped and counted (see [`crate::crawl::ReadReport`]).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system, or a pipe, said no.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb: `read`, `write`, `create`.
        action: &'static str,
        /// The file, or `-` for a standard stream.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// A line of a manifest is not what the format asks for.
    #[error("{}:{line}: {reason}; --lenient skips such lines", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// One-based line.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A crawl as a whole cannot be used.
    #[error("{}: {reason}", path.display())]
    Crawl {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// A configuration file or value is wrong.
    #[error("{}: {reason}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// A model folder cannot be loaded.
    #[error("model {}: {reason}", path.display())]
    Model {
        /// The file in the model's folder.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// Something was asked for that cannot be done with this input or build.
    #[error("{0}")]
    Unusable(String),
}

impl Error {
    /// For `map_err`: an I/O error with what was tried and where.
    pub fn io(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Error {
        let path = path.as_ref().to_path_buf();
        move |source| Error::Io { action, path, source }
    }

    /// Whether this is a closed pipe, as left by `| head`: no failure for a filter.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
