//! What one batch brings: the first response of each URL.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_128;

use super::time::seconds;
use crate::crawl::pages::Fate;
use crate::crawl::response::Response;
use crate::page::Importance;

/// Responses that are taken in together, in crawl order. Of several responses of a URL the first
/// counts. Takes some 150 bytes of memory, and the URL itself, for each distinct URL.
#[derive(Debug, Default)]
pub struct Batch {
    pub(super) news: Vec<News>,
    pub(super) responses: u64,
    seen: FxHashSet<u128>,
}

/// What a response says of its URL.
#[derive(Debug)]
pub(super) struct News {
    /// Hash of the URL: the identity of the page.
    pub id: u128,
    pub url: Box<str>,
    pub fate: Fate,
    pub importance: Option<Importance>,
    /// Seconds since 1970.
    pub time: Option<i64>,
    /// Whether the server only failed to answer: a page that is known stays as it is.
    pub says_nothing: bool,
}

impl Batch {
    /// A batch without responses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next response.
    pub fn push(&mut self, response: Response) {
        self.responses += 1;
        let id = id_of(&response.url);
        if self.seen.insert(id) {
            self.news.push(News {
                id,
                fate: Fate::from(&response),
                importance: response.importance.and_then(Importance::of),
                time: response.time.as_deref().and_then(seconds),
                says_nothing: says_nothing(&response),
                url: response.url.into_boxed_str(),
            });
        }
    }

    /// Distinct URLs so far.
    pub fn len(&self) -> usize {
        self.news.len()
    }

    /// Whether there was no response yet.
    pub fn is_empty(&self) -> bool {
        self.news.is_empty()
    }
}

impl Extend<Response> for Batch {
    fn extend<I: IntoIterator<Item = Response>>(&mut self, responses: I) {
        responses.into_iter().for_each(|response| self.push(response));
    }
}

/// The identity of a page: the hash of its URL. The probability that two of 10⁹ URLs share one is
/// 10⁻²¹.
pub(super) fn id_of(url: &str) -> u128 {
    xxh3_128(url.as_bytes())
}

/// No answer, too many requests, a failure of the server, or "not modified".
fn says_nothing(response: &Response) -> bool {
    match response.status {
        0 | 408 | 425 | 429 | 500.. => true,
        300..=399 => response.location.is_none(),
        _ => false,
    }
}
