//! What can go wrong, each in one sentence: what, where, and what to do.
//!
//! [`Error`] says where; the enums of its reasons say what, one variant for each sentence, so that a
//! caller can match it. The sentences speak of no command line: what would help is a [`Remedy`],
//! which each interface says in its own words.

mod config;
mod crawl;
mod model;
mod pack;
mod place;
mod state;
#[cfg(test)]
mod tests;
mod training;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::address::shown;

pub use self::config::{Allowed, ConfigReason, NameFault};
pub use self::crawl::{CrawlReason, ManifestReason};
pub use self::model::{ModelReason, NoModelsReason, RulesReason, WeightsReason};
pub use self::pack::PackReason;
pub use self::place::{Obstacle, PlaceReason};
pub use self::state::StateReason;
pub use self::training::{ArgumentReason, TrainingReason};

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
    /// A line of a manifest is not what the format asks for.
    #[error("{}:{line}: {reason}", shown(path))]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// One-based line.
        line: u64,
        /// What is wrong with it.
        reason: ManifestReason,
    },
    /// A crawl as a whole cannot be used.
    #[error("{}: {reason}", shown(path))]
    Crawl {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: CrawlReason,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// Reading of crawls was stopped by a panic on another thread.
    #[error("reading was stopped")]
    ReadingStopped,
    /// A settings file, a variable of the environment or a flag is wrong.
    #[error("{}: {reason}", shown(path))]
    Config {
        /// The file, or the name of the variable or flag.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: ConfigReason,
    },
    /// Settings are wrong that come from no file.
    #[error("{0}")]
    Settings(ConfigReason),
    /// A value that the caller gives cannot be used.
    #[error("{0}")]
    Argument(ArgumentReason),
    /// Nothing was learned.
    #[error("{0}")]
    Training(TrainingReason),
    /// A model or a folder cannot be put into its place.
    #[error("{0}")]
    Place(PlaceReason),
    /// A model folder cannot be loaded or written.
    #[error("model {}: {reason}", shown(path))]
    Model {
        /// The file in the model's folder.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: ModelReason,
    },
    /// A model folder is of another format.
    #[error(
        "model {}: has format {found}, but this version of undust reads format {expected}",
        shown(path)
    )]
    ModelFormat {
        /// The file that says so.
        path: PathBuf,
        /// The format that it has.
        found: u64,
        /// The format that is read.
        expected: u32,
        /// The method that learned it, if the file names one.
        method: Option<String>,
    },
    /// A model that a registry serves cannot be loaded, and every model must be.
    #[error("{0}")]
    BrokenModel(Arc<Error>),
    /// A folder holds no model.
    #[error("model {}: {reason}", shown(path))]
    NoModels {
        /// The folder.
        path: PathBuf,
        /// What is there instead.
        reason: NoModelsReason,
    },
    /// A pack of models, or a part of it, cannot be used.
    #[error("model {}: {reason}", shown(path))]
    Pack {
        /// The pack, or what would be a model's folder in it.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: PackReason,
    },
    /// A state, the store of clusters that live with the crawl, cannot be opened or used.
    #[error("state {}: {reason}", shown(path))]
    State {
        /// The folder, or its file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: StateReason,
    },
    /// A result cannot be written as JSON.
    #[error("{0}")]
    Json(serde_json::Error),
    /// This build lacks a cargo feature.
    #[error("this build of undust lacks the feature `{0}`")]
    MissingFeature(&'static str),
    /// This machine has no graphics card that burn can use.
    #[error("no graphics card found; install its Vulkan driver and the Vulkan loader")]
    NoAdapter,
    /// The caller's own error, such as that of a function which takes what is read.
    #[error("{0}")]
    Caller(Box<dyn std::error::Error + Send + Sync>),
}

/// What would help against an [`Error`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Skip and count damaged lines: `ReadOptions::lenient`.
    SkipDamage,
    /// Name the host of a log: `ReadOptions::host`.
    NameHost,
    /// Only DustBuster learns from URLs alone; any model translates them.
    LearnFromUrls,
    /// Only DustBuster learns from an access log, which knows no pages.
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

/// A file, or a standard stream by its name.
fn called<'p>(action: &str, path: &'p Path) -> &'p Path {
    match (path.to_str(), action) {
        (Some("-"), "read") => Path::new("standard input"),
        (Some("-"), _) => Path::new("standard output"),
        _ => path,
    }
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

    /// What would help, where that is known.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::Manifest { .. } => Some(Remedy::SkipDamage),
            Error::Crawl { remedy, .. } => remedy.clone(),
            Error::ModelFormat { method, .. } => Some(Remedy::Train(method.clone())),
            Error::NoModels { .. } => Some(Remedy::Train(None)),
            Error::MissingFeature(feature) => Some(Remedy::Build(feature)),
            Error::Pack { reason: PackReason::ReadOnly, .. } => Some(Remedy::Unpack),
            Error::Pack { reason: PackReason::NotAPack, .. } => Some(Remedy::Pack),
            Error::NoAdapter => Some(Remedy::UseProcessor),
            _ => None,
        }
    }
}
