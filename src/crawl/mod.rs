//! Pages in: WARC files, crawl manifests and access logs become a stream of [`Response`]s.
//!
//! [`read_all`] opens each input (`source`), undoes its compression
//! (`members`), sees what it is, and hands it to the reader of that kind
//! (`warc`, `manifest`, `access_log`). The text work on the pages of a WARC
//! (`capture`) runs on all cores, and the responses come out in crawl order
//! (`pipeline`). Nothing is ever held whole but one page, and no more of that
//! than [`ReadOptions::max_body`].

mod access_log;
mod capture;
mod http;
mod intake;
mod lines;
mod manifest;
mod members;
mod pages;
mod pipeline;
mod report;
mod response;
mod source;
mod url_list;
mod warc;
mod window;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::Result;

pub use manifest::ManifestWriter;
pub use pages::{LeftOut, MAX_HOPS, Pages, PagesBuilder};
pub use report::ReadReport;
pub use response::Response;
pub use source::open_text;

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

/// Streams every response of the inputs, in crawl order, to `each`; `-` is
/// standard input. Kind and compression of an input are told by its content.
///
/// Damage costs a record, never the run: it is counted in the report. An error
/// is an input that cannot be opened or read or is no crawl at all, a manifest
/// line that breaks the contract (unless [`ReadOptions::lenient`]), or what
/// `each` answers: nothing is given to `each` after its first error.
pub fn read_all(
    inputs: &[PathBuf],
    options: &ReadOptions,
    each: &mut dyn FnMut(Response) -> Result<()>,
) -> Result<ReadReport> {
    pipeline::run(inputs, options, each)
}

#[cfg(test)]
mod tests;
