//! A page: all that the modules above the readers know about a crawl.

use crate::content::lengths::WordLengths;
use crate::content::simhash::Simhash;

/// A URL whose redirects, if it has any, end at a response with status 200 and a `simhash` or a
/// `digest`. The other fields describe the page at that end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The URL as requested.
    pub url: Box<str>,
    /// Where the redirects end. Within one crawl, equal numbers are one page.
    pub end: u32,
    /// Hash of the title with white space collapsed; none for an empty title.
    pub title: Option<u64>,
    /// Fingerprint of the visible text.
    pub simhash: Option<Simhash>,
    /// Hash of the digest of the body; none for an empty digest. The probability that two of
    /// 10⁷ distinct digests share a hash is 3·10⁻⁶.
    pub digest: Option<u64>,
    /// Visible words by subset of the dictionary; none unless they were counted
    /// ([`ReadOptions::lengths`](crate::ReadOptions::lengths)).
    pub lengths: Option<Box<WordLengths>>,
}
