//! Settings of the labels that a site gives its pages.

use serde::{Deserialize, Serialize};

/// What is taken as evidence of each source of labels. A source is believed only where it is right on this site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LabelConfig {
    /// `rel=canonical`.
    pub canonical: LabelUse,
    /// `og:url`.
    pub og_url: LabelUse,
    /// The header No-Vary-Search: URLs that differ in nothing that matters to it are one page.
    pub no_vary_search: bool,
    /// `hreflang` alternates: pages that name each other are different.
    pub hreflang: bool,
    /// URLs that the sitemaps list are different pages.
    pub sitemap: bool,
}

/// What is taken from labels by which a page names its URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelUse {
    /// Nothing.
    #[default]
    None,
    /// URLs that the crawl did not fetch, as duplicates of the pages that name them.
    Same,
    /// That pages which look alike and name different URLs are different.
    Different,
    /// Both.
    Both,
}

impl LabelConfig {
    /// Whether any label is used, so that pages must keep theirs.
    pub fn is_used(&self) -> bool {
        *self != Self::default()
    }
}

impl LabelUse {
    /// Whether a label may say which URL is the same page.
    pub(crate) fn says_same(self) -> bool {
        matches!(self, Self::Same | Self::Both)
    }

    /// Whether labels may say that pages are different.
    pub(crate) fn says_different(self) -> bool {
        matches!(self, Self::Different | Self::Both)
    }
}
