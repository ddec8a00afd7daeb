//! Output that is whole or not there.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};
use crate::temporary::WholeFile;

/// Writes to standard output for `-`; else to a file that takes its name only when
/// all is written. What is there and is no regular file, such as a pipe or a
/// device, is written to as it is.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let result = if path == Path::new("-") {
        write_buffered(&mut io::stdout().lock(), write)
    } else {
        WholeFile::create(path).and_then(|mut file| {
            write_buffered(&mut file, write)?;
            file.finish()
        })
    };
    result.map_err(Error::io("write", path))
}

fn write_buffered(
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    write(&mut out)?;
    out.flush()
}
