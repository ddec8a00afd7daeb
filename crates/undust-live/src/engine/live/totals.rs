//! The figures of all sites together, kept up as they change.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard};

use super::lock::locked;
use crate::engine::audit::Audits;
use crate::engine::decision::SiteStats;
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
    /// At most this share of the skips lost a page, at all times at once with probability 0.95.
    pub lost_share_bound: f64,
}

impl LiveTotals {
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

/// A site that is locked; what it changes is in the totals afterwards.
pub(super) struct Watched<'s> {
    engine: MutexGuard<'s, SiteEngine>,
    before: SiteStats,
    totals: &'s Mutex<LiveTotals>,
}

impl<'s> Watched<'s> {
    pub(super) fn lock(engine: &'s Mutex<SiteEngine>, totals: &'s Mutex<LiveTotals>) -> Self {
        let engine = locked(engine);
        let before = engine.figures();
        Self { engine, before, totals }
    }
}

impl Deref for Watched<'_> {
    type Target = SiteEngine;

    fn deref(&self) -> &SiteEngine {
        &self.engine
    }
}

impl DerefMut for Watched<'_> {
    fn deref_mut(&mut self) -> &mut SiteEngine {
        &mut self.engine
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        locked(self.totals).change(&self.before, &self.engine.figures());
    }
}
