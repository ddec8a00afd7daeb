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
mod exceptions;
mod family;
mod gate;
pub(crate) mod law;
mod limits;
mod look;
mod named_pages;
mod queued_candidate;
mod rates;
mod refused;
mod risk_class;
mod second_pass;
mod shape_change;
mod shrinkage;
#[cfg(test)]
mod tests;
pub(super) mod values;
mod verdict;

use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use rayon::prelude::*;
use undust_edits::program::MOST_PIECES;
use undust_edits::scope::{CONTEXT_LEVEL, context_scopes, scopes};
use undust_util::op_counter;

use self::candidate::{Candidate, CandidateKey};
use self::candidate_test::{TestMode, Tested};
pub(crate) use self::gate::Gate;
use self::law::LEAST_FORMS;
pub(crate) use self::limits::{LossLimits, RATE};
pub use self::named_pages::named_urls;
pub(crate) use self::named_pages::titles;
use self::queued_candidate::QueuedCandidate;
use self::rates::CountedRate;
use self::shape_change::AcceptedCandidate;
use self::verdict::CandidateVerdict;

/// URLs that are noted of an edit, to explain it by the first of those that it changes in the end.
const EXAMPLES: usize = 16;

/// Candidates after which progress is reported to the observer.
const LOOK: usize = 64;

/// Candidates that threads share at a time.
const BATCH: usize = 1024;

/// What a first look says of a candidate.
struct TestedAlone {
    key: CandidateKey,
    /// What it is worth, if it holds.
    gain: Option<f64>,
    /// The rate of its scope, if that was counted.
    counted: Option<CountedRate>,
}

