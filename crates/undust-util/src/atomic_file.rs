//! Files and folders that are whole or not there: each is written under a temporary name in the
//! same folder, and renamed when all is written. The unfinished files of a killed process are
//! removed by the next process that writes there. What is finished is there after a loss of power,
//! too: the bytes are on the disk before the name, and the name when it is finished.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashSet;
use tempfile::{NamedTempFile, TempDir, TempPath};

use crate::disk;

/// How the name begins of what is not whole yet; then comes the number of its process, and `-`.
const PREFIX: &str = ".undust-unfinished-";

/// A file that takes its name when it is [finished](Self::finish), and is not there before.
#[derive(Debug)]
pub struct AtomicFile {
    place: PathBuf,
    file: File,
    /// None if the place is no regular file, such as a pipe or a device: those are written to as
    /// they are.
    temporary: Option<TempPath>,
}

impl AtomicFile {
    /// Begins a file at `path`. A link stays a link: where it leads is written.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Before the link is followed: `/dev/stdout` leads to a pipe, whose name is no path.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = File::options().write(true).open(path)?;
            return Ok(Self { place: path.to_owned(), file, temporary: None });
        }
        Self::begin(followed(path), FOR_ALL)
    }

    /// Begins a file at `path` that its owner alone may read. A link there is replaced, and where it
    /// leads stays as it is.
    pub fn create_private(path: &Path) -> io::Result<Self> {
        Self::begin(path.to_owned(), PRIVATE)
    }

    fn begin(place: PathBuf, mode: u32) -> io::Result<Self> {
        // A signal handler that ends the process waits until the file is known.
        let mut begun = begun();
        let (file, temporary) = file_in(folder_of(&place), mode)?.into_parts();
        disk::created(&file, &temporary);
        begun.push(temporary.to_path_buf());
        Ok(Self { place, file, temporary: Some(temporary) })
    }

    /// The file, whatever its name is now.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file its name, once its bytes are on the disk: a name that is there before them
    /// would be that of an empty file after a loss of power.
    pub fn finish(mut self) -> io::Result<()> {
        if self.temporary.is_some() {
            disk::sync(&self.file)?;
        }
        let Some(temporary) = self.temporary.take() else { return Ok(()) };
        let begun = temporary.to_path_buf();
        let named = disk::fault()
            .and_then(|()| temporary.persist(&self.place).map_err(|failed| failed.error));
        no_longer_begun(&begun);
        named?;
        disk::renamed(&begun, &self.place);
        disk::sync_folder(folder_of(&self.place))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        self.temporary.iter().for_each(|temporary| no_longer_begun(temporary));
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        disk::append(&self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The target of a link, even if nothing is there yet.
pub fn followed(path: &Path) -> PathBuf {
    /// Links in a row; with more they are taken for a circle.
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&place) else { break };
        place = folder_of(&place).join(target);
    }
    place
}

/// Makes a folder, and those that it is in, where there are none; at the end of a link where it leads.
pub fn make_folder(place: &Path) -> io::Result<()> {
    disk::make_folders(&followed(place))
}

/// The folder that a file or folder is in.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether a folder can be at this place: nothing is there, or one.
///
/// # Errors
///
/// What `wrong` makes of it that a file is there instead.
pub fn check_no_file<E>(place: &Path, wrong: impl FnOnce() -> E) -> Result<(), E> {
    let is_folder = fs::metadata(place).map_or(true, |about| about.is_dir());
    is_folder.then_some(()).ok_or_else(wrong)
}

/// The mode of any new file, from which the user's umask is taken.
const FOR_ALL: u32 = 0o666;
/// The mode of a file for its owner alone.
const PRIVATE: u32 = 0o600;

fn file_in(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let prefix = prefix_in(folder);
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    let file =
        builder.prefix(&prefix).suffix(".part").tempfile_in(folder).map_err(without_place)?;
    hold(file.as_file());
    Ok(file)
}

/// A folder under its temporary name; hold on to the file as long as to the folder.
pub fn folder_in(parent: &Path) -> io::Result<(TempDir, Option<File>)> {
    let folder = tempfile::Builder::new().prefix(&prefix_in(parent)).tempdir_in(parent);
    let folder = folder.map_err(without_place)?;
    let held = File::open(folder.path()).ok();
    held.as_ref().inspect(|file| hold(file));
    Ok((folder, held))
}

/// The error without the temporary name, which tempfile puts behind it and nobody has ever typed.
pub fn without_place(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.rsplit_once(" at path \"") {
        Some((own, _)) => io::Error::new(error.kind(), own),
        None => error,
    }
}

