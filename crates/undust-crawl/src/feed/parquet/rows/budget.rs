//! What a file may become, in bytes: what is unpacked, and what is made of it.

use std::sync::atomic::{AtomicU64, Ordering};

use parquet::errors::ParquetError;

use crate::growth::{ALWAYS, MOST_TIMES};

/// Bytes that may still be made. Whatever takes memory or time is paid for before it is done.
#[derive(Debug)]
pub(super) struct Budget(AtomicU64);

impl Budget {
    /// The budget of a file of `file` bytes.
    pub(super) fn of(file: u64) -> Self {
        Self(AtomicU64::new(ALWAYS.saturating_add(file.saturating_mul(MOST_TIMES))))
    }

    pub(super) fn take(&self, bytes: u64) -> Result<(), ParquetError> {
        let pay = |left: u64| left.checked_sub(bytes);
        let paid = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay);
        paid.map(drop).map_err(|_| ParquetError::General(crate::growth::TOO_MUCH.to_owned()))
    }
}
