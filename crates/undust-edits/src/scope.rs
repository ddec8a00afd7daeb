//! Scopes: where an edit is tested and holds, from wide to narrow.
//!
//! A scope is a set of [parts](ScopePart) that must be the same in all of its URLs. Its level says which parts.
//! Saved models hold the parts, spelled. In memory a scope is found by its number, which is made of
//! the parts in one place, whether they were read from a file or from a URL.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::edit::Edit;
use super::fold::Fold;
use super::known_values::Attribute;
use super::program::{Cell, FRONT, arguments, path_end};
use super::replacement::{ANY, any_kind};

/// Number of levels.
pub const LEVELS: usize = 7;

/// The level of one kind of pages: with the same ending and the same names in the query.
pub const PAGE_TYPE: usize = 1;

/// The first level that asks for words of the path.
pub const WORDS: usize = 3;

/// The first level that asks for the path.
pub const PATH: usize = 4;

/// The narrowest level of exceptions. One of a whole shape would end with the kinds of its arguments: an edit that
/// fails on numbers of two digits would hold on those of three.
pub const EXCEPTIONS: usize = LEVELS - 2;

/// The level of the scopes that one context feature makes, apart from the others: narrower than [anywhere](Scopes)
/// and wider than level 2.
pub const CONTEXT_LEVEL: usize = LEVELS;

/// A function word that a scope asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContextFeature {
    /// A word of the path.
    Word(Symbol),
    /// An argument of this name and value.
    Argument(Symbol, Symbol),
    /// A [value that is known](super::known_values) to name one page.
    Known(Attribute),
}

/// A part of a URL that must be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopePart {
    /// The path's last `/` or extension: what distinguishes a file from a folder.
    Ending,
    /// The names in the query, sorted.
    Names,
    /// What stands left and right of the first piece that the edit replaces.
    Neighbours,
    /// The function words of the path.
    Words,
    /// The path, arguments and a dropped slot taken for any argument.
    Path,
    /// The path before a dropped slot, or before the `/` that a known path begins with, in the same way.
    Before,
    /// The query and what follows it, arguments taken for any.
    Query,
    /// All of the URL, arguments taken for any.
    Values,
    /// All of the URL, with the kinds of its arguments.
    Shape,
}

/// A scope of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    level: usize,
    context_feature: Option<ContextFeature>,
    /// As [`parts`] lists them.
    parts: Box<[Box<[Symbol]>]>,
    number: u64,
}

/// The levels of the scopes within one, from wide to narrow; at the last there are none.
pub fn within(level: usize) -> RangeInclusive<usize> {
    if level == CONTEXT_LEVEL { 2..=LEVELS } else { level + 1..=LEVELS }
}

/// The numbers of the scopes of an edit in one shape, from wide to narrow.
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

/// The parts that a level of an edit asks for. Levels that ask for the same are one.
pub fn parts(edit: &Edit, level: usize) -> &'static [ScopePart] {
    use ScopePart::*;
    match (edit, level) {
        (Edit::DropPath, 0..=4) => &[Names],
        (Edit::DropPath, _) => &[Query],
        (Edit::DropSlot(_), 0) => &[Before],
        (Edit::DropSlot(_), 1..=4) => &[Names, Ending, Path],
        (_, 0) => &[],
        (_, 1) => &[Names, Ending],
        (_, 2) => &[Names, Ending, Neighbours],
        (_, 3) => &[Names, Ending, Neighbours, Words],
        (_, 4) => &[Names, Neighbours, Path],
        (_, 5) => &[Values],
        _ => &[Shape],
    }
}

/// The parts that the scope of one context feature asks for, apart from it: a word says the same wherever it
/// stands; what is known of a value is known where it was seen.
pub fn parts_in_context(context_feature: ContextFeature) -> &'static [ScopePart] {
    match context_feature {
        ContextFeature::Word(_) | ContextFeature::Argument(..) => &[ScopePart::Names],
        ContextFeature::Known(Attribute::Argument(_)) => &[ScopePart::Names, ScopePart::Path],
        ContextFeature::Known(Attribute::Path) => &[ScopePart::Names, ScopePart::Before],
    }
}

