//! Reads at positions of what several threads share.

use std::fs::File;
use std::io;
use std::time::SystemTime;

/// The bytes of a pack, wherever they lie: a file, or an object in storage elsewhere. Threads read it at once.
///
/// A reader may have its own time-out and retries: an error is final. The bytes are checked against
/// the checksums in the pack.
pub trait ReadAt: Send + Sync {
    /// Fills the buffer with the bytes from a position on: one range.
    ///
    /// # Errors
    ///
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) where the bytes end before,
    /// [`StaleNetworkFileHandle`](io::ErrorKind::StaleNetworkFileHandle) where it is known that the object was
    /// replaced since it was opened, [`TimedOut`](io::ErrorKind::TimedOut) where storage answers too late.
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;

    /// Bytes that there are.
    ///
    /// # Errors
    ///
    /// Those of reading.
    fn length(&self) -> io::Result<u64>;

    /// What differs between an object and another one in its place, as an `ETag` does; empty where that is not known.
    fn version(&self) -> String {
        String::new()
    }

    /// When it was written, as far as that is known.
    fn written(&self) -> Option<SystemTime> {
        None
    }
}

impl ReadAt for File {
    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, at)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            let from = at.saturating_add(done as u64);
            match std::os::windows::fs::FileExt::seek_read(self, &mut buffer[done..], from)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => done += read,
            }
        }
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        self.metadata().map(|file| file.len())
    }

    fn written(&self) -> Option<SystemTime> {
        self.metadata().and_then(|file| file.modified()).ok()
    }
}
