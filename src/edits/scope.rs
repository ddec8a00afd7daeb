//! Scopes: where an edit is judged and holds, from wide to narrow.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::edit::{ANY, Cell, Edit, any_kind, arguments, path_end};
use crate::url::lexicon::{EDGE, Lexicon, Symbol};

/// Number of levels.
pub(crate) const LEVELS: usize = 7;

/// The scopes of an edit in one shape, from wide to narrow, each as a hash of its level and of
/// what must be the same.
///
/// 0. anywhere;
/// 1. with the same ending: the path's last `/` or extension, and the names in the query;
/// 2. and between the same neighbours;
/// 3. and with the same function words in the path;
/// 4. and the same path, with any arguments: `/forum/viewtopic.php`;
/// 5. and the same function words as values of the query;
/// 6. and the same kinds of arguments: the whole shape.
///
/// A slot of the path is a place in one path: its levels 0 to 3 are level 4. The path as a whole
/// is dropped for all that have the same names in the query, or values, too.
pub(crate) type Scopes = [u64; LEVELS];

/// The scopes of `edit` in the shape that `program` stands for.
pub(crate) fn scopes(edit: &Edit, program: &[Cell]) -> Scopes {
    if let Edit::Tagged(edit) = edit {
        return scopes(edit, program);
    }
    let path = &program[..path_end(program)];
    let slot = match edit {
        Edit::DropSlot(place) => Some(usize::from(*place)),
        _ => None,
    };
    let symbol = |(place, cell): (usize, &Cell)| {
        if slot == Some(place) { ANY } else { any_kind(cell.symbol) }
    };
    let level = |number: u64, of: u64| hash(|state| (number, of).hash(state));
    let wide = level(0, 0);
    let ending = hash(|state| {
        ending(path).hash(state);
        names(program).hash(state);
    });
    if *edit == Edit::DropPath {
        let names = hash(|state| names(program).hash(state));
        let values = hash(|state| {
            for cell in &program[path.len()..] {
                any_kind(cell.symbol).hash(state);
            }
        });
        let (names, values) = (level(4, names), level(5, values));
        return [names, names, names, names, names, values, values];
    }
    let near = hash(|state| (ending, edit.neighbours(program)).hash(state));
    let words = hash(|state| {
        near.hash(state);
        for cell in path.iter().filter(|cell| Lexicon::is_word(cell.symbol)) {
            cell.symbol.hash(state);
        }
    });
    let path = hash(|state| {
        near.hash(state);
        for entry in path.iter().enumerate() {
            symbol(entry).hash(state);
        }
    });
    let shape = hash(|state| {
        for cell in program {
            any_kind(cell.symbol).hash(state);
        }
    });
    let kinds = level(6, hash(|state| program.iter().for_each(|cell| cell.symbol.hash(state))));
    let (path, values) = (level(4, path), level(5, shape));
    if slot.is_some() {
        return [path, path, path, path, path, values, kinds];
    }
    [wide, level(1, ending), level(2, near), level(3, words), path, values, kinds]
}

/// The scopes of a level in words: where an edit holds.
pub(crate) fn words(edit: &Edit, level: usize) -> &'static str {
    match (edit, level) {
        (Edit::Tagged(edit), _) => words(edit, level),
        (Edit::DropSlot(_), 0..=4) => "on one path, whatever stands in its place and in the query",
        (Edit::DropPath, 0..=4) => "wherever the query has the same names",
        (Edit::DropPath, _) => "wherever the query has the same names and words",
        (_, 0) => "anywhere",
        (_, 1) => "on pages with the same ending and the same names in the query",
        (_, 2) => "on pages with the same ending and names, between the same neighbours",
        (_, 3) => "on pages with the same ending, names, and words in the path",
        (_, 4) => "on one path, with the same names in the query",
        (_, 5) => "on one path, with the same names and words in the query",
        _ => "on URLs of one shape",
    }
}

/// The names in the query, sorted.
fn names(program: &[Cell]) -> Vec<Symbol> {
    let name = |(start, _): (usize, usize)| program.get(start).map_or(EDGE, |cell| cell.symbol);
    let mut names: Vec<Symbol> = arguments(program).into_iter().map(name).collect();
    names.sort_unstable();
    names
}

/// The last pieces of a path that tell a file from a folder: its extension, `/`, or nothing.
fn ending(path: &[Cell]) -> [Symbol; 2] {
    let symbol = |cell: &Cell| any_kind(cell.symbol);
    match path {
        [.., last] if Lexicon::is_delimiter(last.symbol) => [EDGE, symbol(last)],
        [.., mark, last] if Lexicon::delimiter(".") == Some(mark.symbol) => {
            [mark.symbol, symbol(last)]
        }
        _ => [EDGE, EDGE],
    }
}

fn hash(feed: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut state = FxHasher::default();
    feed(&mut state);
    state.finish()
}
