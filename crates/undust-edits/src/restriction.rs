//! Restrictions: the reach of an edit within its scope, which is where it was tested.

use std::fmt::{self, Write};

use undust_url::lexicon::{Lexicon, Symbol, has_constant, is_constant};

use super::edit::Edit;
use super::program::{Cell, FRONT, arguments, path_end};
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
    /// The pieces of the path's first segment, one of these.
    Beginning(Vec<Box<[Symbol]>>),
    /// Each argument of this name has one of these values, which are given with their `=`.
    Values(Symbol, Vec<Box<[Symbol]>>),
    /// All of these at once.
    All(Vec<Restriction>),
}

impl Restriction {
    /// The conjunction of restrictions; none if there are none.
    pub fn all(mut restrictions: Vec<Self>) -> Option<Self> {
        match restrictions.len() {
            0 | 1 => restrictions.pop(),
            _ => Some(Self::All(restrictions)),
        }
    }

    /// Whether a program that `edit` would change meets it.
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
            Self::Beginning(all) => all.iter().any(|one| is_segment(one, first_segment(program))),
            Self::Values(name, values) => arguments(program)
                .into_iter()
                .map(|(start, end)| &program[start..end])
                .filter(|argument| argument.first().is_some_and(|cell| cell.symbol == *name))
                .all(|argument| values.iter().any(|value| is_segment(value, &argument[1..]))),
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
                1 => text.write_str(", only with the same names in the query"),
                lists => write!(text, ", only with {lists} lists of names in the query"),
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
            Self::Beginning(all) => all.iter().enumerate().try_for_each(|(place, pieces)| {
                let before = if place == 0 { ", where the path begins with /" } else { " or /" };
                text.write_str(before)?;
                write_pieces(pieces, text, lexicon)
            }),
            Self::Values(name, values) => {
                write!(text, ", where ?{}", lexicon.spell(*name))?;
                values.iter().enumerate().try_for_each(|(place, value)| {
                    text.write_str(if place == 0 { "" } else { " or " })?;
                    write_pieces(value, text, lexicon)
                })
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
    if is_constant(piece) {
        has_constant(cell.constant, piece)
    } else {
        piece == any_kind(cell.symbol)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_values::KnownValueMarks;
    use crate::program::copy;
    use crate::scope::ScopePart;

    /// A site whose function words are `go`, `item` and `view`, and which distinguishes a folder and a format.
    fn lexicon() -> Lexicon {
        let json = serde_json::json!({
            "words": ["http", "a.test", "go", "item"],
            "names": ["view"],
            "constants": ["=alice", "~(a)"],
        });
        serde_json::from_value(json).expect("a lexicon")
    }

    fn program(url: &str, lexicon: &Lexicon) -> Vec<Cell> {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        lexicon.read(url, &mut shape, &mut texts);
        KnownValueMarks::default()
            .mark(&mut shape, lexicon.constants(), |pieces| texts[pieces.start]);
        copy(&shape)
    }

    #[test]
    fn a_reach_is_a_kind_of_pages() {
        let lexicon = lexicon();
        let program = |rest: &str| program(&format!("http://a.test/{rest}"), &lexicon);
        let drop = Edit::DropKey(lexicon.key("view").expect("a name"));
        let slot = Edit::DropSlot(FRONT as u16 + 2);
        let path = |edit: &Edit, rest: &str| {
            Restriction::Paths(vec![ScopePart::Path.of(edit, &program(rest))])
        };
        let mut alice = ScopePart::Path.of(&drop, &program("bob/item"));
        alice[FRONT] = lexicon.constants().symbol("=alice").expect("a constant");
        let mut format = ScopePart::Path.of(&slot, &program("go/x"));
        format[FRONT + 2] = lexicon.constants().symbol("~(a)").expect("a constant");
        let names = Restriction::Names(vec![ScopePart::Names.of(&drop, &program("?view=1"))]);
        let equals = Lexicon::delimiter("=").expect("a delimiter");
        let value: Box<[Symbol]> =
            [equals, lexicon.constants().symbol("=alice").expect("a constant")].into();
        let values = Restriction::Values(lexicon.key("view").expect("a name"), vec![value]);
        let beginning = Restriction::Beginning(vec![alice[FRONT..=FRONT].into()]);
        for (only, edit, inside, outside) in [
            (path(&drop, "go/x"), &drop, "go/y", "go/item"),
            (path(&slot, "go/x"), &slot, "go/item", "item/x"),
            (Restriction::Paths(vec![alice]), &drop, "alice/item", "bob/item"),
            (Restriction::Paths(vec![format]), &slot, "go/(x)", "go/x"),
            (names, &drop, "go?view=2", "go?view=2&view=3"),
            (beginning, &drop, "alice/a/b", "bob/a/b"),
            (values, &drop, "go?view=alice", "go?view=bob"),
            (
                Restriction::Ending([lexicon.word("item").expect("a word")].into()),
                &drop,
                "x/item/",
                "x/go/",
            ),
        ] {
            assert!(only.holds(edit, &program(inside)), "{only:?} {inside}");
            assert!(!only.holds(edit, &program(outside)), "{only:?} {outside}");
            let both = Restriction::All(vec![only.clone(), only]);
            assert!(both.holds(edit, &program(inside)) && !both.holds(edit, &program(outside)));
        }
    }
}
