//! Restrictions: the only places within its scope where an edit holds, because it was observed only there.

use std::fmt::{self, Write};

use undust_url::lexicon::{Lexicon, Symbol};

use super::edit::Edit;
use super::program::{Cell, FRONT, path_end};
use super::replacement::{ANY, any_kind, is_word};
use super::scope::{PAGE_TYPE, PATH, Scope, ScopePart, WORDS, place, scopes};

/// What all that is known of an edit has in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restriction {
    /// One path, arguments and a dropped slot taken for any argument.
    Path(OnePath),
    /// The pieces of the path's last segment, arguments taken for one.
    Ending(Vec<Symbol>),
    /// The pieces of the path's first segment, arguments taken for one.
    Beginning(Vec<Symbol>),
    /// Page types, as their scopes, ascending by their numbers.
    PageTypes(Vec<Scope>),
    /// All of these at once.
    All(Vec<Restriction>),
}

/// A path, and its [number](place).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnePath {
    pieces: Box<[Symbol]>,
    number: u64,
}

impl OnePath {
    /// Of these pieces.
    pub fn new(pieces: Box<[Symbol]>) -> Self {
        let number = ScopePart::Path.number(&pieces);
        Self { pieces, number }
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[Symbol] {
        &self.pieces
    }
}

impl Restriction {
    /// The path on which a program is, of an edit in scopes of a level; none if these ask for the path
    /// anyhow, or for a word that determines the page.
    pub fn path(edit: &Edit, level: usize, program: &[Cell]) -> Option<Self> {
        let is_wide = match edit.plain() {
            Edit::DropSlot(_) => level == 0,
            Edit::DropPath => false,
            _ => level < PATH,
        };
        is_wide.then(|| Self::Path(OnePath::new(ScopePart::Path.of(edit, program))))
    }

    /// The end of the path on which a program is, if a word is in it; none where the scopes of the level
    /// ask for words of the path, or for one word.
    pub fn ending(edit: &Edit, level: usize, program: &[Cell]) -> Option<Self> {
        let ending = told_by_words(edit, level, || last_segment(program).collect());
        ending.map(Self::Ending)
    }

    /// The beginning of the path on which a program is, in the same way.
    pub fn beginning(edit: &Edit, level: usize, program: &[Cell]) -> Option<Self> {
        let beginning = told_by_words(edit, level, || first_segment(program).collect());
        beginning.map(Self::Beginning)
    }

    /// These page types.
    pub fn page_types(mut page_types: Vec<Scope>) -> Self {
        page_types.sort_unstable_by_key(Scope::number);
        page_types.dedup_by_key(|page_type| page_type.number());
        Self::PageTypes(page_types)
    }

    /// Both at once.
    pub fn and(self, other: Self) -> Self {
        Self::All(vec![self, other])
    }

    /// Whether a program is there.
    pub fn holds(&self, edit: &Edit, program: &[Cell]) -> bool {
        match self {
            Self::Path(path) => place(edit, program) == path.number,
            Self::Ending(ending) => last_segment(program).eq(ending.iter().copied()),
            Self::Beginning(beginning) => first_segment(program).eq(beginning.iter().copied()),
            Self::PageTypes(page_types) => {
                let page_type = scopes(edit, program)[PAGE_TYPE];
                page_types.binary_search_by_key(&page_type, Scope::number).is_ok()
            }
            Self::All(all) => all.iter().all(|only| only.holds(edit, program)),
        }
    }

    /// Writes it in words, to stand behind those of a scope.
    pub fn write(&self, edit: &Edit, text: &mut impl Write, lexicon: &Lexicon) -> fmt::Result {
        let (what, pieces) = match self {
            Self::Path(_) => return text.write_str(", only on one path"),
            Self::PageTypes(_) if matches!(edit.plain(), Edit::DropSlot(_)) => {
                return text.write_str(", only on known paths");
            }
            Self::PageTypes(_) => {
                return text.write_str(", only on known page types (ending and names)");
            }
            Self::All(all) => match &all[..] {
                [first @ Self::Beginning(_), Self::Ending(pieces)] => {
                    first.write(edit, text, lexicon)?;
                    (" and ends in", pieces)
                }
                all => return all.iter().try_for_each(|only| only.write(edit, text, lexicon)),
            },
            Self::Ending(pieces) => (", where the path ends in", pieces),
            Self::Beginning(pieces) => (", where the path begins with", pieces),
        };
        write!(text, "{what} /")?;
        pieces.iter().try_for_each(|symbol| match *symbol {
            ANY => text.write_char('*'),
            symbol => text.write_str(&lexicon.spell(symbol)),
        })
    }
}

/// Pieces of a path, if a word is in them; none where the scopes of the level ask for words of the path
/// anyhow, or for one word.
fn told_by_words(
    edit: &Edit,
    level: usize,
    pieces: impl FnOnce() -> Vec<Symbol>,
) -> Option<Vec<Symbol>> {
    let is_wide = level < WORDS && !matches!(edit.plain(), Edit::DropSlot(_));
    let has_word = |pieces: &Vec<Symbol>| pieces.iter().any(|symbol| is_word(*symbol));
    is_wide.then(pieces).filter(has_word)
}

/// The pieces of the last segment of a program's path, arguments taken for one: of what type the page is,
/// `calendar` or `gantt`, as far as its address says.
fn last_segment(program: &[Cell]) -> impl Iterator<Item = Symbol> {
    let last = segments(program).rfind(|segment| !segment.is_empty());
    last.unwrap_or_default().iter().map(|cell| any_kind(cell.symbol))
}

/// The same of the first.
fn first_segment(program: &[Cell]) -> impl Iterator<Item = Symbol> {
    let first = segments(program).next().unwrap_or_default();
    first.iter().map(|cell| any_kind(cell.symbol))
}

fn segments(program: &[Cell]) -> impl DoubleEndedIterator<Item = &[Cell]> {
    let path = program.get(FRONT..path_end(program)).unwrap_or_default();
    path.split(|cell| Some(cell.symbol) == Lexicon::delimiter("/"))
}
