//! Why nothing can be written to a place.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use undust_util::address::shown;
use undust_util::error::Reason;

/// Why a model or a folder cannot be put into its place. Arises before any work is put into it, and
/// when the model is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceReason {
    /// A file is where a folder should be.
    #[error("{}: is a file; a folder is expected", shown(path))]
    NotAFolder {
        /// The file.
        path: PathBuf,
    },
    /// No folder can have the name of a site.
    #[error(
        "the site {site} cannot have a model: its name has {} bytes, and a folder's at most {most}",
        site.len()
    )]
    LongName {
        /// The site.
        site: String,
        /// Bytes of the longest name that file systems take.
        most: usize,
    },
    /// No site has this name.
    #[error("{name:?} is not the name of a site")]
    NotASite {
        /// The name.
        name: String,
    },
    /// Something else is in the place of a model, and is not to be lost.
    #[error("{} is in the way: {obstacle}; move it, and try again", shown(path))]
    InTheWay {
        /// The place.
        path: PathBuf,
        /// What is there.
        obstacle: Obstacle,
    },
}

impl Reason for PlaceReason {}

/// What is in the place of a model, and would be lost if the model were written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// A file, or something else that is no folder.
    #[error("it is not a folder")]
    NotAFolder,
    /// A folder of something else, such as the copy of a site.
    #[error("it has other files but no model.json")]
    NoModel,
    /// A folder of a model with another file in it.
    #[error("it has {}, which is not a file of a model", name.display())]
    ForeignFile {
        /// The name of the file.
        name: OsString,
    },
    /// A folder that cannot be listed.
    #[error("{0}")]
    Unreadable(io::Error),
}
