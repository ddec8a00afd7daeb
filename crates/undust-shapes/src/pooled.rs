//! Which texts at one place stand in a pattern, and which are pooled.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Fewest URLs that have a text which stands in a pattern, unless it is the only one at its place.
const LEAST_URLS: usize = 3;

/// Of so many URLs in all, one more is needed.
const ONE_MORE: usize = 1000;

/// A text that one in so many URLs at its place has is common, however many other texts are there.
const LARGE: u32 = 20;

/// How many URLs have each text at one place.
#[derive(Debug)]
pub(crate) struct Counts<T> {
    urls: FxHashMap<T, u32>,
    sum: u32,
}

impl<T> Default for Counts<T> {
    fn default() -> Self {
        Self { urls: FxHashMap::default(), sum: 0 }
    }
}

impl<T: Hash + Eq> Counts<T> {
    /// Counts one URL.
    pub(crate) fn add(&mut self, text: T) {
        *self.urls.entry(text).or_default() += 1;
        self.sum += 1;
    }

    /// Whether there are so few texts or less.
    pub(crate) fn is_few(&self, few: u32) -> bool {
        self.urls.len() <= few as usize
    }

    /// Whether a large part of the URLs have this text.
    pub(crate) fn is_large(&self, text: &T) -> bool {
        self.urls.get(text).is_some_and(|urls| urls.saturating_mul(LARGE) >= self.sum)
    }

    /// Whether a text stands in the pattern: `all` URLs there are in all, and up to `few` texts may all be common.
    pub(crate) fn is_common(&self, text: &T, few: u32, all: usize) -> bool {
        let least = LEAST_URLS.max(all / ONE_MORE);
        let has_enough = self.urls.get(text).is_some_and(|urls| *urls as usize >= least);
        self.urls.len() == 1 || has_enough && (self.is_few(few) || self.is_large(text))
    }
}
