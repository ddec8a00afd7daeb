//! What an edit asks for in a shape, and what it writes there.

use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::program::{Cell, STAR, TextSource};

/// Stands for any argument in the part of a shape that an edit replaces.
pub const ANY: Symbol = Symbol::MAX;

/// Stands for anything but a delimiter there.
pub const WORD: Symbol = Symbol::MAX - 1;

/// Stands there for a piece that was dropped: the `*` of an earlier edit.
pub const DROPPED: Symbol = Symbol::MAX - 2;

/// A symbol with arguments of all kinds taken for one.
pub fn any_kind(symbol: Symbol) -> Symbol {
    if Lexicon::is_argument(symbol) { ANY } else { symbol }
}

/// Whether a symbol is a function word, and stands for no other.
pub fn is_word(symbol: Symbol) -> bool {
    !matches!(symbol, ANY | WORD | DROPPED) && Lexicon::is_word(symbol)
}

/// A piece that an edit writes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReplacementPiece {
    /// A literal: its symbol, and its number in [`Literals`](super::literals::Literals).
    Literal(Symbol, u16),
    /// The piece of `from` at this place.
    Keep(u16),
    /// All pieces of the value of this argument.
    Value(Symbol),
}

/// Whether the pieces of a program from one place on are what is asked for.
pub(super) fn matches(program: &[Cell], at: usize, from: &[Symbol]) -> bool {
    from.iter().enumerate().all(|(offset, symbol)| match program.get(at + offset) {
        Some(cell) if *symbol == ANY => Lexicon::is_argument(cell.symbol) && !is_front(cell),
        Some(cell) if *symbol == WORD => !Lexicon::is_delimiter(cell.symbol) && !is_front(cell),
        Some(cell) if *symbol == DROPPED => cell.text == TextSource::Literal(STAR),
        Some(cell) => cell.symbol == *symbol,
        None => *symbol == EDGE && at + offset == program.len(),
    })
}

/// Whether a piece is the scheme or the host, which only an edit that names it may change.
fn is_front(cell: &Cell) -> bool {
    matches!(cell.text, TextSource::Source(0..=2))
}
