//! A site within its memory: what was fetched is kept, evidence gives way.

use std::mem;

use rustc_hash::FxHashSet;

use super::SiteEngine;
use crate::engine::memory::{table, table_of};

/// Parts of the memory of a site, each as a divisor of what may be forgotten.
const EVIDENCE: usize = 3;
const URLS: usize = 5;
const FINGERPRINTS: usize = 5;
const UNDECIDED: usize = 20;

/// Bytes that a fetched page takes of what is never forgotten, about. What the tables really take depends on when the
/// process began, and what is forgotten must not.
const BYTES_OF_PAGE: usize = 96;

/// Bytes that a model takes, about.
const BYTES_OF_MODEL: usize = 60_000;

impl SiteEngine {
    /// Bytes of memory that the site takes.
    pub(in crate::engine) fn memory(&self) -> usize {
        size_of::<Self>()
            + self.pages.memory()
            + self.labels.memory()
            + self.found.memory()
            + self.evidence.memory()
            + self.ban.memory()
            + usize::from(self.hypotheses.accepted.is_some()) * BYTES_OF_MODEL
            + self.spent.memory()
            + table(&self.ends)
            + self.undecided()
            + table_of::<u64>(self.fetches.len())
    }

    /// Bytes that what may be forgotten takes at most: half of the memory of all sites, and less where what was fetched,
    /// which is never forgotten, needs more than a quarter.
    fn forgettable(&self) -> usize {
        let memory = self.options.memory;
        let kept = self.pages.len() * BYTES_OF_PAGE;
        (memory / 4 * 3).saturating_sub(kept).clamp(memory / 32, memory / 2)
    }

    /// Bytes that the evidence may take.
    pub(super) fn evidence_share(&self) -> usize {
        self.forgettable() / EVIDENCE
    }

    /// Of what the journal has and what has not come back.
    fn undecided(&self) -> usize {
        table(&self.pending) + self.redirects.memory()
    }

    /// Forgets what says least until the rest takes no more than [`Self::forgettable`]. The URLs that were fetched and the
    /// forms of the model stay.
    pub(super) fn keep_within(&mut self) {
        let most = self.forgettable();
        self.pages.keep_within(most / URLS);
        self.labels.keep_within(most / FINGERPRINTS);
        self.evidence.keep_within(most / EVIDENCE);
        self.ban.keep_within(most / UNDECIDED);
        self.spent.keep_within(most / UNDECIDED);
    }

    /// Notes that a URL is fetched; forgets the others if they take too much.
    pub(super) fn note_fetch(&mut self, key: u64) {
        if table_of::<u64>(self.fetches.len()) > self.forgettable() / UNDECIDED {
            self.fetches = FxHashSet::default();
        }
        self.fetches.insert(key);
    }

    /// Forgets what has not come back, as if it had failed, if it takes too much.
    pub(super) fn forget_undecided(&mut self) {
        if self.undecided() <= self.forgettable() / UNDECIDED {
            return;
        }
        let pending = mem::take(&mut self.pending).into_values();
        let redirects = mem::take(&mut self.redirects).into_pending();
        pending.map(Some).chain(redirects).for_each(|pending| self.forget(pending));
    }
}
