//! Candidates: an edit in a scope, and the shapes that it may change there.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use undust_edits::program::MOST_PIECES;
use undust_edits::scope::{CONTEXT_LEVEL, ContextFeature, Width, context_scopes, scopes};
use undust_util::op_counter;

use super::accepted_edits::AcceptedEdits;
use super::evidence::Evidence;
use crate::ordered::Ordered;

/// The number of an edit, and that of a scope.
pub(super) type CandidateKey = (u32, u64);

/// An edit in a scope.
pub(super) struct Candidate {
    pub edit: u32,
    pub level: usize,
    pub scope: u64,
    pub context_feature: Option<ContextFeature>,
    /// The candidate of the next wider scope.
    pub above: Option<CandidateKey>,
    /// The shapes that it may change, ascending.
    pub shapes: Vec<u32>,
}

/// A candidate in the queue: the most gain first, then the widest, then what asks for least, then the first
/// proposed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueuedCandidate {
    pub gain: Ordered,
    pub width: Width,
    /// Pieces that the edit asks for and writes, and which candidate it is.
    pub rest: Reverse<(usize, CandidateKey)>,
    pub epoch: u32,
}

/// All candidates of a round.
pub(super) struct Candidates {
    of: FxHashMap<CandidateKey, Candidate>,
    /// By shape: whether it was changed since it was listed first.
    is_changed: Vec<bool>,
    /// The largest kind of edits that is tested.
    kind: usize,
}

impl Candidates {
    /// The candidates of all shapes, whose edits are of a kind up to this one.
    pub(super) fn of_all(evidence: &Evidence, accepted: &AcceptedEdits, kind: usize) -> Self {
        let is_changed = vec![false; evidence.rows.shapes.len()];
        let mut all = Self { of: FxHashMap::default(), is_changed, kind };
        for (shape, _) in (0..).zip(&evidence.rows.shapes) {
            all.enlist(evidence, accepted, shape);
        }
        all
    }

    /// Notes that shapes were changed, and lists the candidates that would change them now.
    pub(super) fn relist(&mut self, evidence: &Evidence, accepted: &AcceptedEdits, shapes: &[u32]) {
        for shape in shapes {
            self.is_changed[*shape as usize] = true;
            self.enlist(evidence, accepted, *shape);
        }
    }

    /// A candidate by its key.
    pub(super) fn get(&self, key: CandidateKey) -> &Candidate {
        &self.of[&key]
    }

    /// The candidates, each with its key, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (CandidateKey, &Candidate)> {
        self.of.iter().map(|(key, candidate)| (*key, candidate))
    }

    /// Whether a shape was changed since it was listed first.
    pub(super) fn is_changed(&self, shape: u32) -> bool {
        self.is_changed[shape as usize]
    }

    /// The next wider scope, if it holds no other shapes.
    pub(super) fn as_wide_as(&self, key: CandidateKey) -> Option<CandidateKey> {
        let candidate = self.get(key);
        candidate.above.filter(|above| self.get(*above).shapes == candidate.shapes)
    }

    /// Puts a shape on the lists of the candidates that would change it.
    fn enlist(&mut self, evidence: &Evidence, accepted: &AcceptedEdits, shape: u32) {
        let program = accepted.program(shape);
        if program.len() > MOST_PIECES {
            return;
        }
        let proposed = evidence.proposals.of(program);
        op_counter::count(program.len() + proposed.len());
        for edit in proposed {
            let known = evidence.edit(edit);
            if known.kind() > self.kind || known.apply(program).is_none() {
                continue;
            }
            let scopes = scopes(known, program);
            let mut above = None;
            for (level, scope) in scopes.into_iter().enumerate() {
                if above != Some((edit, scope)) {
                    self.add(shape, (edit, scope), level, None, above);
                    above = Some((edit, scope));
                }
            }
            let widest = Some((edit, scopes[0]));
            for (word, scope) in context_scopes(known, program) {
                self.add(shape, (edit, scope), CONTEXT_LEVEL, Some(word), widest);
            }
        }
    }

    /// Puts a shape on the list of a candidate, which may be new.
    fn add(
        &mut self,
        shape: u32,
        (edit, scope): CandidateKey,
        level: usize,
        context_feature: Option<ContextFeature>,
        above: Option<CandidateKey>,
    ) {
        let shapes = Vec::new();
        let new = Candidate { edit, level, scope, context_feature, above, shapes };
        let candidate = self.of.entry((edit, scope)).or_insert(new);
        if candidate.shapes.last().is_none_or(|last| *last < shape) {
            candidate.shapes.push(shape);
        } else if let Err(place) = candidate.shapes.binary_search(&shape) {
            candidate.shapes.insert(place, shape);
        }
    }
}
