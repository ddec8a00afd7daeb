//! An edit that the gate let pass.

use serde::{Deserialize, Serialize};

use super::edit::{Cell, Edit, Program};
use super::restriction::Only;
use super::scope::{Beside, Scopes, lies_in, read_level, scopes};
use crate::evidence::Evidence;

/// An edit that the gate lets pass, where, and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Accepted {
    /// The edit.
    pub edit: Edit,
    /// The level of its scope.
    #[serde(deserialize_with = "read_level")]
    pub level: usize,
    /// Its scope.
    pub scope: u64,
    /// The word that makes the scope, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
    /// Where alone it holds within its scope, if nothing is known of it elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// Narrower scopes in which it does not hold, ascending.
    pub exceptions: Vec<u64>,
    /// What it did.
    pub evidence: Evidence,
    /// Its rate of loss, shrunk.
    pub rate: f64,
    /// The first URLs that it changed, by their numbers.
    #[serde(skip)]
    pub examples: Vec<u32>,
}

/// Why an edit leaves a program that it would change as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spared {
    /// It loses pages there.
    Excepted,
    /// Nothing is known of it there.
    Unknown,
}

impl Accepted {
    /// What becomes of a program where the edit holds.
    pub(crate) fn apply(&self, program: &[Cell]) -> Option<Program> {
        self.meet(program)?.ok()
    }

    /// Why it leaves a program as it is that lies in its scope; none if it does not, or is changed.
    pub(crate) fn spares(&self, program: &[Cell]) -> Option<Spared> {
        self.meet(program)?.err()
    }

    /// What becomes of a program that lies in its scope, or why nothing does.
    fn meet(&self, program: &[Cell]) -> Option<Result<Program, Spared>> {
        let edited = self.edit.apply(program)?;
        let scopes = scopes(&self.edit, program);
        if !lies_in(&self.edit, program, &scopes, (self.level, self.scope)) {
            return None;
        }
        let is_known = || self.only.as_ref().is_none_or(|only| only.holds(&self.edit, program));
        Some(if self.is_excepted(&scopes) {
            Err(Spared::Excepted)
        } else if !is_known() {
            Err(Spared::Unknown)
        } else {
            Ok(edited)
        })
    }

    fn is_excepted(&self, scopes: &Scopes) -> bool {
        scopes.iter().any(|scope| self.exceptions.binary_search(scope).is_ok())
    }

    /// Makes exceptions of these scopes, too.
    pub fn except(&mut self, scopes: impl IntoIterator<Item = u64>) {
        self.exceptions.extend(scopes);
        self.exceptions.sort_unstable();
        self.exceptions.dedup();
    }

    /// Bytes beside itself, about.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.edit.heap_bytes()
            + self.only.as_ref().map_or(0, Only::heap_bytes)
            + self.exceptions.capacity() * size_of::<u64>()
            + self.examples.capacity() * size_of::<u32>()
    }
}