impl ScopePart {
    /// Appends this part of a program that `edit` is about to change.
    fn read(self, edit: &Edit, program: &[Cell], to: &mut Vec<Symbol>) {
        let path = &program[..path_end(program)];
        let any = |cell: &Cell| any_kind(cell.symbol);
        match self {
            Self::Ending => to.extend(ending(path)),
            Self::Names => to.extend(names(program)),
            Self::Neighbours => to.extend(edit.neighbours(program).into_iter().flatten()),
            Self::Words => {
                let symbols = path.iter().map(|cell| cell.symbol);
                to.extend(symbols.filter(|symbol| Lexicon::is_word(*symbol)));
            }
            Self::Path => {
                let slot = dropped_slot(edit);
                let symbol = |(place, cell)| if slot == Some(place) { ANY } else { any(cell) };
                to.extend(path.iter().enumerate().map(symbol));
            }
            Self::Before => {
                let end = dropped_slot(edit).unwrap_or(FRONT - 1);
                to.extend(program.iter().take(end).map(any));
            }
            Self::Query => to.extend(program[path.len()..].iter().map(any)),
            Self::Values => to.extend(program.iter().map(any)),
            Self::Shape => to.extend(program.iter().map(|cell| cell.symbol)),
        }
    }

    /// This part of a program that `edit` is about to change.
    pub fn of(self, edit: &Edit, program: &[Cell]) -> Box<[Symbol]> {
        let mut symbols = Vec::new();
        self.read(edit, program, &mut symbols);
        symbols.into()
    }

    /// The number of this part.
    pub fn number(self, symbols: &[Symbol]) -> u64 {
        let mut fold = Fold::default();
        fold.add(self as u64);
        fold.add(Fold::of(symbols.iter().copied()));
        fold.number()
    }
}

/// The place that an edit of a slot drops.
pub fn dropped_slot(edit: &Edit) -> Option<usize> {
    if let Edit::DropSlot(place) = edit { Some(usize::from(*place)) } else { None }
}

/// Parts of one program, each read once.
struct PartReader<'p> {
    edit: &'p Edit,
    program: &'p [Cell],
    symbols: Vec<Symbol>,
    numbers: [Option<u64>; ScopePart::Shape as usize + 1],
}

impl<'p> PartReader<'p> {
    fn new(edit: &'p Edit, program: &'p [Cell]) -> Self {
        let symbols = Vec::with_capacity(program.len());
        Self { edit, program, symbols, numbers: [None; ScopePart::Shape as usize + 1] }
    }

    fn number(&mut self, part: ScopePart) -> u64 {
        *self.numbers[part as usize].get_or_insert_with(|| {
            self.symbols.clear();
            part.read(self.edit, self.program, &mut self.symbols);
            part.number(&self.symbols)
        })
    }
}

/// The number of a scope, by those of its parts.
fn number(context_feature: Option<ContextFeature>, parts: impl Iterator<Item = u64>) -> u64 {
    let mut fold = Fold::default();
    let word = match context_feature {
        None => [0, 0, 0],
        Some(ContextFeature::Word(word)) => [1, word, 0],
        Some(ContextFeature::Argument(key, value)) => [2, key, value],
        Some(ContextFeature::Known(Attribute::Path)) => [3, 0, 0],
        Some(ContextFeature::Known(Attribute::Argument(name))) => [4, name, 0],
    };
    word.into_iter().for_each(|number| fold.add(number.into()));
    parts.for_each(|part| fold.add(part));
    fold.number()
}

/// The scopes of `edit` in the shape that `program` stands for.
pub fn scopes(edit: &Edit, program: &[Cell]) -> Scopes {
    let mut reader = PartReader::new(edit, program);
    std::array::from_fn(|level| {
        number(None, parts(edit, level).iter().map(|part| reader.number(*part)))
    })
}

/// The pattern of a path as a number: its pieces, arguments taken for any.
pub fn path(program: &[Cell]) -> u64 {
    let symbols = program[..path_end(program)].iter().map(|cell| any_kind(cell.symbol));
    ScopePart::Path.number(&symbols.collect::<Vec<_>>())
}

/// Levels by width: the wider, the larger.
pub type Width = Reverse<(usize, bool)>;

/// The width of a level.
pub fn width(level: usize) -> Width {
    Reverse(if level == CONTEXT_LEVEL { (1, true) } else { (level, false) })
}

