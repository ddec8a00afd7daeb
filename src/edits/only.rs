//! Where alone an edit holds, within its scope, because nothing is known of it elsewhere.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::edit::{ANY, Cell, Edit, FRONT, any_kind, is_word, path_end};
use super::scope::place;
use crate::url::lexicon::{Lexicon, Symbol};

/// What all that is known of an edit has in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Only {
    /// One path, as a hash, arguments taken for one.
    Path(u64),
    /// The pieces of the path's last segment, arguments taken for one.
    Ending(Vec<Symbol>),
}

impl Only {
    /// The path on which a program is, of an edit in scopes of a level; none if these ask for the path
    /// anyhow, or for a word that tells the page.
    pub(crate) fn path(edit: &Edit, level: usize, program: &[Cell]) -> Option<Self> {
        let is_wide = match edit.untagged() {
            Edit::DropSlot(_) => level == 0,
            Edit::DropPath => false,
            _ => level < 4,
        };
        is_wide.then(|| Self::Path(place(edit, program)))
    }

    /// The end of the path on which a program is, if a word is in it; none where the scopes of the level
    /// ask for words of the path, or for one word.
    pub(crate) fn ending(edit: &Edit, level: usize, program: &[Cell]) -> Option<Self> {
        let is_wide = level < 3 && !matches!(edit.untagged(), Edit::DropSlot(_));
        let ending = || last_segment(program).collect::<Vec<Symbol>>();
        let has_word = |ending: &Vec<Symbol>| ending.iter().any(|symbol| is_word(*symbol));
        is_wide.then(ending).filter(has_word).map(Self::Ending)
    }

    /// Whether a program is there.
    pub(crate) fn holds(&self, edit: &Edit, program: &[Cell]) -> bool {
        match self {
            Self::Path(path) => place(edit, program) == *path,
            Self::Ending(ending) => last_segment(program).eq(ending.iter().copied()),
        }
    }

    /// Bytes beside itself, about.
    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Self::Path(_) => 0,
            Self::Ending(ending) => ending.capacity() * size_of::<Symbol>(),
        }
    }

    /// Writes it in words, to stand behind those of a scope.
    pub(crate) fn write(&self, text: &mut impl Write, lexicon: &Lexicon) -> fmt::Result {
        let Self::Ending(ending) = self else { return text.write_str(", on one path alone") };
        text.write_str(", where the path ends in /")?;
        ending.iter().try_for_each(|symbol| match *symbol {
            ANY => text.write_char('*'),
            symbol => text.write_str(&lexicon.spell(symbol)),
        })
    }
}

/// The pieces of the last segment of a program's path, arguments taken for one: of what kind the page is,
/// `calendar` or `gantt`, as far as its address says.
fn last_segment(program: &[Cell]) -> impl Iterator<Item = Symbol> {
    let path = program.get(FRONT..path_end(program)).unwrap_or_default();
    let is_slash = |cell: &Cell| Some(cell.symbol) == Lexicon::delimiter("/");
    let last = path.rsplit(is_slash).find(|segment| !segment.is_empty());
    last.unwrap_or_default().iter().map(|cell| any_kind(cell.symbol))
}
