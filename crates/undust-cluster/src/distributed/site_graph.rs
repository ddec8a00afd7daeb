//! The URLs of a site and what connects them become its duplicate clusters.

use rustc_hash::{FxHashMap, FxHashSet};

use undust_pages::pages::{DropReason, Step, redirect_end};

use crate::clusters::Clusters;
use crate::groups::UnionFind;

/// What a URL shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node<'t> {
    /// A page that can be compared with others.
    Page,
    /// A redirect to the first of these URLs that the crawl has. They are given by their hashes.
    Redirect(&'t [u64]),
    /// Nothing that counts.
    Nothing,
}

/// The cluster of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterOf {
    /// Hash of the URL of the page.
    pub url: u64,
    /// Clusters are numbered from 0, in the order of their first pages.
    pub cluster: u32,
    /// Pages of the cluster.
    pub size: u32,
}

/// Takes the URLs of a site, and of others to which its redirects lead, then the links between its pages. Memory: some 50 bytes a URL.
#[derive(Debug, Default)]
pub struct SiteGraph {
    ids: FxHashMap<u64, u32>,
    kinds: Vec<Kind>,
    targets: Vec<u64>,
    /// Set once all URLs are known.
    connected: Option<Connected>,
}

#[derive(Debug, Clone, Copy)]
struct Kind {
    /// A page of the site itself is in a cluster; others only show what pages of the site lead to.
    is_own: bool,
    outcome: Outcome,
}

#[derive(Debug, Clone, Copy)]
enum Outcome {
    Page,
    Redirect { from: u32, count: u8 },
    Nothing,
}

#[derive(Debug)]
struct Connected {
    sets: UnionFind,
    /// The end of each URL that is a page of the site.
    ends: Vec<Option<u32>>,
}

impl SiteGraph {
    /// Takes the next URL, in the order of the crawl, by its hash. What comes after the first [link](Self::link) is
    /// ignored, and so is a hash that is known.
    pub fn push(&mut self, url: u64, is_own: bool, node: Node<'_>) {
        let id = self.kinds.len() as u32;
        if self.connected.is_some() || *self.ids.entry(url).or_insert(id) != id {
            return;
        }
        let outcome = match node {
            Node::Page => Outcome::Page,
            Node::Nothing => Outcome::Nothing,
            Node::Redirect(targets) => {
                let from = self.targets.len() as u32;
                self.targets.extend(targets);
                Outcome::Redirect { from, count: targets.len() as u8 }
            }
        };
        self.kinds.push(Kind { is_own, outcome });
    }

    /// The pages of other sites to which pages of the site lead, once all URLs are there. No other page of another
    /// site may meet those of the site: two pages that are near it need not be near each other.
    pub fn ends_elsewhere(&mut self) -> Vec<u64> {
        self.connect();
        let Some(Connected { ends, .. }) = &self.connected else { return Vec::new() };
        let is_own = |id: u32| self.kinds[id as usize].is_own;
        let elsewhere: FxHashSet<u32> =
            ends.iter().copied().flatten().filter(|&end| !is_own(end)).collect();
        let of = |(&url, id): (&u64, &u32)| elsewhere.contains(id).then_some(url);
        let mut urls: Vec<u64> = self.ids.iter().filter_map(of).collect();
        urls.sort_unstable();
        urls
    }

    /// Takes two URLs whose pages are the same, after all URLs.
    pub fn link(&mut self, a: u64, b: u64) {
        self.connect();
        let (Some(&a), Some(&b)) = (self.ids.get(&a), self.ids.get(&b)) else { return };
        if let Some(Connected { sets, .. }) = &mut self.connected {
            sets.union(a, b);
        }
    }

    /// The cluster of each page, in the order of the crawl.
    pub fn finish(mut self) -> Vec<ClusterOf> {
        self.connect();
        let Some(Connected { mut sets, ends, .. }) = self.connected.take() else {
            return Vec::new();
        };
        let mut urls = vec![0; self.kinds.len()];
        self.ids.iter().for_each(|(&url, &id)| urls[id as usize] = url);
        drop(self.ids);
        let pages: Vec<(u64, u32)> = (urls.into_iter().zip(ends))
            .filter_map(|(url, end)| Some((url, sets.root(end?))))
            .collect();
        let clusters = Clusters::from_labels(pages.iter().map(|&(_, root)| root));
        let of = |(&(url, _), &cluster): (&(u64, u32), &u32)| ClusterOf {
            url,
            cluster,
            size: clusters.members(cluster).len() as u32,
        };
        pages.iter().zip(clusters.labels()).map(of).collect()
    }

    /// Follows the redirects, once.
    fn connect(&mut self) {
        if self.connected.is_some() {
            return;
        }
        let is_own = |id: &u32| self.kinds[*id as usize].is_own;
        let end = |id: u32| Some(id).filter(is_own).and_then(|id| self.page_of(id).ok());
        let ends = (0..self.kinds.len() as u32).map(end).collect();
        self.connected = Some(Connected { sets: UnionFind::new(self.kinds.len()), ends });
    }

    /// The page at which the redirects of a URL end.
    fn page_of(&self, id: u32) -> Result<u32, DropReason> {
        let end = redirect_end(id, |id| match self.kinds[id as usize].outcome {
            Outcome::Redirect { from, count } => {
                let targets = &self.targets[from as usize..][..usize::from(count)];
                Step::To(targets.iter().find_map(|url| self.ids.get(url)).copied())
            }
            Outcome::Page | Outcome::Nothing => Step::End,
        })?;
        match self.kinds[end as usize].outcome {
            Outcome::Page => Ok(end),
            Outcome::Redirect { .. } | Outcome::Nothing => Err(DropReason::NotOk),
        }
    }
}
