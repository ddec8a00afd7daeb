//! What goes wrong in the store, and what the user is told of it.

use std::io;
use std::path::Path;

use redb::{
    CommitError, CompactionError, DatabaseError, StorageError, TableError, TransactionError,
};

use undust_util::error::Error;

/// Why a state cannot be opened now, and can be later.
pub const IN_USE: &str =
    "is in use by another process; nothing was changed; try again when that process has ended";

/// What went wrong in the store; the path is added where it is known.
#[derive(Debug)]
pub(super) enum Fault {
    /// The database said no.
    Store(Box<redb::Error>),
    /// What is stored makes no sense, or does not fit.
    Odd(&'static str),
}

pub(super) type Stored<T> = Result<T, Fault>;

macro_rules! fault_from {
    ($($error:ty),+) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Fault::Store(Box::new(error.into()))
            }
        })+
    };
}
fault_from!(
    CommitError,
    CompactionError,
    DatabaseError,
    StorageError,
    TableError,
    TransactionError
);

/// A row that does not read as what its table holds.
pub(super) const DAMAGED: Fault =
    Fault::Odd("is damaged: a row of it cannot be read; make it again from its crawls");

impl Fault {
    /// The sentence for the user.
    pub(super) fn at(self, path: &Path) -> Error {
        let odd = |reason: String| Error::State { path: path.to_path_buf(), reason };
        match self {
            Fault::Odd(reason) => odd(reason.to_owned()),
            Fault::Store(error) => match *error {
                redb::Error::DatabaseAlreadyOpen => odd(IN_USE.into()),
                redb::Error::UpgradeRequired(_) => odd(other_version()),
                redb::Error::Corrupted(what) => {
                    odd(format!("is damaged ({what}); make it again from its crawls"))
                }
                redb::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                    odd("is damaged, or not a state of undust".into())
                }
                redb::Error::Io(source) => {
                    Error::Io { action: "keep the clusters in", path: path.to_path_buf(), source }
                }
                redb::Error::TableTypeMismatch { .. } => odd(other_version()),
                other => odd(other.to_string()),
            },
        }
    }
}

fn other_version() -> String {
    "was made by another version of undust; make it again from its crawls".into()
}
