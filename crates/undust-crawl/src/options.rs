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
    /// Names of the fields or columns of feeds and tables.
    pub fields: FieldNames,
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
            fields: FieldNames::default(),
            truth_field: None,
            max_body: 8 * 1024 * 1024,
            labels: false,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS),
            progress: None,
        }
    }
}

/// How a feed or a table calls its fields or columns. A field without a name is the first with a usual one, such as
/// `url` or `request.endpoint`. A dot stands between the names of nested objects; letter case and punctuation do not
/// count.
#[derive(Debug, Clone, Default)]
pub struct FieldNames {
    /// The URL.
    pub url: Option<String>,
    /// The page, as HTML, text or base 64 of either.
    pub body: Option<String>,
    /// The HTTP status.
    pub status: Option<String>,
    /// The digest of the page.
    pub digest: Option<String>,
    /// The target of a redirect.
    pub location: Option<String>,
    /// The title.
    pub title: Option<String>,
}

impl FieldNames {
    /// The name of the field that is called so here: `url`, `body`, `status`, `digest`, `location` or `title`.
    pub fn of(&mut self, field: &str) -> Option<&mut Option<String>> {
        match field {
            "url" => Some(&mut self.url),
            "body" => Some(&mut self.body),
            "status" => Some(&mut self.status),
            "digest" => Some(&mut self.digest),
            "location" => Some(&mut self.location),
            "title" => Some(&mut self.title),
            _ => None,
        }
    }
}
