//! Reads at a position of a file that several threads share.

use std::fs::File;
use std::io;

/// Fills the buffer from a position on.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

/// Fills the buffer from a position on.
#[cfg(windows)]
pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        let from = at.saturating_add(done as u64);
        match std::os::windows::fs::FileExt::seek_read(file, &mut buffer[done..], from)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(())
}
