//! Minimal important query parameter sets (MIQPS, Pinterest Engineering, April 2026): what a crawler in production does,
//! as a baseline.
//!
//! URLs of a site are grouped by the set of names in their query. In each group, a name is asked for by itself: how many
//! URLs show another page without it. If enough were seen and nearly none does, the name is dropped in that group. A
//! crawler fetches the URLs without the name; here those count that the crawl has. Paths, order and values are nothing to
//! it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use undust_rules::key_rule::{Context, KeyRule};
use undust_rules::kind;
use undust_rules::measured::Counting;
use undust_rules::rule::{CandidateRules, Rule};
use undust_url::keyed_url::KeyedUrl;
use undust_url::keys::Key;

use super::learner::{Learner, Order};
use crate::training::TrainingSet;

/// URLs whose counterpart without the name must be known; with fewer, the name stays.
const LEAST: usize = 3;

/// Share of these from which on the name matters.
const DIFFER: f64 = 0.05;

/// Names that are looked at in a query; one with more is left alone.
const MOST_NAMES: usize = 32;

/// Its entry in the table of learners.
pub(crate) static LEARNER: Learner = Learner {
    name: kind::MIQPS,
    about: "Query parameters that matter, by the set of names (MIQPS, Pinterest, 2026)",
    candidates: |set, _| candidates(set),
    counting: Counting::Changed,
    support: |evidence| evidence.coverage,
    order: Order::NarrowFirst,
    from_urls: None,
};

/// URLs with a name whose counterpart without it is in the crawl.
#[derive(Default)]
struct Seen {
    pages: usize,
    /// Of these, the ones that show another page.
    differ: usize,
}

impl Seen {
    fn matters(&self) -> bool {
        self.pages < LEAST || self.differ as f64 >= DIFFER * self.pages as f64
    }
}

/// One rule for each set of names of which some do not matter. Linear in the URLs and quadratic in the names of one.
fn candidates(set: &TrainingSet<'_>) -> CandidateRules {
    let pages = || set.pages().iter().map(|page| &*page.url).zip(set.clusters().labels());
    let shows: FxHashMap<&str, u32> = pages().map(|(url, cluster)| (url, *cluster)).collect();
    let mut groups: BTreeMap<BTreeSet<Key>, BTreeMap<Key, Seen>> = BTreeMap::new();
    for (url, cluster) in pages() {
        let Some(keyed) = KeyedUrl::parse(url) else { continue };
        let names: BTreeSet<Key> = keyed.argument_keys().into_iter().collect();
        if names.len() > MOST_NAMES {
            continue;
        }
        for name in &names {
            let other = dropping(&names, [name.clone()]).apply(&keyed);
            let Some(shown) = other.and_then(|other| shows.get(&*other)) else { continue };
            let of_group = groups.entry(names.clone()).or_default();
            let seen = of_group.entry(name.clone()).or_default();
            seen.pages += 1;
            seen.differ += usize::from(shown != cluster);
        }
    }
    let rules = groups.into_iter().filter_map(|(names, seen)| {
        let dropped: Vec<Key> =
            seen.into_iter().filter(|(_, seen)| !seen.matters()).map(|(name, _)| name).collect();
        (!dropped.is_empty()).then(|| Rule::Keys(dropping(&names, dropped)))
    });
    CandidateRules { rules: rules.collect(), ..CandidateRules::default() }
}

/// Drops these names where the query has exactly those.
fn dropping(names: &BTreeSet<Key>, dropped: impl IntoIterator<Item = Key>) -> KeyRule {
    KeyRule {
        context: Context { arguments: Some(names.clone()), ..Context::default() },
        transformation: dropped.into_iter().map(|name| (name, Vec::new())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use undust_cluster::clusters::Clusters;
    use undust_model::translation::Rewriter;
    use undust_pages::page::Page;

    use super::*;
    use crate::config::Config;

    /// What the rules make of a URL; pages are given as URLs and what these show.
    fn made(crawl: &[(String, u32)], url: &str) -> String {
        let page = |(at, (url, _)): (usize, &(String, u32))| Page {
            url: url.as_str().into(),
            end: at as u32,
            ..Page::default()
        };
        let pages: Vec<Page> = crawl.iter().enumerate().map(page).collect();
        let clusters = Clusters::from_labels(crawl.iter().map(|(_, page)| *page));
        let config = Config::default();
        let set = TrainingSet::by(&pages, &clusters, &config.canonical);
        let (rules, _) = LEARNER.learn(&set, &config, &());
        rules.rewritten(url).into_owned()
    }

    /// `ref` matters nowhere, `id` everywhere, and `sort` only together with `page`.
    fn crawl(items: u32) -> Vec<(String, u32)> {
        let of = |n: u32| {
            [
                (format!("http://a.test/item?id={n}"), n),
                (format!("http://a.test/item?id={n}&ref=mail"), n),
                (format!("http://a.test/list?page={n}"), 1000 + n),
                (format!("http://a.test/list?page={n}&sort=up"), 2000 + n),
                (format!("http://a.test/tags/{n}"), 3000 + n),
                (format!("http://a.test/tags/{n}?sort=up"), 3000 + n),
            ]
        };
        (0..items).flat_map(of).collect()
    }

    #[test]
    fn a_name_goes_where_pages_are_the_same_without_it() {
        let crawl = crawl(20);
        let made = |url: &str| made(&crawl, &format!("http://a.test{url}"));
        assert_eq!(made("/item?id=77&ref=x"), "http://a.test/item?id=77");
        assert_eq!(made("/list?page=77&sort=up"), "http://a.test/list?page=77&sort=up");
        assert_eq!(made("/tags/77?sort=down"), "http://a.test/tags/77");
        // By the set of names alone, whatever the path.
        assert_eq!(made("/other?sort=down"), "http://a.test/other");
        // A set that was never seen.
        assert_eq!(made("/item?id=77&ref=x&new=1"), "http://a.test/item?id=77&ref=x&new=1");
    }

    #[test]
    fn of_two_pages_it_learns_nothing() {
        let url = "http://a.test/item?id=77&ref=x";
        assert_eq!(made(&crawl(2), url), url);
    }
}
