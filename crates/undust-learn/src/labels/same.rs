//! URLs that were not fetched and that pages name as their own.

use rustc_hash::FxHashMap;

use undust_model::report::{LabelReport, LabelSource};
use undust_pages::page::Page;

use super::LabelledCrawl;
use super::belief::Observations;

/// A URL that pages name.
#[derive(Default)]
struct Named {
    /// Its page, if the crawl has it.
    page: Option<u32>,
    /// The pages that name it, without itself.
    by: Vec<u32>,
}

/// Adds the URLs that are known by this label alone, each to the cluster of the pages that name it. A URL that pages of
/// different content name is not added: it is the first page of a list, or the front page of the site.
pub(super) fn add(
    crawl: &LabelledCrawl<'_>,
    source: LabelSource,
    pages: &mut Vec<Page>,
    labels: &mut Vec<u32>,
) -> LabelReport {
    let urls = named_urls(crawl, source);
    let mut seen = Observations::default();
    for (target, (_, named)) in (0..).zip(&urls) {
        observe(crawl, target, named, &mut seen);
    }
    let belief = seen.belief(crawl.limit);
    let mut added = 0;
    for (url, named) in urls.into_iter().filter(|(_, named)| named.page.is_none()) {
        let believed = named.by.iter().filter(|page| belief.on(crawl.kinds.of_page(**page)));
        let believed: Vec<u32> = believed.copied().collect();
        let Some(first) = believed.first() else { continue };
        let cluster = labels[*first as usize];
        if believed.iter().all(|page| labels[*page as usize] == cluster) {
            let page = &crawl.pages[*first as usize];
            pages.push(Page { url: url.into(), labels: None, importance: None, ..page.clone() });
            labels.push(cluster);
            added += 1;
        }
    }
    let says = "the same".into();
    let (seen, wrong) = (belief.site.tested as usize, belief.site.lost as usize);
    LabelReport { source, says, seen, wrong, used: added }
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

/// Whether the pages that name a URL show what it shows, or what most of them show. Each different page is a witness.
fn observe(crawl: &LabelledCrawl<'_>, target: u32, named: &Named, seen: &mut Observations) {
    let cluster = |page: &u32| crawl.clusters[*page as usize];
    let Some(shown) =
        named.page.as_ref().map(cluster).or_else(|| most(named.by.iter().map(cluster)))
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

/// The most frequent cluster; of several the first.
fn most(clusters: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    clusters.for_each(|cluster| *counts.entry(cluster).or_default() += 1);
    counts
        .into_iter()
        .max_by_key(|(cluster, count)| (*count, u32::MAX - cluster))
        .map(|most| most.0)
}
