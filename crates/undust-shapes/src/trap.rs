//! Traps: URLs without an end that show nothing new, each with the one thing that multiplies them.
//!
//! Three things multiply URLs: an argument (`?add-to-cart=7`), a segment of a path (`/src/commit/SHA/…`), and filters
//! in any combination. That something has many values makes no trap: the number of a product has as many as there are
//! products. What multiplies does so to *many* pages, each of which is there again and again; and its URLs are endless
//! ([`Growth`]).

mod arguments;
mod combinations;
mod segments;

use std::cmp::Reverse;

use regex::Regex;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::cause::{Cause, MIX};
use crate::growth::{Growth, Says, Sizes, are_few_sizes, sizes};
use crate::label::Label;
use crate::names::ArgumentsOfUrls;
use crate::paths::Paths;
use crate::policy::target;
use crate::requests::{Requested, Requests};
use crate::rule::Rule;

/// Fewest URLs of a trap in a crawl and in a log, and one in `ONE_OF` of those that are in no other trap. What has fewer
/// is no burden, and tells little of how it goes on.
const LEAST_URLS: usize = 20;
const LEAST_URLS_OF_LOG: usize = 200;
const ONE_OF: usize = 10;

/// Fewest requests that tell whether people come back.
const LEAST_REQUESTS: u64 = 20;

/// Most traps of a site that are reported.
const MOST_TRAPS: usize = 16;

/// Fewest URLs for each page that a trap multiplies, and fewest such pages.
const TIMES: usize = 3;
const LEAST_PAGES: usize = 8;

/// Where what multiplies may as well name a page, such as the number of a comment below its post and that of a product
/// below its category, at most one request in so many is for a URL to which browsers came back.
const ONE_RETURNED_OF: u64 = 50;

/// A calendar has no end if at least one in so many of its days is in a year that has not come.
const ONE_FUTURE_OF: usize = 4;

/// URLs without an end.
pub(crate) struct Trap<'u> {
    pub cause: Cause,
    /// Their numbers.
    pub urls: Vec<u32>,
    /// How many more URLs, or paths, there are than without the cause. Of several explanations, the one with the largest gain is reported.
    gain: usize,
    pub rule: Rule<'u>,
}

/// The URLs of a site, and what is known of each.
pub(crate) struct View<'r> {
    pub urls: Vec<&'r str>,
    pub known: Vec<&'r Requested>,
    paths: Paths<'r>,
    arguments: ArgumentsOfUrls<'r>,
    /// The number of each URL's set of names.
    sets: Vec<u32>,
    sizes: Sizes,
    says: Says,
    /// The year in which the input ends.
    last_year: Option<u32>,
    has_pages: bool,
    /// Whether a URL is in no trap.
    is_free: Vec<bool>,
    free: usize,
    /// Nodes of paths on which a trap was found.
    is_trapped: FxHashSet<u32>,
}

impl<'r> View<'r> {
    /// In the order of the URLs, so that the result does not depend on that of the requests.
    pub(crate) fn of(requests: &'r Requests) -> Self {
        let mut known: Vec<&Requested> = requests.urls.values().collect();
        known.sort_unstable_by(|a, b| a.url.cmp(&b.url));
        let urls: Vec<&str> = known.iter().map(|known| &*known.url).collect();
        let arguments = ArgumentsOfUrls::of(&urls);
        Self {
            paths: Paths::of(&urls),
            sets: arguments.sets(),
            arguments,
            sizes: sizes(known.iter().copied()),
            says: requests.says(),
            last_year: requests.span.as_ref().and_then(|span| year(&span.last.1)),
            has_pages: requests.has_pages,
            is_free: vec![true; urls.len()],
            free: urls.len(),
            is_trapped: FxHashSet::default(),
            urls,
            known,
        }
    }

