//! The URLs of a crawl that show a page which another URL shows, and by what they differ from it.
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | `printed` | the URLs of a page → the one that is printed for it, which answers |
//! | `difference` | two URLs of a page → what an owner would call their difference |
//! | `causes` | differences → causes, the one of most URLs first |
//! | `advice` | a cause → what to do about it |
//! | `conflicts` | what pages name as their canonical URL → where content disagrees |
//!
//! Nothing here is learned: all of it was seen in the crawl.

mod advice;
mod causes;
mod conflicts;
pub(crate) mod difference;
mod printed;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use undust_cluster::clusters::Clusters;
use undust_pages::Page;

use self::causes::{Causes, Seen};
use self::difference::{Difference, difference, place};
use self::printed::Named;
use crate::answers::Answers;
use crate::report::Site;
use crate::rows::{ClusterRow, PageRow};
use crate::text::kept;
use crate::titles::Titles;

/// A URL that shows a page which another URL shows.
struct Duplicate<'u> {
    /// Its place among the pages.
    at: u32,
    /// How it differs from the URL of the page that is nearest to it; none where it redirects.
    difference: Option<Difference<'u>>,
}

impl<'u> Duplicate<'u> {
    /// The names of the arguments by which it differs.
    fn arguments(&self) -> &[&'u str] {
        match &self.difference {
            Some(Difference::Arguments(names)) => names,
            _ => &[],
        }
    }

    /// The place of the segment by which it differs.
    fn segment(&self) -> Option<&str> {
        match &self.difference {
            Some(Difference::Segment(_, place)) => Some(place),
            _ => None,
        }
    }
}

impl Site {
    /// Adds what the crawl itself shows: how many URLs show how many pages, why, and which URL stands for each page.
    /// Linear in the URLs, but for sorting.
    pub fn add_duplicates(
        &mut self,
        pages: &[Page],
        clusters: &Clusters,
        answers: &Answers,
        titles: &Titles,
    ) {
        let named = Named::of(pages, clusters, answers);
        let mut printed = vec![0; clusters.len()];
        let mut duplicates = Vec::new();
        let mut rows: Vec<(PageRow, &[u32])> = Vec::new();
        for members in clusters.iter() {
            let (own, why) = named.printed(pages, members);
            printed[clusters.of(own as usize) as usize] = own;
            if members.len() < 2 {
                continue;
            }
            duplicates.extend(differences(pages, members, own));
            let page = &pages[own as usize];
            let row = PageRow {
                page: kept(&page.url),
                why: why.name().to_owned(),
                title: titles.get(page.title),
                urls: members.len(),
            };
            rows.push((row, members));
        }
        rows.sort_by_key(|(row, members)| (Reverse(row.urls), members[0]));
        let seen = Seen { pages, clusters, printed: &printed, answers, titles };
        let causes = Causes::of(&duplicates, &seen);
        let cause_of = causes.names();
        for (row, members) in &rows {
            for at in *members {
                let page = &pages[*at as usize];
                self.clusters.push(ClusterRow {
                    page: row.page.clone(),
                    url: kept(&page.url),
                    cause: cause_of.get(at).map(|name| (*name).to_owned()),
                    redirects: page.is_redirect,
                    canonical: answers.named(&page.url).map(kept),
                });
            }
        }
        self.urls = Some(pages.len());
        self.distinct_pages = Some(clusters.len());
        self.pages = rows.into_iter().map(|(row, _)| row).collect();
        self.conflicts = conflicts::conflicts(pages, clusters, answers, &named, &printed);
        self.causes = causes.rows(&seen);
    }
}

/// The members of a cluster but the one that is printed for it, each with the URL that is nearest
/// to it: the first that differs by arguments alone, else the printed one.
fn differences<'u>(pages: &'u [Page], members: &[u32], own: u32) -> Vec<Duplicate<'u>> {
    let url = |at: u32| -> &'u str { &pages[at as usize].url };
    let mut nearest: FxHashMap<&str, u32> = FxHashMap::default();
    let rank = |at: u32| (at != own, pages[at as usize].is_redirect, url(at).len(), url(at));
    for at in members.iter().copied() {
        let known = nearest.entry(place(url(at))).or_insert(at);
        if rank(at) < rank(*known) {
            *known = at;
        }
    }
    let duplicate = |at: u32| {
        let near = nearest.get(place(url(at))).copied().filter(|near| *near != at);
        let is_redirect = pages[at as usize].is_redirect;
        let difference = (!is_redirect).then(|| difference(url(at), url(near.unwrap_or(own))));
        Duplicate { at, difference }
    };
    members.iter().copied().filter(|at| *at != own).map(duplicate).collect()
}
