//! What came back of fetches.

use rustc_hash::FxHashMap;

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;

/// Redirects that are followed in a row.
const MOST_HOPS: usize = 10;

/// What the URLs of a site answered.
#[derive(Debug)]
pub struct Fetched<'f> {
    pages: &'f [Page],
    clusters: &'f Clusters,
    by_url: FxHashMap<&'f str, Answer<'f>>,
}

#[derive(Debug, Clone, Copy)]
enum Answer<'f> {
    /// It shows the page of this cluster.
    Page(u32),
    Redirect(&'f str),
    Failed,
}

impl<'f> Fetched<'f> {
    /// Pages with their clusters, and all other answers: the URL, the HTTP status, and where a redirect leads.
    pub fn new(
        pages: &'f [Page],
        clusters: &'f Clusters,
        others: impl IntoIterator<Item = (&'f str, u16, Option<&'f str>)>,
    ) -> Self {
        let other = |(url, status, target): (&'f str, u16, Option<&'f str>)| match (status, target)
        {
            (300..400, Some(target)) => Some((url, Answer::Redirect(target))),
            (0 | 400.., _) => Some((url, Answer::Failed)),
            _ => None,
        };
        let mut by_url: FxHashMap<&str, Answer> = others.into_iter().filter_map(other).collect();
        let page =
            |(number, page): (usize, &'f Page)| (&*page.url, Answer::Page(clusters.of(number)));
        by_url.extend(pages.iter().enumerate().map(page));
        Self { pages, clusters, by_url }
    }

    /// The URLs that show a page, each with the cluster of the page, in the order in which they were fetched.
    pub(super) fn pages(&self) -> impl Iterator<Item = (&'f str, u32)> {
        let clusters = self.clusters;
        self.pages.iter().enumerate().map(|(number, page)| (&*page.url, clusters.of(number)))
    }

    /// Whether a URL shows the page of a cluster: no if its fetch failed, nothing if it was not fetched.
    pub(super) fn shows(&self, url: &str, cluster: u32) -> Option<bool> {
        let mut answer = self.by_url.get(url)?;
        for _ in 0..MOST_HOPS {
            match answer {
                Answer::Page(own) => return Some(*own == cluster),
                Answer::Failed => return Some(false),
                Answer::Redirect(target) => answer = self.by_url.get(target)?,
            }
        }
        // A circle of redirects shows no page.
        Some(false)
    }
}
