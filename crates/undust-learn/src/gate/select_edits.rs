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
mod doubt;
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
mod second_pass;
mod shape_change;
mod shrinkage;
#[cfg(test)]
mod tests;
pub(super) mod values;
mod verdict;

use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use undust_edits::program::MOST_PIECES;
use undust_edits::scope::{CONTEXT_LEVEL, context_scopes, scopes};
use undust_util::op_counter;

use self::candidate::{Candidate, CandidateKey};
use self::candidate_test::TestMode;
pub(crate) use self::gate::Gate;
pub(crate) use self::limits::{LossLimits, RATE};
pub use self::named_pages::named_urls;
pub(crate) use self::named_pages::titles;
use self::queued_candidate::QueuedCandidate;
use self::shape_change::AcceptedCandidate;
use self::verdict::CandidateVerdict;

/// URLs that are noted of an edit, to explain it by the first of those that it changes in the end.
const EXAMPLES: usize = 16;

/// Candidates after which progress is reported to the observer.
const LOOK: usize = 64;

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
        let mut queue = BinaryHeap::new();
        for (done, key) in keys.iter().enumerate() {
            if !self.goes_on("testing edits", done, keys.len()) {
                return;
            }
            self.enqueue(*key, &mut queue);
        }
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

    /// Reports some candidates to the observer, not each; whether to go on.
    fn goes_on(&self, what: &'static str, done: usize, of: usize) -> bool {
        if !done.is_multiple_of(LOOK) {
            return true;
        }
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
        if self.as_wide_as(key).is_some() || self.rates.is_hopeless(key) {
            return;
        }
        if let Some(accepted) = self.test(key, TestMode::Alone).accepted() {
            let gain = accepted.edit.evidence.gain(self.limits.loss_cost);
            let Candidate { level, edit, .. } = self.candidates[&key];
            let size = self.proposals.edit(edit).size();
            queue.push(QueuedCandidate { gain, level, size, key, epoch: self.epoch });
        } else {
            self.rates.give_up(key);
        }
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
