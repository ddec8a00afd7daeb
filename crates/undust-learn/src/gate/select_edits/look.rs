//! A look at what changes would do.

use undust_model::evidence::Evidence;

use super::change::Change;
use super::effective_sample_size::new_forms;
use super::evidence_threshold::Needed;
use super::gate::Gate;
use super::rates::Apart;
use crate::gate::forms::{Effect, Move};

/// What changes would do, seen once.
pub(super) struct Look {
    pub moves: Vec<Move>,
    pub effect: Effect,
    pub evidence: Evidence,
    /// Forms that the tested URLs get.
    pub new_forms: u32,
}

impl Look {
    /// Whether nothing is saved, or too few forms tell whether an edit holds.
    pub(super) fn tells_too_little(&self, needed: Needed) -> bool {
        self.effect.saved <= 0 || self.effect.tested_forms < needed.forms
    }
}

impl Gate<'_> {
    /// What changes would do now.
    pub(super) fn look(&self, changes: &[Change], apart: &Apart) -> Look {
        let mut moves = self.moves(changes);
        let mut effect = self.forms.effect(&mut moves);
        self.doubt(&mut effect, (changes, &moves), apart);
        let evidence = Evidence::from(&effect);
        let new_forms = new_forms(&moves, &effect.tags);
        Look { moves, effect, evidence, new_forms }
    }
}