    /// The traps, the largest first. Each pass is linear in the URLs, and takes out one.
    pub(crate) fn traps(&mut self) -> Vec<Trap<'r>> {
        let mut traps = Vec::new();
        while traps.len() < MOST_TRAPS {
            let mut found = segments::traps(self);
            // Of a crawl, the pages of each pattern say more of its arguments than their number.
            if !self.has_pages {
                found.extend(arguments::traps(self));
                found.extend(combinations::traps(self));
            }
            // Of equals, what has most values: the year before the month.
            let rank = |trap: &Trap<'_>| (trap.gain, trap.cause.values);
            let better = |best, next| if rank(&next) > rank(&best) { next } else { best };
            let Some(mut best) = found.into_iter().reduce(better) else { break };
            best.urls.extend(self.met_elsewhere(&best));
            for url in &best.urls {
                self.is_free[*url as usize] = false;
                self.is_trapped.insert(self.paths.node_of[*url as usize]);
            }
            self.free -= best.urls.len();
            traps.push(best);
        }
        traps.sort_by_key(|trap| Reverse(trap.urls.len()));
        traps
    }

    /// What the rule of a trap meets among the URLs that are in none, if it is walked through, too: it is of the same trap,
    /// and not stated again.
    fn met_elsewhere(&self, trap: &Trap<'r>) -> Vec<u32> {
        let Ok(regex) = Regex::new(&trap.rule.regex(true)) else { return Vec::new() };
        let own: FxHashSet<u32> = trap.urls.iter().copied().collect();
        let mut met = self.rest();
        met.retain(|url| {
            !own.contains(url) && regex.is_match(&target(self.urls[*url as usize], true))
        });
        if self.growth(&met).is_walked() { met } else { Vec::new() }
    }

    /// The numbers of the URLs that are in no trap.
    pub(crate) fn rest(&self) -> Vec<u32> {
        (0..self.urls.len() as u32).filter(|url| self.is_free[*url as usize]).collect()
    }

    fn growth(&self, urls: &[u32]) -> Growth {
        Growth::of(urls.iter().map(|url| self.known[*url as usize]), self.says)
    }

    /// The hash of the path of a URL, with its host and without parameters.
    fn path_hash(&self, url: u32) -> u64 {
        let text = self.urls[url as usize];
        xxh3_64(&text.as_bytes()[..text.find(['?', ';']).unwrap_or(text.len())])
    }

    /// The hash of a path with those arguments of a URL that are in it.
    fn hash(&self, path: u64, url: u32, is_in_it: impl Fn(u32) -> bool) -> u64 {
        let named = self.arguments.of_url(url).iter().filter(|(name, _)| is_in_it(*name));
        named.fold(path, |hash, (name, value)| {
            (hash.rotate_left(5) ^ value ^ u64::from(*name)).wrapping_mul(MIX)
        })
    }

    /// Whether so many URLs are worth a rule.
    fn is_burden(&self, urls: usize) -> bool {
        let least = if self.has_pages { LEAST_URLS } else { LEAST_URLS_OF_LOG };
        urls >= least && urls * ONE_OF >= self.free
    }

    /// Whether nearly all answers have one of a few sizes, and those of the rest of the site do not.
    fn are_few_sizes(&self, urls: &[u32]) -> bool {
        let of_these = sizes(urls.iter().map(|url| self.known[*url as usize]));
        are_few_sizes(&of_these, &self.sizes)
    }

    /// Whether a text is a date that no page can be of yet.
    fn is_of_the_future(&self, text: &str) -> bool {
        let year = year(text).filter(|_| Label::of(text).is_date());
        year.zip(self.last_year).is_some_and(|(year, last)| year > last + 1)
    }
}

/// The year that a time or a date begins with.
fn year(text: &str) -> Option<u32> {
    text.get(..4)?.parse().ok()
}

/// The number of different hashes.
fn distinct(hashes: impl IntoIterator<Item = u64>) -> usize {
    hashes.into_iter().collect::<FxHashSet<u64>>().len()
}
