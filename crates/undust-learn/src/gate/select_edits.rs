//! The gate's loop: from identity, accept the edit and scope that save most, as long as too few
//! pages are lost by it.
//!
//! Every candidate is tested against what is accepted already, and is applied to what that made
//! of the URLs: rules in a row, each learned on the forms that the rules before it left (Brill's
//! transformation-based learning). Where a scope as a whole holds and a part of it does not, the
//! part is an exception.

mod accepted_edits;
mod candidate;
mod candidate_test;
mod evidence;
mod exceptions;
mod family;
mod gate;
pub(crate) mod law;
mod limits;
mod named_pages;
mod rare_values;
mod rates;
mod refused;
mod risk_class;
mod second_pass;
mod shape_change;
#[cfg(test)]
mod tests;
pub(super) mod values;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use undust_edits::scope::width;

use self::accepted_edits::AcceptedEdits;
use self::candidate::{Candidate, CandidateKey, Candidates, QueuedCandidate};
use self::candidate_test::TestMode;
pub(crate) use self::evidence::Evidence;
pub(crate) use self::gate::Gate;
use self::law::LEAST_FORMS;
pub(crate) use self::limits::{LossLimits, RATE};
pub use self::named_pages::named_urls;
pub(crate) use self::named_pages::titles;
use self::rates::{CountedRate, Rates};
use self::shape_change::AcceptedCandidate;
use crate::gate::forms::MoveEffect;
use crate::observer::Observer;
use crate::ordered::Ordered;

/// Candidates after which progress is reported to the observer.
const LOOK: usize = 64;

/// Candidates that threads share at a time.
const BATCH: usize = 1024;

/// What a first look says of a candidate: what it is worth, if it holds, and the rate of its scope. It has no moves, of
/// which many candidates at once would have many.
type FirstLook = (Option<f64>, CountedRate);

/// One run through the queue of all candidates.
struct Round<'r> {
    evidence: &'r Evidence,
    accepted: &'r mut AcceptedEdits,
    rates: &'r mut Rates,
    observer: &'r dyn Observer,
    candidates: Candidates,
    /// Of the candidates that hold anywhere, if they have others.
    families: FxHashMap<CandidateKey, MoveEffect>,
    /// Edits that were accepted in this round: what was queued before the last of them is tested again.
    epoch: u32,
}

impl<'r> Round<'r> {
    /// Lists the candidates of all shapes, whose edits are of a kind up to this one.
    fn new(
        evidence: &'r Evidence,
        accepted: &'r mut AcceptedEdits,
        rates: &'r mut Rates,
        observer: &'r dyn Observer,
        kind: usize,
    ) -> Self {
        rates.begin();
        let candidates = Candidates::of_all(evidence, accepted, kind);
        let families = FxHashMap::default();
        let round = Self { evidence, accepted, rates, observer, candidates, families, epoch: 0 };
        Self { families: round.families(), ..round }
    }

    /// Accepts what is worth it, and whether anything was.
    fn run(&mut self) -> bool {
        let mut keys: Vec<(usize, CandidateKey)> =
            self.candidates.iter().map(|(key, candidate)| (candidate.level, key)).collect();
        keys.sort_unstable();
        let Some(mut queue) = self.enqueue_all(&keys) else { return false };
        for done in 0.. {
            let Some(queued) = queue.pop() else { break };
            let all = done + 1 + queue.len();
            if done.is_multiple_of(LOOK) && !self.report("accepting edits", done, all) {
                break;
            }
            let Reverse((_, key)) = queued.rest;
            if queued.epoch < self.epoch {
                if self.can_hold(key) {
                    self.enqueue(key, self.first_look(key), &mut queue);
                }
            } else if let Ok(accepted) = self.test(key, TestMode::Served).verdict {
                self.accept(*accepted);
            }
        }
        self.epoch > 0
    }

    /// Tests candidates, ordered by level, and queues those that hold. Those of one level ask only what is known of
    /// wider ones, so threads share them. None where the observer interrupts.
    fn enqueue_all(
        &mut self,
        keys: &[(usize, CandidateKey)],
    ) -> Option<BinaryHeap<QueuedCandidate>> {
        let mut queue = BinaryHeap::new();
        let (mut done, mut left) = (0, keys);
        while let Some((level, _)) = left.first() {
            if !self.report("testing edits", done, keys.len()) {
                return None;
            }
            let batch = &left[..left.len().min(BATCH)];
            let count = batch.partition_point(|(of, _)| of == level);
            let (batch, rest) = left.split_at(count);
            let keys = batch.iter().map(|(_, key)| *key);
            let keys: Vec<CandidateKey> = keys.filter(|key| self.can_hold(*key)).collect();
            let looks: Vec<FirstLook> = keys.par_iter().map(|key| self.first_look(*key)).collect();
            keys.into_iter().zip(looks).for_each(|(key, look)| self.enqueue(key, look, &mut queue));
            (done, left) = (done + count, rest);
        }
        Some(queue)
    }

    /// Whether a candidate must be tested, and not refused whatever a test says; what is above it is counted then.
    fn can_hold(&mut self, key: CandidateKey) -> bool {
        let can_hold = self.has_urls(key, LEAST_FORMS as usize)
            && self.candidates.as_wide_as(key).is_none()
            && !self.rates.is_hopeless(key);
        if can_hold {
            self.count_above(key);
        }
        can_hold
    }

    /// Whether a candidate may change so many URLs.
    fn has_urls(&self, key: CandidateKey, least: usize) -> bool {
        let mut urls = 0;
        self.candidates.get(key).shapes.iter().any(|shape| {
            urls += self.evidence.urls(*shape).len();
            urls >= least
        })
    }

    /// Reports to the observer; whether to go on.
    fn report(&self, what: &'static str, done: usize, of: usize) -> bool {
        self.observer.progress(what, done, of);
        !self.observer.interrupted()
    }

    fn first_look(&self, key: CandidateKey) -> FirstLook {
        let tested = self.tested(key, TestMode::Alone);
        let loss_cost = self.evidence.limits.loss_cost;
        let gain = tested.verdict.ok().map(|one| one.edit.evidence.gain(loss_cost));
        (gain, tested.whole)
    }

    /// Queues a candidate by its first look, if it holds.
    fn enqueue(
        &mut self,
        key: CandidateKey,
        (gain, counted): FirstLook,
        queue: &mut BinaryHeap<QueuedCandidate>,
    ) {
        self.rates.note(key, counted);
        let Some(gain) = gain else { return self.rates.give_up(key) };
        let Candidate { level, edit, .. } = *self.candidates.get(key);
        let rest = Reverse((self.evidence.edit(edit).size(), key));
        let (gain, width) = (Ordered(gain), width(level));
        queue.push(QueuedCandidate { gain, width, rest, epoch: self.epoch });
    }

    fn accept(&mut self, candidate: AcceptedCandidate) {
        let shapes: Vec<u32> = candidate.changes.iter().map(|change| change.shape).collect();
        self.epoch += 1;
        self.accepted.accept(self.evidence, candidate);
        self.rates.note_changed(shapes.iter().map(|shape| self.evidence.urls(*shape).len()).sum());
        self.candidates.relist(self.evidence, self.accepted, &shapes);
    }
}
