//! The rates of loss of candidates as a whole, towards which those of narrower ones are shrunk; counted
//! as seldom as possible.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use undust_model::edit_evidence::EditEvidence;

use super::candidate::CandidateKey;

/// A rate is counted again when more URLs have changed, anywhere, than one in so many of its scope.
const STALE: usize = 16;

/// Places and titles: an edit gives different pages of this title in this place one form.
pub(super) type TitleConflicts = FxHashSet<(u64, u64)>;

/// What is known of candidates.
#[derive(Default)]
pub(super) struct Rates {
    of: FxHashMap<CandidateKey, CountedRate>,
    /// Candidates that are not worth it, as long as nothing changes.
    hopeless: FxHashSet<CandidateKey>,
    /// By the candidate of the widest scope.
    title_conflicts: FxHashMap<CandidateKey, CountedConflicts>,
    /// Whether something has changed since the last round began.
    pub(super) is_stale: bool,
    /// URLs that accepted edits have changed, each as often as one did.
    changed: usize,
}

/// The title conflicts of a candidate, when they were counted.
struct CountedConflicts {
    conflicts: Arc<TitleConflicts>,
    /// URLs that were counted.
    urls: usize,
    /// URLs that had been changed until then, anywhere.
    changed: usize,
}

/// The rate of a candidate, when it was counted.
#[derive(Clone, Copy, Default)]
pub(super) struct CountedRate {
    pub rate: f64,
    pub evidence: EditEvidence,
    /// Forms that the tested URLs get.
    pub new_forms: u32,
    pub witnesses: u32,
    /// The rate of the next wider scope.
    pub above: f64,
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

    /// Notes that so many URLs were changed.
    pub(super) fn note_changed(&mut self, urls: usize) {
        self.changed += urls;
        self.is_stale = true;
    }

    /// Notes what was counted of a candidate as a whole.
    pub(super) fn note(&mut self, key: CandidateKey, counted: CountedRate) {
        self.of.insert(key, CountedRate { changed: self.changed, ..counted });
    }

    /// The title conflicts of a candidate, if few URLs have changed since they were counted.
    pub(super) fn title_conflicts(&self, key: CandidateKey) -> Option<Arc<TitleConflicts>> {
        let CountedConflicts { conflicts, urls, changed } = self.title_conflicts.get(&key)?;
        ((self.changed - changed) * STALE <= *urls).then(|| Arc::clone(conflicts))
    }

    /// Notes the title conflicts of a candidate, counted over so many URLs.
    pub(super) fn note_title_conflicts(
        &mut self,
        key: CandidateKey,
        conflicts: TitleConflicts,
        urls: usize,
    ) -> Arc<TitleConflicts> {
        let conflicts = Arc::new(conflicts);
        let counted =
            CountedConflicts { conflicts: Arc::clone(&conflicts), urls, changed: self.changed };
        self.title_conflicts.insert(key, counted);
        conflicts
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
    pub(super) fn note_of(&mut self, key: CandidateKey, evidence: EditEvidence, rate: f64) {
        self.note(key, CountedRate { rate, evidence, urls: 1, ..CountedRate::default() });
    }

    #[cfg(test)]
    pub(super) fn forget_rates(&mut self) {
        self.of.clear();
    }
}
