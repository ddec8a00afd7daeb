//! The rates of loss of candidates as a whole, towards which those of narrower ones are shrunk; counted
//! as seldom as possible.

use rustc_hash::{FxHashMap, FxHashSet};

use undust_edits::edit_evidence::EditEvidence;

use super::candidate::CandidateKey;

/// A rate is counted again when more URLs have changed, anywhere, than one in so many of its scope.
const STALE: usize = 16;

/// What is known of candidates.
#[derive(Default)]
pub(super) struct Rates {
    of: FxHashMap<CandidateKey, CountedRate>,
    /// Candidates that are not worth it, as long as nothing changes.
    hopeless: FxHashSet<CandidateKey>,
    /// Whether something has changed since the last round began.
    is_stale: bool,
    /// URLs that accepted edits have changed, each as often as one did.
    changed: usize,
}

/// The rate of a candidate, when it was counted.
#[derive(Clone, Copy, Default)]
pub(super) struct CountedRate {
    pub rate: f64,
    pub evidence: EditEvidence,
    /// The rate [outside](super::law::outside) its scope.
    pub outside: f64,
    /// URLs that were counted, or shapes that were looked at, if these were more.
    pub urls: usize,
    /// URLs that had been changed until then, anywhere.
    pub changed: usize,
}

impl Rates {
    /// Begins a round. If nothing has changed, everything is still known: the last round of some kinds of
    /// edits accepts none, and the first round of more kinds counts the same again.
    pub(super) fn begin(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            self.of.clear();
            self.hopeless.clear();
        }
    }

    /// Whether something has changed since the last round began.
    pub(super) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Notes that so many URLs were changed.
    pub(super) fn note_changed(&mut self, urls: usize) {
        self.changed += urls;
        self.is_stale = true;
    }

    /// Notes what was counted of a candidate as a whole.
    pub(super) fn note(&mut self, key: CandidateKey, counted: CountedRate) {
        self.of.insert(key, CountedRate { changed: self.changed, ..counted });
    }

    /// Notes that a candidate is not worth it.
    pub(super) fn give_up(&mut self, key: CandidateKey) {
        if !self.is_stale {
            self.hopeless.insert(key);
        }
    }

    /// Whether a candidate was not worth it, and nothing has changed since.
    pub(super) fn is_hopeless(&self, key: CandidateKey) -> bool {
        !self.is_stale && self.hopeless.contains(&key)
    }

    /// What is known of a candidate, if few URLs have changed since, in proportion to those that it has.
    /// So the cost of counting again is in proportion to the changes.
    pub(super) fn of(&self, key: CandidateKey) -> Option<CountedRate> {
        let counted = self.of.get(&key);
        counted.copied().filter(|one| (self.changed - one.changed) * STALE <= one.urls)
    }

    #[cfg(test)]
    pub(super) fn forget_rates(&mut self) {
        self.of.clear();
    }
}
