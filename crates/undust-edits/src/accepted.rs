//! An edit that the gate let pass.

use super::edit::Edit;
use super::program::{Cell, Program};
use super::restriction::Restriction;
use super::scope::{CONTEXT_LEVEL, Scope, Scopes, context_scopes, scopes};
use crate::edit_evidence::EditEvidence;

/// An edit that the gate lets pass, where, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedEdit {
    /// The edit.
    pub edit: Edit,
    /// Where.
    pub scope: Scope,
    /// Its restriction within the scope, if it was tested only there.
    pub only: Option<Restriction>,
    /// Narrower scopes in which it does not hold, ascending by their numbers.
    pub exceptions: Vec<Scope>,
    /// What it did to the training crawl.
    pub evidence: EditEvidence,
    /// Its rate of loss, shrunk.
    pub rate: f64,
    /// The first URLs that it changed, by their numbers.
    pub examples: Vec<u32>,
}

/// Why an edit leaves a program that it would change as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suppression {
    /// It loses pages there.
    Excepted,
    /// Nothing is known of it there.
    Unknown,
}

impl AcceptedEdit {
    /// The program that the edit makes of this one; `None` where the edit does not hold.
    pub fn apply(&self, program: &[Cell]) -> Option<Program> {
        self.meet(program)?.ok()
    }

    /// Why it does not change a program in its scope; none if the program is outside the scope, or
    /// is changed.
    pub fn suppression(&self, program: &[Cell]) -> Option<Suppression> {
        self.meet(program)?.err()
    }

    /// What becomes of a program that lies in its scope, or why nothing does.
    fn meet(&self, program: &[Cell]) -> Option<Result<Program, Suppression>> {
        let edited = self.edit.apply(program)?;
        let scopes = scopes(&self.edit, program);
        if !self.scope.has(&self.edit, program, &scopes) {
            return None;
        }
        let is_known = || self.only.as_ref().is_none_or(|only| only.holds(&self.edit, program));
        Some(if self.is_excepted(program, &scopes) {
            Err(Suppression::Excepted)
        } else if !is_known() {
            Err(Suppression::Unknown)
        } else {
            Ok(edited)
        })
    }

    fn is_excepted(&self, program: &[Cell], scopes: &Scopes) -> bool {
        let is_listed =
            |number: &u64| self.exceptions.binary_search_by_key(number, Scope::number).is_ok();
        let has_words = || self.exceptions.iter().any(|scope| scope.level() == CONTEXT_LEVEL);
        let of_words = || context_scopes(&self.edit, program);
        scopes.iter().any(is_listed)
            || has_words() && of_words().iter().any(|(_, number)| is_listed(number))
    }

    /// Adds these scopes to the exceptions.
    pub fn except(&mut self, scopes: impl IntoIterator<Item = Scope>) {
        self.exceptions.extend(scopes);
        self.exceptions.sort_unstable_by_key(Scope::number);
        self.exceptions.dedup_by_key(|scope| scope.number());
    }
}
