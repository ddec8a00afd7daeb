//! Whether URLs grow without showing anything new.
//!
//! A crawl shows it by its pages: more URLs, and not more pages. A log has no pages. It shows three things instead. New
//! URLs go on: most requests are for a URL that nobody asked for before, until the end. People do not ask: browsers
//! hardly come back to a URL. That a robot calls itself a browser does not help it, because it does not come back
//! either. And, where the log has sizes, nearly all answers have one of a few.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::requests::Requested;

/// There are at least this many URLs for each `URLS_OF` requests.
const URLS_OF: u64 = 2;

/// At least one URL in this many came up in the last quarter of the time in which they came up. One in four does when
/// growth is even.
const ONE_LATE_OF: u64 = 8;

/// At most one request in this many is by a browser for a URL to which browsers came back.
pub(crate) const ONE_RETURNED_OF: u64 = 5;

/// Most sizes that nearly all answers of a page have that shows nothing, such as an empty month.
const FEW_SIZES: usize = 8;

/// Fewest URLs whose sizes say something.
const LEAST_SIZES: u64 = 50;

/// People make so many times more pairs of requests than chance does.
const TIMES_CHANCE: u64 = 8;

/// What the input says of each request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Says {
    pub has_times: bool,
    pub has_agents: bool,
}

/// How URLs grow.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Growth {
    pub urls: u64,
    pub requests: u64,
    /// Requests by browsers for URLs to which browsers came back; in a log without agents, by anyone.
    pub returned: u64,
    /// The number of these URLs, and pairs of such requests for one URL.
    returned_urls: u64,
    pairs: u64,
    /// Requests by browsers; in a log without agents, by anyone.
    asked: u64,
    /// URLs that came up in the last quarter of the time in which these URLs came up.
    late: u64,
    /// URLs whose page is known, and different pages.
    compared: u64,
    pages: u64,
}

impl Growth {
    pub(crate) fn of<'r>(urls: impl Iterator<Item = &'r Requested> + Clone, says: Says) -> Self {
        let mut growth = Self::default();
        // Without times the order counts.
        let first = |known: &Requested| match says.has_times {
            true => known.first_time,
            false => known.first as i64,
        };
        let times = || urls.clone().map(first);
        let (begin, end) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
        let late = end - end.saturating_sub(begin) / 4;
        let mut seen = FxHashSet::default();
        for known in urls.clone() {
            growth.urls += 1;
            growth.requests += u64::from(known.requests);
            growth.asked += asked(known, says.has_agents);
            let returned = returned(known, says.has_agents);
            growth.returned += returned;
            growth.returned_urls += u64::from(returned > 0);
            growth.pairs += returned.saturating_mul(returned.saturating_sub(1)) / 2;
            growth.late += u64::from(first(known) >= late);
            if let Some(shown) = known.page {
                growth.compared += 1;
                growth.pages += u64::from(seen.insert(shown.cluster));
            }
        }
        growth
    }

    /// Whether new URLs go on, and nobody comes back to them; with pages, whether most URLs show one of another.
    pub(crate) fn is_endless(&self) -> bool {
        if self.compared > 0 {
            return self.pages * 2 <= self.compared;
        }
        self.is_walked() && self.late * ONE_LATE_OF >= self.urls
    }

    /// Whether most requests are for a URL that nobody asked for before, and hardly anybody comes back.
    pub(crate) fn is_walked(&self) -> bool {
        self.urls * URLS_OF >= self.requests && self.is_hardly_returned_to(ONE_RETURNED_OF)
    }

    /// URLs that people ask for: those to which browsers came back, if pairs of requests for one URL are more than
    /// chance makes of robots that call themselves browsers and take one URL as well as another.
    pub(crate) fn urls_of_people(&self) -> u64 {
        let by_chance = self.asked.saturating_mul(self.asked) / (2 * self.urls.max(1));
        if self.pairs > TIMES_CHANCE * by_chance { self.returned_urls } else { 0 }
    }

    /// Whether most requests are by people: a good part of them is for URLs to which browsers came back.
    pub(crate) fn is_of_people(&self) -> bool {
        self.returned * 5 >= self.requests * 2
    }

    /// Whether people ask for these URLs: they come back, or ask for a good part of what does not grow.
    pub(crate) fn is_asked_for(&self) -> bool {
        let is_asked = self.asked * ONE_RETURNED_OF >= self.requests && !self.is_endless();
        is_asked || !self.is_hardly_returned_to(ONE_RETURNED_OF)
    }

    /// Whether at most one request in `one_of` is for a URL to which browsers came back.
    pub(crate) fn is_hardly_returned_to(&self, one_of: u64) -> bool {
        self.returned * one_of <= self.requests
    }
}

/// Requests for a URL by browsers, if there is more than one.
pub(crate) fn returned(known: &Requested, has_agents: bool) -> u64 {
    let asked = asked(known, has_agents);
    if asked > 1 { asked } else { 0 }
}

fn asked(known: &Requested, has_agents: bool) -> u64 {
    if has_agents { known.by_browsers() } else { known.requests.into() }
}

/// Sizes of answers, and how many URLs have each.
pub(crate) type Sizes = FxHashMap<u32, u64>;

/// The sizes of URLs, as far as they are known.
pub(crate) fn sizes<'r>(urls: impl Iterator<Item = &'r Requested>) -> Sizes {
    let mut sizes = Sizes::default();
    let known = urls.filter(|known| known.size > 0);
    known.for_each(|known| *sizes.entry(known.size).or_default() += 1);
    sizes
}

/// Whether nearly all of these have one of a few sizes, and the others of the site do not.
pub(crate) fn are_few_sizes(of_these: &Sizes, of_all: &Sizes) -> bool {
    let others = of_all.iter().map(|(size, urls)| urls - of_these.get(size).unwrap_or(&0));
    let (urls, few) = urls_of_few(of_these.values().copied());
    let (others, few_others) = urls_of_few(others);
    urls >= LEAST_SIZES && few * 4 >= urls * 3 && few_others * 4 < others * 3
}

/// URLs in all, and those of the commonest few sizes.
fn urls_of_few(urls: impl Iterator<Item = u64>) -> (u64, u64) {
    let mut urls: Vec<u64> = urls.collect();
    urls.sort_unstable_by(|a, b| b.cmp(a));
    (urls.iter().sum(), urls.iter().take(FEW_SIZES).sum())
}
