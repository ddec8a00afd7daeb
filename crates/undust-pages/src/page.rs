//! A page: all that the modules above the readers know about a crawl.

use crate::labels::PageLabels;
use crate::simhash::Simhash;
use crate::text_hash::TextHash;

/// A URL whose redirects, if it has any, end at a response with status 200 and a `simhash` or a
/// `digest`. The other fields describe the page at that end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The URL as requested.
    pub url: Box<str>,
    /// Where the redirects end. Within one crawl, equal numbers are one page.
    pub end: u32,
    /// Whether the URL redirects, so that it shows the page only by another URL.
    pub is_redirect: bool,
    /// Hash of the title with white space collapsed; none for an empty title.
    pub title: Option<u64>,
    /// Fingerprint of the visible text.
    pub simhash: Option<Simhash>,
    /// Hash of the visible text of a [short page](crate::Response::short_text), which its
    /// fingerprint does not distinguish from others.
    pub short_text: Option<TextHash>,
    /// Hash of the digest of the body; none for an empty digest. The probability that two of
    /// 10⁷ distinct digests share a hash is 3·10⁻⁶.
    pub digest: Option<u64>,
    /// Hash of [`Response::truth`](crate::Response::truth), the field to judge by: pages are the
    /// same if it is equal. Nothing learns from it.
    pub truth: Option<u64>,
    /// Importance of the URL itself, if the crawl says it.
    pub importance: Option<Importance>,
    /// What the site says of the page; none unless [labels](crate::PagesBuilder::with_labels) were asked for.
    pub labels: Option<Box<PageLabels>>,
}

/// Importance of a URL, such as its links or clicks: the larger, the more important.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Importance(u64);

impl Importance {
    /// The importance of a number; none for NaN.
    pub fn of(value: f64) -> Option<Self> {
        // The bits of floats are in the order of their values once negative ones are turned over.
        let bits = (value + 0.0).to_bits();
        let in_order = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        (!value.is_nan()).then_some(Self(in_order))
    }

    /// Bits whose order is that of the values.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The inverse of [`Self::bits`].
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importance_is_in_the_order_of_its_values() {
        let values = [f64::NEG_INFINITY, -2.0, -1e-9, 0.0, 1e-300, 0.5, 1.0, 3e7, f64::INFINITY];
        let made = values.map(|value| Importance::of(value).map(Importance::bits));
        assert!(made.is_sorted() && made.iter().all(Option::is_some));
        assert_eq!(Importance::of(-0.0), Importance::of(0.0));
        assert_eq!(Importance::of(f64::NAN), None);
    }
}
