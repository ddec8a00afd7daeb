//! The file or pipe below an input. Its errors are the system's; every other error of an
//! input is damage to the data.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file or pipe. It marks its errors, and counts the bytes read from it.
pub(super) struct Device {
    pub inner: Box<dyn Read + Send>,
    pub progress: Option<Arc<AtomicU64>>,
}

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct DeviceError(io::Error);

impl Read for Device {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self
            .inner
            .read(out)
            .map_err(|error| io::Error::new(error.kind(), DeviceError(error)))?;
        if let Some(progress) = &self.progress {
            progress.fetch_add(read as u64, Ordering::Relaxed);
        }
        Ok(read)
    }
}

/// Whether the data is bad, rather than the device.
pub(super) fn is_damage(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof];
    kinds.contains(&error.kind()) && !error.get_ref().is_some_and(|inner| inner.is::<DeviceError>())
}
