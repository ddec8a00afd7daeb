//! Candidates: an edit in a scope, and the shapes that it may change there.

use std::borrow::Cow;
use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use undust_edits::edit::Edit;
use undust_edits::program::{Cell, MOST_PIECES};
use undust_edits::scope::{CONTEXT_LEVEL, ContextFeature, Width, context_scopes, scopes};
use undust_util::op_counter;

use super::accepted_edits::AcceptedEdits;
use super::evidence::Evidence;
use super::law::LEAST_FORMS;
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

/// Shapes of an edit whose places are in memory while it is listed. Those of others are read twice.
const MOST_KNOWN: usize = 4096;

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
    /// The candidates of all shapes, whose edits are of a kind up to this one. Of those below the widest scopes only
    /// those that may hold: a URL with many arguments lies in hundreds of scopes, most of which have no other URL.
    pub(super) fn of_all(evidence: &Evidence, accepted: &AcceptedEdits, kind: usize) -> Self {
        let is_changed = vec![false; evidence.rows.shapes.len()];
        let mut all = Self { of: FxHashMap::default(), is_changed, kind };
        let mut shapes: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (shape, _) in (0..).zip(&evidence.rows.shapes) {
            for edit in all.edits_of(evidence, accepted.program(shape)) {
                shapes.entry(edit).or_default().push(shape);
            }
        }
        for (edit, shapes) in shapes {
            all.enlist(evidence, accepted, edit, &shapes);
        }
        all
    }

    /// Notes that shapes were changed, and lists them where they would be changed now. Candidates that would be new are
    /// left to the next round.
    pub(super) fn relist(&mut self, evidence: &Evidence, accepted: &AcceptedEdits, shapes: &[u32]) {
        for shape in shapes {
            self.is_changed[*shape as usize] = true;
            let program = accepted.program(*shape);
            for edit in self.edits_of(evidence, program) {
                for place in places(evidence.edit(edit), program) {
                    if let Some(candidate) = self.of.get_mut(&(edit, place.scope)) {
                        candidate.add(*shape);
                    }
                }
            }
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

    /// The edits that would change a program.
    fn edits_of(&self, evidence: &Evidence, program: &[Cell]) -> Vec<u32> {
        if program.len() > MOST_PIECES {
            return Vec::new();
        }
        let mut edits = evidence.proposals.of(program);
        op_counter::count(program.len() + edits.len());
        edits.retain(|edit| {
            let edit = evidence.edit(*edit);
            edit.kind() <= self.kind && edit.apply(program).is_some()
        });
        edits
    }

    /// Lists an edit in the scopes of the shapes that it would change, ascending.
    fn enlist(
        &mut self,
        evidence: &Evidence,
        accepted: &AcceptedEdits,
        number: u32,
        shapes: &[u32],
    ) {
        let edit = evidence.edit(number);
        let places_of = |shape: &u32| places(edit, accepted.program(*shape));
        let known: Vec<Vec<Place>> = shapes.iter().take(MOST_KNOWN).map(places_of).collect();
        let each = || {
            let others = shapes.iter().skip(MOST_KNOWN);
            let known = known.iter().map(|places| Cow::Borrowed(places.as_slice()));
            shapes.iter().zip(known.chain(others.map(|shape| Cow::Owned(places_of(shape)))))
        };
        let urls_of = |shape: &u32| evidence.urls(*shape).len();
        let mut urls: FxHashMap<u64, usize> = FxHashMap::default();
        if shapes.iter().map(urls_of).sum::<usize>() >= LEAST_FORMS as usize {
            for (shape, places) in each() {
                for place in places.iter() {
                    *urls.entry(place.scope).or_default() += urls_of(shape);
                }
            }
        }
        for (shape, places) in each() {
            for &place in places.iter() {
                let Place { level, scope, context_feature, above } = place;
                let is_rare = urls.get(&scope).is_none_or(|urls| *urls < LEAST_FORMS as usize);
                if above.is_some_and(|above| is_rare || !self.of.contains_key(&(number, above))) {
                    continue;
                }
                let above = above.map(|above| (number, above));
                let shapes = Vec::new();
                let new = Candidate { edit: number, level, scope, context_feature, above, shapes };
                self.of.entry((number, scope)).or_insert(new).add(*shape);
            }
        }
    }
}

impl Candidate {
    /// Puts a shape on the list.
    fn add(&mut self, shape: u32) {
        if self.shapes.last().is_none_or(|last| *last < shape) {
            self.shapes.push(shape);
        } else if let Err(place) = self.shapes.binary_search(&shape) {
            self.shapes.insert(place, shape);
        }
    }
}

/// A scope in which an edit would change a program.
#[derive(Clone, Copy)]
struct Place {
    level: usize,
    scope: u64,
    context_feature: Option<ContextFeature>,
    /// The next wider scope.
    above: Option<u64>,
}

/// The scopes in which an edit would change a program, wider ones first.
fn places(edit: &Edit, program: &[Cell]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for (level, scope) in scopes(edit, program).into_iter().enumerate() {
        let above = places.last().map(|place| place.scope);
        if above != Some(scope) {
            places.push(Place { level, scope, context_feature: None, above });
        }
    }
    let widest = places.first().map(|place| place.scope);
    for (word, scope) in context_scopes(edit, program) {
        let context_feature = Some(word);
        places.push(Place { level: CONTEXT_LEVEL, scope, context_feature, above: widest });
    }
    places
}
