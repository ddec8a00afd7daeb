//! One element of a pattern: what may stand at one place of a URL, and what becomes of it.

use serde::{Deserialize, Serialize};

use super::tokens::{TokenKind, kind, tokens};

/// What may stand at one place of a URL, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PatternElement {
    /// This token, copied.
    Literal(Box<str>),
    /// Any run of a class, copied.
    Copy(CharacterClass),
    /// Tokens that are replaced by a fixed text, or by nothing.
    Replace {
        /// What is replaced.
        what: Choice,
        /// Whether they may be missing; the text is written all the same.
        optional: bool,
        /// The text.
        with: Box<str>,
    },
}

/// What is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Choice {
    /// One of these tokens.
    Texts(Box<[Box<str>]>),
    /// Any run of a class.
    Class(CharacterClass),
}

/// A class of runs. A run is always matched whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CharacterClass {
    /// A run of letters.
    Letters,
    /// A run of digits.
    Digits,
    /// Everything between two marks: a run of letters and digits mixed.
    Word,
}

impl PatternElement {
    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a URL must have one of a few words for this element.
    pub(super) fn names_a_word(&self) -> bool {
        match self {
            Self::Literal(text) => kind(text) != TokenKind::Mark,
            Self::Replace { what: Choice::Texts(texts), optional: false, .. } => {
                texts.iter().all(|text| kind(text) != TokenKind::Mark)
            }
            _ => false,
        }
    }

    /// The class of whatever stands here; nothing if it may be a mark or missing.
    pub(super) fn class(&self) -> Option<CharacterClass> {
        let class = |text: &str| match kind(text) {
            TokenKind::Letters => Some(CharacterClass::Letters),
            TokenKind::Digits => Some(CharacterClass::Digits),
            TokenKind::Mark => None,
        };
        match self {
            Self::Literal(text) => class(text),
            Self::Copy(class) => Some(*class),
            Self::Replace { optional: true, .. } => None,
            Self::Replace { what: Choice::Class(class), .. } => Some(*class),
            Self::Replace { what: Choice::Texts(texts), .. } => {
                let first = texts.first().and_then(|text| class(text));
                first.filter(|first| texts.iter().all(|text| class(text) == Some(*first)))
            }
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let one_token = |text: &str| match tokens(text).nth(1) {
            None if !text.is_empty() => Ok(()),
            _ => Err(format!(
                "'{text}' must be one run of letters, one run of digits, or one delimiter"
            )),
        };
        match self {
            Self::Literal(text) => one_token(text),
            Self::Copy(_) | Self::Replace { what: Choice::Class(_), .. } => Ok(()),
            Self::Replace { what: Choice::Texts(texts), optional, with } => {
                if texts.is_empty() {
                    return Err("a list of what to replace is empty".into());
                }
                texts.iter().try_for_each(|text| one_token(text))?;
                if !optional && texts.iter().all(|text| text == with) {
                    return Err(format!("'{with}' is replaced by itself"));
                }
                Ok(())
            }
        }
    }
}
