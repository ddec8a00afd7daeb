//! How much a file may become when it is unpacked. A few bytes can stand for a terabyte, and a crawl never has
//! them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that each byte of a file may become.
pub(crate) const MOST_TIMES: u64 = 1000;

/// Bytes that any file may become, however small.
pub(crate) const ALWAYS: u64 = 16 << 20;

/// What is said of a file that becomes more.
pub(crate) const TOO_MUCH: &str = "it becomes more than 1,000 times its bytes, which no crawl does";

/// An input that holds others, each packed in its own way.
#[derive(Debug, Default)]
pub(super) struct Growth {
    /// Bytes of the input that were read.
    pub read: Arc<AtomicU64>,
    /// Bytes that became of them.
    pub made: AtomicU64,
}

impl Growth {
    /// How many bytes became of each.
    pub(super) fn times(&self) -> u64 {
        let read = self.read.load(Ordering::Relaxed);
        self.made.load(Ordering::Relaxed) / read.max(1)
    }
}

/// Fails where too much became of what was read.
pub(super) fn check(read: u64, made: u64) -> io::Result<()> {
    let most = read.saturating_mul(MOST_TIMES).saturating_add(ALWAYS);
    // An end: what comes after it is not read.
    let too_much = || io::Error::new(io::ErrorKind::UnexpectedEof, TOO_MUCH);
    (made <= most).then_some(()).ok_or_else(too_much)
}
