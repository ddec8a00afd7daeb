//! What the settings say of a site's URLs, whatever a crawl shows: arguments that are always
//! dropped, and URLs that stay as they are.

use serde::{Deserialize, Serialize};

use undust_url::normal::normal;
use undust_url::tokens::authority;

/// The lists of the settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overrides {
    /// Names of arguments.
    drop: Vec<String>,
    /// Prefixes of URLs, or of paths if they begin with `/`.
    exceptions: Vec<String>,
}

impl Overrides {
    /// Of arguments that are dropped, and beginnings of URLs that stay.
    pub fn new(drop: &[String], exceptions: &[String]) -> Self {
        Self { drop: drop.to_vec(), exceptions: exceptions.to_vec() }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.drop.is_empty() && self.exceptions.is_empty()
    }

    /// Whether a URL stays as it is. The beginning counts as the URL has it, or its normal form.
    pub fn except(&self, url: &str) -> bool {
        let begins = |url: &str| {
            let path = &url[authority(url).end..];
            let of = |prefix: &String| {
                let text = if prefix.starts_with('/') { path } else { url };
                text.starts_with(prefix.as_str())
            };
            self.exceptions.iter().any(of)
        };
        !self.exceptions.is_empty() && (begins(url) || begins(&normal(url)))
    }

    /// A URL without the arguments that are dropped, and their names; none if it has none of them.
    pub fn without(&self, url: &str) -> Option<(String, String)> {
        if self.drop.is_empty() {
            return None;
        }
        let end = url.find('#').unwrap_or(url.len());
        let question = url[..end].find('?')?;
        let mut form = url[..question].to_owned();
        let mut dropped: Vec<&str> = Vec::new();
        let (mut mark, mut is_first) = ("?", true);
        for part in url[question + 1..end].split_inclusive(['&', ';']) {
            let text = part.trim_end_matches(['&', ';']);
            let name = text.split('=').next().unwrap_or(text);
            if !name.is_empty() && self.drop.iter().any(|known| known == name) {
                dropped.push(name);
            } else {
                form.push_str(if is_first { "?" } else { mark });
                form.push_str(text);
                is_first = false;
            }
            mark = &part[text.len()..];
        }
        if dropped.is_empty() {
            return None;
        }
        form.push_str(&url[end..]);
        dropped.dedup();
        Some((form, dropped.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overrides(drop: &[&str], exceptions: &[&str]) -> Overrides {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Overrides { drop: owned(drop), exceptions: owned(exceptions) }
    }

    #[test]
    fn arguments_are_dropped_by_their_whole_name() {
        let overrides = overrides(&["sid", "ref"], &[]);
        for (url, form, names) in [
            ("http://a.b/c?sid=1", "http://a.b/c", "sid"),
            ("http://a.b/c?sid", "http://a.b/c", "sid"),
            ("http://a.b/c?sid=1&x=2", "http://a.b/c?x=2", "sid"),
            ("http://a.b/c?x=2;ref=3;y&sid=1#!z", "http://a.b/c?x=2;y#!z", "ref, sid"),
        ] {
            assert_eq!(overrides.without(url), Some((form.to_owned(), names.to_owned())), "{url}");
        }
        for url in ["http://a.b/sid=1", "http://a.b/?sidx=1&x=sid", "http://a.b/#?sid=1", "?", ""] {
            assert_eq!(overrides.without(url), None, "{url}");
        }
    }

    #[test]
    fn exceptions_are_prefixes_of_urls_or_paths() {
        let overrides = overrides(&[], &["/login", "http://a.b/shop/"]);
        for url in ["http://a.b/login?x=1", "https://c.d/loginy", "HTTP://A.b:80/shop/1"] {
            assert!(overrides.except(url), "{url}");
        }
        for url in ["http://a.b/x/login", "http://a.b/shop", "/", ""] {
            assert!(!overrides.except(url), "{url}");
        }
    }
}
