//! The rule: a regular expression over a URL's tokens, and what becomes of each of its pieces.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::matching::parts;
use super::tokens::{Kind, kind, tokens};

/// A rule that is for the whole URL, token by token: what is copied, and what is replaced.
///
/// Matching goes by whole tokens: `[0-9]+` takes a whole run of digits, never a part of one, so
/// that what is aligned is what is matched. A regular expression knows no tokens; this is why
/// the pieces are matched as they are, and why a rule needs no compiled state. A character
/// outside ASCII is a letter, percent-encoded or not.
///
/// In JSON it is a list: a text stands for itself, `{"copy": "digits"}` for a run that is
/// kept, `{"replace": ["print"], "optional": true, "with": ""}` for what is not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct Pattern {
    pub(super) pieces: Box<[Piece]>,
}

/// What may stand at one place of a URL, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Piece {
    /// One token, which is copied.
    Literal(Box<str>),
    /// Any run of a class, which is copied.
    Copy(Class),
    /// Something that is replaced by a text that is always the same, or by nothing.
    Replace {
        /// What is replaced.
        what: Choice,
        /// Whether it may be missing; the text is written all the same.
        optional: bool,
        /// The text.
        with: Box<str>,
    },
}

/// What is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Choice {
    /// One of these tokens.
    Texts(Box<[Box<str>]>),
    /// Any run of a class.
    Class(Class),
}

/// A class of runs. A run is always matched whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Class {
    /// A run of letters.
    Letters,
    /// A run of digits.
    Digits,
    /// All between two marks: a run of letters and digits mixed.
    Word,
}

/// Sets of ASCII marks, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// Without one of these the rule does not apply.
    pub needed: u128,
    /// With any other it does not apply either.
    pub allowed: u128,
}

/// The ASCII marks of a text, a bit each.
pub fn marks_of(text: &str) -> u128 {
    text.bytes().filter(u8::is_ascii).fold(0, |set, byte| set | mark(byte))
}

fn mark(byte: u8) -> u128 {
    if byte.is_ascii_alphanumeric() { 0 } else { 1 << byte }
}

impl Pattern {
    /// What it makes of `url`; nothing where it does not apply or changes nothing. Most URLs
    /// are declined at the pattern's leading literals, without allocation. Otherwise time and
    /// memory are at worst the product of the URL's length and the number of pieces, and
    /// linear in the URL where no optional piece leads astray.
    pub fn apply(&self, url: &str) -> Option<String> {
        self.image(url).filter(|image| image != url)
    }

    /// What it makes of `url`, even if that is `url` itself.
    pub(super) fn image(&self, url: &str) -> Option<String> {
        if !self.leads(url) {
            return None;
        }
        let parts = parts(&self.pieces, url)?;
        let mut image = String::with_capacity(url.len());
        for (piece, part) in self.pieces.iter().zip(parts) {
            match piece {
                Piece::Literal(text) | Piece::Replace { with: text, .. } => image.push_str(text),
                Piece::Copy(_) => image.push_str(&url[part]),
            }
        }
        Some(image)
    }

    /// Whether `url` begins with the literals that the pattern begins with.
    fn leads(&self, url: &str) -> bool {
        let mut rest = Some(url);
        for piece in &self.pieces {
            let (Piece::Literal(text), Some(url)) = (piece, rest) else { break };
            rest = url.strip_prefix(text.as_ref());
        }
        rest.is_some()
    }

    /// The marks that a URL must have for the rule to apply, and those that it may have, for no
    /// class takes one. `%` may always stand there: what it begins may be a letter.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks { needed: 0, allowed: mark(b'%') };
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => {
                    marks.needed |= marks_of(text);
                    marks.allowed |= marks_of(text);
                }
                Piece::Replace { what: Choice::Texts(texts), .. } => {
                    marks.allowed |= texts.iter().fold(0, |set, text| set | marks_of(text));
                }
                Piece::Copy(_) | Piece::Replace { .. } => {}
            }
        }
        marks
    }

    /// The words, as [`super::words`] yields them, that every URL has to which the rule
    /// applies; in the pattern's order, repeated where they are.
    pub fn words(&self) -> Vec<&str> {
        let literals = self.pieces.iter().filter_map(Piece::literal);
        literals.filter(|text| kind(text) != Kind::Mark).collect()
    }

    /// How many literal tokens, marks included, a URL must have: of two rules that apply, the
    /// one with more says more about its URLs.
    pub fn specificity(&self) -> usize {
        self.pieces.iter().filter_map(Piece::literal).count()
    }

    /// Whether it means anything; the reason where it does not.
    pub fn check(&self) -> Result<(), String> {
        for piece in &self.pieces {
            piece.check()?;
        }
        let is_wrong = |text: &str| text.contains(char::is_control);
        let is_wrong = |piece: &Piece| match piece {
            Piece::Literal(text) => is_wrong(text),
            Piece::Copy(_) => false,
            Piece::Replace { with, .. } => is_wrong(with),
        };
        if self.pieces.iter().any(is_wrong) {
            return Err("writes a control character".into());
        }
        let replaces = |piece: &Piece| matches!(piece, Piece::Replace { .. });
        if !self.pieces.iter().any(replaces) {
            return Err("the pattern replaces nothing".into());
        }
        if !self.pieces.iter().any(Piece::names_a_word) {
            return Err("the pattern names no word that a URL must have: it is for any site".into());
        }
        self.check_neighbours()
    }

    /// Two runs of one kind, neither of which may be missing, would be one run in a URL.
    fn check_neighbours(&self) -> Result<(), String> {
        for pair in self.pieces.windows(2) {
            let kinds = [pair[0].kind(), pair[1].kind()];
            let word = kinds.contains(&Some(Class::Word)) && !kinds.contains(&None);
            if word || kinds[0].is_some() && kinds[0] == kinds[1] {
                return Err(format!(
                    "{} and {} in a row are one run of characters: no URL can match",
                    pair[0], pair[1]
                ));
            }
        }
        Ok(())
    }
}

impl Piece {
    fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a URL needs one of a few words for this piece.
    fn names_a_word(&self) -> bool {
        match self {
            Self::Literal(text) => kind(text) != Kind::Mark,
            Self::Replace { what: Choice::Texts(texts), optional: false, .. } => {
                texts.iter().all(|text| kind(text) != Kind::Mark)
            }
            _ => false,
        }
    }

    /// The class that whatever stands here is in; nothing for what may be a mark or missing.
    fn kind(&self) -> Option<Class> {
        let class = |text: &str| match kind(text) {
            Kind::Letters => Some(Class::Letters),
            Kind::Digits => Some(Class::Digits),
            Kind::Mark => None,
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

    fn check(&self) -> Result<(), String> {
        let one_token = |text: &str| match tokens(text).nth(1) {
            None if !text.is_empty() => Ok(()),
            _ => Err(format!("'{text}' is not one run of letters, one of digits, or one mark")),
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

/// `^regex$ → template`, with the classes of the paper: `[0-9]+`, `[a-zA-Z]+` and, for all
/// between two marks, `[a-zA-Z0-9]+`. Read them as whole tokens.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::notation::write(&self.pieces, f)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::notation::piece(self, f)
    }
}

impl From<Vec<Entry>> for Pattern {
    fn from(entries: Vec<Entry>) -> Self {
        Self { pieces: entries.into_iter().flat_map(Entry::into_pieces).collect() }
    }
}

impl From<Pattern> for Vec<Entry> {
    fn from(pattern: Pattern) -> Self {
        super::entry::entries(&pattern.pieces)
    }
}

#[cfg(test)]
mod tests;
