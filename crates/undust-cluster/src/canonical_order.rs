//! Which URL of a cluster stands for the others: its canonical URL.
//!
//! The order is a list of criteria: where one leaves two URLs equal, the next one decides, and in
//! the end the smaller string (Xu, Liu and Callan, SIGIR 2017, section 2.3: fewest tokens, then the
//! most frequent ones; Zhu et al., WWW 2012: links and clicks, static before dynamic, shorter,
//! country).

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use undust_pages::page::{Importance, Page};
use undust_url::frequency::{DfMode, DocumentFrequencies};
use undust_url::tokens::{Delimiters, Token, authority};

use crate::error::{CriteriaReason, Error};

/// One reason to prefer a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// The larger importance; any before none.
    Importance,
    /// A host of the country that is named first; any named one before the others.
    Country,
    /// No query.
    Static,
    /// Fewer tokens.
    Tokens,
    /// The larger sum of the document frequencies of its tokens, over the URLs of its host.
    Frequency,
    /// Fewer bytes.
    Length,
}

/// By name: `importance`, `country`, `static`, `tokens`, `frequency`, `length`.
impl FromStr for Criterion {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Ok(match name {
            "importance" => Self::Importance,
            "country" => Self::Country,
            "static" => Self::Static,
            "tokens" => Self::Tokens,
            "frequency" => Self::Frequency,
            "length" => Self::Length,
            _ => {
                let name = name.to_owned();
                return Err(CriteriaReason::Unknown { name }.into());
            }
        })
    }
}

/// An order of URLs, the canonical URL first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CanonicalOrder {
    /// The first criterion in which two URLs differ decides; after all of them the smaller string.
    pub order: Vec<Criterion>,
    /// Top-level domains of countries, such as `de`, the preferred one first.
    pub countries: Vec<String>,
}

/// The SIGIR paper's, after importance where the crawl says it.
impl Default for CanonicalOrder {
    fn default() -> Self {
        let order = vec![Criterion::Importance, Criterion::Tokens, Criterion::Frequency];
        Self { order, countries: Vec::new() }
    }
}

/// Places in a rank, more than there are criteria.
const PLACES: usize = 8;

/// The place of a URL in a [`CanonicalOrder`]: the least wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank<'u>([u64; PLACES], &'u str);

impl CanonicalOrder {
    /// Whether the order asks for document frequencies.
    pub fn needs_frequencies(&self) -> bool {
        self.order.contains(&Criterion::Frequency)
    }

    /// Whether the order can be used; the reason where it cannot.
    pub fn check(&self) -> Result<(), CriteriaReason> {
        let is_twice = |(at, criterion)| self.order[..at].contains(criterion);
        match self.order.iter().enumerate().find(|&one| is_twice(one)) {
            Some((_, criterion)) => {
                Err(CriteriaReason::Twice { criterion: format!("{criterion:?}") })
            }
            None => Ok(()),
        }
    }

    /// The place of a URL. `frequency` gives the URLs that contain a token; it is asked only where
    /// the order needs it. Linear in the URL.
    pub fn rank<'u>(
        &self,
        url: &'u str,
        importance: Option<Importance>,
        mut frequency: impl FnMut(Token<'_>) -> u64,
    ) -> Rank<'u> {
        let (mut count, mut sum) = (0, 0_u64);
        let needs_frequencies = self.needs_frequencies();
        if needs_frequencies || self.order.contains(&Criterion::Tokens) {
            for token in Delimiters::default().tokens(url) {
                count += 1;
                sum += if needs_frequencies { frequency(token) } else { 0 };
            }
        }
        let mut places = [0; PLACES];
        for (place, criterion) in places.iter_mut().zip(&self.order) {
            *place = match criterion {
                Criterion::Importance => !importance.map_or(0, Importance::bits),
                Criterion::Country => self.country(url),
                Criterion::Static => u64::from(has_query(url)),
                Criterion::Tokens => count,
                Criterion::Frequency => !sum,
                Criterion::Length => url.len() as u64,
            };
        }
        Rank(places, url)
    }

    /// The place of the country of a URL's host among the preferred ones.
    fn country(&self, url: &str) -> u64 {
        let host = url[authority(url)].rsplit('@').next().unwrap_or_default();
        let host = host.split(':').next().unwrap_or_default().trim_end_matches('.');
        let last = host.rsplit('.').next().unwrap_or_default();
        let is_last = |country: &String| country.eq_ignore_ascii_case(last);
        self.countries.iter().position(is_last).unwrap_or(self.countries.len()) as u64
    }

    /// The canonical URL of each cluster, given by its label for each page; labels are dense. Linear in the
    /// length of the URLs.
    pub fn canonical(&self, pages: &[Page], labels: &[u32], clusters: usize) -> Vec<u32> {
        let urls = pages.iter().map(|page| page.url.as_ref());
        let df = DocumentFrequencies::count(urls, Delimiters::default(), DfMode::Pooled);
        let mut best: Vec<Option<(u32, Rank<'_>)>> = vec![None; clusters];
        for ((index, page), label) in (0..).zip(pages).zip(labels) {
            let rank = self.rank(&page.url, page.importance, |token| df.of(token).into());
            let best = &mut best[*label as usize];
            if best.as_ref().is_none_or(|(_, least)| rank < *least) {
                *best = Some((index, rank));
            }
        }
        best.into_iter().flatten().map(|(index, _)| index).collect()
    }
}

