//! The rates of loss of candidates as a whole, to which those of narrower ones are shrunk; counted as
//! seldom as may be.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use undust_model::edit_evidence::EditEvidence;

use super::candidate::CandidateKey;

/// As many URLs as one in so many of a scope may have changed, anywhere, before its rate is counted anew.
const STALE: usize = 16;

/// Places and titles of which an edit brings pages apart into one form.
pub(super) type TitleConflicts = FxHashSet<(u64, u64)>;

/// What was found out of candidates.
#[derive(Default)]
pub(super) struct Rates {
    of: FxHashMap<CandidateKey, CountedRate>,
    /// Candidates that are not worth it, as long as nothing changes.
    hopeless: FxHashSet<CandidateKey>,
    /// By the candidate as wide as may be: the places and titles in which it merges pages; with the URLs
    /// that were counted, and those that had been changed until then.
    apart: FxHashMap<CandidateKey, (Arc<TitleConflicts>, usize, usize)>,
    /// Whether something has changed since the last round began.
    pub(super) is_stale: bool,
    /// URLs that accepted edits have changed, each as often as one did.
    changed: usize,
}

/// The rate of a candidate, when it was counted.
#[derive(Clone, Copy, Default)]
pub(super) struct CountedRate {
    pub rate: f64,
    pub evidence: EditEvidence,
    /// Forms that the tested URLs get.
    pub new_forms: u32,
    /// URLs that were counted, or shapes that were looked at, if these were more.
    pub urls: usize,
    /// URLs that had been changed until then, anywhere.
    pub changed: usize,
}

impl Rates {
    /// A round begins. What nothing has changed since is still known: the last round of some kinds of
    /// edits accepts none, and the first of more kinds asks the same again.
    pub(super) fn begin(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            self.of.clear();
            self.hopeless.clear();
        }
    }

    /// So many URLs are changed.
    pub(super) fn note_changed(&mut self, urls: usize) {
        self.changed += urls;
        self.is_stale = true;
    }

    /// A candidate as a whole was counted.
    pub(super) fn note(&mut self, key: CandidateKey, counted: CountedRate) {
        self.of.insert(key, CountedRate { changed: self.changed, ..counted });
    }

    /// Where a candidate merges pages, if few URLs have changed since that was counted.
    pub(super) fn apart(&self, key: CandidateKey) -> Option<Arc<TitleConflicts>> {
        let (apart, urls, changed) = self.apart.get(&key)?;
        ((self.changed - changed) * STALE <= *urls).then(|| Arc::clone(apart))
    }

    /// Where a candidate merges pages, counted over so many URLs.
    pub(super) fn note_apart(
        &mut self,
        key: CandidateKey,
        apart: TitleConflicts,
        urls: usize,
    ) -> Arc<TitleConflicts> {
        let apart = Arc::new(apart);
        self.apart.insert(key, (Arc::clone(&apart), urls, self.changed));
        apart
    }

    /// A candidate is not worth it.
    pub(super) fn give_up(&mut self, key: CandidateKey) {
        if !self.is_stale {
            self.hopeless.insert(key);
        }
    }

    /// Whether a candidate was not worth it, and nothing has changed since.
    pub(super) fn is_hopeless(&self, key: CandidateKey) -> bool {
        !self.is_stale && self.hopeless.contains(&key)
    }

    /// What is known of a candidate, if few URLs have changed since, for as many as it has. So what is
    /// spent on counting it anew is in proportion to what changes.
    pub(super) fn of(&self, key: CandidateKey) -> Option<CountedRate> {
        let counted = self.of.get(&key);
        counted.copied().filter(|one| (self.changed - one.changed) * STALE <= one.urls)
    }

    #[cfg(test)]
    pub(super) fn note_of(&mut self, key: CandidateKey, evidence: EditEvidence, rate: f64) {
        self.note(key, CountedRate { rate, evidence, urls: 1, ..CountedRate::default() });
    }

    #[cfg(test)]
    pub(super) fn forget_rates(&mut self) {
        self.of.clear();
    }
}
