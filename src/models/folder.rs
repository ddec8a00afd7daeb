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
pub fn replace(parent: &Path, name: &str, files: &[(&str, &Vec<u8>)]) -> Result<()> {
    fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
    let fresh = tempfile::Builder::new()
        .prefix(&format!(".{name}."))
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
    if !place.exists() {
        return fs::rename(fresh.keep(), place);
    }
    renameat_with(CWD, fresh.path(), CWD, place, RenameFlags::EXCHANGE)?;
    fresh.close()
}

/// Without an exchange, the old folder is set aside first.
#[cfg(not(target_os = "linux"))]
fn put(fresh: tempfile::TempDir, place: &Path) -> std::io::Result<()> {
    let aside = fresh.path().with_extension("old");
    if place.exists() {
        fs::rename(place, &aside)?;
    }
    fs::rename(fresh.keep(), place)?;
    if aside.exists() { fs::remove_dir_all(aside) } else { Ok(()) }
}
