//! A model on disk: `models/<site>/`.
//!
//! What was learned of a site comes in and becomes [`files`], which take their place all at once, where nothing but a
//! model is lost by it. A folder that is loaded is checked: its format, its checksums ([`info`]), and that what its
//! files hold can be served. What is switched off until the next training is
//! [`OfModel`](crate::operation::OfModel); `pruning` writes a folder again without some of its operations. `sites`
//! finds the folder for a URL among those of many sites, and `source` reads it wherever it is: on disk, or in a
//! [pack](crate::pack).

pub(crate) mod bytes;
pub mod files;
pub mod info;
pub(crate) mod names;
mod pruning;
pub(crate) mod sites;
pub(crate) mod source;

use std::ffi::OsString;
use std::fs::{self, DirEntry, File};
use std::io::{self, Write};
use std::path::Path;

use same_file::Handle;
use tempfile::TempDir;

use undust_util::atomic_file::{
    check_no_file, folder_in, folder_of, followed, is_unfinished, make_folder,
};
use undust_util::disk;

use self::names::{MODEL, is_own};
use crate::error::{Error, ModelReason, Result};
use crate::pack::check_writable;

/// Writes a folder `name` with these files below `parent`, in place of the one there; a link to a
/// folder stays one, and that folder is replaced. On Linux a process that ends at any time leaves
/// the old folder or the new one. Where the file system knows no exchange, the old one may be left
/// under another name in the same folder between two renames. What is there and is no model stays.
pub(crate) fn replace(parent: &Path, name: &str, files: &[(&str, Vec<u8>)]) -> Result<()> {
    replace_in_steps(parent, name, files, &|| ())
}

/// The same, with a call between any two steps that change the disk: a process may end at each
/// of them, and the old folder or the new one must be there.
fn replace_in_steps(
    parent: &Path,
    name: &str,
    files: &[(&str, Vec<u8>)],
    between: &dyn Fn(),
) -> Result<()> {
    check_writable(parent)?;
    make_folder(parent).map_err(Error::io("create", parent))?;
    check_place(parent, name)?;
    let place = followed(&parent.join(name));
    let parent = folder_of(&place);
    between();
    let (fresh, _held) = folder_in(parent).map_err(Error::io("create a folder in", parent))?;
    between();
    // Errors name the place, which is what was asked for, and not the temporary folder.
    for (file, bytes) in files {
        let written = write_synced(&fresh.path().join(file), bytes);
        written.map_err(Error::io("write", place.join(file)))?;
        between();
    }
    make_readable(fresh.path()).map_err(Error::io("write", &place))?;
    // The names of the files before that of the folder.
    disk::sync_folder(fresh.path()).map_err(Error::io("write", &place))?;
    put(fresh, &place, between).map_err(Error::io("replace", &place))?;
    between();
    disk::sync_folder(parent).map_err(Error::io("write", &place))
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A temporary folder is its owner's alone; a model is for everybody.
fn make_readable(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let _ = folder;
    Ok(())
}

/// Exchanges the two folders in one step of the file system, then deletes the old one.
#[cfg(target_os = "linux")]
fn put(fresh: TempDir, place: &Path, between: &dyn Fn()) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    // Another training of the site may put its folder there, or take it away, in between.
    let exchange = || renameat_with(CWD, fresh.path(), CWD, place, RenameFlags::EXCHANGE);
    for _ in 0..TRIES {
        match renameat_with(CWD, fresh.path(), CWD, place, RenameFlags::NOREPLACE) {
            Ok(()) => return kept(fresh),
            Err(Errno::EXIST | Errno::NOTEMPTY) => {}
            // Network and user-space file systems know neither.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => break,
            Err(error) => return Err(error.into()),
        }
        check_replaceable(place)?;
        match exchange() {
            Ok(()) => {
                between();
                // Somebody may have put it there after the look.
                if let Err(reason) = check_replaceable(fresh.path()) {
                    exchange()?;
                    return Err(reason);
                }
                return fresh.close();
            }
            Err(Errno::NOENT) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => break,
            Err(error) => return Err(error.into()),
        }
    }
    put_in_two_steps(fresh, place)
}

/// Times that another training may come in between.
const TRIES: usize = 16;

