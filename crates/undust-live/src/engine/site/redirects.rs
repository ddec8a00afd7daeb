//! Redirects whose target has not come back yet.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_pages::url_text::{as_requested, without_fragment};

use super::url_log::LoggedPage;
use super::{Pending, SiteEngine};
use crate::engine::labels::Shown;
use crate::engine::memory::table;

/// A URL, and what it was to be fetched for.
type Source = (Box<str>, Option<Pending>);

/// URLs that lead to one that has not come back, by the hashes of the ways in which that may be
/// written.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Redirects {
    waiting: FxHashMap<u64, Vec<Source>>,
    len: usize,
    /// Bytes of the URLs.
    bytes: usize,
}

impl Redirects {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Keeps a URL until its target comes, which is the hash of how it is requested.
    pub(super) fn wait(&mut self, target: u64, url: &str, pending: Option<Pending>) {
        self.waiting.entry(target).or_default().push((url.into(), pending));
        self.len += 1;
        self.bytes += url.len();
    }

    /// What the URLs were to be fetched for.
    pub(super) fn into_pending(self) -> impl Iterator<Item = Option<Pending>> {
        self.waiting.into_values().flatten().map(|(_, pending)| pending)
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        table(&self.waiting) + self.bytes + self.len * size_of::<Source>()
    }

    fn leading_to(&mut self, target: u64) -> Vec<Source> {
        let found = self.waiting.remove(&target).unwrap_or_default();
        self.len -= found.len();
        self.bytes -= found.iter().map(|(url, _)| url.len()).sum::<usize>();
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
        self.pages.newest(fetched)
    }

    /// Takes a URL that leads to a page.
    pub(super) fn follow(&mut self, url: &str, number: u32, pending: Option<Pending>) {
        self.take_redirect(url, number, pending);
        self.resolve(self.key(url));
    }

    fn take_redirect(&mut self, url: &str, target: u32, pending: Option<Pending>) {
        let label = self.labels.add(&Shown::default(), Some(target)).label;
        self.take(&LoggedPage { url, title: None, is_redirect: true }, label, pending);
    }

    /// Takes all URLs that lead to one that came back, over any number of redirects. A URL is taken
    /// once in a crawl, so circles end.
    pub(super) fn resolve(&mut self, target: u64) {
        let mut targets = vec![target];
        while let Some(target) = targets.pop() {
            let Some(number) = self.pages.newest(target) else { continue };
            for (url, pending) in self.redirects.leading_to(target) {
                let key = self.key(&url);
                if !self.was_fetched(key) {
                    targets.push(key);
                    self.take_redirect(&url, number, pending);
                }
            }
        }
    }
}
