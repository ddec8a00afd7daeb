//! Labels that cost no fetch, as evidence for the gate: `rel=canonical`, `og:url`, No-Vary-Search, `hreflang`, sitemaps.
//!
//! A label can say two things that the content of the crawl does not.
//!
//! * *The same*: a URL that was not fetched is one page with those that name it ([`same`]). It joins their cluster, so
//!   that an edit which makes this URL of them is tested.
//! * *Different*: URLs that look alike today, as empty lists do, are different pages ([`different`]). Their cluster is
//!   cut, so that an edit which makes one of them is a collision.
//!
//! Texts that differ are never made equal by a label. And a source is believed only where it is right on this site: what
//! it says of pages whose content is known is held to the law of evidence ([`belief`]), as an edit is.

mod belief;
mod different;
mod kinds;
mod same;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::report::{LabelReport, LabelSource};
use undust_cluster::clusters::Clusters;
use undust_pages::labels::PageLabels;
use undust_pages::page::Page;
use undust_pages::url_text::redirect_targets;
use undust_url::site::{SiteBy, site_of};

use self::kinds::Kinds;
use crate::config::Config;
use crate::gate::select_edits::LossLimits;
use crate::training::TrainingSet;

/// A training set with what labels add to it, and a record of what was believed.
pub(crate) struct Labelled {
    /// Those of the set, in its order, then the URLs that labels alone know.
    pages: Vec<Page>,
    clusters: Clusters,
    /// How many pages are those of the set.
    crawled: usize,
    /// What each source said.
    pub report: Vec<LabelReport>,
}

impl Labelled {
    /// Nothing where no label is asked for, or no page has one. Linear, but for sorting.
    pub(crate) fn of(set: &TrainingSet<'_>, config: &Config) -> Option<Self> {
        let wanted = &config.labels;
        let pages = set.pages();
        if !wanted.is_used() || pages.iter().all(|page| page.labels.is_none()) {
            return None;
        }
        let crawl = LabelledCrawl::of(set, config);
        let (mut labels, mut report) = (set.clusters().labels().to_vec(), Vec::new());
        let named =
            [(LabelSource::Canonical, wanted.canonical), (LabelSource::OgUrl, wanted.og_url)];
        for (source, _) in named.into_iter().filter(|(_, wanted)| wanted.says_different()) {
            report.push(different::named(&crawl, source, &mut labels));
        }
        if wanted.hreflang {
            report.push(different::alternates(&crawl, &mut labels));
        }
        if wanted.sitemap {
            report.push(different::listed(&crawl, &mut labels));
        }
        let (mut pages, crawled) = (pages.to_vec(), pages.len());
        let (mut added, first) = (same::Added::default(), report.len());
        let same = named.into_iter().filter(|(_, wanted)| wanted.says_same());
        let header = wanted.no_vary_search.then_some(LabelSource::NoVarySearch);
        for source in same.map(|(source, _)| source).chain(header) {
            report.push(same::add(&crawl, source, &labels, &mut added));
        }
        report[first..].iter_mut().for_each(|said| said.used = added.count(said.source));
        for (page, cluster) in added.pages(&crawl) {
            pages.push(page);
            labels.push(cluster);
        }
        Some(Self { pages, clusters: Clusters::from_labels(labels), crawled, report })
    }

    /// The set to learn from, with canonical URLs chosen as in `set`.
    pub(crate) fn set(&self, set: &TrainingSet<'_>) -> TrainingSet<'_> {
        TrainingSet::by(&self.pages, &self.clusters, set.order())
    }

    /// The URLs that labels alone know.
    pub(crate) fn added(&self) -> impl Iterator<Item = &str> {
        self.pages[self.crawled..].iter().map(|page| page.url.as_ref())
    }
}

/// The crawl as labels are read on it.
struct LabelledCrawl<'c> {
    pages: &'c [Page],
    /// The clusters by content.
    clusters: &'c [u32],
    numbers: FxHashMap<&'c str, u32>,
    kinds: Kinds,
    /// The largest share of pages on which a source that is believed may be wrong: that of an edit.
    limit: f64,
}

impl<'c> LabelledCrawl<'c> {
    fn of(set: &TrainingSet<'c>, config: &Config) -> Self {
        let (pages, clusters) = (set.pages(), set.clusters().labels());
        let numbers = pages.iter().map(|page| page.url.as_ref()).zip(0..).collect();
        let kinds = Kinds::of(set, config.tokens.threshold);
        Self { pages, clusters, numbers, kinds, limit: LossLimits::of(&config.gate).rate }
    }

    /// The page of a URL, if the crawl has it.
    fn number(&self, url: &str) -> Option<u32> {
        redirect_targets(url).find_map(|url| self.numbers.get(&*url)).copied()
    }

    /// The URL that a page names, written with the scheme and the host of the page: of other hosts a label says nothing.
    fn named(&self, page: u32, source: LabelSource) -> Option<Cow<'c, str>> {
        let page = &self.pages[page as usize];
        let labels = page.labels.as_deref()?;
        on_host_of(&page.url, url_of(labels, source)?)
    }

    /// The same, if what it names does not itself name another URL: of a chain nothing is believed.
    fn target(&self, page: u32, source: LabelSource) -> Option<Cow<'c, str>> {
        let url = self.named(page, source)?;
        let Some(target) = self.number(&url) else { return Some(url) };
        let own = self.named(target, source);
        let is_end = own.is_none_or(|own| self.number(&own) == Some(target));
        is_end.then(|| Cow::Borrowed(self.pages[target as usize].url.as_ref()))
    }
}

fn url_of(labels: &PageLabels, source: LabelSource) -> Option<&str> {
    match source {
        LabelSource::Canonical => labels.canonical.as_deref(),
        LabelSource::OgUrl => labels.og_url.as_deref(),
        LabelSource::NoVarySearch => labels.no_vary_search.as_deref(),
        LabelSource::Hreflang | LabelSource::Sitemap => None,
    }
}

/// `url` with the scheme and the host of `page`, if its host is that of the page or the `www.` twin.
fn on_host_of<'u>(page: &str, url: &'u str) -> Option<Cow<'u, str>> {
    let (here, there) = (front(page)?, front(url)?);
    if here == there {
        return Some(Cow::Borrowed(url));
    }
    let is_same = site_of(page, SiteBy::Host)? == site_of(url, SiteBy::Host)?;
    is_same.then(|| Cow::Owned(format!("{here}{}", &url[there.len()..])))
}

/// The scheme and the host of a URL.
fn front(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    url.get(..end)
}