/// Whether a server may make the page of arguments.
fn has_query(url: &str) -> bool {
    let before_fragment = url.split('#').next().unwrap_or_default();
    before_fragment.contains('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'u>(order: &str, countries: &[&str], urls: &[(&'u str, Option<f64>)]) -> &'u str {
        let order = order.split(',').map(|name| name.parse().unwrap()).collect();
        let countries = countries.iter().map(|country| (*country).to_owned()).collect();
        let policy = CanonicalOrder { order, countries };
        let df = |token: Token<'_>| u64::from(token.text == "often") * 9 + 1;
        let rank = |(url, importance): &(&'u str, Option<f64>)| {
            policy.rank(url, importance.and_then(Importance::of), df)
        };
        urls.iter().min_by_key(|one| rank(one)).unwrap().0
    }

    #[test]
    fn the_first_criterion_that_tells_two_urls_apart_decides() {
        let (short, long) = (("http://a.b/x", None), ("http://a.b/x/y", Some(2.0)));
        assert_eq!(best("importance,tokens", &[], &[short, long]), long.0);
        assert_eq!(best("tokens,importance", &[], &[short, long]), short.0);
        let zero = ("http://a.b/x/y/z", Some(0.0));
        assert_eq!(best("importance", &[], &[short, zero]), zero.0);
        let (dynamic, fixed) = (("http://a.b/?x", None), ("http://a.b/x/y/z/u#?", None));
        assert_eq!(best("static,tokens", &[], &[dynamic, fixed]), fixed.0);
        assert_eq!(best("tokens,static", &[], &[dynamic, fixed]), dynamic.0);
        let (often, seldom) = (("http://a.b/often/2", None), ("http://a.b/any/1", None));
        assert_eq!(best("tokens,frequency", &[], &[seldom, often]), often.0);
        assert_eq!(best("tokens,length", &[], &[seldom, often]), seldom.0);
        let (one, two) = (("http://a.b/1", None), ("http://a.b/2", None));
        assert_eq!(best("length", &[], &[two, one]), one.0);
    }

    #[test]
    fn preferred_countries_come_first() {
        let urls = [("http://a.com/", None), ("http://u@a.at.:80/x", None), ("http://a.DE/", None)];
        assert_eq!(best("country,tokens", &["de", "at"], &urls), urls[2].0);
        assert_eq!(best("country,tokens", &["at", "de"], &urls), urls[1].0);
        assert_eq!(best("country,length", &["fr"], &urls), urls[2].0);
    }

    #[test]
    fn canonical_is_shortest_then_most_frequent_then_smallest() {
        let url = |name: &str| format!("http://x.com/{name}");
        let names = ["user/a", "user/b", "user/c", "zzz/a", "user/a/b"];
        let pages: Vec<Page> = (0..).zip(names).map(|(end, name)| page(&url(name), end)).collect();
        let canonical = |members: [usize; 2]| {
            let labels = (0..5).map(|at| u32::from(!members.contains(&at))).collect::<Vec<_>>();
            names[CanonicalOrder::default().canonical(&pages, &labels, 2)[0] as usize]
        };
        assert_eq!(canonical([4, 0]), "user/a");
        assert_eq!(canonical([3, 1]), "user/b");
        assert_eq!(canonical([1, 0]), "user/a");
    }

    fn page(url: &str, end: u32) -> Page {
        let url = url.into();
        Page { url, end, ..Page::default() }
    }

    #[test]
    fn an_order_names_each_criterion_once() {
        let twice = vec![Criterion::Tokens, Criterion::Length, Criterion::Tokens];
        let policy = CanonicalOrder { order: twice, countries: Vec::new() };
        assert!(policy.check().unwrap_err().to_string().contains("Tokens twice"));
        assert!(CanonicalOrder::default().check().is_ok());
        assert!("shortness".parse::<Criterion>().is_err());
    }
}
