//! Accepted edits at work. The gate and the editor both ask here, so that what is tested is what
//! is served.

use super::accepted::AcceptedEdit;
use super::edit::Edit;
use super::program::{Cell, Program};

/// Most edits of one URL in a row; with more they are taken to have no end.
const MOST_EDITS: usize = 64;

/// Applies edits to a program: the first that holds, and after each again from the first, until
/// none holds (a Markov algorithm). So a form is its own form. Gives the numbers of those that
/// were applied, too; nothing where there is no end.
///
/// `of` gives the numbers of the edits that may hold, ascending, and `proposed` what the network
/// proposes.
pub fn reduce<'r>(
    mut program: Program,
    of: impl Fn(&[Cell]) -> Vec<u32>,
    rule: impl Fn(u32) -> &'r AcceptedEdit,
    mut proposed: impl FnMut(&[Cell]) -> Vec<Edit>,
) -> Option<(Program, Vec<u32>)> {
    let mut applied = Vec::new();
    while applied.len() < MOST_EDITS {
        let mut by_network: Option<Vec<Edit>> = None;
        let mut first = of(&program).into_iter().filter_map(|number| {
            let rule = rule(number);
            if let Edit::ByNetwork(edit) = &rule.edit {
                let by_network = by_network.get_or_insert_with(|| proposed(&program));
                if !by_network.contains(edit) {
                    return None;
                }
            }
            Some((number, rule.apply(&program)?))
        });
        let Some((number, edited)) = first.next() else { return Some((program, applied)) };
        drop(first);
        applied.push(number);
        program = edited;
    }
    None
}
