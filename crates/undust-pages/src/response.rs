//! One line of the crawl manifest: what a crawler got for one URL.

use serde::{Deserialize, Serialize};

use crate::agent::AgentClass;
use crate::simhash::Simhash;
use crate::text_hash::TextHash;

/// One HTTP response, as a crawl manifest holds it. Every reader makes these. Unknown fields
/// of a manifest are ignored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// As requested, without its fragment, otherwise byte for byte.
    pub url: String,
    /// HTTP status; 0 if there was no answer. 0 and 400 or more are no page.
    pub status: u16,
    /// Absolute target of a redirect.
    #[serde(default)]
    pub location: Option<String>,
    /// Title of the page, white space collapsed.
    #[serde(default)]
    pub title: Option<String>,
    /// 64-bit fingerprint of the visible text.
    #[serde(default)]
    pub simhash: Option<Simhash>,
    /// Hash of the visible words in order, each run of digits written as `#`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_hash: Option<TextHash>,
    /// Digest of the body, of any kind: pages with equal digests are equal.
    #[serde(default)]
    pub digest: Option<String>,
    /// Number of visible words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<u64>,
    /// Bytes of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// The page's own `rel=canonical`, absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The page's own `og:url`, absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub og_url: Option<String>,
    /// The page's `hreflang` alternates, absolute; at most 64.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternates: Vec<String>,
    /// The URL without the arguments that the header No-Vary-Search says do not matter, if that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_vary_search: Option<String>,
    /// Capture time, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The field to judge by (`--truth`): equal for one page, different for two. No part of a
    /// manifest.
    #[serde(skip)]
    pub truth: Option<String>,
    /// Whether a log or a list names the URL, and nobody saw its page. No part of a manifest.
    #[serde(skip)]
    pub is_listed: bool,
    /// The class of the program that asked for it, where a log says so. No part of a manifest.
    #[serde(skip)]
    pub agent: Option<AgentClass>,
    /// Microseconds that the server took to answer, where a log says so. No part of a manifest.
    #[serde(skip)]
    pub took: Option<u64>,
    /// Importance of the page (OPIC, PageRank, clicks): larger is more important.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<f64>,
}

/// Visible words from which on the fingerprint alone distinguishes pages. A form with a menu has
/// some 230 words: with a limit of 200, three bits still joined forms that differ in one word.
pub const SHORT_TEXT_WORDS: u64 = 300;

impl Response {
    /// The text hash of a short page; none if the page is long, or if the crawl lacks the number of
    /// words or their hash.
    pub fn short_text(&self) -> Option<TextHash> {
        self.text_hash.filter(|_| self.words.is_some_and(|words| words < SHORT_TEXT_WORDS))
    }

    /// Bytes of all texts.
    pub fn bytes(&self) -> usize {
        let labels = [&self.canonical, &self.og_url, &self.no_vary_search];
        let texts = [&self.location, &self.title, &self.digest, &self.time];
        let texts = texts.into_iter().chain(labels).flatten().chain(&self.alternates);
        self.url.len() + texts.map(String::len).sum::<usize>()
    }
}
