//! Output that is whole or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};

/// Writes to standard output for `-`; else to a file that takes its name only when
/// all is written. What is there and is no regular file, such as a pipe or a
/// device, is written to as it is.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let is_special = || fs::metadata(path).is_ok_and(|found| !found.is_file());
    let result = if path == Path::new("-") {
        write_buffered(io::stdout().lock(), write)
    } else if is_special() {
        File::options().write(true).open(path).and_then(|file| write_buffered(file, write))
    } else {
        write_and_rename(path, write)
    };
    result.map_err(Error::io("write", path))
}

fn write_buffered(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    write(&mut out)?;
    out.flush()
}

fn write_and_rename(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.prefix(".undust-").tempfile_in(folder.unwrap_or(Path::new(".")))?;
    write_buffered(&file, write)?;
    file.persist(path).map(drop).map_err(|failed| failed.error)
}
