//! Sources that validation asks whether two URLs show the same page.

use rustc_hash::FxHashMap;

use super::listing::{ListedUrl, Listing};

/// Knows whether two URLs show the same page. The paper fetches both; here they are looked up in
/// a crawl. A source is asked about the instances of a rule, in random order, until the rule is
/// decided.
pub(crate) trait PageSource {
    /// Whether `url` and `image` show the same page; `None` if that is unknown. A source that
    /// fetches says `None` if `url` fails and `Some(false)` if `image` does (Figure 4).
    fn same_page(&self, url: &str, image: &str) -> Option<bool>;

    /// Whether `Some(true)` is certain; otherwise it means only that nothing contradicts.
    fn can_confirm(&self) -> bool {
        true
    }
}

/// The pages of a list with sketches.
pub(crate) struct Sketches<'l> {
    by_url: FxHashMap<&'l str, u64>,
}

impl<'l> Sketches<'l> {
    /// Linear; 24 bytes a URL.
    pub(crate) fn new(listing: &'l Listing) -> Self {
        let sketch = |r: &'l ListedUrl| Some((r.url.as_ref(), r.sketch?));
        Self { by_url: listing.records().iter().filter_map(sketch).collect() }
    }
}

impl PageSource for Sketches<'_> {
    fn same_page(&self, url: &str, image: &str) -> Option<bool> {
        let other = self.by_url.get(image)?;
        Some(self.by_url.get(url)? == other)
    }
}

/// The sizes of a log. Pages are different if their intervals of sizes do not overlap; sizes
/// never confirm that pages are the same.
pub(crate) struct Sizes<'l> {
    by_url: FxHashMap<&'l str, (u64, u64)>,
}

impl<'l> Sizes<'l> {
    /// Linear; 32 bytes a URL.
    pub(crate) fn new(listing: &'l Listing) -> Self {
        let sizes = |r: &'l ListedUrl| Some((r.url.as_ref(), r.sizes?));
        Self { by_url: listing.records().iter().filter_map(sizes).collect() }
    }
}

impl PageSource for Sizes<'_> {
    fn same_page(&self, url: &str, image: &str) -> Option<bool> {
        let other = self.by_url.get(image)?;
        let one = self.by_url.get(url)?;
        Some(one.0 <= other.1 && other.0 <= one.1)
    }

    fn can_confirm(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::dustbuster::listing::tests::{logged, sketched};

    #[test]
    fn what_is_not_in_the_list_is_not_known() {
        let listing = sketched([("/a", 1), ("/b", 1), ("/c", 2)]);
        let pages = Sketches::new(&listing);
        assert_eq!(pages.same_page("/a", "/b"), Some(true));
        assert_eq!(pages.same_page("/a", "/c"), Some(false));
        assert_eq!(pages.same_page("/a", "/d"), None);
    }

    #[test]
    fn sizes_refute_and_confirm_nothing() {
        let listing =
            logged([("/a".into(), 1), ("/b".into(), 1), ("/b".into(), 9), ("/c".into(), 10)]);
        let pages = Sizes::new(&listing);
        assert_eq!(pages.same_page("/a", "/b"), Some(true));
        assert_eq!(pages.same_page("/b", "/c"), Some(false));
        assert!(!pages.can_confirm());
    }
}
