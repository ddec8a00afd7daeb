//! Redirects whose target has not come back yet.

use rustc_hash::FxHashMap;

use undust_pages::page::Page;
use undust_pages::url_text::{as_requested, without_fragment};

use super::{Pending, SiteEngine};

/// A URL, and what it was to be fetched for.
type Source = (Box<str>, Option<Pending>);

/// URLs that lead to one that has not come back, by the hashes of the ways in which that may be
/// written.
#[derive(Debug, Default)]
pub(super) struct Redirects {
    waiting: FxHashMap<u64, Vec<Source>>,
    len: usize,
}

impl Redirects {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Keeps a URL until its target comes, which is the hash of how it is requested.
    pub(super) fn wait(&mut self, target: u64, url: &str, pending: Option<Pending>) {
        self.waiting.entry(target).or_default().push((url.into(), pending));
        self.len += 1;
    }

    fn leading_to(&mut self, target: u64) -> Vec<Source> {
        let found = self.waiting.remove(&target).unwrap_or_default();
        self.len -= found.len();
        found
    }
}

/// The target of a redirect as a client asks for it.
pub(super) fn requested(target: &str) -> String {
    let target = without_fragment(target.to_owned());
    as_requested(&target).unwrap_or(target)
}

impl SiteEngine {
    /// The page at which a redirect ends, if it came back in this crawl.
    pub(super) fn target(&self, target: &str) -> Option<u32> {
        let written = [self.key(target), self.key(&requested(target))];
        let fetched = written.into_iter().find(|key| self.was_fetched(*key))?;
        self.numbers.get(&fetched).copied()
    }

    /// Takes a URL that leads to a page.
    pub(super) fn follow(&mut self, url: &str, number: u32, pending: Option<Pending>) {
        let target = self.pages[number as usize].clone();
        self.take(Page { url: url.into(), is_redirect: true, ..target }, pending);
        self.resolve(self.key(url));
    }

    /// Takes all URLs that lead to one that came back, over any number of redirects. A URL is taken
    /// once in a crawl, so circles end.
    pub(super) fn resolve(&mut self, target: u64) {
        let mut targets = vec![target];
        while let Some(target) = targets.pop() {
            let Some(&number) = self.numbers.get(&target) else { continue };
            for (url, pending) in self.redirects.leading_to(target) {
                let key = self.key(&url);
                if !self.was_fetched(key) {
                    let page = self.pages[number as usize].clone();
                    targets.push(key);
                    self.take(Page { url, is_redirect: true, ..page }, pending);
                }
            }
        }
    }
}
