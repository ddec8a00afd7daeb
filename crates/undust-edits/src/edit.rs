//! Edits: what learners propose and the gate selects.
//!
//! An edit is a change of a [shape](undust_url::lexicon) that copies every argument it keeps, so
//! it holds for all URLs of the shape at once.

use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::program::{Cell, DELIMITERS};
use super::replacement::{ANY, DROPPED, ReplacementPiece, WORD, any_kind, is_word, matches};

/// A change of a shape.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edit {
    /// Drops the arguments of this name from the query.
    DropKey(Symbol),
    /// Drops the arguments of this name and value from the query; the value's pieces.
    DropArgument(Symbol, Box<[Symbol]>),
    /// Cuts the values of the arguments of this name after this number of words.
    CutValue(Symbol, u16),
    /// Writes `to` for `from`, wherever that stands.
    Replace {
        /// Symbols, with [`ANY`] for arguments and [`EDGE`] for the end of the URL.
        from: Box<[Symbol]>,
        /// What takes their place.
        to: Box<[ReplacementPiece]>,
    },
    /// Writes `*` for the piece at this place of the path.
    DropSlot(u16),
    /// Writes `*` for the path: all that the page is stands in the query.
    DropPath,
    /// Several, which count as one: each must change something.
    Joint(Box<[Edit]>),
}

/// The places of what is asked of the value of an argument of this name.
fn value_of(from: &[Symbol], key: Symbol) -> std::ops::Range<usize> {
    let name = from.windows(2).position(|two| two[0] == key && two[1] == DELIMITERS.equals);
    let start = name.map_or(from.len(), |name| name + 2);
    let ends = |symbol: &Symbol| {
        [DELIMITERS.and, DELIMITERS.semicolon, DELIMITERS.hash, EDGE].contains(symbol)
    };
    let length = from[start..].iter().position(ends);
    start..length.map_or(from.len(), |length| start + length)
}

/// The last kind of edits that are one change.
pub const SINGLE: usize = 2;
/// The last kind of edits: several as one.
pub const JOINT: usize = 3;

impl Edit {
    /// 1 for what drops arguments, 2 for what changes pieces, 3 for several as one.
    pub fn kind(&self) -> usize {
        match self {
            Self::DropKey(_) | Self::DropArgument(..) => 1,
            Self::CutValue(..) | Self::Replace { .. } | Self::DropSlot(_) | Self::DropPath => {
                SINGLE
            }
            Self::Joint(_) => JOINT,
        }
    }

    /// Whether it does more than replace one value by another. Such an edit holds only while both
    /// show the same page: an empty list and a newest revision soon do not.
    pub fn is_general(&self) -> bool {
        match self {
            Self::Replace { from, to } => {
                let writes = |piece: &ReplacementPiece| matches!(piece, ReplacementPiece::Literal(symbol, _) if !Lexicon::is_delimiter(*symbol));
                let any = from.contains(&ANY) || from.contains(&WORD);
                let has_word = from.iter().any(|symbol| is_word(*symbol));
                !(any && to.iter().any(writes) && !has_word)
            }
            // A word next to a value that moves belongs to its argument: `?id=7` as `/article/7`.
            Self::Joint(edits) => {
                edits.iter().all(|edit| edit.is_general() || edit.writes_a_value())
            }
            Self::DropKey(_)
            | Self::DropArgument(..)
            | Self::CutValue(..)
            | Self::DropSlot(_)
            | Self::DropPath => true,
        }
    }

    /// Whether it writes the value of an argument in another place.
    fn writes_a_value(&self) -> bool {
        let is_value = |piece: &ReplacementPiece| matches!(piece, ReplacementPiece::Value(_));
        matches!(self, Self::Replace { to, .. } if to.iter().any(is_value))
    }

    /// Whether it writes one value of an argument for another.
    pub fn swaps_a_value(&self) -> bool {
        match self {
            Self::Replace { from, to } => {
                let [_, equals, value] = **from else { return false };
                let [
                    ReplacementPiece::Keep(0),
                    ReplacementPiece::Keep(1),
                    ReplacementPiece::Literal(..),
                ] = **to
                else {
                    return false;
                };
                equals == DELIMITERS.equals && !Lexicon::is_delimiter(value)
            }
            Self::Joint(edits) => edits.iter().any(Self::swaps_a_value),
            _ => false,
        }
    }

