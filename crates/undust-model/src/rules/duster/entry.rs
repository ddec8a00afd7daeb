//! A pattern as JSON: its literal tokens run together, so that a person can read it.

use serde::{Deserialize, Serialize};

use super::piece::{CharacterClass, Choice, Piece};
use super::tokens::tokens;

/// What a pattern's list holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a text, {\"copy\": CLASS} or {\"replace\": [TEXT, ...] or CLASS, \
                 \"optional\": BOOL, \"with\": TEXT}; a CLASS is letters, digits or word"
)]
pub(super) enum Entry {
    /// Literal tokens.
    Text(String),
    /// A run that is copied.
    Copy(Copied),
    /// What is replaced.
    Replace(Replaced),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Copied {
    copy: CharacterClass,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replaced {
    replace: Choice,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
    #[serde(default)]
    with: Box<str>,
}

impl Entry {
    /// The pieces that it stands for, one a token.
    pub(super) fn into_pieces(self) -> Vec<Piece> {
        match self {
            Self::Text(text) => tokens(&text).map(|text| Piece::Literal(text.into())).collect(),
            Self::Copy(Copied { copy }) => vec![Piece::Copy(copy)],
            Self::Replace(Replaced { replace: what, optional, with }) => {
                vec![Piece::Replace { what, optional, with }]
            }
        }
    }
}

/// Pieces as entries, neighbouring literals as one text.
pub(super) fn entries(pieces: &[Piece]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for piece in pieces {
        match (piece, entries.last_mut()) {
            (Piece::Literal(text), Some(Entry::Text(last))) => last.push_str(text),
            (Piece::Literal(text), _) => entries.push(Entry::Text(text.to_string())),
            (Piece::Copy(class), _) => entries.push(Entry::Copy(Copied { copy: *class })),
            (Piece::Replace { what, optional, with }, _) => {
                let (replace, optional, with) = (what.clone(), *optional, with.clone());
                entries.push(Entry::Replace(Replaced { replace, optional, with }));
            }
        }
    }
    entries
}
