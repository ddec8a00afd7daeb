//! How crawls are read.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Threads beyond which decompression, on a thread of its own, is what takes the
/// time; each may hold a page of full length.
const MAX_THREADS: usize = 3;

/// How crawls are read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// Skip and count bad manifest lines, and use what a cut manifest still has,
    /// rather than fail.
    pub lenient: bool,
    /// Host (`www.example.org`, or with a scheme, `https://www.example.org`) of
    /// access logs that name none.
    pub host: Option<String>,
    /// Read bare lists of URLs, too, as URLs of which nothing is known but that they are
    /// there. Without it such a list is an error.
    pub lists: bool,
    /// Bytes of a page's body, as stored and as decoded, that are read; the rest
    /// is passed over, and the page counted.
    pub max_body: usize,
    /// Threads for the text work; 1 does everything on the caller's thread. The
    /// responses are the same for any number.
    pub threads: usize,
    /// Told of the bytes read from the inputs, as stored: for a progress bar.
    pub progress: Option<Arc<AtomicU64>>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            lenient: false,
            host: None,
            lists: false,
            max_body: 8 * 1024 * 1024,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS),
            progress: None,
        }
    }
}
