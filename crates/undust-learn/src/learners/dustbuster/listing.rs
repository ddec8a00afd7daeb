//! The URL list from which likely rules come.

use std::collections::HashMap;

use undust_pages::page::Page;

use crate::training::TrainingSet;

/// A successful URL, and what is known of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedUrl {
    /// As requested.
    pub url: Box<str>,
    /// Equal for pages that are the same, different for others.
    pub sketch: Option<u64>,
    /// The smallest and the largest size of the page in a log, in bytes.
    pub sizes: Option<(u64, u64)>,
}

impl ListedUrl {
    /// Whether the two may show the same page: false only if they surely do not
    /// (Bar-Yossef, Keidar, Schonfeld, WWW 2007, section 4.2).
    pub(super) fn is_likely_similar(&self, other: &ListedUrl) -> bool {
        match (self.sketch, other.sketch, self.sizes, other.sizes) {
            (Some(one), Some(other), ..) => one == other,
            (_, _, Some(one), Some(other)) => one.0 <= other.1 && other.0 <= one.1,
            _ => true,
        }
    }
}

/// What a log or a list says of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedResponse {
    /// As requested.
    pub url: String,
    /// HTTP status; 200 for a list, which has nothing but URLs.
    pub status: u16,
    /// Bytes of the body, if the log reports them.
    pub length: Option<u64>,
}

/// Distinct successful URLs in the order of the input: what DustBuster learns from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    records: Vec<ListedUrl>,
    skipped: u64,
}

impl Listing {
    /// The pages of a crawl. The sketch of a page is its duplicate cluster, so that this learner
    /// sees the same labels as all others. Linear.
    pub fn of_pages(set: &TrainingSet<'_>) -> Self {
        let record = |(page, cluster): (&Page, &u32)| ListedUrl {
            url: page.url.clone(),
            sketch: Some(u64::from(*cluster)),
            sizes: None,
        };
        let records = set.pages().iter().zip(set.clusters().labels()).map(record).collect();
        Self { records, skipped: 0 }
    }

    /// The entries of a log, or of a bare list of URLs, which has no sizes. Failures (0, 4xx and
    /// 5xx) are left out and counted. The sizes of a URL's complete answers (200) make an
    /// interval. Linear.
    pub fn of_answers(answers: impl IntoIterator<Item = LoggedResponse>) -> Self {
        let (mut listing, mut index) = (Self::default(), HashMap::new());
        for answer in answers {
            if !(200..400).contains(&answer.status) {
                listing.skipped += 1;
                continue;
            }
            let at = listing.place(&mut index, answer.url);
            if let (200, Some(size)) = (answer.status, answer.length) {
                let sizes = &mut listing.records[at].sizes;
                let (least, most) = sizes.unwrap_or((size, size));
                *sizes = Some((least.min(size), most.max(size)));
            }
        }
        listing
    }

    /// The position of a URL; a new one is appended.
    fn place(&mut self, index: &mut HashMap<Box<str>, usize>, url: String) -> usize {
        if let Some(&at) = index.get(url.as_str()) {
            return at;
        }
        let (at, url) = (self.records.len(), url.into_boxed_str());
        index.insert(url.clone(), at);
        self.records.push(ListedUrl { url, sketch: None, sizes: None });
        at
    }

    /// The URLs, and what is known of each.
    pub fn records(&self) -> &[ListedUrl] {
        &self.records
    }

    /// The number of lines or responses that are not successful URLs.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    pub(super) fn url(&self, record: u32) -> &str {
        &self.records[record as usize].url
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Pages given as (URL, sketch).
    pub(crate) fn sketched<'u>(pages: impl IntoIterator<Item = (&'u str, u64)>) -> Listing {
        let record = |(url, sketch): (&str, u64)| ListedUrl {
            url: url.into(),
            sketch: Some(sketch),
            sizes: None,
        };
        Listing { records: pages.into_iter().map(record).collect(), skipped: 0 }
    }

    /// Answers of a log, given as (URL, size).
    pub(crate) fn logged(answers: impl IntoIterator<Item = (String, u64)>) -> Listing {
        Listing::of_answers(answers.into_iter().map(|(url, size)| answer(&url, 200, size)))
    }

    fn answer(url: &str, status: u16, size: u64) -> LoggedResponse {
        LoggedResponse { url: url.into(), status, length: Some(size) }
    }

    #[test]
    fn a_log_gives_intervals_of_sizes() {
        let listing = Listing::of_answers([
            answer("/a", 200, 7),
            answer("/b", 404, 7),
            answer("/c", 301, 9),
            answer("/a", 200, 5),
            answer("/a", 304, 0),
            answer("/d", 0, 0),
        ]);
        let found: Vec<_> = listing.records().iter().map(|r| (r.url.as_ref(), r.sizes)).collect();
        assert_eq!(found, [("/a", Some((5, 7))), ("/c", None)]);
        assert_eq!(listing.skipped(), 2);
    }

    #[test]
    fn a_list_gives_distinct_urls_without_sizes() {
        let listed = ["http://x.com/a", "http://x.com/b", "http://x.com/a"];
        let listed = listed.map(|url| LoggedResponse { length: None, ..answer(url, 200, 0) });
        let listing = Listing::of_answers(listed);
        let found: Vec<_> = listing.records().iter().map(|r| (r.url.as_ref(), r.sizes)).collect();
        assert_eq!(found, [("http://x.com/a", None), ("http://x.com/b", None)]);
    }

    #[test]
    fn only_what_surely_differs_is_not_similar() {
        let record = |sketch, sizes| ListedUrl { url: "".into(), sketch, sizes };
        assert!(record(None, None).is_likely_similar(&record(Some(1), Some((1, 2)))));
        assert!(!record(Some(1), None).is_likely_similar(&record(Some(2), None)));
        assert!(record(None, Some((1, 4))).is_likely_similar(&record(None, Some((4, 9)))));
        assert!(!record(None, Some((1, 4))).is_likely_similar(&record(None, Some((5, 9)))));
    }
}
