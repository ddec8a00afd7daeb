//! A look at what changes would do.

use super::Round;
use super::law::count_pages;
use super::shape_change::ShapeChange;
use crate::gate::forms::{Move, MoveEffect};

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
        let mut effect = self.accepted.effect(&mut moves);
        let named = count_pages(&mut effect.counts, moves.iter());
        Look { moves, effect, named }
    }
}
