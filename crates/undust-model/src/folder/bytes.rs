//! Reading a file of a model's folder. A folder from elsewhere may hold anything, also a link to a
//! device or a pipe: reading one neither fills the memory nor blocks.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use undust_util::read_limited;

use super::names::most;
use super::source::read_packed;
use crate::error::{Error, ModelReason, Result};

/// Reads a regular file, or what a link to one leads to; also one of a pack, by the path that it would have in a
/// folder.
///
/// # Errors
///
/// A file that is not there or cannot be read, one of another kind, and one that is too long.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    // Before it is opened: opening a pipe waits for its other end.
    let found = match fs::metadata(path) {
        // Windows says of a path that leads into a file that nothing is there.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::NotFound) =>
        {
            let packed = read_packed(path);
            return packed.unwrap_or_else(|| Err(Error::io("read", path)(error)));
        }
        found => found.map_err(Error::io("read", path))?,
    };
    if !found.is_file() {
        return Err(Error::at(path, ModelReason::NotRegular));
    }
    let file = File::open(path).map_err(Error::io("read", path))?;
    let bytes =
        read_limited::read(file, most(path), found.len()).map_err(Error::io("read", path))?;
    let mebibytes = most(path) >> 20;
    bytes.ok_or_else(|| Error::at(path, ModelReason::TooLarge { mebibytes }))
}

/// How many bytes [`read`] gives; none of what it does not read.
pub(super) fn bytes(path: &Path) -> u64 {
    let found = fs::metadata(path).ok().filter(|found| found.is_file());
    found.map_or(0, |found| found.len()).min(most(path))
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::names::MOST_JSON;
    use super::*;

    #[test]
    fn only_regular_files_of_bounded_length_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").expect("a file");
        std::os::unix::fs::symlink("file", at("link")).expect("a link");
        assert_eq!((read(&at("link")).expect("a text"), bytes(&at("link"))), (b"text".to_vec(), 4));
        std::os::unix::fs::symlink("/dev/zero", at("zeros")).expect("a link");
        let described = read(&at("zeros")).expect_err("a refusal").to_string();
        assert!(
            described.ends_with("zeros: is not a regular file; train the site again"),
            "{described}"
        );
        // It takes no room on the disk.
        File::create(at("long")).and_then(|file| file.set_len(MOST_JSON + 1)).expect("a file");
        let described = read(&at("long")).expect_err("a refusal").to_string();
        assert!(
            described.ends_with("long: is larger than 64 MiB; train the site again"),
            "{described}"
        );
        assert_eq!((bytes(&at("zeros")), bytes(&at("nowhere"))), (0, 0));
    }
}
