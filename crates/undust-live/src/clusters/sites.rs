//! What training takes from a state, and what the state remembers of it.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_cluster::clusters::{ClusterOptions, Clusters, cluster};
use undust_pages::page::Page;
use undust_url::site::{SiteBy, group_by_site};
use undust_util::error::Result;

use super::LiveClusters;
use super::fault::{DAMAGED, Stored};
use super::guard::guarded;
use super::snapshot::LivePages;
use super::write::host;

/// A site of a state.
#[derive(Debug)]
pub struct LiveSite {
    /// Its name.
    pub name: String,
    /// Its pages, in the order in which their URLs were first met.
    pub pages: Vec<Page>,
    /// Their duplicate clusters: the groups, as far as they are of this site.
    pub clusters: Clusters,
    /// Times that a page of the site has entered, left or changed a group since the state was made.
    pub changes: u64,
    /// What was remembered of its last training.
    pub trained: Option<Trained>,
}

/// What a state remembers of the training of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trained {
    /// [`LiveSite::changes`] at that time.
    pub changes: u64,
    /// Pages at that time.
    pub pages: usize,
    /// What it was trained by: method and settings, as text.
    pub by: String,
}

impl LiveSite {
    /// The share of its pages whose group has changed since the last training; 1 or more if most
    /// have, or if there was no training. A page that changed twice counts twice.
    pub fn changed_share(&self) -> f64 {
        match &self.trained {
            Some(trained) => {
                let changes = self.changes.saturating_sub(trained.changes);
                changes as f64 / trained.pages.max(1) as f64
            }
            None => 1.0,
        }
    }
}

impl LiveClusters {
    /// The sites of the state, in the order of their first pages, and how many pages are of none.
    /// Linear in the pages.
    ///
    /// # Errors
    ///
    /// A store that cannot be read.
    pub fn sites(&self, by: SiteBy) -> Result<(Vec<LiveSite>, usize)> {
        let LivePages { pages, groups, .. } = self.pages()?;
        let options = self.options().clusters;
        let count = pages.len();
        let pages: Vec<(Page, u32)> = pages.into_iter().zip(groups).collect();
        let by_site = group_by_site(pages, by, |(page, _)| &page.url);
        let spread = spread(&by_site);
        let site = |(name, pages): (String, Vec<(Page, u32)>)| -> Stored<LiveSite> {
            let (changes, trained) = self.store.memory(&name, &hosts(&name, &pages, by))?;
            let (pages, groups): (Vec<Page>, Vec<u32>) = pages.into_iter().unzip();
            let clusters = of_site(&pages, &groups, &spread, &options);
            let trained = trained.map(|text| serde_json::from_str(&text).map_err(|_| DAMAGED));
            Ok(LiveSite { name, pages, clusters, changes, trained: trained.transpose()? })
        };
        let sites: Vec<LiveSite> =
            guarded(&self.store.path, || by_site.into_iter().map(site).collect())?;
        let urls_without_site = count - sites.iter().map(|site| site.pages.len()).sum::<usize>();
        Ok((sites, urls_without_site))
    }

    /// Remembers the training of sites.
    ///
    /// # Errors
    ///
    /// A store that cannot be written.
    pub fn remember(&mut self, sites: &[(String, Trained)]) -> Result<()> {
        self.change(|update| {
            for (name, trained) in sites {
                let text = serde_json::to_string(trained).map_err(|_| DAMAGED)?;
                update.tables.trained.insert(name.as_str(), text.as_str())?;
            }
            Ok(())
        })
    }
}

/// The groups that have pages of several sites.
fn spread(by_site: &[(String, Vec<(Page, u32)>)]) -> FxHashMap<u32, bool> {
    let mut sites_of: FxHashMap<u32, (usize, bool)> = FxHashMap::default();
    for (site, (_, pages)) in by_site.iter().enumerate() {
        for (_, group) in pages {
            let (first, is_spread) = sites_of.entry(*group).or_insert((site, false));
            *is_spread |= *first != site;
        }
    }
    let is_spread = |(group, (_, is_spread))| (group, is_spread);
    sites_of.into_iter().map(is_spread).filter(|(_, is_spread)| *is_spread).collect()
}

/// The clusters of a site. Pages that only the page of another site joins are no cluster of this
/// one: a group over several sites is clustered anew, each site for itself.
fn of_site(
    pages: &[Page],
    groups: &[u32],
    spread: &FxHashMap<u32, bool>,
    options: &ClusterOptions,
) -> Clusters {
    let is_spread = |group: &u32| spread.contains_key(group);
    let shared = pages.iter().zip(groups).filter(|(_, group)| is_spread(group));
    let shared: Vec<Page> = shared.map(|(page, _)| page.clone()).collect();
    let parts = cluster(&shared, options);
    let mut part = parts.labels().iter();
    Clusters::from_labels(groups.iter().map(|group| {
        if is_spread(group) { (true, part.next().copied().unwrap_or(0)) } else { (false, *group) }
    }))
}

/// The hosts of a site.
fn hosts(name: &str, pages: &[(Page, u32)], by: SiteBy) -> Vec<String> {
    if by == SiteBy::Host {
        return vec![name.to_owned()];
    }
    let mut hosts: Vec<String> = pages.iter().map(|(page, _)| host(&page.url)).collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}
