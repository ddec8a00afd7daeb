//! Edits in words.

use serde::{Deserialize, Serialize};

use crate::program::{FRONT, MOST_PIECES};
use undust_url::lexicon::{EDGE, Lexicon, Symbol};
use undust_url::pieces::pieces;

use super::wrong::{Wrong, each, in_field};
use crate::edit::Edit;
use crate::literals::Literals;
use crate::pattern::{First, read, write};
use crate::replacement::{ANY, DROPPED, ReplacementPiece, WORD};

/// An [edit](Edit).
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SavedEdit {
    /// The name of the arguments.
    DropKey(String),
    /// Their name and value.
    DropArgument(String, String),
    /// Their name, and the words of their values that stay.
    CutValue(String, u16),
    /// What stands there, and what takes its place.
    Replace { from: String, to: Vec<SavedPiece> },
    /// The piece of the path, counted from 1.
    DropSlot(usize),
    /// All of the path.
    DropPath,
    /// Several edits that count as one.
    Joint(Vec<SavedEdit>),
}

/// What an edit writes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SavedPiece {
    /// A text, which is read as a word of the path is, or as a delimiter.
    Write(String),
    /// A text, and what it is read as.
    WriteAs(String, String),
    /// A piece of `from`, counted from 1.
    Keep(usize),
    /// The value of the argument of this name.
    Value(String),
}

/// One symbol.
pub(crate) fn one(text: &str, first: First, lexicon: &Lexicon) -> Result<Symbol, Wrong> {
    match read(text, first, lexicon)?[..] {
        [symbol] => Ok(symbol),
        _ => Err(format!("{text:?} is not one piece of a URL: put a word into braces").into()),
    }
}

/// A name in the query.
pub(crate) fn name(text: &str, lexicon: &Lexicon) -> Result<Symbol, Wrong> {
    one(text, First::Name, lexicon)
}

/// A symbol alone.
pub(crate) fn spell(symbol: Symbol, first: First, lexicon: &Lexicon) -> String {
    write(&[symbol], first, lexicon)
}

impl SavedEdit {
    /// In the words of a lexicon.
    pub(crate) fn of(edit: &Edit, lexicon: &Lexicon, literals: &Literals) -> Self {
        let name = |symbol: &Symbol| spell(*symbol, First::Name, lexicon);
        let of = |edit: &Edit| Self::of(edit, lexicon, literals);
        match edit {
            Edit::DropKey(key) => Self::DropKey(name(key)),
            Edit::DropArgument(key, value) => {
                Self::DropArgument(name(key), write(value, First::Word, lexicon))
            }
            Edit::CutValue(key, words) => Self::CutValue(name(key), *words),
            Edit::Replace { from, to } => Self::Replace {
                from: write(from, First::Word, lexicon),
                to: to.iter().map(|piece| SavedPiece::of(piece, lexicon, literals)).collect(),
            },
            Edit::DropSlot(place) => {
                Self::DropSlot((usize::from(*place) + 1).saturating_sub(FRONT))
            }
            Edit::DropPath => Self::DropPath,
            Edit::Joint(edits) => Self::Joint(edits.iter().map(of).collect()),
        }
    }

    /// In the symbols of a lexicon; texts are added to the literals.
    pub(crate) fn read(self, lexicon: &Lexicon, literals: &mut Literals) -> Result<Edit, Wrong> {
        Ok(match self {
            Self::DropKey(key) => Edit::DropKey(in_field("drop-key", name(&key, lexicon))?),
            Self::DropArgument(key, value) => {
                let value = read(&value, First::Word, lexicon);
                let argument = name(&key, lexicon).and_then(|key| Ok((key, value?)));
                let (key, value) = in_field("drop-argument", argument)?;
                Edit::DropArgument(key, value.into())
            }
            Self::CutValue(key, words) => {
                Edit::CutValue(in_field("cut-value", name(&key, lexicon))?, words)
            }
            Self::Replace { from, to } => {
                in_field("replace", replacement(&from, to, lexicon, literals))?
            }
            Self::DropSlot(piece) => in_field("drop-slot", slot(piece))?,
            Self::DropPath => Edit::DropPath,
            Self::Joint(edits) => {
                let edits = each("joint", edits, |edit| edit.read(lexicon, literals))?;
                Edit::Joint(edits.into())
            }
        })
    }
}

