//! How crawls are read.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// More threads would not help, because decompression runs on a single separate thread and is then
/// the slowest part. Each thread may hold a page of full length.
const MAX_THREADS: usize = 3;

/// How crawls are read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// Skip and count bad manifest lines, and use the whole lines of a cut manifest. Without
    /// it both are errors.
    pub lenient: bool,
    /// Host for access logs that name none: `www.example.org`, or with a scheme,
    /// `https://www.example.org`.
    pub host: Option<String>,
    /// Read bare lists of URLs too. Their responses have a URL and nothing else. Without it
    /// such a list is an error.
    pub lists: bool,
    /// Name of the field or column of a feed or table that holds the URL; without it the first with a usual name, such
    /// as `url` or `request.endpoint`. A dot stands between the names of nested objects; letter case and punctuation
    /// do not count.
    pub url_field: Option<String>,
    /// The same for the page, as HTML, text or base 64 of either; without it such as `body`, `html` and `text`.
    pub body_field: Option<String>,
    /// The same for the HTTP status, such as `status` or `fetch_status`.
    pub status_field: Option<String>,
    /// The same for the digest of the page, such as `digest` or `Signature`.
    pub digest_field: Option<String>,
    /// The same for the target of a redirect, such as `location`.
    pub location_field: Option<String>,
    /// The same for the title, such as `title`.
    pub title_field: Option<String>,
    /// Name of the field of a manifest by which pages are judged ([`Response::truth`](undust_pages::Response::truth)).
    pub truth_field: Option<String>,
    /// Most bytes of a page's body that are read, before and after decoding. The rest is
    /// skipped, and the page counted as read in part.
    pub max_body: usize,
    /// Keep with each page what its site says of it ([`PageLabels`](undust_pages::labels::PageLabels)); only
    /// [`read_pages`](crate::read_pages) makes pages.
    pub labels: bool,
    /// Threads that parse pages; with 1 everything happens on the caller's thread. The responses
    /// are the same for any number.
    pub threads: usize,
    /// Counts the bytes read from the inputs, before decompression: for a progress bar.
    pub progress: Option<Arc<AtomicU64>>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            lenient: false,
            host: None,
            lists: false,
            url_field: None,
            body_field: None,
            status_field: None,
            digest_field: None,
            location_field: None,
            title_field: None,
            truth_field: None,
            max_body: 8 * 1024 * 1024,
            labels: false,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS),
            progress: None,
        }
    }
}
