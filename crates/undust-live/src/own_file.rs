//! Files that are a state's own: regular files, to which no link leads. What lies under their names and
//! is anything else is somebody else's, and stays as it is.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::path::Path;

use crate::error::{Error, Result, StateReason};

/// Whether a file can be the state's own; false where there is none.
///
/// # Errors
///
/// A link, and what is no regular file.
pub(crate) fn check(path: &Path) -> Result<bool> {
    let fault = |reason| Err(Error::at(path, reason));
    match path.symlink_metadata() {
        Ok(about) if about.is_symlink() => fault(StateReason::Link),
        Ok(about) if !about.is_file() => fault(StateReason::NotAState),
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(false),
        Err(error) => Err(Error::io("open", path)(error)),
    }
}

/// Opens such a file, to read it and to append to it; none where there is none.
///
/// # Errors
///
/// Those of [`check`], and a file that cannot be opened.
pub(crate) fn open(path: &Path) -> Result<Option<File>> {
    if !check(path)? {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    // A link may have taken its place after the look.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NOFOLLOW.bits().cast_signed(),
    );
    options.open(path).map(Some).map_err(Error::io("open", path))
}

/// Whether an open file is the one of this name; false where that is not known.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    let number = |about: std::fs::Metadata| {
        use std::os::unix::fs::MetadataExt;
        Some((about.dev(), about.ino()))
    };
    #[cfg(not(unix))]
    let number = |_: std::fs::Metadata| None::<(u64, u64)>;
    let [open, named] = [file.metadata(), path.symlink_metadata()];
    let open = open.ok().and_then(number);
    open.is_some() && open == named.ok().and_then(number)
}
