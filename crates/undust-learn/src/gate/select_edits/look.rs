//! A look at what changes would do.

use undust_edits::edit_evidence::EditEvidence;

use super::Round;
use super::law::EffectiveSample;
use super::shape_change::ShapeChange;
use crate::gate::forms::{Move, MoveEffect};

/// What changes would do, seen once.
pub(super) struct Look {
    pub moves: Vec<Move>,
    pub effect: MoveEffect,
    pub evidence: EditEvidence,
    pub sample: EffectiveSample,
}

impl Round<'_> {
    /// What changes would do now.
    pub(super) fn look(&self, changes: &[ShapeChange]) -> Look {
        let mut moves = self.moves(changes);
        let effect = self.accepted.effect(&mut moves);
        let sample = EffectiveSample::of(moves.iter().zip(&effect.tags));
        let evidence = EditEvidence {
            pages: sample.pages,
            collisions: sample.collisions,
            ..EditEvidence::from(&effect)
        };
        Look { moves, effect, evidence, sample }
    }
}
