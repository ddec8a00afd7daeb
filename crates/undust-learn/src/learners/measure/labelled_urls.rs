//! The URLs by which rules are measured.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;

/// The URLs by which rules are measured, and the cluster of each.
#[derive(Debug, Default)]
pub(crate) struct LabelledUrls<'u> {
    pub(super) urls: Vec<&'u str>,
    pub(super) clusters: Vec<u32>,
    /// By cluster: how many of these URLs it has.
    pub(super) sizes: Vec<u32>,
    /// By hash of the URL: its place.
    pub(super) places: FxHashMap<u64, u32>,
}

impl<'u> LabelledUrls<'u> {
    /// The pages of all clusters but those that `is_left_out` marks, by cluster. Linear.
    pub(crate) fn new(pages: &'u [Page], clusters: &Clusters, is_left_out: &[bool]) -> Self {
        let sizes = vec![0; clusters.len()];
        let mut urls = LabelledUrls { sizes, ..LabelledUrls::default() };
        for (page, &cluster) in pages.iter().zip(clusters.labels()) {
            if is_left_out.get(cluster as usize) == Some(&true) {
                continue;
            }
            let place = urls.urls.len() as u32;
            urls.places.insert(xxh3_64(page.url.as_bytes()), place);
            urls.urls.push(&page.url);
            urls.clusters.push(cluster);
            urls.sizes[cluster as usize] += 1;
        }
        urls
    }

    /// URLs whose pages are unknown: as if all showed one page.
    pub(crate) fn unlabelled(urls: Vec<&'u str>) -> Self {
        let places = (0..).zip(&urls).map(|(place, url)| (xxh3_64(url.as_bytes()), place));
        let (places, sizes) = (places.collect(), vec![urls.len() as u32]);
        LabelledUrls { clusters: vec![0; urls.len()], urls, sizes, places }
    }

    /// Number of URLs.
    pub(super) fn len(&self) -> usize {
        self.urls.len()
    }

    /// Whether another of them shows the same page.
    pub(super) fn has_duplicate(&self, url: u32) -> bool {
        self.sizes[self.clusters[url as usize] as usize] > 1
    }
}
