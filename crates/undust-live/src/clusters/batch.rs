//! What one batch brings: the first response of each URL.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_128;

use undust_pages::page::Importance;
use undust_pages::pages::ResponseOutcome;
use undust_pages::response::Response;

use super::time::seconds;

/// Responses that are taken in together, in crawl order. Of several responses of a URL the first
/// counts. Takes some 150 bytes of memory, and the URL itself, for each distinct URL.
#[derive(Debug, Default)]
pub struct ResponseBatch {
    pub(super) news: Vec<NewResponse>,
    pub(super) responses: u64,
    seen: FxHashSet<u128>,
}

/// What a response says of its URL.
#[derive(Debug)]
pub(super) struct NewResponse {
    /// Hash of the URL: the identity of the page.
    pub id: u128,
    pub url: Box<str>,
    pub outcome: ResponseOutcome,
    pub importance: Option<Importance>,
    /// Seconds since 1970.
    pub time: Option<i64>,
    /// Whether the server only failed to answer: a page that is known stays as it is.
    pub says_nothing: bool,
}

impl ResponseBatch {
    /// A batch without responses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next response.
    /// A line of a log or a list says nothing of a page and is passed over.
    pub fn push(&mut self, response: Response) {
        self.responses += 1;
        let id = id_of(&response.url);
        if response.is_listed || !self.seen.insert(id) {
            return;
        }
        let says_nothing = says_nothing(&response);
        let time = response.time.as_deref().and_then(seconds);
        self.news.push(NewResponse {
            id,
            outcome: ResponseOutcome::from(&response),
            importance: response.importance.and_then(Importance::of),
            // A response that says nothing of the page has no time at which the page was seen, and no
            // page was captured tomorrow.
            time: time.filter(|time| !says_nothing && *time <= now() + DAY),
            says_nothing,
            url: response.url.into_boxed_str(),
        });
    }

    /// Takes a page that clusters knew which are gone.
    pub(crate) fn push_known(&mut self, url: String, outcome: ResponseOutcome) {
        let id = id_of(&url);
        if self.seen.insert(id) {
            let (url, importance, time) = (url.into_boxed_str(), None, None);
            self.news.push(NewResponse { id, url, outcome, importance, time, says_nothing: false });
        }
    }

    /// Distinct URLs so far.
    pub fn len(&self) -> usize {
        self.news.len()
    }

    /// Steps that taking it in takes, some of them faster than others: each URL is looked up,
    /// compared and written.
    pub fn steps(&self) -> u64 {
        3 * self.len() as u64
    }

    /// Whether there was no response yet.
    pub fn is_empty(&self) -> bool {
        self.news.is_empty()
    }
}

impl Extend<Response> for ResponseBatch {
    fn extend<I: IntoIterator<Item = Response>>(&mut self, responses: I) {
        responses.into_iter().for_each(|response| self.push(response));
    }
}

/// The identity of a page: the hash of its URL. The probability that two of 10⁹ URLs share one is
/// 10⁻²¹.
pub(super) fn id_of(url: &str) -> u128 {
    xxh3_128(url.as_bytes())
}

/// Clocks differ by less.
const DAY: i64 = 24 * 60 * 60;

/// Seconds since 1970.
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().try_into().unwrap_or(i64::MAX))
}

/// No answer, none for this client, too many requests, a failure of the server, or "not modified".
fn says_nothing(response: &Response) -> bool {
    match response.status {
        0 | 401 | 403 | 407 | 408 | 425 | 429 | 451 | 500.. => true,
        300..=399 => response.location.is_none(),
        _ => false,
    }
}