/// The scopes that one word makes, in the shape that `program` stands for, each with its number: wherever the
/// word stands in the path, or is the value of an argument, and the query has the same names. What a page *is* is
/// often determined by one word: `/REPOSITORY/commit/`, `?do=login`.
pub fn context_scopes(edit: &Edit, program: &[Cell]) -> Vec<(ContextFeature, u64)> {
    if matches!(edit, Edit::DropSlot(_) | Edit::DropPath) {
        return Vec::new();
    }
    let path = &program[..path_end(program)];
    let in_path = path.iter().skip(FRONT).filter(|cell| Lexicon::is_word(cell.symbol));
    let mut words: Vec<ContextFeature> =
        in_path.map(|cell| ContextFeature::Word(cell.symbol)).collect();
    let arguments = arguments(program).into_iter();
    words.extend(arguments.filter_map(|(start, end)| match &program[start..end] {
        [key, _, value] if Lexicon::is_word(value.symbol) => {
            Some(ContextFeature::Argument(key.symbol, value.symbol))
        }
        [key, mark, value] if value.known && Some(mark.symbol) == Lexicon::delimiter("=") => {
            Some(ContextFeature::Known(Attribute::Argument(key.symbol)))
        }
        _ => None,
    }));
    if path.get(FRONT - 1).is_some_and(|cell| cell.known) {
        words.push(ContextFeature::Known(Attribute::Path));
    }
    let mut reader = PartReader::new(edit, program);
    let scope = |word: ContextFeature| {
        let parts = parts_in_context(word).iter().map(|part| reader.number(*part));
        (word, number(Some(word), parts))
    };
    let mut scopes: Vec<(ContextFeature, u64)> = words.into_iter().map(scope).collect();
    scopes.sort_unstable_by_key(|(_, scope)| *scope);
    scopes.dedup_by_key(|(_, scope)| *scope);
    scopes
}

/// Whether a shape, whose `scopes` these are, lies in the scope of an edit with this number.
pub fn lies_in(edit: &Edit, program: &[Cell], scopes: &Scopes, level: usize, scope: u64) -> bool {
    match level {
        CONTEXT_LEVEL => context_scopes(edit, program).iter().any(|(_, one)| *one == scope),
        _ => scopes[level] == scope,
    }
}

impl Scope {
    /// The scope of a level in which a program lies that `edit` would change.
    pub fn of(edit: &Edit, level: usize, program: &[Cell]) -> Self {
        Self::read(edit, level, None, parts(edit, level), program)
    }

    /// The scope that one word makes there.
    pub fn of_word(edit: &Edit, word: ContextFeature, program: &[Cell]) -> Self {
        Self::read(edit, CONTEXT_LEVEL, Some(word), parts_in_context(word), program)
    }

    fn read(
        edit: &Edit,
        level: usize,
        context_feature: Option<ContextFeature>,
        parts: &[ScopePart],
        program: &[Cell],
    ) -> Self {
        let symbols = parts.iter().map(|part| part.of(edit, program)).collect();
        Self::new(level, context_feature, parts, symbols)
    }

    /// The scope of a level, or of a word, with these parts, of which `symbols` has one each.
    pub fn new(
        level: usize,
        context_feature: Option<ContextFeature>,
        parts: &[ScopePart],
        symbols: Box<[Box<[Symbol]>]>,
    ) -> Self {
        let numbers = parts.iter().zip(&symbols).map(|(part, symbols)| part.number(symbols));
        let number = number(context_feature, numbers);
        Self { level, context_feature, parts: symbols, number }
    }

    /// Its level.
    pub fn level(&self) -> usize {
        self.level
    }

    /// The word that makes it, if one does.
    pub fn context_feature(&self) -> Option<ContextFeature> {
        self.context_feature
    }

    /// Its number, which no other scope of its edit has.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The parts that must be the same, for an edit.
    pub fn parts(&self, edit: &Edit) -> impl Iterator<Item = (ScopePart, &[Symbol])> {
        let parts = self.context_feature.map_or_else(|| parts(edit, self.level), parts_in_context);
        parts.iter().copied().zip(self.parts.iter().map(AsRef::as_ref))
    }

    /// Whether a program, whose scopes these are, lies in it.
    pub fn has(&self, edit: &Edit, program: &[Cell], scopes: &Scopes) -> bool {
        lies_in(edit, program, scopes, self.level, self.number)
    }
}

/// The names in the query, sorted.
pub fn names(program: &[Cell]) -> Vec<Symbol> {
    let name = |(start, _): (usize, usize)| program.get(start).map_or(EDGE, |cell| cell.symbol);
    let mut names: Vec<Symbol> = arguments(program).into_iter().map(name).collect();
    names.sort_unstable();
    names
}

/// The last pieces of a path that distinguish a file from a folder: its extension, `/`, or nothing.
fn ending(path: &[Cell]) -> impl Iterator<Item = Symbol> {
    let last = match path {
        [.., last] if Lexicon::is_delimiter(last.symbol) => std::slice::from_ref(last),
        [.., mark, _] if Lexicon::delimiter(".") == Some(mark.symbol) => &path[path.len() - 2..],
        _ => &[],
    };
    last.iter().map(|cell| any_kind(cell.symbol))
}

#[cfg(test)]
mod tests;
