//! A page: all that the rooms above the readers know of a crawl.

use crate::content::simhash::Simhash;

/// A URL that counts: its redirects, if it has any, end at a response with status 200 and a
/// `simhash` or a `digest`. The other fields describe the page at that end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// As requested.
    pub url: Box<str>,
    /// Where the redirects end: equal numbers, within one crawl, are one page.
    pub end: u32,
    /// Hash of the title, its white space collapsed; none for an empty title.
    pub title: Option<u64>,
    /// Fingerprint of the visible text.
    pub simhash: Option<Simhash>,
    /// Hash of the digest of the body; none for an empty digest. Of 10⁷ distinct digests two
    /// share a hash with a probability of 3·10⁻⁶.
    pub digest: Option<u64>,
}
