//! An edit that the gate refused, and why.

use serde::{Deserialize, Serialize};

use super::edit::Edit;
use super::program::{Cell, Program};
use super::restriction::Restriction;
use super::scope::{Scope, scopes};
use crate::edit_evidence::EditEvidence;

/// An edit that the gate refused, where, and the evidence in the end.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedEdit {
    /// The edit.
    pub edit: Edit,
    /// Its scope. Only an edit that was taken back has one by a context feature.
    pub scope: Scope,
    /// The restriction of an edit that was taken back.
    pub only: Option<Restriction>,
    /// URLs that it would have changed; of an edit that was taken back, those that it was tested on.
    pub urls: usize,
    /// What it would have done to them.
    pub evidence: EditEvidence,
    /// Its rate of loss, shrunk.
    pub rate: f64,
    /// What was wrong with it.
    pub why: RefusalReason,
}

impl RefusedEdit {
    /// What it would make of a program, where it was proposed.
    pub(super) fn would_apply(&self, program: &[Cell]) -> Option<Program> {
        let Self { edit, scope, only, .. } = self;
        let edited = edit.apply(program)?;
        let holds = only.as_ref().is_none_or(|only| only.holds(edit, program))
            && scope.has(edit, program, &scopes(edit, program));
        holds.then_some(edited)
    }
}

/// Why an edit was refused: the first check that it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalReason {
    /// Too few of its URLs came to share a form with another, or too few such forms.
    #[error("it was tested on too few URLs or canonical URLs")]
    Untested,
    /// Too many of its pages would share a form with another.
    #[serde(alias = "collides")]
    #[error("too many pages would be lost")]
    Loses,
    /// It says that one value stands for another, and at least one URL speaks against it.
    #[error("there are pages that show that one value does not stand for the other")]
    Contradicted,
    /// It would save no fetch, or fewer than what it loses is worth.
    #[error("it saves less than it costs")]
    SavesNothing,
    /// All edits together would have lost more than `max_lost_share`.
    #[error("all edits together would lose more than max_lost_share")]
    LossLimit,
    /// It fails in some places, and without them it saves too little, or too few URLs test it.
    #[error("it fails in some places, and in the others it saves or proves too little")]
    InPart,
    /// It was accepted, and the crawl replayed with all that was lost too much by it.
    #[error("together with the other edits it loses too many pages")]
    Replay,
}
