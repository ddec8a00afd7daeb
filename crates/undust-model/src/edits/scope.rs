//! Scopes: where an edit is judged and holds, from wide to narrow.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

use rustc_hash::FxHasher;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::edit::{ANY, Cell, Edit, FRONT, any_kind, arguments, path_end};
use super::known_values::{Marks, Slot};
use super::restriction::Only;
use super::spell::Short;

/// Number of levels.
pub const LEVELS: usize = 7;

/// The level of one kind of pages: with the same ending and the same names in the query.
pub const KIND: usize = 1;

/// The first level that asks for words of the path.
pub(crate) const WORDS: usize = 3;

/// The first level that asks for the path.
pub(crate) const PATH: usize = 4;

/// The level of the scopes that one word makes, beside the others: narrower than [anywhere](Scopes)
/// and wider than level 2.
pub const BESIDE: usize = LEVELS;

/// Reads a level of a saved edit, which may be none that there is.
pub(crate) fn read_level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let level = usize::deserialize(deserializer)?;
    if level > BESIDE {
        return Err(D::Error::custom(format!("scopes have levels up to {BESIDE}, not {level}")));
    }
    Ok(level)
}

/// A function word that a scope asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beside {
    /// A word of the path.
    Word(Symbol),
    /// An argument of this name and value.
    Argument(Symbol, Symbol),
    /// A [value that is known](super::known_values) to name one page.
    Known(Slot),
}

/// The levels of the scopes within one, from wide to narrow; at the last there are none.
pub fn within(level: usize) -> RangeInclusive<usize> {
    if level == BESIDE { 2..=LEVELS } else { level + 1..=LEVELS }
}

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
/// A slot of the path is a place where all before it is the same, arguments taken for one (level 0), or in one
/// path: its levels 1 to 3 are level 4. The path as a whole is dropped for all that have the same names in the
/// query, or values, too.
pub type Scopes = [u64; LEVELS];

/// The scopes of `edit` in the shape that `program` stands for.
pub fn scopes(edit: &Edit, program: &[Cell]) -> Scopes {
    match edit.untagged() {
        Edit::DropPath => of_path(program),
        edit @ Edit::DropSlot(slot) => of_slot(edit, usize::from(*slot), program),
        edit => of_pieces(edit, program),
    }
}

fn of_pieces(edit: &Edit, program: &[Cell]) -> Scopes {
    let path = &program[..path_end(program)];
    let ending = ending_and_names(program);
    let near = near(edit, program, ending);
    let words = hash(|state| {
        near.hash(state);
        for cell in path.iter().filter(|cell| Lexicon::is_word(cell.symbol)) {
            cell.symbol.hash(state);
        }
    });
    let path = hash(|state| {
        near.hash(state);
        path.iter().for_each(|cell| any_kind(cell.symbol).hash(state));
    });
    let [values, kinds] = whole(program);
    [
        of_level(0, 0),
        of_level(1, ending),
        of_level(2, near),
        of_level(3, words),
        of_level(4, path),
        values,
        kinds,
    ]
}

fn of_path(program: &[Cell]) -> Scopes {
    let names = of_level(4, hash(|state| names(program).hash(state)));
    let query = &program[path_end(program)..];
    let values = hash(|state| query.iter().for_each(|cell| any_kind(cell.symbol).hash(state)));
    let values = of_level(5, values);
    [names, names, names, names, names, values, values]
}

fn of_slot(edit: &Edit, slot: usize, program: &[Cell]) -> Scopes {
    let path = &program[..path_end(program)];
    let near = near(edit, program, ending_and_names(program));
    let before = hash(|state| {
        slot.hash(state);
        program.iter().take(slot).for_each(|cell| any_kind(cell.symbol).hash(state));
    });
    let path = hash(|state| {
        near.hash(state);
        but_for(Some(slot), path).for_each(|symbol| symbol.hash(state));
    });
    let path = of_level(4, path);
    let [values, kinds] = whole(program);
    [of_level(0, before), path, path, path, path, values, kinds]
}

fn ending_and_names(program: &[Cell]) -> u64 {
    hash(|state| {
        ending(&program[..path_end(program)]).hash(state);
        names(program).hash(state);
    })
}

fn near(edit: &Edit, program: &[Cell], ending: u64) -> u64 {
    hash(|state| (ending, edit.neighbours(program)).hash(state))
}

/// What a path has in each place, arguments taken for one, and so what stands in the slot that is dropped.
fn but_for(slot: Option<usize>, path: &[Cell]) -> impl Iterator<Item = Symbol> {
    let symbol = move |(place, cell): (usize, &Cell)| {
        if slot == Some(place) { ANY } else { any_kind(cell.symbol) }
    };
    path.iter().enumerate().map(symbol)
}

/// The scopes of the whole shape, arguments taken for one, and as they are.
fn whole(program: &[Cell]) -> [u64; 2] {
    let values = hash(|state| program.iter().for_each(|cell| any_kind(cell.symbol).hash(state)));
    let kinds = hash(|state| program.iter().for_each(|cell| cell.symbol.hash(state)));
    [of_level(5, values), of_level(6, kinds)]
}

fn of_level(number: u64, of: u64) -> u64 {
    hash(|state| (number, of).hash(state))
}

