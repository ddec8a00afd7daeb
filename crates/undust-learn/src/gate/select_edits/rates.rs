//! The rates of loss of candidates as a whole, to which those of narrower ones are shrunk; counted as
//! seldom as may be.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use undust_model::evidence::{Evidence, UNKNOWN};

use super::effective_sample_size::witnesses;
use super::judge::By;
use super::title_conflicts::Apart;
use super::{Gate, Key};

/// As many URLs as one in so many of a scope may have changed, anywhere, before its rate is counted anew.
const STALE: usize = 16;

/// What was found out of candidates.
#[derive(Default)]
pub(super) struct Rates {
    of: FxHashMap<Key, Counted>,
    /// Candidates that are not worth it, as long as nothing changes.
    hopeless: FxHashSet<Key>,
    /// By the candidate as wide as may be: the places and titles in which it merges pages; with the URLs
    /// that were counted, and those that had been changed until then.
    apart: FxHashMap<Key, (Arc<Apart>, usize, usize)>,
    /// Whether something has changed since the last round began.
    is_stale: bool,
    /// URLs that accepted edits have changed, each as often as one did.
    changed: usize,
}

/// The rate of a candidate, when it was counted.
#[derive(Clone, Copy, Default)]
struct Counted {
    rate: f64,
    evidence: Evidence,
    /// Forms that the tested URLs get.
    new_forms: u32,
    /// URLs that were counted, or shapes that were looked at, if these were more.
    urls: usize,
    /// URLs that had been changed until then, anywhere.
    changed: usize,
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
    fn note(&mut self, key: Key, counted: Counted) {
        self.of.insert(key, Counted { changed: self.changed, ..counted });
    }

    /// Where a candidate merges pages, if few URLs have changed since that was counted.
    pub(super) fn apart(&self, key: Key) -> Option<Arc<Apart>> {
        let (apart, urls, changed) = self.apart.get(&key)?;
        ((self.changed - changed) * STALE <= *urls).then(|| Arc::clone(apart))
    }

    /// Where a candidate merges pages, counted over so many URLs.
    pub(super) fn note_apart(&mut self, key: Key, apart: Apart, urls: usize) -> Arc<Apart> {
        let apart = Arc::new(apart);
        self.apart.insert(key, (Arc::clone(&apart), urls, self.changed));
        apart
    }

    /// A candidate is not worth it.
    pub(super) fn give_up(&mut self, key: Key) {
        if !self.is_stale {
            self.hopeless.insert(key);
        }
    }

    /// Whether a candidate was not worth it, and nothing has changed since.
    pub(super) fn is_hopeless(&self, key: Key) -> bool {
        !self.is_stale && self.hopeless.contains(&key)
    }

    /// What is known of a candidate, if few URLs have changed since, for as many as it has. So what is
    /// spent on counting it anew is in proportion to what changes.
    fn of(&self, key: Key) -> Option<Counted> {
        let counted = self.of.get(&key);
        counted.copied().filter(|one| (self.changed - one.changed) * STALE <= one.urls)
    }

    #[cfg(test)]
    pub(super) fn note_of(&mut self, key: Key, evidence: Evidence, rate: f64) {
        self.note(key, Counted { rate, evidence, urls: 1, ..Counted::default() });
    }

    #[cfg(test)]
    pub(super) fn forget_rates(&mut self) {
        self.of.clear();
    }
}

impl Gate<'_> {
    /// The rate of the next wider scope, as a whole. It is counted anew when enough has changed: were it
    /// counted at every edit that is accepted, each would have all URLs counted.
    pub(super) fn rate_above(&mut self, key: Key) -> f64 {
        let Some(above) = self.candidates[&key].above else { return UNKNOWN };
        self.rate(above)
    }

    /// The rate of a scope as a whole. One that holds all shapes of the next wider one has the same URLs
    /// as that, which are not counted again. Once an edit is accepted, a scope may list shapes that have
    /// left it.
    pub(super) fn rate(&mut self, key: Key) -> f64 {
        if let Some(known) = self.rates.of(key) {
            return known.rate;
        }
        if !self.rates.is_stale
            && let Some(wider) = self.as_wide_as(key)
        {
            let above = self.rate(wider);
            if let Some(known) = self.rates.of(wider) {
                let rate = self.shrunk((key, above), &known.evidence, known.new_forms);
                self.rates.note(key, Counted { rate, ..known });
                return rate;
            }
        }
        self.judge(key, By::Itself);
        self.rates.of(key).map_or(UNKNOWN, |known| known.rate)
    }

    /// Notes what is known of a scope as a whole: of so many URLs that it changes, those tested get so many forms.
    pub(super) fn note_rate(
        &mut self,
        key: Key,
        (evidence, rate): (Evidence, f64),
        (urls, new_forms): (usize, u32),
    ) {
        let urls = urls.max(self.candidates[&key].shapes.len());
        let counted = Counted { rate, evidence, new_forms, urls, changed: 0 };
        self.rates.note(key, counted);
    }

    /// The share of lost URLs of a candidate whose tested URLs get so many forms, shrunk towards that of the next
    /// wider scope, `above`, by as many witnesses as there are.
    pub(super) fn shrunk(
        &self,
        (key, above): (Key, f64),
        evidence: &Evidence,
        new_forms: u32,
    ) -> f64 {
        let wider = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let fails = wider.is_some_and(|wider| wider.evidence.is_contradicted());
        evidence.rate_by(above, witnesses(evidence.tested, new_forms, fails))
    }

    /// The rate that is told of a candidate. Of a wider scope that mixes pages few are lost, and yet it
    /// says nothing good of the narrower one: nothing is known of its like.
    pub(super) fn described_rate(&self, key: Key, (evidence, rate): (&Evidence, f64)) -> f64 {
        let above = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let limit = self.limits.collision_rate;
        let mixes = above.is_some_and(|above| above.evidence.collision_rate(limit) > limit);
        if mixes { rate.max(evidence.rate(UNKNOWN)) } else { rate }
    }

    /// The next wider scope, if it holds no other shapes.
    pub(super) fn as_wide_as(&self, key: Key) -> Option<Key> {
        let candidate = &self.candidates[&key];
        candidate.above.filter(|above| self.candidates[above].shapes == candidate.shapes)
    }
}
