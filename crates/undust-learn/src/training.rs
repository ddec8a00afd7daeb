//! The training set: pairs of source and canonical URL for the learners, and the parts
//! [held out](hold_out) to test them on.

pub mod hold_out;

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::config::GateConfig;
use crate::conventions;
use undust_cluster::canonical_order::CanonicalOrder;
use undust_cluster::clusters::Clusters;
use undust_edits::conventions::{Overrides, UrlConventions};
use undust_pages::page::Page;

/// Share of the pages above which a cluster of `min_hub` URLs is always trained on: no other
/// cluster teaches what it does.
const HUB_SHARE: f64 = 0.01;

/// The pages of one site, their duplicate clusters, and the canonical URL of each cluster. All
/// learners get the same training set, so that their results can be compared.
#[derive(Clone)]
pub struct TrainingSet<'c> {
    pages: &'c [Page],
    clusters: &'c Clusters,
    /// By cluster: the page with the canonical URL.
    canonical: Vec<u32>,
    order: CanonicalOrder,
}

/// The URL of a page and the URL that it should become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<'c> {
    /// The URL as crawled.
    pub source: &'c str,
    /// The canonical URL of its cluster; the source itself if it has no duplicate.
    pub target: &'c str,
    /// The duplicate cluster of the page.
    pub cluster: u32,
    /// Whether the page has no duplicate.
    pub singleton: bool,
}

impl<'c> TrainingSet<'c> {
    /// Chooses the canonical URL of every cluster (Xu, Liu, Callan, SIGIR 2017, section 2.3):
    /// fewest tokens, then the largest sum of document frequencies, then the smallest string.
    /// A crawl that says how important its URLs are decides by that first. `clusters` must be
    /// those of `pages`. Linear in the length of the URLs.
    pub fn new(pages: &'c [Page], clusters: &'c Clusters) -> Self {
        Self::by(pages, clusters, &CanonicalOrder::default())
    }

    /// [`Self::new`] with canonical URLs chosen in another order.
    pub fn by(pages: &'c [Page], clusters: &'c Clusters, order: &CanonicalOrder) -> Self {
        let canonical = order.canonical(pages, clusters.labels(), clusters.len());
        Self { pages, clusters, canonical, order: order.clone() }
    }

    /// The order by which canonical URLs are chosen.
    pub(crate) fn order(&self) -> &CanonicalOrder {
        &self.order
    }

    /// The same pages and clusters in an order that the URLs alone decide: the shorter first, as a crawler finds
    /// them.
    pub(crate) fn in_order_of_urls(&self) -> (Vec<Page>, Clusters) {
        let mut places: Vec<usize> = (0..self.pages.len()).collect();
        places.sort_by_key(|place| (self.pages[*place].url.len(), &self.pages[*place].url));
        let pages = places.iter().map(|place| self.pages[*place].clone()).collect();
        (pages, Clusters::from_labels(places.iter().map(|place| self.clusters.of(*place))))
    }

    /// The pages, in crawl order.
    pub fn pages(&self) -> &'c [Page] {
        self.pages
    }

    /// The duplicate clusters of the pages.
    pub fn clusters(&self) -> &'c Clusters {
        self.clusters
    }

    /// The canonical URL of a cluster.
    pub fn canonical(&self, cluster: u32) -> &'c str {
        &self.pages[self.canonical_page(cluster)].url
    }

    /// The page with the canonical URL of a cluster, by its place.
    pub(crate) fn canonical_page(&self, cluster: u32) -> usize {
        self.canonical[cluster as usize] as usize
    }

    /// Whether a cluster is a hub, such as the log-in page that a large share of all URLs leads to:
    /// it has at least `min_urls` URLs, and more than one in a hundred. No other cluster teaches the
    /// same, so it is never held out.
    pub fn is_hub(&self, cluster: u32, min_urls: usize) -> bool {
        let urls = self.clusters.members(cluster).len();
        urls >= min_urls && urls as f64 > HUB_SHARE * self.pages.len() as f64
    }

    /// One pair for each page, in crawl order. Canonical pages and pages without a duplicate
    /// are their own target.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'c>> + '_ {
        self.pages.iter().enumerate().map(|(index, page)| {
            let cluster = self.clusters.of(index);
            Pair {
                source: &page.url,
                target: self.canonical(cluster),
                cluster,
                singleton: self.clusters.members(cluster).len() == 1,
            }
        })
    }
}

/// A training set as its site writes URLs: what methods learn from. Baselines learn nothing.
pub(crate) struct NormalizedSet<'c> {
    /// How the site writes its URLs.
    pub(crate) conventions: UrlConventions,
    /// The pages and clusters; none where they are those of the set.
    normalized: Option<(Vec<Page>, Clusters)>,
    set: &'c TrainingSet<'c>,
}

impl<'c> NormalizedSet<'c> {
    /// Learns how the site writes its URLs, and writes them so. Of pages whose URLs become one,
    /// the first is kept: a URL shows one page. Linear; a site that has one way of writing its
    /// URLs needs no memory. URLs that the settings except are left out: nothing is made of them.
    pub(crate) fn of(set: &'c TrainingSet<'c>, gate: &GateConfig) -> Self {
        let labels = || set.pages.iter().zip(set.clusters.labels());
        let overrides = Overrides::new(&gate.drop, &gate.exceptions);
        let urls = labels().filter(|(page, _)| !overrides.except(&page.url));
        let urls = urls.map(|(page, cluster)| (&*page.url, *cluster));
        let conventions = conventions::learn(urls, overrides.clone());
        if set
            .pages
            .iter()
            .all(|page| conventions.is_normalized(&page.url) && !overrides.except(&page.url))
        {
            return Self { conventions, normalized: None, set };
        }
        let mut seen = FxHashSet::default();
        let normalized = labels().filter(|(page, _)| !overrides.except(&page.url));
        let normalized = normalized.map(|(page, cluster)| {
            let url = conventions.normalize(&page.url).url.into();
            (Page { url, ..page.clone() }, *cluster)
        });
        let kept = normalized.filter(|(page, _)| seen.insert(xxh3_64(page.url.as_bytes())));
        let (pages, labels): (Vec<_>, Vec<_>) = kept.unzip();
        Self { conventions, normalized: Some((pages, Clusters::from_labels(labels))), set }
    }

    /// The set to learn from.
    pub(crate) fn set(&self) -> TrainingSet<'_> {
        match &self.normalized {
            Some((pages, clusters)) => TrainingSet::by(pages, clusters, &self.set.order),
            None => self.set.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use undust_testing::crawl;

    use super::*;

    #[test]
    fn every_page_has_one_pair_with_the_canonical_url_of_its_cluster() {
        let groups: [Vec<String>; 2] = [
            vec![
                "http://x.com/a/1/".into(),
                "http://x.com/a/1".into(),
                "http://x.com/a/0/b".into(),
            ],
            vec!["http://x.com/c".into()],
        ];
        let (pages, clusters) = crawl(&groups);
        let set = TrainingSet::new(&pages, &clusters);
        let pairs: Vec<_> = set.pairs().map(|p| (p.source, p.target, p.singleton)).collect();
        assert_eq!(
            pairs,
            [
                ("http://x.com/a/1/", "http://x.com/a/1", false),
                ("http://x.com/a/1", "http://x.com/a/1", false),
                ("http://x.com/a/0/b", "http://x.com/a/1", false),
                ("http://x.com/c", "http://x.com/c", true),
            ]
        );
    }
}
