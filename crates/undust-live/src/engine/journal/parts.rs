//! Finished parts of a journal: compressed files beside it, numbered from 1. Its lines are much alike and compress
//! to less than a fifth.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use undust_util::atomic_file::AtomicFile;

/// Higher levels take several times as long for a few percent.
const LEVEL: i32 = 6;

/// The file of a finished part.
pub(super) fn place(folder: &Path, part: u32) -> PathBuf {
    folder.join(format!("live-{part}.jsonl.zst"))
}

/// Makes a finished part of a file of lines. It is whole or not there.
pub(super) fn finish(lines: &Path, place: &Path) -> io::Result<()> {
    let mut file = AtomicFile::create(place)?;
    zstd::stream::copy_encode(File::open(lines)?, &mut file, LEVEL)?;
    file.finish()
}

/// The lines of a finished part.
pub(super) fn lines(place: &Path) -> io::Result<impl BufRead> {
    Ok(BufReader::new(zstd::Decoder::new(File::open(place)?)?))
}
