//! The file or pipe of an input. Its errors come from the system; every other error of an input is
//! damaged data.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file, a pipe or a terminal. It marks its errors, and counts the bytes read from it.
pub(super) struct Device {
    inner: Box<dyn Read + Send>,
    progress: Option<Arc<AtomicU64>>,
    /// Whether the end was reached. A terminal would continue after its end if it were read again,
    /// and the user would have to press Ctrl-D once more.
    has_ended: bool,
}

impl Device {
    pub(super) fn new(inner: Box<dyn Read + Send>, progress: Option<Arc<AtomicU64>>) -> Self {
        Self { inner, progress, has_ended: false }
    }
}

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct DeviceError(io::Error);

impl Read for Device {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        let read = self
            .inner
            .read(out)
            .map_err(|error| io::Error::new(error.kind(), DeviceError(error)))?;
        self.has_ended = read == 0 && !out.is_empty();
        if let Some(progress) = &self.progress {
            progress.fetch_add(read as u64, Ordering::Relaxed);
        }
        Ok(read)
    }
}

/// Whether the data is damaged, rather than the device failing.
pub(super) fn is_damage(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof];
    kinds.contains(&error.kind()) && !error.get_ref().is_some_and(|inner| inner.is::<DeviceError>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal with two lines, each of which ends an input.
    struct Terminal(Vec<&'static [u8]>);

    impl Read for Terminal {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let line = self.0.pop().unwrap_or_default();
            out[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    #[test]
    fn what_has_ended_is_not_read_again() {
        let terminal = Terminal(vec![b"more", b"", b"line"]);
        let mut device = Device::new(Box::new(terminal), None);
        let mut out = [0; 9];
        let read = [(); 3].map(|()| device.read(&mut out).expect("bytes"));
        assert_eq!(read, [4, 0, 0]);
    }
}
