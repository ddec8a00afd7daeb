//! What a site itself says of a page: labels that cost no fetch.

use crate::response::Response;
use crate::url_text::without_fragment;

/// Bytes of a label at most; no browser or crawler fetches a longer URL.
const MOST_BYTES: usize = 4096;

/// Most `hreflang` alternates of a page that are kept: no site has as many languages.
pub const MOST_ALTERNATES: usize = 64;

/// What a site says of one of its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageLabels {
    /// The page's `rel=canonical`, absolute, without a fragment.
    pub canonical: Option<Box<str>>,
    /// The page's `og:url`, absolute, without a fragment.
    pub og_url: Option<Box<str>>,
    /// The page's URL without the arguments that its header No-Vary-Search says do not matter.
    pub no_vary_search: Option<Box<str>>,
    /// The page's first [`MOST_ALTERNATES`] `hreflang` alternates, absolute, in the order of the page.
    pub alternates: Box<[Box<str>]>,
    /// Whether a sitemap of the site lists the URL itself.
    pub is_in_sitemap: bool,
}

impl PageLabels {
    /// The labels of a response; none if it has no label that could be fetched.
    pub fn of(response: &Response) -> Option<Box<Self>> {
        let alternates = response.alternates.iter().filter_map(|url| label(url));
        let labels = Self {
            canonical: response.canonical.as_deref().and_then(label),
            og_url: response.og_url.as_deref().and_then(label),
            no_vary_search: response.no_vary_search.as_deref().and_then(label),
            alternates: alternates.take(MOST_ALTERNATES).collect(),
            is_in_sitemap: false,
        };
        (labels != Self::default()).then(|| Box::new(labels))
    }
}

/// An absolute URL as a crawler would ask for it.
fn label(url: &str) -> Option<Box<str>> {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    (is_web && url.len() <= MOST_BYTES).then(|| without_fragment(url.to_owned()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_could_fetch_is_no_label() {
        let of = |canonical: &str| {
            let canonical = Some(canonical.to_owned());
            PageLabels::of(&Response { canonical, ..Response::default() })
        };
        for none in ["", "/relative", "javascript:void(0)", "mailto:a@b.test"] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(of(&format!("http://a.test/{}", "x".repeat(MOST_BYTES))), None);
        let alternates = vec!["http://a.test/de".to_owned(); 2 * MOST_ALTERNATES];
        let many = PageLabels::of(&Response { alternates, ..Response::default() });
        assert_eq!(many.expect("labels").alternates.len(), MOST_ALTERNATES);
        let found = of("http://a.test/x#top").expect("a label");
        assert_eq!(found.canonical.as_deref(), Some("http://a.test/x"));
    }
}
