//! What a candidate would change.

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::Edit;
use undust_edits::program::{Cell, Program, TextSource};
use undust_edits::scope::{Scope, lies_in, scopes};
use undust_url::lexicon::Lexicon;
use undust_util::op_counter;

use super::Round;
use super::candidate::CandidateKey;
use super::law::count_pages;
use crate::gate::forms::{Move, MoveEffect};

/// What an edit would make of a shape.
#[derive(Clone)]
pub(super) struct ShapeChange {
    pub shape: u32,
    pub program: Program,
}

/// A candidate that is worth it, and what it does.
pub(super) struct AcceptedCandidate {
    pub edit: AcceptedEdit,
    pub moves: Vec<Move>,
    pub changes: Vec<ShapeChange>,
}

/// What changes would do, seen once.
#[derive(Debug, Default)]
pub(super) struct Look {
    pub moves: Vec<Move>,
    /// With the pages that are its evidence.
    pub effect: MoveEffect,
    /// Of these, the URLs of pages that a word names.
    pub named: u32,
}

impl Round<'_> {
    /// What changes would do now.
    pub(super) fn look(&self, changes: &[ShapeChange]) -> Look {
        let mut moves = self.moves(changes);
        let mut effect = self.accepted.forms.effect(&mut moves);
        let named = count_pages(&mut effect.counts, moves.iter());
        Look { moves, effect, named }
    }

    /// What a candidate's scope asks for, by what it changes there; where that is nothing, of no program.
    pub(super) fn scope(&self, key: CandidateKey, changes: &[ShapeChange]) -> Scope {
        let candidate = self.candidates.get(key);
        let edit = self.evidence.edit(candidate.edit);
        let program = changes.first().map_or(&[][..], |change| self.before(change));
        match candidate.context_feature {
            Some(word) => Scope::of_word(edit, word, program),
            None => Scope::of(edit, candidate.level, program),
        }
    }

    /// What a change is made of.
    pub(super) fn before(&self, change: &ShapeChange) -> &[Cell] {
        self.accepted.program(change.shape)
    }

    /// The scopes of a level in which changes by an edit lie, in their order.
    pub(super) fn scopes_of(&self, edit: &Edit, changes: &[ShapeChange], level: usize) -> Vec<u64> {
        changes.iter().map(|change| scopes(edit, self.before(change))[level]).collect()
    }

    /// What a candidate makes of the shapes that it changes.
    pub(super) fn changes(&self, key: CandidateKey) -> Vec<ShapeChange> {
        let candidate = self.candidates.get(key);
        op_counter::count(candidate.shapes.len());
        let edit = self.evidence.edit(candidate.edit);
        let change = |shape: &u32| {
            let program = self.accepted.program(*shape);
            let edited = edit.apply(program)?;
            // One that was changed since it was listed may have left the scope.
            let lies_in = !self.candidates.is_changed(*shape)
                || lies_in(edit, program, &scopes(edit, program), candidate.level, candidate.scope);
            lies_in.then_some(ShapeChange { shape: *shape, program: edited })
        };
        candidate.shapes.iter().filter_map(change).collect()
    }

    pub(super) fn moves(&self, changes: &[ShapeChange]) -> Vec<Move> {
        let urls = |change: &ShapeChange| self.evidence.urls(change.shape).len();
        let mut moves = Vec::with_capacity(changes.iter().map(urls).sum());
        for (tag, change) in (0..).zip(changes) {
            let lost = lost(self.before(change), &change.program);
            for url in self.evidence.urls(change.shape) {
                moves.push(Move {
                    to: self.evidence.form(*url, &change.program),
                    from: self.accepted.form(*url),
                    cluster: self.evidence.cluster(*url),
                    tag,
                    is_named: self.evidence.is_named(*url),
                    dropped: (!lost.is_empty()).then(|| self.evidence.form(*url, &lost)),
                    ..Move::default()
                });
            }
        }
        moves
    }
}

/// What a program does not keep of the one before it, without delimiters: two URLs that lose the same, one behind a `;`
/// and one behind a `&`, say nothing of what they lose.
fn lost(before: &[Cell], after: &[Cell]) -> Program {
    let kept = after.iter().fold(0_u64, |kept, cell| kept | place(cell));
    let is_lost = |cell: &&Cell| place(cell) & !kept != 0 && !Lexicon::is_delimiter(cell.symbol);
    before.iter().filter(is_lost).copied().collect()
}

/// The bit of the piece of a URL that a cell copies. An edit changes no URL of more than
/// [`MOST_PIECES`](undust_edits::program::MOST_PIECES).
fn place(cell: &Cell) -> u64 {
    match cell.text {
        TextSource::Source(place) => 1_u64.checked_shl(place.into()).unwrap_or_default(),
        TextSource::Literal(_) => 0,
    }
}
