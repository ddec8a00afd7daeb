//! A look at what changes would do.

use undust_model::edit_evidence::EditEvidence;

use super::effective_sample_size::{new_forms, witnesses};
use super::evidence_threshold::EvidenceThreshold;
use super::gate::Gate;
use super::rates::TitleConflicts;
use super::shape_change::ShapeChange;
use crate::gate::forms::{Move, MoveEffect};

/// What changes would do, seen once.
pub(super) struct Look {
    pub moves: Vec<Move>,
    pub effect: MoveEffect,
    pub evidence: EditEvidence,
    /// Forms that the tested URLs get.
    pub new_forms: u32,
    /// Pages that witness it.
    pub witnesses: u32,
}

impl Look {
    /// Whether nothing is saved, or an edit was tested on too few forms.
    pub(super) fn has_too_little_evidence(&self, threshold: EvidenceThreshold) -> bool {
        self.effect.saved <= 0 || self.witnesses < threshold.pages.max(crate::gate::x::x("lw", 2.0) as u32) || self.effect.tested_forms < threshold.forms
    }
}

impl Gate<'_> {
    /// What changes would do now.
    pub(super) fn look(&self, changes: &[ShapeChange], conflicts: &TitleConflicts) -> Look {
        let mut moves = self.moves(changes);
        let mut effect = self.forms.effect(&mut moves);
        self.discount_title_conflicts(&mut effect, changes, &moves, conflicts);
        let witnesses = witnesses(&moves, &effect.tags);
        let evidence = EditEvidence { pages: witnesses, ..EditEvidence::from(&effect) };
        let new_forms = new_forms(&moves, &effect.tags);
        Look { moves, effect, evidence, new_forms, witnesses }
    }
}
