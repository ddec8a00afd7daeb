//! Files of a model folder: checksums, and putting a whole folder in place at once.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// The SHA-256 of `bytes`, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a file that must have the given checksum.
pub fn read_checked(path: &Path, expected: Option<&String>) -> Result<Vec<u8>> {
    let bytes = fs::read(path).map_err(Error::io("read", path))?;
    let fail = |reason: &str| Error::Model { path: path.to_path_buf(), reason: reason.into() };
    match expected {
        None => Err(fail("has no checksum in model.json; train the site again")),
        Some(sum) if *sum != sha256(&bytes) => {
            Err(fail("is damaged or of another model: its checksum is not the one in model.json"))
        }
        Some(_) => Ok(bytes),
    }
}

/// Writes a folder `name` with these files below `parent`, in place of the one there.
pub fn replace(parent: &Path, name: &str, files: &[(&str, Vec<u8>)]) -> Result<()> {
    fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
    let fresh = tempfile::Builder::new()
        .prefix(".undust-")
        .tempdir_in(parent)
        .map_err(Error::io("create a folder in", parent))?;
    for (file, bytes) in files {
        let path = fresh.path().join(file);
        write_synced(&path, bytes).map_err(Error::io("write", &path))?;
    }
    fs::set_permissions(fresh.path(), readable()).map_err(Error::io("write", fresh.path()))?;
    let place = parent.join(name);
    put(fresh, &place).map_err(Error::io("replace", &place))?;
    // The renames must reach the disk too; where a folder cannot be opened, they still will.
    if let Ok(parent) = File::open(parent) {
        parent.sync_all().ok();
    }
    Ok(())
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn readable() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o755)
}

/// Exchanges the two folders in one step of the file system, then deletes the old one.
#[cfg(target_os = "linux")]
fn put(fresh: tempfile::TempDir, place: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    if !place.exists() {
        return move_in(fresh, place);
    }
    match renameat_with(CWD, fresh.path(), CWD, place, RenameFlags::EXCHANGE) {
        Ok(()) => fresh.close(),
        // Network and user-space file systems know no exchange.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => set_aside(fresh, place),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn put(fresh: tempfile::TempDir, place: &Path) -> std::io::Result<()> {
    if place.exists() { set_aside(fresh, place) } else { move_in(fresh, place) }
}

/// Without an exchange, the old folder makes room first.
fn set_aside(fresh: tempfile::TempDir, place: &Path) -> std::io::Result<()> {
    let aside = fresh.path().with_extension("old");
    fs::rename(place, &aside)?;
    move_in(fresh, place)?;
    fs::remove_dir_all(aside)
}

/// The temporary folder deletes itself where this fails.
fn move_in(fresh: tempfile::TempDir, place: &Path) -> std::io::Result<()> {
    fs::rename(fresh.path(), place)?;
    let _ = fresh.keep();
    Ok(())
}