/// Where a shape stands, whatever its arguments, and whatever stands in the slot that `edit` drops. Of an
/// edit that drops the path, the arguments' names.
pub fn place(edit: &Edit, program: &[Cell]) -> u64 {
    let slot = match edit {
        Edit::DropPath => return hash(|state| names(program).hash(state)),
        Edit::DropSlot(place) => Some(usize::from(*place)),
        _ => None,
    };
    let path = &program[..path_end(program)];
    hash(|state| but_for(slot, path).enumerate().for_each(|entry| entry.hash(state)))
}

/// Levels by width: the wider, the larger.
pub fn width(level: usize) -> impl Ord {
    Reverse(if level == BESIDE { (1, true) } else { (level, false) })
}

/// The scopes that one word makes, in the shape that `program` stands for: wherever it stands in
/// the path, or is the value of an argument, and the query has the same names. What a page *is* is
/// often told by one word: `/REPOSITORY/commit/`, `?do=login`.
pub fn beside(edit: &Edit, program: &[Cell]) -> Vec<(Beside, u64)> {
    if matches!(edit, Edit::DropSlot(_) | Edit::DropPath) {
        return Vec::new();
    }
    let path = &program[..path_end(program)];
    let in_path = path.iter().skip(FRONT).filter(|cell| Lexicon::is_word(cell.symbol));
    let mut words: Vec<Beside> = in_path.map(|cell| Beside::Word(cell.symbol)).collect();
    let arguments = arguments(program).into_iter();
    words.extend(arguments.filter_map(|(start, end)| match &program[start..end] {
        [key, _, value] if Lexicon::is_word(value.symbol) => {
            Some(Beside::Argument(key.symbol, value.symbol))
        }
        [key, mark, value] if value.known && Some(mark.symbol) == Lexicon::delimiter("=") => {
            Some(Beside::Known(Slot::Argument(key.symbol)))
        }
        _ => None,
    }));
    if path.get(FRONT - 1).is_some_and(|cell| cell.known) {
        words.push(Beside::Known(Slot::Path));
    }
    let names = names(program);
    // A word says the same wherever it stands. What is known of a value is known where it was seen.
    let place = |word: Beside| -> Vec<Symbol> {
        let symbols = match word {
            Beside::Known(Slot::Argument(_)) => path,
            Beside::Known(Slot::Path) => &path[..FRONT - 1],
            Beside::Word(_) | Beside::Argument(..) => &[],
        };
        symbols.iter().map(|cell| any_kind(cell.symbol)).collect()
    };
    let scope =
        |word: Beside| (word, hash(|state| (BESIDE, word, &names, place(word)).hash(state)));
    let mut scopes: Vec<(Beside, u64)> = words.into_iter().map(scope).collect();
    scopes.sort_unstable_by_key(|(_, scope)| *scope);
    scopes.dedup_by_key(|(_, scope)| *scope);
    scopes
}

/// Whether the shape whose `scopes` these are lies in a scope of an edit.
pub fn lies_in(
    edit: &Edit,
    program: &[Cell],
    scopes: &Scopes,
    (level, scope): (usize, u64),
) -> bool {
    match level {
        BESIDE => beside(edit, program).iter().any(|(_, one)| *one == scope),
        _ => scopes[level] == scope,
    }
}

/// The scopes of a level in words: where an edit holds, `only` there where it says so. `beside` is the
/// word of those that one makes.
pub(crate) fn words(
    edit: &Edit,
    level: usize,
    (beside, only): (Option<Beside>, Option<&Only>),
    lexicon: &Lexicon,
    marks: &Marks,
) -> Cow<'static, str> {
    if let (None, None) = (beside, only) {
        return plain_words(edit, level).into();
    }
    let mut text = Short::default();
    // It fails where it is cut.
    let _ = match beside {
        Some(beside) => write_beside(beside, &mut text, lexicon, marks),
        None => text.write_str(plain_words(edit, level)),
    };
    let _ = only.map(|only| only.write(edit, &mut text, lexicon));
    text.text().into()
}

fn write_beside(
    beside: Beside,
    text: &mut Short,
    lexicon: &Lexicon,
    marks: &Marks,
) -> std::fmt::Result {
    let spell = |symbol: Symbol| lexicon.spell(symbol);
    match beside {
        Beside::Word(word) => {
            write!(text, "with {} in the path and the same names in the query", spell(word))
        }
        Beside::Argument(key, value) => {
            let (key, value) = (spell(key), spell(value));
            write!(text, "with {key}={value} and the same names in the query")
        }
        Beside::Known(slot) => {
            let what = match slot {
                Slot::Path => "the path".into(),
                Slot::Argument(name) => spell(name),
            };
            let values = marks.count(slot);
            write!(
                text,
                "where {what} is one of {values} that are known to name one page, with the same names in the query"
            )
        }
    }
}

fn plain_words(edit: &Edit, level: usize) -> &'static str {
    match (edit.untagged(), level) {
        (Edit::DropSlot(_), 0) => "on paths that begin alike, whatever follows",
        (Edit::DropSlot(_), 1..=4) => "on one path, whatever stands in its place and in the query",
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
pub fn names(program: &[Cell]) -> Vec<Symbol> {
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

/// What is fed, as a number.
pub fn hash(feed: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut state = FxHasher::default();
    feed(&mut state);
    state.finish()
}

#[cfg(test)]
mod tests;
