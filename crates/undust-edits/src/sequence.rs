//! Accepted edits at work. The gate and the editor both ask here, so that what is tested is what
//! is served.

use super::accepted::AcceptedEdit;
use super::program::{Cell, Program};

/// Most edits of one URL in a row; with more they are taken to have no end.
const MOST_EDITS: usize = 64;

/// Applies edits to a program: the first that holds, and after each again from the first, until
/// none holds (a Markov algorithm). So a form is its own form. Also gives the numbers of the
/// applied edits; none if it does not end.
///
/// `of` gives the numbers of the edits that may hold, ascending.
pub fn reduce<'r>(
    mut program: Program,
    of: impl Fn(&[Cell]) -> Vec<u32>,
    rule: impl Fn(u32) -> &'r AcceptedEdit,
) -> Option<(Program, Vec<u32>)> {
    let mut applied = Vec::new();
    while applied.len() < MOST_EDITS {
        let applied_to = |number| Some((number, rule(number).apply(&program)?));
        let Some((number, edited)) = of(&program).into_iter().find_map(applied_to) else {
            return Some((program, applied));
        };
        applied.push(number);
        program = edited;
    }
    None
}
