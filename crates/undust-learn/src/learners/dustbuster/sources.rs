//! What validation asks whether two URLs show the same page. The paper fetches both; here they are looked up.

use rustc_hash::FxHashMap;

use super::listing::{ListedUrl, Listing};

/// The URLs of a list whose pages are known by the same sign: by sketches, or else by the sizes in a log.
pub(super) struct KnownPages<'l> {
    by_url: FxHashMap<&'l str, &'l ListedUrl>,
    /// Whether two that are likely similar are the same: sizes never confirm it.
    pub can_confirm: bool,
}

impl<'l> KnownPages<'l> {
    /// None where nothing is known of any page. Linear; 24 bytes a URL.
    pub(super) fn of(listing: &'l Listing) -> Option<Self> {
        let has_sketch = |record: &ListedUrl| record.sketch.is_some();
        let can_confirm = listing.records().iter().any(has_sketch);
        let is_known = |record: &&ListedUrl| {
            if can_confirm { has_sketch(record) } else { record.sizes.is_some() }
        };
        let known = listing.records().iter().filter(is_known);
        let by_url: FxHashMap<_, _> = known.map(|record| (record.url.as_ref(), record)).collect();
        (!by_url.is_empty()).then_some(Self { by_url, can_confirm })
    }

    /// Whether `url` and `image` show the same page, as far as is known; none if one of them is not listed.
    pub(super) fn same_page(&self, url: &str, image: &str) -> Option<bool> {
        let other = self.by_url.get(image)?;
        Some(self.by_url.get(url)?.is_likely_similar(other))
    }
}
