//! The rates of loss of candidates as a whole, to which those of narrower ones are shrunk; counted as
//! seldom as may be.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::doubt::Apart;
use super::judge::By;
use super::{Gate, Key};
use crate::edits::scope::LEVELS;
use crate::evidence::{Evidence, UNKNOWN};
use crate::gate::forms::{Move, Tag};

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
#[derive(Clone, Copy)]
struct Counted {
    rate: f64,
    evidence: Evidence,
    /// URLs that are tested, for each form that they get.
    urls_a_form: f64,
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
        self.note(key, Counted { rate, evidence, urls_a_form: 1.0, urls: 1, changed: 0 });
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
                let rate = known.evidence.rate(above);
                self.rates.note(key, Counted { rate, ..known });
                return rate;
            }
        }
        self.judge(key, By::Itself);
        self.rates.of(key).map_or(UNKNOWN, |known| known.rate)
    }

    /// Notes what is known of a scope as a whole, by what becomes of the URLs that it changes.
    pub(super) fn note_rate(
        &mut self,
        key: Key,
        (evidence, rate): (Evidence, f64),
        (moves, tags): (&[Move], &[Tag]),
    ) {
        let urls = moves.len().max(self.candidates[&key].shapes.len());
        let urls_a_form = f64::from(evidence.tested) / f64::from(new_forms(moves, tags).max(1));
        self.rates.note(key, Counted { rate, evidence, urls_a_form, urls, changed: 0 });
    }

    /// Whether nothing but the kinds of its arguments tells the scope of a candidate from a wider one in which
    /// too much is lost, and too few forms tell that it is unlike that: the numbers of one conference's talks may
    /// have a digit more than those of all meetings, whose URLs, however many, speak for as many as there are meetings.
    pub(super) fn may_be_chance(&self, key: Key, known: &Evidence) -> bool {
        let candidate = &self.candidates[&key];
        let above = candidate.above.filter(|_| candidate.level == LEVELS - 1);
        let above = above.and_then(|above| self.rates.of(above));
        above.is_some_and(|above| {
            known.rate_by_forms(above.rate, above.urls_a_form) > self.risk.rate
        })
    }

    /// The rate that is told of a candidate. Of a wider scope that mixes pages few are lost, and yet it
    /// says nothing good of the narrower one: nothing is known of its like.
    pub(super) fn told_rate(&self, key: Key, (evidence, rate): (&Evidence, f64)) -> f64 {
        let above = self.candidates[&key].above.and_then(|above| self.rates.of(above));
        let limit = self.risk.mixture;
        let mixes = above.is_some_and(|above| above.evidence.mixture(limit) > limit);
        if mixes { rate.max(evidence.rate(UNKNOWN)) } else { rate }
    }

    /// The next wider scope, if it holds no other shapes.
    pub(super) fn as_wide_as(&self, key: Key) -> Option<Key> {
        let candidate = &self.candidates[&key];
        candidate.above.filter(|above| self.candidates[above].shapes == candidate.shapes)
    }
}

/// How many forms tested URLs get.
fn new_forms(moves: &[Move], tags: &[Tag]) -> u32 {
    let tested = moves.iter().zip(tags).filter(|(_, tag)| tag.tested);
    // Moves are in the order of the forms.
    let mut last = None;
    tested.filter(|(one, _)| last.replace(one.to) != Some(one.to)).count() as u32
}
