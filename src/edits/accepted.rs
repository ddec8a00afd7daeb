//! An edit that the gate let pass.

use serde::{Deserialize, Serialize};

use super::edit::{Cell, Edit, Program};
use super::scope::{Beside, Scopes, lies_in, read_level, scopes};
use crate::evidence::Evidence;

/// An edit that the gate lets pass, where, and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Accepted {
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

impl Accepted {
    /// What becomes of a program where the edit holds.
    pub(crate) fn apply(&self, program: &[Cell]) -> Option<Program> {
        let edited = self.edit.apply(program)?;
        let scopes = scopes(&self.edit, program);
        let holds = lies_in(&self.edit, program, &scopes, (self.level, self.scope))
            && !self.is_excepted(&scopes);
        holds.then_some(edited)
    }

    /// Whether it would change a program but for an exception.
    pub(crate) fn spares(&self, program: &[Cell]) -> bool {
        let scopes = scopes(&self.edit, program);
        self.is_excepted(&scopes)
            && lies_in(&self.edit, program, &scopes, (self.level, self.scope))
            && self.edit.apply(program).is_some()
    }

    fn is_excepted(&self, scopes: &Scopes) -> bool {
        scopes.iter().any(|scope| self.exceptions.binary_search(scope).is_ok())
    }

    /// Makes exceptions of these scopes, too.
    pub(crate) fn except(&mut self, scopes: impl IntoIterator<Item = u64>) {
        self.exceptions.extend(scopes);
        self.exceptions.sort_unstable();
        self.exceptions.dedup();
    }

    /// Bytes beside itself, about.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.edit.heap_bytes()
            + self.exceptions.capacity() * size_of::<u64>()
            + self.examples.capacity() * size_of::<u32>()
    }
}