impl Gate<'_> {
    /// Accepts until nothing more is worth it.
    ///
    /// What merges no shapes comes first: dropped arguments, then replaced pieces, then several
    /// edits as one. An edit that needs less is not pre-empted by one that saves more at once.
    pub(crate) fn run(&mut self, kinds: RangeInclusive<usize>) {
        for kind in kinds {
            self.kinds = kind;
            loop {
                let before = self.accepted.edits.len();
                self.round();
                if self.accepted.edits.len() == before || self.observer.interrupted() {
                    break;
                }
            }
        }
    }

    /// One run through the queue of all candidates.
    fn round(&mut self) {
        if self.observer.interrupted() {
            return;
        }
        self.enlist_all();
        let mut keys: Vec<CandidateKey> = self.candidates.keys().copied().collect();
        keys.sort_unstable_by_key(|key| (self.candidates[key].level, *key));
        self.families = self.families(&keys);
        let Some(mut queue) = self.enqueue_all(&keys) else { return };
        for done in 0.. {
            let Some(queued) = queue.pop() else { break };
            if !self.goes_on("accepting edits", done, done + 1 + queue.len()) {
                return;
            }
            if queued.epoch < self.epoch {
                self.enqueue(queued.key, &mut queue);
                continue;
            }
            if let CandidateVerdict::Accepted(accepted) = self.test(queued.key, TestMode::Served) {
                self.accept(*accepted);
            }
        }
    }

    /// Tests candidates, ordered by level, and queues those that hold. Those of one level ask only what is known of
    /// wider ones, so threads share them. None where the observer interrupts.
    fn enqueue_all(&mut self, keys: &[CandidateKey]) -> Option<BinaryHeap<QueuedCandidate>> {
        let mut queue = BinaryHeap::new();
        let (mut done, mut left) = (0, keys);
        while let Some(first) = left.first() {
            if !self.report("testing edits", done, keys.len()) {
                return None;
            }
            let level = self.candidates[first].level;
            let is_of_level = |key: &&CandidateKey| self.candidates[*key].level == level;
            let count = left.iter().take(BATCH).take_while(is_of_level).count();
            let (batch, rest) = left.split_at(count);
            let of_batch = batch.iter();
            let untested: Vec<(CandidateKey, f64)> =
                of_batch.filter_map(|key| Some((*key, self.rate_above_if_tested(*key)?))).collect();
            let tested: Vec<TestedAlone> =
                untested.par_iter().map(|(key, above)| self.tested_alone(*key, *above)).collect();
            tested.into_iter().for_each(|tested| self.enqueue_tested(tested, &mut queue));
            (done, left) = (done + count, rest);
        }
        Some(queue)
    }

    /// The rate above a candidate that must be tested; none where it cannot be accepted, whatever a test says.
    fn rate_above_if_tested(&mut self, key: CandidateKey) -> Option<f64> {
        let can_hold = self.has_urls(key, LEAST_FORMS as usize)
            && self.as_wide_as(key).is_none()
            && !self.rates.is_hopeless(key);
        can_hold.then(|| self.rate_above(key))
    }

    /// Whether a candidate may change so many URLs.
    fn has_urls(&self, key: CandidateKey, least: usize) -> bool {
        let mut urls = 0;
        self.candidates[&key].shapes.iter().any(|shape| {
            urls += self.rows.shapes[*shape as usize].urls.len();
            urls >= least
        })
    }

    /// Reports some candidates to the observer, not each; whether to go on.
    fn goes_on(&self, what: &'static str, done: usize, of: usize) -> bool {
        !done.is_multiple_of(LOOK) || self.report(what, done, of)
    }

    /// Reports to the observer; whether to go on.
    fn report(&self, what: &'static str, done: usize, of: usize) -> bool {
        self.observer.progress(what, done, of);
        !self.observer.interrupted()
    }

    /// Begins anew with the candidates of all shapes.
    fn enlist_all(&mut self) {
        self.epoch += 1;
        self.candidates.clear();
        self.rates.begin();
        self.is_changed = vec![false; self.rows.shapes.len()];
        (0..self.rows.shapes.len() as u32).for_each(|shape| self.enlist(shape));
    }

    /// Puts a shape on the lists of the candidates that would change it.
    fn enlist(&mut self, shape: u32) {
        let program = &self.rows.shapes[shape as usize].program;
        if program.len() > MOST_PIECES {
            return;
        }
        let proposed = self.proposals.of(program);
        op_counter::count(program.len() + proposed.len());
        for edit in proposed {
            let known = self.proposals.edit(edit);
            if known.kind() > self.kinds || known.apply(program).is_none() {
                continue;
            }
            let scopes = scopes(known, program);
            let in_context = context_scopes(known, program);
            let mut add = |new: Candidate| {
                let candidate = self.candidates.entry((new.edit, new.scope)).or_insert(new);
                if candidate.shapes.last().is_none_or(|last| *last < shape) {
                    candidate.shapes.push(shape);
                } else if let Err(place) = candidate.shapes.binary_search(&shape) {
                    candidate.shapes.insert(place, shape);
                }
            };
            let mut above = None;
            for (level, scope) in scopes.into_iter().enumerate() {
                let key = (edit, scope);
                if above == Some(key) {
                    continue;
                }
                add(Candidate::of(key, level, None, above));
                above = Some(key);
            }
            for (word, scope) in in_context {
                let widest = Some((edit, scopes[0]));
                add(Candidate::of((edit, scope), CONTEXT_LEVEL, Some(word), widest));
            }
        }
    }

    fn enqueue(&mut self, key: CandidateKey, queue: &mut BinaryHeap<QueuedCandidate>) {
        if let Some(above) = self.rate_above_if_tested(key) {
            let tested = self.tested_alone(key, above);
            self.enqueue_tested(tested, queue);
        }
    }

    /// What a first look says. It holds no moves, of which many candidates at once would have many.
    fn tested_alone(&self, key: CandidateKey, above: f64) -> TestedAlone {
        let Tested { verdict, counted } = self.tested(key, TestMode::Alone, above);
        let gain = verdict.accepted().map(|one| one.edit.evidence.gain(self.limits.loss_cost));
        TestedAlone { key, gain, counted }
    }

    fn enqueue_tested(&mut self, tested: TestedAlone, queue: &mut BinaryHeap<QueuedCandidate>) {
        let TestedAlone { key, gain, counted } = tested;
        if let Some(counted) = counted {
            self.note_rate(key, counted);
        }
        let Some(gain) = gain else { return self.rates.give_up(key) };
        let Candidate { level, edit, .. } = self.candidates[&key];
        let size = self.proposals.edit(edit).size();
        queue.push(QueuedCandidate { gain, level, size, key, epoch: self.epoch });
    }

    fn accept(&mut self, candidate: AcceptedCandidate) {
        let AcceptedCandidate { edit: mut accepted, moves, changes } = candidate;
        self.epoch += 1;
        self.accepted.lost += accepted.evidence.lost as i32;
        self.forms.apply(&moves);
        let mut shapes = Vec::with_capacity(changes.len());
        for change in changes {
            self.is_changed[change.shape as usize] = true;
            let row = &mut self.rows.shapes[change.shape as usize];
            row.program = change.program;
            self.rates.note_changed(row.urls.len());
            let row = &self.rows.shapes[change.shape as usize];
            for url in &row.urls {
                self.form_of[*url as usize] = self.rows.form(*url, &row.program, &self.literals);
            }
            accepted.examples.extend(&row.urls);
            shapes.push(change.shape);
        }
        shapes.into_iter().for_each(|shape| self.enlist(shape));
        accepted.examples.sort_unstable();
        accepted.examples.truncate(EXAMPLES);
        self.accepted.push(accepted);
    }
}
