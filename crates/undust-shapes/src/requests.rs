//! The requests of a crawl or a log, counted by URL within a bound of memory.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use undust_pages::agent::AgentClass;
use undust_pages::{Page, Response};

use crate::growth::Says;
use crate::time::seconds;

/// Most URLs that are kept, and most bytes of their text. With what is counted of each they take some 400 MB at most.
const MOST_URLS: usize = 1_000_000;
const MOST_BYTES: usize = 200_000_000;

/// Bytes of a URL that are kept; longer ones are distinguished by their hashes.
const URL_BYTES: usize = 2048;

/// Requests, in any number, by URL.
///
/// Where there are more URLs than are kept, those are whose hash begins with a zero bit, then with two, and so on: a
/// sample of the URLs with all requests of each (Gibbons, VLDB 2001). It does not depend on the order of the requests.
#[derive(Debug, Default)]
pub struct Requests {
    pub(crate) urls: FxHashMap<u64, Requested>,
    /// Another bound than `MOST_URLS`.
    most_urls: Option<usize>,
    bytes: usize,
    /// Zero bits that the hash of each URL begins with.
    level: u32,
    pub(crate) requests: u64,
    pub(crate) by_class: [u64; 8],
    pub(crate) has_agents: bool,
    pub(crate) has_bytes: bool,
    pub(crate) has_times_taken: bool,
    /// The first and the last time, as long as every request has one.
    pub(crate) span: Option<Span>,
    pub(crate) has_pages: bool,
}

/// A time as seconds, and as the input has it.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub first: (i64, String),
    pub last: (i64, String),
}

/// What is known of a URL.
#[derive(Debug, Default)]
pub(crate) struct Requested {
    pub url: Box<str>,
    pub requests: u32,
    /// Requests that were not answered, or by an error.
    pub errors: u32,
    pub by_class: [u32; 8],
    /// Bytes of all answers.
    pub bytes: u64,
    /// Microseconds that all answers took.
    pub took: u64,
    /// Most bytes of a good answer; 0 if none is known. The most, because the order must not matter.
    pub size: u32,
    /// The number of its first request, and its first time in seconds.
    pub first: u64,
    pub first_time: i64,
    pub page: Option<Shown>,
}

/// The page that a URL shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Its cluster.
    pub cluster: u32,
    /// Whether no URL before showed it.
    pub is_first: bool,
}

impl Requests {
    /// The same, with another bound on the URLs that are kept, of at least one.
    pub fn with_most_urls(most_urls: usize) -> Self {
        Self { most_urls: Some(most_urls.max(1)), ..Self::default() }
    }

    /// Counts one request.
    pub fn push(&mut self, response: &Response) {
        let number = self.requests;
        self.requests += 1;
        let time = self.see_time(response.time.as_deref(), number);
        self.has_agents |= response.agent.is_some();
        self.has_bytes |= response.length.is_some_and(|bytes| bytes > 0);
        self.has_times_taken |= response.took.is_some_and(|took| took > 0);
        let class = response.agent.unwrap_or(AgentClass::Unknown) as usize;
        self.by_class[class] += 1;
        let hash = xxh3_64(response.url.as_bytes());
        if hash.leading_zeros() < self.level {
            return;
        }
        let known = self.urls.entry(hash).or_insert_with(|| {
            let url = &response.url[..response.url.floor_char_boundary(URL_BYTES)];
            self.bytes += url.len();
            let (url, first, first_time) = (url.into(), number, time);
            Requested { url, first, first_time, ..Requested::default() }
        });
        known.count(response, class, time);
        let most_urls = self.most_urls.unwrap_or(MOST_URLS);
        while self.urls.len() > most_urls || self.bytes > MOST_BYTES {
            self.sample();
        }
    }

    /// Notes which page each URL shows: `clusters` has the cluster of each page, which are in the order of the crawl.
    pub fn show(&mut self, pages: &[Page], clusters: &[u32]) {
        let mut is_shown = vec![false; clusters.iter().max().map_or(0, |last| *last as usize + 1)];
        for (page, &cluster) in pages.iter().zip(clusters) {
            let is_first = !std::mem::replace(&mut is_shown[cluster as usize], true);
            if let Some(known) = self.urls.get_mut(&xxh3_64(page.url.as_bytes())) {
                known.page = Some(Shown { cluster, is_first });
            }
        }
        self.has_pages |= !pages.is_empty();
    }

