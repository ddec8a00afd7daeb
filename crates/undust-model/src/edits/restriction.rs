//! Restrictions: the reach of an edit within its scope, which is where it was tested.

use std::fmt::{self, Write};

use undust_url::lexicon::{Lexicon, Symbol, constant_number};

use super::edit::Edit;
use super::program::{Cell, FRONT, path_end};
use super::replacement::{ANY, any_kind};
use super::scope::{dropped_slot, names};

/// What URLs must have in common with those on which an edit was tested. Pieces are function words, delimiters,
/// [`ANY`] for any argument, or [constants](undust_url::lexicon::Constants).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restriction {
    /// One of these paths, scheme and host included; what stands in a dropped slot is an argument.
    Paths(Vec<Box<[Symbol]>>),
    /// The names in the query are one of these lists, each sorted.
    Names(Vec<Box<[Symbol]>>),
    /// The pieces of the path's last segment.
    Ending(Box<[Symbol]>),
    /// The pieces of the path's first segment.
    Beginning(Box<[Symbol]>),
    /// All of these at once.
    All(Vec<Restriction>),
}

impl Restriction {
    /// All of these at once; none if there are none.
    pub fn all(mut restrictions: Vec<Self>) -> Option<Self> {
        match restrictions.len() {
            0 | 1 => restrictions.pop(),
            _ => Some(Self::All(restrictions)),
        }
    }

    /// Whether a program is there that `edit` would change.
    pub fn holds(&self, edit: &Edit, program: &[Cell]) -> bool {
        match self {
            Self::Paths(paths) => {
                let slot = dropped_slot(edit);
                paths.iter().any(|path| is_path(path, slot, program))
            }
            Self::Names(lists) => {
                let names = names(program);
                lists.iter().any(|list| **list == *names)
            }
            Self::Ending(ending) => is_segment(ending, last_segment(program)),
            Self::Beginning(beginning) => is_segment(beginning, first_segment(program)),
            Self::All(all) => all.iter().all(|only| only.holds(edit, program)),
        }
    }

    /// Writes it in words, to stand behind those of a scope.
    pub fn write(&self, text: &mut impl Write, lexicon: &Lexicon) -> fmt::Result {
        match self {
            Self::Paths(paths) => match paths.len() {
                1 => text.write_str(", only on one kind of path"),
                paths => write!(text, ", only on {paths} kinds of paths"),
            },
            Self::Names(lists) => match lists.len() {
                1 => text.write_str(", only with the names that it was tested with"),
                lists => write!(text, ", only with {lists} lists of names"),
            },
            Self::All(all) => match &all[..] {
                [first @ Self::Beginning(_), Self::Ending(pieces), rest @ ..] => {
                    first.write(text, lexicon)?;
                    text.write_str(" and ends in /")?;
                    write_pieces(pieces, text, lexicon)?;
                    rest.iter().try_for_each(|only| only.write(text, lexicon))
                }
                all => all.iter().try_for_each(|only| only.write(text, lexicon)),
            },
            Self::Ending(pieces) => {
                text.write_str(", where the path ends in /")?;
                write_pieces(pieces, text, lexicon)
            }
            Self::Beginning(pieces) => {
                text.write_str(", where the path begins with /")?;
                write_pieces(pieces, text, lexicon)
            }
        }
    }
}

fn write_pieces(pieces: &[Symbol], text: &mut impl Write, lexicon: &Lexicon) -> fmt::Result {
    pieces.iter().try_for_each(|symbol| match *symbol {
        ANY => text.write_char('*'),
        symbol => text.write_str(&lexicon.spell(symbol)),
    })
}

/// Whether a piece of a pattern stands for a piece of a URL.
fn is_piece(piece: Symbol, cell: &Cell) -> bool {
    constant_number(piece)
        .map_or(piece == any_kind(cell.symbol), |number| number == cell.constant)
}

fn is_path(pattern: &[Symbol], slot: Option<usize>, program: &[Cell]) -> bool {
    let path = &program[..path_end(program)];
    let is_there = |(place, (piece, cell)): (usize, (&Symbol, &Cell))| {
        slot == Some(place) && *piece == ANY || is_piece(*piece, cell)
    };
    pattern.len() == path.len() && pattern.iter().zip(path).enumerate().all(is_there)
}

fn is_segment(pattern: &[Symbol], segment: &[Cell]) -> bool {
    let is_there = |(piece, cell): (&Symbol, &Cell)| is_piece(*piece, cell);
    pattern.len() == segment.len() && pattern.iter().zip(segment).all(is_there)
}

/// The last segment of a program's path that is not empty: of what type the page is, `calendar` or `gantt`, as far
/// as its URL says.
pub fn last_segment(program: &[Cell]) -> &[Cell] {
    segments(program).rfind(|segment| !segment.is_empty()).unwrap_or_default()
}

/// The first segment of a program's path.
pub fn first_segment(program: &[Cell]) -> &[Cell] {
    segments(program).next().unwrap_or_default()
}

fn segments(program: &[Cell]) -> impl DoubleEndedIterator<Item = &[Cell]> {
    let path = program.get(FRONT..path_end(program)).unwrap_or_default();
    path.split(|cell| Some(cell.symbol) == Lexicon::delimiter("/"))
}
