//! Why a pack, a file of many models, cannot be used.

use undust_util::error::{Reason, Remedy, Subject};

/// Why a pack of models, or a part of it, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackReason {
    /// The file does not begin as a pack does.
    #[error("is no pack of models")]
    NotAPack,
    /// Another version wrote it.
    #[error(
        "is a pack of version {found}, but this version of undust reads version {expected}; pack the models again"
    )]
    OtherVersion {
        /// The version that it has.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// It ends too early.
    #[error("ends at byte {found} of {expected}; copy it again")]
    Cut {
        /// Bytes of the file.
        found: u64,
        /// Bytes that it should have.
        expected: u64,
    },
    /// Neither of the two places that say where the index is can be read.
    #[error("is damaged in its header; copy it again")]
    DamagedHeader,
    /// A bucket of the index is damaged.
    #[error(
        "is damaged in part {bucket} of {buckets} of its index, and about {models} models cannot be found; copy it again"
    )]
    DamagedIndex {
        /// The bucket, from 1 on.
        bucket: u64,
        /// Buckets of the index.
        buckets: u64,
        /// Models of a bucket, on average.
        models: u64,
    },
    /// The directory of a model is damaged, or is that of no model.
    #[error("is damaged at byte {at}, in the directory of a model; copy it again")]
    DamagedModel {
        /// Where the directory begins.
        at: u64,
    },
    /// Something is to be written into it that changes a folder of a model.
    #[error("is a pack of models, into which nothing is written")]
    ReadOnly,
    /// A model is asked for that is not there.
    #[error("the pack has no model of this site")]
    NoModel,
    /// Something is to be packed that a pack does not hold.
    #[error("cannot be packed: {detail}")]
    NotPackable {
        /// What it is.
        detail: &'static str,
    },
    /// Another process appends to it.
    #[error("is being appended to by another process; try again when that has ended")]
    InUse,
    /// The file that is appended to is no longer at its path.
    #[error("another pack was put in its place; append again")]
    Replaced,
}

impl Reason for PackReason {
    const SUBJECT: Subject = Subject::Model;

    fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::ReadOnly => Some(Remedy::Unpack),
            Self::NotAPack => Some(Remedy::Pack),
            _ => None,
        }
    }
}
