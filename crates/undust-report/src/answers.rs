//! What URLs answered, as far as pages do not keep it: the canonical URL that a page names, and failures.

use rustc_hash::FxHashMap;

use undust_pages::Response;
use undust_url::normal::normal;

/// Longest URL that is kept, in bytes; no browser or crawler fetches a longer one.
const MOST_BYTES: usize = 4_096;

/// The canonical URLs that pages name, and the URLs that failed. Of a URL that was fetched twice, the later answer
/// counts. Memory is linear in the URLs of both kinds.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    named: FxHashMap<Box<str>, Box<str>>,
    failed: FxHashMap<Box<str>, u16>,
}

impl Answers {
    /// Looks at the next response.
    pub fn see(&mut self, response: &Response) {
        if response.url.len() > MOST_BYTES {
            return;
        }
        let url = normal(&response.url);
        self.named.remove(&*url);
        self.failed.remove(&*url);
        let is_web = |url: &&str| url.starts_with("http://") || url.starts_with("https://");
        let canonical = response.canonical.as_deref().filter(is_web);
        let canonical = canonical.filter(|canonical| canonical.len() <= MOST_BYTES);
        match (response.status, canonical) {
            (400.., _) => _ = self.failed.insert(url.into(), response.status),
            (200, Some(canonical)) => {
                _ = self.named.insert(url.into(), normal(canonical).into());
            }
            _ => {}
        }
    }

    /// The canonical URL that the page of this URL names, both in normal form.
    pub(crate) fn named(&self, url: &str) -> Option<&str> {
        self.named.get(&*normal(url)).map(|url| &**url)
    }

    /// The status of a URL in normal form that failed.
    pub(crate) fn failure(&self, url: &str) -> Option<u16> {
        self.failed.get(url).copied()
    }
}