    /// How much it asks for and writes, in pieces.
    pub fn size(&self) -> usize {
        match self {
            Self::Replace { from, to } => from.len() + to.len(),
            Self::Joint(edits) => edits.iter().map(Self::size).sum(),
            Self::CutValue(..) => 2,
            Self::DropArgument(_, value) => 1 + value.len(),
            Self::DropKey(_) | Self::DropSlot(_) | Self::DropPath => 1,
        }
    }

    /// Whether it drops, cuts or replaces the value of the argument of this name. An edit of
    /// pieces, wherever they stand, may do so to any value.
    pub fn drops(&self, key: Symbol) -> bool {
        match self {
            Self::DropKey(name) | Self::DropArgument(name, _) | Self::CutValue(name, _) => {
                *name == key
            }
            Self::Replace { from, to } => {
                let writes = |piece: &ReplacementPiece| match piece {
                    ReplacementPiece::Literal(symbol, _) | ReplacementPiece::Value(symbol) => {
                        *symbol == key
                    }
                    ReplacementPiece::Keep(place) => from.get(usize::from(*place)) == Some(&key),
                };
                let is_kept = |place: usize| {
                    let keeps = |piece: &ReplacementPiece| match piece {
                        ReplacementPiece::Literal(..) => false,
                        ReplacementPiece::Value(name) => *name == key,
                        ReplacementPiece::Keep(kept) => usize::from(*kept) == place,
                    };
                    to.iter().any(keeps)
                };
                from.contains(&key) && !(to.iter().any(writes) && value_of(from, key).all(is_kept))
            }
            Self::DropSlot(_) | Self::DropPath => false,
            Self::Joint(edits) => edits.iter().any(|edit| edit.drops(key)),
        }
    }

    /// The pieces left and right of the first piece that it replaces; all arguments count as equal.
    /// None for an edit without a fixed position.
    pub fn neighbours(&self, program: &[Cell]) -> Option<[Symbol; 2]> {
        let symbol = |place: Option<usize>| {
            let cell = place.and_then(|place| program.get(place));
            cell.map_or(EDGE, |cell| any_kind(cell.symbol))
        };
        match self {
            Self::Replace { from, .. } => {
                let at = (0..program.len()).find(|at| matches(program, *at, from))?;
                Some([symbol(at.checked_sub(1)), symbol(Some(at + from.len()))])
            }
            Self::Joint(edits) => edits.iter().find_map(|edit| edit.neighbours(program)),
            Self::DropKey(_)
            | Self::DropArgument(..)
            | Self::CutValue(..)
            | Self::DropSlot(_)
            | Self::DropPath => None,
        }
    }

    /// Symbols without which it changes nothing.
    pub fn needs(&self) -> Vec<Symbol> {
        match self {
            Self::DropKey(key) | Self::CutValue(key, _) => vec![*key],
            Self::DropArgument(key, value) => [&[*key], &**value].concat(),
            Self::Replace { from, .. } => from
                .iter()
                .copied()
                .filter(|symbol| !matches!(*symbol, ANY | WORD | DROPPED | EDGE))
                .collect(),
            Self::DropSlot(_) => Vec::new(),
            Self::DropPath => vec![DELIMITERS.question],
            Self::Joint(edits) => edits.iter().flat_map(Self::needs).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the settings keep is kept with its value.
    #[test]
    fn a_value_that_is_replaced_is_dropped() {
        let (equals, and) = (DELIMITERS.equals, DELIMITERS.and);
        let [key, one, other] = [100, 101, 102];
        let replaces = |from: &[Symbol], to: &[ReplacementPiece]| Edit::Replace {
            from: from.into(),
            to: to.into(),
        };
        let (kept, written) =
            (ReplacementPiece::Keep, |symbol| ReplacementPiece::Literal(symbol, 7));
        for (edit, drops) in [
            (replaces(&[key, equals, one], &[kept(0), kept(1), written(other)]), true),
            (replaces(&[key, equals, one], &[kept(0), kept(1)]), true),
            (replaces(&[key, equals, one], &[written(other)]), true),
            (replaces(&[key, equals, one], &[kept(0), kept(1), kept(2)]), false),
            (replaces(&[key, equals, one, and], &[kept(0), kept(1), kept(3), written(one)]), true),
            (replaces(&[key, equals, ANY, and, one], &[kept(0), kept(1), kept(2)]), false),
            (replaces(&[one, equals, other, and, key], &[kept(4)]), false),
            (replaces(&[key, equals, ANY], &[ReplacementPiece::Value(key)]), false),
            (replaces(&[one], &[written(other)]), false),
        ] {
            assert_eq!(edit.drops(key), drops, "{edit:?}");
        }
    }
}