fn slot(piece: usize) -> Result<Edit, Wrong> {
    if !(1..=MOST_PIECES - FRONT).contains(&piece) {
        let most = MOST_PIECES - FRONT;
        let reason = format!(
            "{piece} is not a piece of a path; pieces, delimiters included, are numbered from 1 to {most}"
        );
        return Err(reason.into());
    }
    Ok(Edit::DropSlot((piece - 1 + FRONT) as u16))
}

fn replacement(
    from: &str,
    to: Vec<SavedPiece>,
    lexicon: &Lexicon,
    literals: &mut Literals,
) -> Result<Edit, Wrong> {
    let from =
        read(from, First::Word, lexicon).map_err(|reason| Wrong::from(reason).within("from"))?;
    if from.is_empty() {
        return Err(Wrong::from("is empty: write what is replaced").within("from"));
    }
    let to = each("to", to, |piece| piece.read(from.len(), lexicon, literals))?;
    Ok(Edit::Replace { from: from.into(), to: to.into() })
}

impl SavedPiece {
    fn of(piece: &ReplacementPiece, lexicon: &Lexicon, literals: &Literals) -> Self {
        match piece {
            ReplacementPiece::Literal(symbol, number) => {
                let text = literals.text(*number);
                if *symbol == read_as(text, lexicon) {
                    Self::Write(text.into())
                } else {
                    Self::WriteAs(text.into(), spell(*symbol, First::Word, lexicon))
                }
            }
            ReplacementPiece::Keep(place) => Self::Keep(usize::from(*place) + 1),
            ReplacementPiece::Value(key) => Self::Value(spell(*key, First::Name, lexicon)),
        }
    }

    fn read(
        self,
        pieces: usize,
        lexicon: &Lexicon,
        literals: &mut Literals,
    ) -> Result<ReplacementPiece, Wrong> {
        let mut number = |text: &str| {
            let reason = "is longer than a URL may be, or the last of more than 65,536 texts";
            let number = if text.is_empty() { None } else { literals.number(text) };
            number.ok_or_else(|| {
                Wrong::from(if text.is_empty() { "writes nothing: remove it" } else { reason })
            })
        };
        Ok(match self {
            Self::Write(text) => {
                let number = in_field("write", number(&text))?;
                ReplacementPiece::Literal(read_as(&text, lexicon), number)
            }
            Self::WriteAs(text, symbol) => {
                let number = in_field("write-as", number(&text))?;
                let symbol = in_field("write-as", one(&symbol, First::Word, lexicon))?;
                if matches!(symbol, ANY | WORD | EDGE) || symbol == DROPPED && text != "*" {
                    let reason = "a text is read as a word, a delimiter or a kind of arguments";
                    return Err(Wrong::from(reason).within("write-as"));
                }
                ReplacementPiece::Literal(symbol, number)
            }
            Self::Keep(piece) if (1..=pieces).contains(&piece) => {
                ReplacementPiece::Keep((piece - 1) as u16)
            }
            Self::Keep(piece) => {
                let reason =
                    format!("{piece} is not a piece of `from`, which has pieces 1 to {pieces}");
                return Err(Wrong::from(reason).within("keep"));
            }
            Self::Value(key) => ReplacementPiece::Value(in_field("value", name(&key, lexicon))?),
        })
    }
}

/// What a text is read as, unless it is a name.
fn read_as(text: &str, lexicon: &Lexicon) -> Symbol {
    let delimiter = Lexicon::delimiter(text);
    delimiter
        .or_else(|| lexicon.word(text))
        .unwrap_or_else(|| pieces(text).next().map_or(EDGE, |piece| lexicon.symbol(piece)))
}
