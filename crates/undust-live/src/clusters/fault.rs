//! What goes wrong in the store, and how it is reported to the user.

use std::io;
use std::path::Path;

use redb::{
    CommitError, CompactionError, DatabaseError, StorageError, TableError, TransactionError,
};

use crate::error::{Error, StateReason};

/// What went wrong in the store; the path is added where it is known.
#[derive(Debug)]
pub(super) enum Fault {
    /// The database said no.
    Store(Box<redb::Error>),
    /// What is stored makes no sense, or does not fit.
    Odd(StateReason),
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
pub(super) const DAMAGED: Fault = Fault::Odd(StateReason::DamagedRow);

impl Fault {
    /// The error for the user.
    pub(super) fn at(self, path: &Path) -> Error {
        let reason = match self {
            Fault::Odd(reason) => reason,
            Fault::Store(error) => match *error {
                redb::Error::DatabaseAlreadyOpen => StateReason::InUse,
                redb::Error::UpgradeRequired(_) => StateReason::OtherVersion,
                redb::Error::Corrupted(detail) => StateReason::Damaged { detail },
                // Of what is cut off, too.
                redb::Error::Io(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
                    ) =>
                {
                    StateReason::DamagedOrForeign
                }
                redb::Error::Io(error) => return Error::io("keep the clusters in", path)(error),
                redb::Error::TableTypeMismatch { .. } => StateReason::OtherVersion,
                other => StateReason::Database { detail: other.to_string() },
            },
        };
        Error::at(path, reason)
    }
}
