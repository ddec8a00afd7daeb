//! Parameter rules: names of the query whose values are irrelevant.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use undust_rules::dustbuster::parameter::{Parameter, fields, query};
use undust_rules::dustbuster::substitution::Substitution;

use super::listing::Listing;
use crate::config::DustbusterConfig;

/// Most parameters of a URL that count: each costs a copy of the URL.
const MAX_FIELDS: usize = 32;

/// A name of the query, and the URLs that differ in its value alone.
pub(super) struct Name {
    /// As written in URLs.
    pub name: String,
    /// The most frequent value, v_p of the paper.
    pub value: String,
    /// URLs that are likely similar to one with a different value or without the parameter.
    pub support: usize,
    /// The URLs with the parameter, each with another that is equal without it, if there is one.
    pub uses: Vec<(u32, Option<u32>)>,
}

impl Name {
    /// The two rules of the paper, the one with the shorter image first.
    pub(super) fn rules(&self) -> [Substitution; 2] {
        [None, Some(self.value.clone())]
            .map(|value| Substitution::Parameter(Parameter { name: self.name.clone(), value }))
    }
}

/// Names with likely similar values (Bar-Yossef, Keidar, Schonfeld, WWW 2007, section 4.4), most
/// support first. URLs that are equal but for `name=value` are grouped, and each is compared with
/// the first of its group, so that a name may have any number of values. The URL without the
/// parameter belongs to the group if it is listed, so that a name may also have a single value.
/// The paper leaves open when a name is popular enough; here it needs `min_support` URLs that are
/// likely similar to another.
///
/// O(n log n) for n parameters, at most 32 of each URL; 20 bytes a parameter and a URL.
pub(super) fn find(listing: &Listing, settings: &DustbusterConfig) -> Vec<Name> {
    let mut names = Names::default();
    for (url, record) in (0..).zip(listing.records()) {
        names.take(url, &record.url);
        names.urls.insert(xxh3_64(record.url.as_bytes()), url);
    }
    names.uses.sort_unstable();
    let mut found: Vec<Name> = names
        .uses
        .chunk_by(|a, b| a.name == b.name)
        .map(|uses| names.classify(listing, uses))
        .filter(|name| name.support >= settings.min_support.max(1))
        .collect();
    found.sort_by(|a, b| (Reverse(a.support), &a.name).cmp(&(Reverse(b.support), &b.name)));
    found
}

#[derive(Default)]
struct Names<'l> {
    ids: FxHashMap<&'l str, u32>,
    names: Vec<&'l str>,
    uses: Vec<ParameterUse>,
    /// The URLs by their hashes.
    urls: FxHashMap<u64, u32>,
}

/// A URL with a parameter.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ParameterUse {
    name: u32,
    /// Hash of the URL without it.
    rest: u64,
    url: u32,
}

impl<'l> Names<'l> {
    fn take(&mut self, url: u32, text: &'l str) {
        let Some(query) = query(text) else { return };
        let mut seen = Vec::new();
        for field in fields(&text[query]).take(MAX_FIELDS) {
            if field.value.is_none() || field.name.is_empty() || seen.contains(&field.name) {
                continue;
            }
            seen.push(field.name);
            let rule = Parameter { name: field.name.to_owned(), value: None };
            let rest = xxh3_64(rule.apply(text).as_deref().unwrap_or(text).as_bytes());
            let name = self.id(field.name);
            self.uses.push(ParameterUse { name, rest, url });
        }
    }

    fn id(&mut self, name: &'l str) -> u32 {
        *self.ids.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() as u32 - 1
        })
    }

    fn classify(&self, listing: &Listing, uses: &[ParameterUse]) -> Name {
        let name = self.names[uses[0].name as usize];
        let mut pairs = Vec::with_capacity(uses.len());
        let mut support = 0;
        for equal in uses.chunk_by(|a, b| a.rest == b.rest) {
            let others = |&first: &u32| equal.iter().map(|r| r.url).filter(move |r| *r != first);
            let first = *self.urls.get(&equal[0].rest).unwrap_or(&equal[0].url);
            let record = &listing.records()[first as usize];
            let similar = |url: &u32| record.is_likely_similar(&listing.records()[*url as usize]);
            support += others(&first).filter(similar).count();
            pairs.extend(others(&first).map(|url| (url, Some(first))));
            if first == equal[0].url {
                pairs.push((first, equal.get(1).map(|other| other.url)));
            }
        }
        let values = uses.iter().filter_map(|r| value_of(listing.url(r.url), name));
        Name { name: name.to_owned(), value: most_frequent(values), support, uses: pairs }
    }
}

fn value_of<'u>(url: &'u str, name: &str) -> Option<&'u str> {
    fields(&url[query(url)?]).find(|field| field.name == name)?.value
}

/// The most frequent value; of several the shortest, then the smallest.
fn most_frequent<'u>(values: impl Iterator<Item = &'u str>) -> String {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let best =
        counts.into_iter().max_by_key(|(value, count)| (*count, Reverse((value.len(), *value))));
    best.map(|(value, _)| value.to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::dustbuster::listing::tests::sketched;

    fn sessions() -> Listing {
        let urls: Vec<(String, u64)> = (0..40)
            .map(|n| (format!("http://x.com/a?id={}&sid={n:x}&l=en", n % 8), n % 8))
            .collect();
        sketched(urls.iter().map(|(url, sketch)| (url.as_str(), *sketch)))
    }

    #[test]
    fn values_that_make_no_difference_are_found() {
        let names = find(&sessions(), &DustbusterConfig::default());
        assert_eq!(names.len(), 1, "id makes a difference, l has one value");
        assert_eq!((names[0].name.as_str(), names[0].support), ("sid", 32));
        assert_eq!(names[0].value, "0", "the first of equally frequent ones");
        assert!(names[0].uses.iter().all(|(_, other)| other.is_some()));
        let shown = names[0].rules().map(|rule| rule.to_string());
        assert_eq!(shown, ["\"sid=…\" → \"\"", "\"sid=…\" → \"sid=0\""]);
    }

    #[test]
    fn a_single_value_is_compared_with_the_url_without() {
        let listing = sketched([
            ("/a?s=1", 0),
            ("/a", 0),
            ("/b?s=1", 1),
            ("/b", 1),
            ("/c?s=1", 2),
            ("/c", 2),
        ]);
        let names = find(&listing, &DustbusterConfig::default());
        assert_eq!((names.len(), names[0].support), (1, 3));
    }

    #[test]
    fn a_repeated_name_counts_once() {
        let listing = sketched([("/?a=1&a=2", 0), ("/?a=3", 0), ("/?a=4;b", 1), ("/?a&=5", 1)]);
        let settings = DustbusterConfig { min_support: 1, ..DustbusterConfig::default() };
        let names = find(&listing, &settings);
        assert_eq!((names.len(), names[0].uses.len(), names[0].support), (1, 3, 1));
    }

    #[test]
    fn many_parameters_are_cut() {
        let url = format!("/?{}", (0..5000).map(|n| format!("p{n}=1&")).collect::<String>());
        let listing = sketched([(url.as_str(), 0)]);
        assert!(find(&listing, &DustbusterConfig::default()).is_empty());
    }

    #[test]
    fn the_value_of_a_name_is_its_own() {
        assert_eq!(value_of("/a?x=1&sid=2&sid=3", "sid"), Some("2"));
        assert_eq!([value_of("/a?x=1", "sid"), value_of("/a", "sid")], [None, None]);
    }
}