    /// Whether there is no request.
    pub fn is_empty(&self) -> bool {
        self.requests == 0
    }

    /// One URL in this many is kept.
    pub(crate) fn one_in(&self) -> u64 {
        1 << self.level.min(63)
    }

    pub(crate) fn says(&self) -> Says {
        Says { has_times: self.span.is_some(), has_agents: self.has_agents }
    }

    /// Keeps half of the URLs.
    fn sample(&mut self) {
        self.level += 1;
        let level = self.level;
        self.urls.retain(|hash, _| hash.leading_zeros() >= level);
        self.bytes = self.urls.values().map(|known| known.url.len()).sum();
    }

    /// The time in seconds; 0 where the order counts, because a request has no time.
    fn see_time(&mut self, time: Option<&str>, number: u64) -> i64 {
        let known = time.and_then(|text| Some((seconds(text)?, text)));
        let Some((time, text)) = known else {
            self.span = None;
            return 0;
        };
        match &mut self.span {
            Some(span) if time < span.first.0 => span.first = (time, text.to_owned()),
            Some(span) if time > span.last.0 => span.last = (time, text.to_owned()),
            None if number == 0 => {
                let first = (time, text.to_owned());
                self.span = Some(Span { last: first.clone(), first });
            }
            _ => {}
        }
        time
    }
}

impl Requested {
    /// Requests by what calls itself a browser.
    pub(crate) fn by_browsers(&self) -> u64 {
        self.by_class[AgentClass::Browser as usize].into()
    }

    fn count(&mut self, response: &Response, class: usize, time: i64) {
        let status = response.status;
        let bytes = response.length.unwrap_or(0);
        self.bytes = self.bytes.saturating_add(bytes);
        self.took = self.took.saturating_add(response.took.unwrap_or(0));
        if (200..300).contains(&status) {
            self.size = self.size.max(u32::try_from(bytes).unwrap_or(u32::MAX));
        }
        let add = |count: &mut u32| *count = count.saturating_add(1);
        add(&mut self.requests);
        add(&mut self.by_class[class]);
        if status == 0 || status >= 400 {
            add(&mut self.errors);
        }
        self.first_time = self.first_time.min(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(number: usize) -> Response {
        Response { url: format!("http://a.test/{number}"), status: 200, ..Response::default() }
    }

    #[test]
    fn a_sample_does_not_depend_on_the_order() {
        let sampled = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut requests = Requests::with_most_urls(100);
            numbers.for_each(|number| requests.push(&request(number)));
            let mut urls: Vec<_> =
                requests.urls.values().map(|known| (known.url.clone(), known.requests)).collect();
            urls.sort_unstable();
            (urls, requests.one_in())
        };
        let (urls, one_in) = sampled(&mut (0..2000).map(|number| number % 1000));
        assert_eq!((urls.clone(), one_in), sampled(&mut (0..2000).rev().map(|n| n % 1000)));
        assert!(one_in >= 10 && (1..=100).contains(&urls.len()), "{one_in}: {}", urls.len());
        assert!(urls.iter().all(|(_, requests)| *requests == 2), "{urls:?}");
        let estimate = urls.len() as u64 * one_in;
        assert!((600..1500).contains(&estimate), "{estimate}");
    }

    #[test]
    fn a_page_is_new_once() {
        let mut requests = Requests::default();
        (0..3).for_each(|number| requests.push(&request(number)));
        let page = |number: usize| Page { url: request(number).url.into(), ..Page::default() };
        requests.show(&[0, 1, 2].map(page), &[0, 1, 0]);
        let mut shown: Vec<_> =
            requests.urls.values().map(|known| (known.first, known.page)).collect();
        shown.sort_unstable_by_key(|(first, _)| *first);
        let of = |cluster, is_first| Some(Shown { cluster, is_first });
        assert_eq!(shown, [(0, of(0, true)), (1, of(1, true)), (2, of(0, false))]);
    }

    #[test]
    fn long_urls_take_little_memory() {
        let mut requests = Requests::default();
        for last in ["a", "b"] {
            let url = format!("http://a.test/{}{last}", "é".repeat(100_000));
            requests.push(&Response { url, ..Response::default() });
        }
        let kept: Vec<_> = requests.urls.values().map(|known| known.url.len()).collect();
        assert_eq!(kept.len(), 2);
        assert!(kept.iter().all(|bytes| *bytes <= URL_BYTES));
    }
}