#[cfg(not(target_os = "linux"))]
fn put(fresh: TempDir, place: &Path, _between: &dyn Fn()) -> io::Result<()> {
    put_in_two_steps(fresh, place)
}

fn put_in_two_steps(fresh: TempDir, place: &Path) -> io::Result<()> {
    match place.exists() {
        true => check_replaceable(place).and_then(|()| set_aside(fresh, place)),
        false => move_in(fresh, place),
    }
}

/// Without an exchange, the old folder makes room first. A process that is killed between the
/// two renames leaves it under its temporary name.
fn set_aside(fresh: TempDir, place: &Path) -> io::Result<()> {
    let aside = fresh.path().with_extension("old");
    fs::rename(place, &aside)?;
    move_in(fresh, place)?;
    fs::remove_dir_all(aside)
}

/// The temporary folder deletes itself where this fails.
fn move_in(fresh: TempDir, place: &Path) -> io::Result<()> {
    fs::rename(fresh.path(), place)?;
    kept(fresh)
}

fn kept(fresh: TempDir) -> io::Result<()> {
    let _ = fresh.keep();
    Ok(())
}

/// Whether a folder is there or can be made, and files in it, before any work is put into them.
/// Leaves nothing behind.
///
/// # Errors
///
/// A file in its place, and a disk that cannot be written there.
pub fn check_folder(folder: &Path) -> Result<()> {
    check_writable(folder)?;
    let folder = followed(folder);
    let is_there = |place: &&Path| fs::symlink_metadata(place).is_ok();
    let place = folder.ancestors().find(is_there).unwrap_or(Path::new("."));
    check_no_file(place, || Error::at(place, ModelReason::NotAFolder))?;
    folder_in(place).map(drop).map_err(Error::io("create a folder in", place))
}

/// Whether a model can take this name below `parent`, before any work is put into it.
///
/// # Errors
///
/// A name that file systems do not take, and something at its place that is no folder of a model.
pub fn check_place(parent: &Path, name: &str) -> Result<()> {
    if name.len() > LONGEST_NAME {
        let reason = ModelReason::LongName { site: name.to_owned(), most: LONGEST_NAME };
        return Err(reason.into());
    }
    let place = parent.join(name);
    let in_the_way = |obstacle| Err(ModelReason::InTheWay { path: place.clone(), obstacle }.into());
    match fs::symlink_metadata(&place) {
        Ok(found) if !found.is_dir() && !place.is_dir() => {
            in_the_way(io::Error::other("it is not a folder"))
        }
        Ok(_) => check_replaceable(&place).or_else(in_the_way),
        Err(_) => Ok(()),
    }
}

/// Whether no more than a model is lost if the folder is replaced: it holds one, of whatever format
/// and though it be broken, and nothing else, or nothing at all. Else what is in the way.
fn check_replaceable(place: &Path) -> io::Result<()> {
    for _ in 0..TRIES {
        let before = Handle::from_path(place).ok();
        let found = check_listing(place);
        // What another training has replaced meanwhile, and deletes file by file, says nothing.
        if found.is_ok() || before == Handle::from_path(place).ok() {
            return found;
        }
    }
    check_listing(place)
}

fn check_listing(place: &Path) -> io::Result<()> {
    let refuse = |what: String| Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    let (mut has_model, mut is_empty, mut foreign) = (false, true, None::<OsString>);
    let entries = match fs::read_dir(place) {
        // Another training may have taken it away.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let own = name.to_str().filter(|name| is_own(name)).filter(|_| !is_folder(&entry));
        has_model |= own == Some(MODEL);
        // What a killed process left is nothing.
        is_empty &= own.is_some_and(is_unfinished);
        if own.is_none() && foreign.as_ref().is_none_or(|first| name < *first) {
            foreign = Some(name);
        }
    }
    match foreign {
        _ if !has_model && !is_empty => refuse("it has other files but no model.json".to_owned()),
        Some(name) => refuse(format!("it has {}, which is not a file of a model", name.display())),
        None => Ok(()),
    }
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

/// Bytes of the longest name that common file systems take.
const LONGEST_NAME: usize = 255;

#[cfg(all(test, target_os = "linux"))]
mod tests;
