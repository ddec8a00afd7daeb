//! What the file system says of a file: whether it is there, and whether it is the one that was there.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long a look at a place stays valid.
pub(crate) const FRESH: Duration = Duration::from_millis(500);

/// Whether a file is not there, rather than out of reach.
pub(crate) fn is_absent(path: &Path) -> bool {
    let absent = |error: io::Error| {
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    };
    fs::metadata(path).is_err_and(absent)
}

/// What changes where a file is replaced or written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity(u64, u64, Option<SystemTime>);

impl FileIdentity {
    /// Of the file at a path; none where there is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let inode = 0u64;
        Some(Self(inode, metadata.len(), metadata.modified().ok()))
    }
}
