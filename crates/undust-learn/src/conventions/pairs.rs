//! Pairs of URLs that an operation makes one, found by their image.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use undust_edits::conventions::pairs::Pairs;
use xxhash_rust::xxh3::xxh3_64;

/// A URL in its normal form, and the number of the page that it shows.
pub(super) type LabelledUrl<'u> = (Cow<'u, str>, u32);

/// The pairs of URLs, by their places, that have one image: each with the first URL that becomes that image. None for a
/// URL that is an image already. Linear, with 16 bytes for each URL that has an image, and for each pair.
pub(super) fn pairs_by_image(
    urls: &[LabelledUrl<'_>],
    image: impl Fn(&str) -> Option<String>,
) -> Vec<(usize, usize)> {
    let (mut first, mut pairs) = (FxHashMap::default(), Vec::new());
    for (number, (url, _)) in urls.iter().enumerate() {
        let Some(image) = image(url) else { continue };
        let known = *first.entry(xxh3_64(image.as_bytes())).or_insert(number);
        if known != number {
            pairs.push((number, known));
        }
    }
    for (number, (url, _)) in urls.iter().enumerate().filter(|_| !first.is_empty()) {
        pairs.extend(first.get(&xxh3_64(url.as_bytes())).map(|known| (number, *known)));
    }
    pairs
}

/// Finds the pairs: the first URL of each image, with each later one. 16 bytes an image.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// By hash of the image: the page of the first URL.
    first: FxHashMap<u64, u32>,
}

impl Images {
    /// Adds a URL that shows `page` and becomes `image`, and counts its pair.
    pub(super) fn add(&mut self, image: u64, page: u32, pairs: &mut Pairs) {
        if let Some(same) = self.pair(image, page) {
            pairs.count(same);
        }
    }

    /// Adds a URL; whether it shows the page of the first URL that became `image`, if it is not that.
    pub(super) fn pair(&mut self, image: u64, page: u32) -> Option<bool> {
        let first = self.first.get(&image).map(|first| *first == page);
        if first.is_none() {
            self.first.insert(image, page);
        }
        first
    }
}
