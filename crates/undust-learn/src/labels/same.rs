//! URLs that were not fetched and that pages name as their own.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::report::{LabelReport, LabelSource};
use undust_pages::page::Page;

use super::LabelledCrawl;
use super::belief::Observations;
use crate::drift::detect::largest;

/// A URL that pages name.
#[derive(Default)]
struct Named {
    /// Its page, if the crawl has it.
    page: Option<u32>,
    /// The pages that name it, without itself.
    by: Vec<u32>,
}

/// The URLs that labels alone know, in the order in which sources name them.
#[derive(Default)]
pub(super) struct Added {
    by_url: IndexMap<String, Place>,
}

/// Where sources put a URL.
struct Place {
    /// The first source that puts it there.
    source: LabelSource,
    /// The page that it is like.
    like: u32,
    cluster: u32,
    /// Whether another source puts it into another cluster.
    is_disputed: bool,
}

impl Added {
    fn put(&mut self, url: String, source: LabelSource, like: u32, cluster: u32) {
        let first = Place { source, like, cluster, is_disputed: false };
        let place = self.by_url.entry(url).or_insert(first);
        place.is_disputed |= place.cluster != cluster;
    }

    /// How many of the URLs on which sources agree this one was the first to name.
    pub(super) fn count(&self, source: LabelSource) -> usize {
        let agreed = self.by_url.values().filter(|place| !place.is_disputed);
        agreed.filter(|place| place.source == source).count()
    }

    /// The URLs on which sources agree, each as a page with its cluster.
    pub(super) fn pages(self, crawl: &LabelledCrawl<'_>) -> impl Iterator<Item = (Page, u32)> {
        let agreed = self.by_url.into_iter().filter(|(_, place)| !place.is_disputed);
        agreed.map(|(url, place)| {
            let like = crawl.pages[place.like as usize].clone();
            let page = Page { url: url.into(), is_redirect: false, ..like };
            (Page { labels: None, importance: None, ..page }, place.cluster)
        })
    }
}

/// Adds the URLs that are known by this label alone, each to the cluster of the pages that name it, as `labels` has
/// them. A URL that pages of different content name is not added: it is the first page of a list, or the front page of
/// the site. The report does not count them yet, because another source may contradict.
pub(super) fn add(
    crawl: &LabelledCrawl<'_>,
    source: LabelSource,
    labels: &[u32],
    all: &mut Added,
) -> LabelReport {
    let urls = named_urls(crawl, source);
    let mut seen = Observations::default();
    for (target, (_, named)) in (0..).zip(&urls) {
        observe(crawl, target, named, &mut seen);
    }
    let belief = seen.belief(crawl.limit);
    for (url, named) in urls.into_iter().filter(|(_, named)| named.page.is_none()) {
        let believed = named.by.iter().filter(|page| belief.on(crawl.kinds.of_page(**page)));
        let believed: Vec<u32> = believed.copied().collect();
        let Some(first) = believed.first() else { continue };
        let cluster = labels[*first as usize];
        if believed.iter().all(|page| labels[*page as usize] == cluster) {
            all.put(url, source, *first, cluster);
        }
    }
    belief.report(source, "the same", 0)
}

/// The URLs that pages name, in the order of the crawl.
fn named_urls(crawl: &LabelledCrawl<'_>, source: LabelSource) -> Vec<(String, Named)> {
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    let mut urls: Vec<(String, Named)> = Vec::new();
    for page in 0..crawl.pages.len() as u32 {
        let Some(url) = crawl.target(page, source) else { continue };
        let place = *places.entry(url.clone().into_owned()).or_insert(urls.len());
        if place == urls.len() {
            let page = crawl.number(&url);
            urls.push((url.into_owned(), Named { page, by: Vec::new() }));
        }
        let named = &mut urls[place].1;
        if named.page != Some(page) {
            named.by.push(page);
        }
    }
    urls
}

/// Whether the pages that name a URL show what it shows, or what most of them show. Each different page is an effective sample.
fn observe(crawl: &LabelledCrawl<'_>, target: u32, named: &Named, seen: &mut Observations) {
    let cluster = |page: &u32| crawl.clusters[*page as usize];
    let Some(shown) =
        named.page.as_ref().map(cluster).or_else(|| largest(named.by.iter().map(cluster)))
    else {
        return;
    };
    // Of a URL that was not fetched, the first page of the most frequent content is what others are compared with.
    let mut is_compared = named.page.is_some();
    for page in &named.by {
        let is_wrong = cluster(page) != shown;
        if is_wrong || is_compared {
            seen.push(crawl.kinds.of_page(*page), (cluster(page), target), is_wrong);
        }
        is_compared |= !is_wrong;
    }
}
