//! Answers, verified when they are given, and the repair of groups in which they turn out wrong
//! (Zhu et al., section 4).

use rustc_hash::FxHashMap;

use undust_cluster::clusters::cluster;
use undust_pages::page::Page;
use undust_util::error::Result;

use super::LiveClusters;
use super::fault::{DAMAGED, Stored};
use super::record::{Content, GroupPlace};
use super::same::is_same;
use super::update::Update;

/// A group is taken apart from this share of pages on that are not the same as the canonical URL.
const MISMATCHES: f64 = 0.1;

/// What the state says of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveAnswer {
    /// Its group.
    pub group: u32,
    /// URLs in the group.
    pub size: u32,
    /// The URL that stands for the group.
    pub canonical: Box<str>,
    /// What the URL is to the canonical URL.
    pub verdict: UrlVerdict,
    /// Whether the group was taken apart for this answer.
    pub repaired: bool,
}

/// What a URL is to the canonical URL of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlVerdict {
    /// It is the canonical URL.
    Canonical,
    /// It shows the same page as the canonical URL now: it can be passed over.
    Duplicate,
    /// It is in the group, but does not show the same page as the canonical URL now.
    Differs,
}

impl LiveClusters {
    /// The group of a URL, and whether it shows the canonical URL's page now. None for a URL that the state
    /// does not know, or that is no page. A group whose pages no longer agree is
    /// repaired, which takes one look at all of it.
    ///
    /// # Errors
    ///
    /// A store that cannot be read or written.
    pub fn query(&mut self, url: &str) -> Result<Option<LiveAnswer>> {
        let (answer, is_loose) = self.look(|update| {
            let Some(answer) = update.answer(url)? else { return Ok((None, false)) };
            let is_loose = update.stored_group(answer.group)?.is_loose;
            Ok((Some(answer), is_loose))
        })?;
        match answer {
            Some(answer) if answer.verdict == UrlVerdict::Differs && is_loose => {
                self.change(|update| {
                    let repaired = update.repair(answer.group, MISMATCHES)?;
                    update.write(&[])?;
                    Ok(update.answer(url)?.map(|answer| LiveAnswer { repaired, ..answer }))
                })
            }
            answer => Ok(answer),
        }
    }

    /// Looks at every group in which pages have changed, or that pages have left, and takes those
    /// apart that do not hold together any more. Returns how many. Linear in the pages of these
    /// groups.
    ///
    /// # Errors
    ///
    /// A store that cannot be read or written.
    pub fn repair(&mut self) -> Result<u64> {
        self.change(|update| {
            let mut repaired = 0;
            for group in update.loose()? {
                repaired += u64::from(update.repair(group, 0.0)?);
            }
            update.write(&[])?;
            Ok(repaired)
        })
    }
}

impl Update<'_> {
    fn answer(&mut self, url: &str) -> Stored<Option<LiveAnswer>> {
        let Some(number) = self.page_at(url)? else { return Ok(None) };
        let Ok(GroupPlace { end, group }) = self.row(number)?.page.place else { return Ok(None) };
        let record = self.stored_group(group)?;
        let canonical = &self.row(record.canonical)?.page;
        let (url, canonical_end) =
            (canonical.url.clone(), canonical.place.map_err(|_| DAMAGED)?.end);
        let content = Content::of(&self.row(end)?.page.outcome).ok_or(DAMAGED)?;
        let options = self.meta.options.clusters;
        let verdict = if number == record.canonical {
            UrlVerdict::Canonical
        } else if end == canonical_end || is_same(content, record.signature, &options) {
            UrlVerdict::Duplicate
        } else {
            UrlVerdict::Differs
        };
        let answer =
            LiveAnswer { group, size: record.size, canonical: url, verdict, repaired: false };
        Ok(Some(answer))
    }

    /// Takes a group apart if more than this share of its pages differs from the canonical URL: into its
    /// connected components. That of the canonical URL keeps the id. Returns whether it fell apart.
    fn repair(&mut self, group: u32, mismatches: f64) -> Stored<bool> {
        let record = self.stored_group(group)?;
        let members = self.members(group)?;
        let mut ends = Vec::new();
        for &number in &members {
            let row = self.row(number)?;
            if let (Some(content), Ok(_)) = (Content::of(&row.page.outcome), row.page.place) {
                ends.push((number, content));
            }
        }
        let options = self.meta.options.clusters;
        let differ =
            ends.iter().filter(|(_, content)| !is_same(*content, record.signature, &options));
        let differ = differ.count();
        if differ > 0 && differ as f64 <= mismatches * ends.len() as f64 {
            return Ok(false);
        }
        self.group(group)?.is_verified = true;
        if differ == 0 {
            return Ok(false);
        }
        let pages: Vec<Page> = ends.iter().map(|&(end, content)| content.page(end)).collect();
        let parts = cluster(&pages, &options);
        if parts.len() < 2 {
            return Ok(false);
        }
        let labels: FxHashMap<u32, u32> =
            ends.iter().zip(parts.labels()).map(|((end, _), label)| (*end, *label)).collect();
        self.part(group, record.canonical, &members, &labels)?;
        Ok(true)
    }

    /// Gives each part of a group but the canonical URL's an id of its own.
    fn part(
        &mut self,
        group: u32,
        canonical: u32,
        members: &[u32],
        labels: &FxHashMap<u32, u32>,
    ) -> Stored<()> {
        let end = self.row(canonical)?.page.place.map_err(|_| DAMAGED)?.end;
        let mut groups = FxHashMap::from_iter([(*labels.get(&end).ok_or(DAMAGED)?, group)]);
        for &number in members {
            let Ok(GroupPlace { end, .. }) = self.row(number)?.page.place else { continue };
            let label = *labels.get(&end).ok_or(DAMAGED)?;
            let group = match groups.get(&label) {
                Some(group) => *group,
                None => {
                    let group = self.new_group()?;
                    groups.insert(label, group);
                    group
                }
            };
            self.row(number)?.page.place = Ok(GroupPlace { end, group });
        }
        Ok(())
    }
}
