//! The figures of all sites together, kept up as they change.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard};

use super::putting_away::Away;
use crate::engine::audit::Audits;
use crate::engine::decision::SiteStats;
use crate::engine::lock::locked;
use crate::engine::site::SiteEngine;

/// What became of the URLs of all sites.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct LiveTotals {
    /// Sites from which a response came back.
    pub sites: u64,
    /// Pages fetched.
    pub fetched: u64,
    /// Distinct pages among them, in the current crawl.
    pub distinct: u64,
    /// URLs skipped.
    pub skipped: u64,
    /// URLs that were decided upon and have not come back.
    pub pending: u64,
    /// Times that a site was learned.
    pub learnings: u64,
    /// Learnings that failed.
    pub failed_learnings: u64,
    /// Sites that answer everything, or all of a folder, with one page at the moment.
    pub banned: u64,
    /// What audits showed.
    pub audits: Audits,
    /// Responses with status 200 that this process took and that have no content to compare.
    pub without_content: u64,
    /// Bytes of memory that the sites take, by what the tables of those hold that are not put away.
    pub memory: u64,
    /// At most this share of the skips lost a page, at all times at once with probability 0.95.
    pub lost_share_bound: f64,
}

impl LiveTotals {
    /// One more site, with these figures.
    pub(super) fn add(&mut self, site: &SiteStats, memory: u64) {
        self.sites += 1;
        self.memory += memory;
        self.change(&SiteStats::default(), site);
    }

    /// A site had these figures, and has those.
    fn change(&mut self, before: &SiteStats, after: &SiteStats) {
        let change = |sum: &mut u64, of: fn(&SiteStats) -> u64| {
            *sum = sum.wrapping_add(of(after)).wrapping_sub(of(before));
        };
        change(&mut self.fetched, |site| site.fetched);
        change(&mut self.distinct, |site| site.distinct);
        change(&mut self.skipped, |site| site.skipped);
        change(&mut self.pending, |site| site.pending);
        change(&mut self.learnings, |site| site.learnings.into());
        change(&mut self.failed_learnings, |site| site.failed_learnings.into());
        change(&mut self.banned, |site| site.banned.into());
        change(&mut self.audits.trials, |site| site.audits.trials);
        change(&mut self.audits.audited, |site| site.audits.audited);
        change(&mut self.audits.lost, |site| site.audits.lost);
    }
}

/// A site, unless it is put away.
pub(super) enum Slot {
    Here(Box<SiteEngine>),
    Away(Away),
}

/// A site that is locked; what it changes is in the totals afterwards.
pub(super) struct Watched<'s> {
    slot: MutexGuard<'s, Slot>,
    before: SiteStats,
    memory: usize,
    totals: &'s Mutex<LiveTotals>,
}

impl<'s> Watched<'s> {
    /// Of a site that is here.
    pub(super) fn new(slot: MutexGuard<'s, Slot>, totals: &'s Mutex<LiveTotals>) -> Self {
        let mut watched = Self { slot, before: SiteStats::default(), memory: 0, totals };
        (watched.before, watched.memory) = (watched.figures(), watched.memory());
        watched
    }
}

impl Deref for Watched<'_> {
    type Target = SiteEngine;

    fn deref(&self) -> &SiteEngine {
        match &*self.slot {
            Slot::Here(engine) => engine,
            Slot::Away(_) => unreachable!("it was woken"),
        }
    }
}

impl DerefMut for Watched<'_> {
    fn deref_mut(&mut self) -> &mut SiteEngine {
        match &mut *self.slot {
            Slot::Here(engine) => engine,
            Slot::Away(_) => unreachable!("it was woken"),
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let (after, memory) = (self.figures(), self.memory());
        let mut totals = locked(self.totals);
        totals.change(&self.before, &after);
        totals.memory = (totals.memory + memory as u64).saturating_sub(self.memory as u64);
    }
}
