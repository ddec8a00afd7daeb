//! The steps that change a disk, one function each, so that a test can record them and replay what a
//! loss of power leaves of them.
//!
//! A write, and a name that a file gets or loses, may be lost until they are synced: a file's bytes by
//! [`sync`], the names in a folder by [`sync_folder`].

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A step that changed the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiskStep {
    /// A new file.
    Create {
        /// Its number, which another file may have when it is gone.
        file: u64,
        /// Its name.
        path: PathBuf,
    },
    /// Bytes at the end of a file.
    Append {
        /// The file.
        file: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A file that is cut off.
    Cut {
        /// The file.
        file: u64,
        /// Bytes that are left.
        len: u64,
    },
    /// The bytes of a file are on the disk.
    Sync {
        /// The file.
        file: u64,
    },
    /// The disk did not take the bytes of a file that were not on it, and will not be asked again.
    FailedSync {
        /// The file.
        file: u64,
    },
    /// A file gets another name, and what had it is gone.
    Rename {
        /// The old name.
        from: PathBuf,
        /// The new one.
        to: PathBuf,
    },
    /// The names in a folder are on the disk.
    SyncFolder {
        /// The folder.
        folder: PathBuf,
    },
}

thread_local! {
    static RECORD: RefCell<Option<Vec<DiskStep>>> = const { RefCell::new(None) };
    /// Steps that are done, and then steps that fail.
    static FAULT: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Records the steps of this thread until it is dropped, for tests.
#[derive(Debug)]
pub struct DiskRecord(());

impl DiskRecord {
    /// Begins. Another record of this thread ends.
    pub fn begin() -> Self {
        RECORD.set(Some(Vec::new()));
        Self(())
    }

    /// The steps so far.
    pub fn steps(&self) -> Vec<DiskStep> {
        RECORD.with_borrow(|steps| steps.clone().unwrap_or_default())
    }
}

impl Drop for DiskRecord {
    fn drop(&mut self) {
        RECORD.set(None);
    }
}

/// Fails steps of this thread until it is dropped, for tests.
#[derive(Debug)]
pub struct DiskFault(());

impl DiskFault {
    /// So many steps are done, and the next ones fail. Another fault of this thread ends.
    pub fn after(done: usize, failing: usize) -> Self {
        FAULT.set((done, failing));
        Self(())
    }
}

impl Drop for DiskFault {
    fn drop(&mut self) {
        FAULT.set((0, 0));
    }
}

/// Fails where a test asked for it.
pub(crate) fn fault() -> io::Result<()> {
    let (done, failing) = FAULT.get();
    FAULT
        .set((done.saturating_sub(1), if done == 0 { failing.saturating_sub(1) } else { failing }));
    if done == 0 && failing > 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
}

/// Records a step, if anybody does.
fn note(step: impl FnOnce() -> DiskStep) {
    RECORD.with_borrow_mut(|steps| {
        if let Some(steps) = steps {
            steps.push(step());
        }
    });
}

/// Whether the steps are recorded: then nobody waits for the disk, whose losses of power are replayed.
fn is_recorded() -> bool {
    RECORD.with_borrow(Option::is_some)
}

fn number(file: &File) -> u64 {
    #[cfg(unix)]
    let number = file.metadata().map_or(0, |about| std::os::unix::fs::MetadataExt::ino(&about));
    // Nothing is replayed on other systems.
    #[cfg(not(unix))]
    let number = (0, file).0;
    number
}

/// A file was created at this path.
pub(crate) fn created(file: &File, path: &Path) {
    note(|| DiskStep::Create { file: number(file), path: path.to_owned() });
}

/// A file was renamed.
pub(crate) fn renamed(from: &Path, to: &Path) {
    note(|| DiskStep::Rename { from: from.to_owned(), to: to.to_owned() });
}

/// Writes some bytes at the end of a file; how many.
///
/// # Errors
///
/// Those of the disk.
pub fn append(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    let fault = fault();
    // A disk that becomes full has taken some.
    let bytes = if fault.is_ok() { bytes } else { &bytes[..bytes.len() / 2] };
    let written = file.write(bytes)?;
    note(|| DiskStep::Append { file: number(file), bytes: bytes[..written].to_vec() });
    fault.map(|()| written)
}

/// Cuts a file off.
///
/// # Errors
///
/// Those of the disk.
pub fn cut(file: &File, len: u64) -> io::Result<()> {
    fault()?;
    file.set_len(len)?;
    note(|| DiskStep::Cut { file: number(file), len });
    Ok(())
}

/// Waits until the bytes of a file are on the disk. Some network file systems cannot say.
///
/// # Errors
///
/// Those of the disk, some of which are first known here.
pub fn sync(file: &File) -> io::Result<()> {
    let synced =
        fault().and_then(|()| if is_recorded() { Ok(()) } else { where_known(file.sync_all()) });
    note(|| match synced {
        Ok(()) => DiskStep::Sync { file: number(file) },
        Err(_) => DiskStep::FailedSync { file: number(file) },
    });
    synced
}

/// Waits until the names in a folder are on the disk, where the system can say and the folder may
/// be read.
///
/// # Errors
///
/// Those of the disk.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    fault()?;
    match File::open(folder) {
        Ok(_) if is_recorded() => {}
        Ok(open) => where_known(open.sync_all())?,
        // One may write into a folder that one cannot read.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        Err(error) => return Err(error),
    }
    note(|| DiskStep::SyncFolder { folder: folder.to_owned() });
    Ok(())
}

fn where_known(synced: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    match synced {
        Err(error) if matches!(error.kind(), InvalidInput | Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Makes a folder, and those that it is in, which stay there whatever happens to the machine.
///
/// # Errors
///
/// Those of the disk.
pub(crate) fn make_folders(folder: &Path) -> io::Result<()> {
    let is_missing = |place: &&Path| !place.as_os_str().is_empty() && !place.exists();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(folder)?;
    missing.into_iter().try_for_each(|made| sync_folder(crate::atomic_file::folder_of(made)))
}
