//! The arguments of each URL by number: their names, and a hash of their values.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64;

use crate::arguments::each_argument;

/// The arguments of URLs. Each name is there once a URL, with the sum of the hashes of its values.
pub(crate) struct ArgumentsOfUrls<'u> {
    pub(crate) names: Vec<Cow<'u, str>>,
    numbers: FxHashMap<Cow<'u, str>, u32>,
    /// The numbers of the names of all URLs in order, one URL after another, with their values.
    arguments: Vec<(u32, u64)>,
    /// Where the arguments of each URL end.
    ends: Vec<usize>,
}

impl<'u> ArgumentsOfUrls<'u> {
    /// Linear in the URLs.
    pub(crate) fn of(urls: &[&'u str]) -> Self {
        let (mut names, mut numbers) = (Vec::new(), FxHashMap::<Cow<'u, str>, u32>::default());
        let (mut arguments, mut ends) = (Vec::new(), Vec::with_capacity(urls.len()));
        let mut of_url = SmallVec::<[(u32, u64); 16]>::new();
        for url in urls {
            of_url.clear();
            each_argument(url, |name, value| {
                let number = *numbers.entry(name).or_insert_with_key(|name| {
                    names.push(name.clone());
                    names.len() as u32 - 1
                });
                of_url.push((number, xxh3_64(value.as_bytes())));
            });
            of_url.sort_unstable();
            of_url.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                kept.1 = if is_same { kept.1.wrapping_add(next.1) } else { kept.1 };
                is_same
            });
            arguments.extend_from_slice(&of_url);
            ends.push(arguments.len());
        }
        Self { names, numbers, arguments, ends }
    }

    /// The number of a name.
    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The arguments of a URL by the numbers of their names, in order.
    pub(crate) fn of_url(&self, url: u32) -> &[(u32, u64)] {
        let begin = (url as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.arguments[begin..self.ends[url as usize]]
    }

    /// The value of an argument of a URL.
    pub(crate) fn value(&self, url: u32, name: u32) -> Option<u64> {
        let arguments = self.of_url(url);
        let at = arguments.binary_search_by_key(&name, |(number, _)| *number).ok()?;
        Some(arguments[at].1)
    }

    /// The number of each URL's set of names.
    pub(crate) fn sets(&self) -> Vec<u32> {
        let mut known = FxHashMap::<SmallVec<[u32; 8]>, u32>::default();
        let numbers = |url: usize| self.of_url(url as u32).iter().map(|(name, _)| *name).collect();
        let set = |url: usize| {
            let new = known.len() as u32;
            *known.entry(numbers(url)).or_insert(new)
        };
        (0..self.ends.len()).map(set).collect()
    }
}