/// How names begin in a folder that this process writes to, once what others left there is gone.
pub fn prefix_in(folder: &Path) -> String {
    sweep_once(folder);
    own_prefix()
}

fn own_prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// Says to other processes that the file is in use, where the file system can.
fn hold(file: &File) {
    file.try_lock().ok();
}

/// The files that this process has begun and not finished. Their names do not show it: a process of another
/// container may have its number.
static BEGUN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn begun() -> MutexGuard<'static, Vec<PathBuf>> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_longer_begun(path: &Path) {
    begun().retain(|begun| begun != path);
}

/// Removes the files that this process has begun and not finished, and ends it. None is begun meanwhile.
pub fn remove_begun_and_exit(code: u8) -> ! {
    let begun = begun();
    begun.iter().for_each(|path| drop(fs::remove_file(path)));
    std::process::exit(code.into())
}

/// Sweeps a folder the first time that this process writes there: a fleet's folder has a hundred
/// thousand names.
fn sweep_once(folder: &Path) {
    static SWEPT: LazyLock<Mutex<FxHashSet<PathBuf>>> = LazyLock::new(Mutex::default);
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.insert(folder.to_owned()) {
        sweep(folder);
    }
}

/// Removes what processes that are gone have left in a folder: what nobody holds, and whose
/// process does not live. One look at the folder's names.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().and_then(owner).is_some_and(|owner| !lives(owner)) {
            remove(&entry.path());
        }
    }
}

/// The process that a temporary name names.
fn owner(name: &str) -> Option<u32> {
    let (process, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
    process.parse().ok()
}

/// Whether this is the name of an unfinished file or folder.
pub fn is_unfinished(name: &str) -> bool {
    owner(name).is_some()
}

/// Whether a process of this number lives here. Where that is not known, it counts as living.
fn lives(process: u32) -> bool {
    let all = Path::new("/proc");
    !all.join("self").exists() || all.join(process.to_string()).exists()
}

fn remove(path: &Path) {
    let Ok(file) = File::open(path) else { return };
    // A process of another container, which has numbers of its own, may still hold it.
    if file.try_lock().is_err() {
        return;
    }
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) }.ok();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// No process has it: numbers end at 2²².
    const DEAD: u32 = 4_194_305;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).into_string().expect("text")).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn what_nobody_owns_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let held = format!("{PREFIX}{DEAD}-held");
        let own = format!("{}x", own_prefix());
        for name in ["mine", ".undust-x", ".undust-12", &held, &own, &format!("{PREFIX}{DEAD}-f")] {
            fs::write(at(name), "x").expect("a file");
        }
        fs::create_dir(at(&format!("{PREFIX}{DEAD}-d"))).expect("a folder");
        fs::write(at(&format!("{PREFIX}{DEAD}-d")).join("model.json"), "x").expect("a file");
        let holder = File::open(at(&held)).expect("a file");
        hold(&holder);
        sweep(folder.path());
        let mut kept = ["mine".to_owned(), ".undust-x".into(), ".undust-12".into(), held, own];
        kept.sort_unstable();
        assert_eq!(names(folder.path()), kept);
    }

    #[test]
    fn a_link_stays_a_link_even_where_nothing_is_there_yet() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("far")).expect("a folder");
        std::os::unix::fs::symlink("far/file", at("link")).expect("a link");
        for text in ["first", "second"] {
            let mut file = AtomicFile::create(&at("link")).expect("a file");
            file.write_all(text.as_bytes()).expect("writing");
            file.finish().expect("a name");
            assert_eq!(fs::read_to_string(at("far/file")).expect("the file"), text);
            assert!(fs::symlink_metadata(at("link")).expect("the link").is_symlink());
        }
        assert_eq!(names(&at("far")), ["file"]);
    }

    #[test]
    fn what_a_link_names_and_no_path_leads_to_is_written_to() {
        let (mut reader, writer) = io::pipe().expect("a pipe");
        let descriptor = std::os::fd::AsRawFd::as_raw_fd(&writer);
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(format!("/proc/self/fd/{descriptor}"), &link).expect("a link");
        let mut file = AtomicFile::create(&link).expect("a file");
        file.write_all(b"text").expect("writing");
        file.finish().expect("an end");
        drop(writer);
        let mut read = String::new();
        io::Read::read_to_string(&mut reader, &mut read).expect("reading");
        assert_eq!(read, "text");
        assert_eq!(names(folder.path()), ["link"]);
    }

    #[test]
    fn what_is_not_finished_is_not_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut file = AtomicFile::create(&path).expect("a file");
        file.write_all(b"half").expect("writing");
        assert_eq!(names(folder.path()).len(), 1);
        drop(file);
        assert_eq!(names(folder.path()).len(), 0);
    }
}
