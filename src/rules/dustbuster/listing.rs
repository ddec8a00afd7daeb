//! The URL list from which likely rules come.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use crate::crawl::Response;
use crate::pairs::TrainingSet;

/// Longer lines of a list are no URLs.
const MAX_LINE_BYTES: u64 = 64 * 1024;

/// A successful URL, and what is known of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// As requested.
    pub url: Box<str>,
    /// Equal for pages that are the same, different for others.
    pub sketch: Option<u64>,
    /// The smallest and the largest size of the page that a log tells of, in bytes.
    pub sizes: Option<(u64, u64)>,
}

impl Record {
    /// Whether the two may show the same page: false only where they surely do not
    /// (Bar-Yossef, Keidar, Schonfeld, WWW 2007, section 4.2).
    pub(super) fn is_likely_similar(&self, other: &Record) -> bool {
        match (self.sketch, other.sketch, self.sizes, other.sizes) {
            (Some(one), Some(other), ..) => one == other,
            (_, _, Some(one), Some(other)) => one.0 <= other.1 && other.0 <= one.1,
            _ => true,
        }
    }
}

/// Distinct successful URLs, in the order in which they came: what DustBuster learns from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    records: Vec<Record>,
    skipped: u64,
}

impl Listing {
    /// The pages of a crawl. The sketch of a page is its duplicate cluster, so that this
    /// learner sees the labels that all others see. Linear.
    pub fn of_pages(set: &TrainingSet<'_>) -> Self {
        let record = |(page, cluster): (&crate::crawl::Page, &u32)| Record {
            url: page.url.clone(),
            sketch: Some(u64::from(*cluster)),
            sizes: None,
        };
        let records = set.pages().iter().zip(set.clusters().labels()).map(record).collect();
        Self { records, skipped: 0 }
    }

    /// The entries of a log: no answer (0) and 4xx and 5xx are left out and counted, and the
    /// sizes of a URL's complete answers (200) make an interval. Linear.
    pub fn of_responses(responses: impl IntoIterator<Item = Response>) -> Self {
        let (mut listing, mut index) = (Self::default(), HashMap::new());
        for response in responses {
            if !(200..400).contains(&response.status) {
                listing.skipped += 1;
                continue;
            }
            let at = listing.place(&mut index, response.url);
            if let (200, Some(size)) = (response.status, response.length) {
                let sizes = &mut listing.records[at].sizes;
                let (least, most) = sizes.unwrap_or((size, size));
                *sizes = Some((least.min(size), most.max(size)));
            }
        }
        listing
    }

    /// The URLs of a list, one a line. A line that is no absolute URL, or longer than
    /// 64 KiB, is counted and left out. Linear.
    ///
    /// # Errors
    ///
    /// Those of reading.
    pub fn of_lines(mut lines: impl BufRead) -> io::Result<Self> {
        let (mut listing, mut index) = (Self::default(), HashMap::new());
        let mut line = Vec::new();
        while read_line(&mut lines, &mut line)? {
            let text = line.trim_ascii();
            match std::str::from_utf8(text) {
                Ok("") => {}
                Ok(url) if is_url(url) => _ = listing.place(&mut index, url.to_owned()),
                _ => listing.skipped += 1,
            }
        }
        Ok(listing)
    }

    /// The position of a URL, which is appended where it is new.
    fn place(&mut self, index: &mut HashMap<Box<str>, usize>, url: String) -> usize {
        if let Some(&at) = index.get(url.as_str()) {
            return at;
        }
        let (at, url) = (self.records.len(), url.into_boxed_str());
        index.insert(url.clone(), at);
        self.records.push(Record { url, sketch: None, sizes: None });
        at
    }

    /// The URLs, and what is known of each.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The number of lines or responses that are no successful URL.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    pub(super) fn url(&self, record: u32) -> &str {
        &self.records[record as usize].url
    }
}

/// Reads a line, its end included; of a longer one, 64 KiB of what is no UTF-8. False at the
/// end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let is_whole =
        |line: &[u8]| line.last() == Some(&b'\n') || line.len() < MAX_LINE_BYTES as usize;
    input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', line)?;
    let was_read = !line.is_empty();
    let mut is_long = false;
    while !is_whole(line) {
        is_long = true;
        line.clear();
        input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', line)?;
    }
    if is_long {
        line.clear();
        line.push(0xff);
    }
    Ok(was_read)
}

fn is_url(line: &str) -> bool {
    let host = super::tokens::path_start(line);
    host > 0 && !line[..host].ends_with("://") && !line.contains(char::is_whitespace)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Pages given as (URL, sketch).
    pub(crate) fn sketched<'u>(pages: impl IntoIterator<Item = (&'u str, u64)>) -> Listing {
        let record = |(url, sketch): (&str, u64)| Record {
            url: url.into(),
            sketch: Some(sketch),
            sizes: None,
        };
        Listing { records: pages.into_iter().map(record).collect(), skipped: 0 }
    }

    /// Answers of a log, given as (URL, size).
    pub(crate) fn logged(answers: impl IntoIterator<Item = (String, u64)>) -> Listing {
        Listing::of_responses(answers.into_iter().map(|(url, size)| answer(&url, 200, size)))
    }

    fn answer(url: &str, status: u16, size: u64) -> Response {
        Response { url: url.into(), status, length: Some(size), ..Response::default() }
    }

    #[test]
    fn a_log_gives_intervals_of_sizes() {
        let listing = Listing::of_responses([
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
    fn a_list_gives_distinct_urls() {
        let long = "x".repeat(200_000);
        let text = format!(
            "http://x.com/a\r\n\nno URL\nhttp://\nhttp://{long}\n\nhttp://x.com/a\nftp://x/b"
        );
        let listing = Listing::of_lines(text.as_bytes()).unwrap();
        let urls: Vec<_> = listing.records().iter().map(|record| record.url.as_ref()).collect();
        assert_eq!(urls, ["http://x.com/a", "ftp://x/b"]);
        assert_eq!(listing.skipped(), 3);
        assert_eq!(Listing::of_lines(&b""[..]).unwrap(), Listing::default());
        let bytes = Listing::of_lines(&b"http://x.com/\xff\n"[..]).unwrap();
        assert_eq!((bytes.records().len(), bytes.skipped()), (0, 1));
    }

    #[test]
    fn only_what_surely_differs_is_not_similar() {
        let record = |sketch, sizes| Record { url: "".into(), sketch, sizes };
        assert!(record(None, None).is_likely_similar(&record(Some(1), Some((1, 2)))));
        assert!(!record(Some(1), None).is_likely_similar(&record(Some(2), None)));
        assert!(record(None, Some((1, 4))).is_likely_similar(&record(None, Some((4, 9)))));
        assert!(!record(None, Some((1, 4))).is_likely_similar(&record(None, Some((5, 9)))));
    }
}
