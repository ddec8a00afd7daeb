//! The kind of pages of each URL: a site's labels may be right on its stories and wrong on its lists.

use undust_edits::diff::ReadUrl;
use undust_edits::program::{arguments, copy};
use undust_edits::scope::path;
use xxhash_rust::xxh3::xxh3_64;

use crate::function_words::function_words_of_clusters;
use crate::ordered::distinct;
use crate::training::TrainingSet;

/// The kind of each page, as a number: the pattern of its path, and the names in its query.
pub(super) struct Kinds(Vec<u64>);

impl Kinds {
    /// Linear in the length of the URLs. `share` makes a word a function word.
    pub(super) fn of(set: &TrainingSet<'_>, share: f64) -> Self {
        let urls = set.pages().iter().map(|page| page.url.as_ref());
        let labels = set.clusters().labels().iter().copied();
        let lexicon = function_words_of_clusters(urls.clone().zip(labels), share);
        let kind = |url| {
            let program = copy(&ReadUrl::of(url, &lexicon).shape);
            // An argument without a name and a value has no piece.
            let name = |(start, end): (usize, usize)| program.get(start..end)?.first();
            let names = arguments(&program).into_iter().filter_map(name);
            let names = distinct(names.map(|cell| cell.symbol));
            xxh3_64(format!("{} {names:?}", path(&program)).as_bytes())
        };
        Self(urls.map(kind).collect())
    }

    /// The kind of a page.
    pub(super) fn of_page(&self, page: u32) -> u64 {
        self.0[page as usize]
    }
}
