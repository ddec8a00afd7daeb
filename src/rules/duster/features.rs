//! The features by which patterns are found, and the sieve that declines most of them.

use super::pattern::Pattern;
use super::piece::{Choice, Piece};
use super::tokens::words;
use crate::rules::feature::{Feature, Holdings, Kinds, Sieve};

impl Pattern {
    /// What a URL must have for the rule to apply: the pattern's words.
    pub fn features(&self) -> Vec<Feature> {
        self.words().map(|word| Feature::text(word, Kinds::WORD)).collect()
    }

    /// The words and marks that a URL must have for the rule to apply, and the marks that it
    /// may have, for no class takes a mark. `%` is always allowed: it may begin a letter.
    pub fn sieve(&self) -> Sieve {
        let mut needed = Holdings::default();
        self.words().for_each(|word| needed.add_word(word));
        let mut allowed_marks = mark(b'%');
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => {
                    needed.marks |= marks(text);
                    allowed_marks |= marks(text);
                }
                Piece::Replace { what: Choice::Texts(texts), .. } => {
                    allowed_marks |= texts.iter().fold(0, |set, text| set | marks(text));
                }
                Piece::Copy(_) | Piece::Replace { .. } => {}
            }
        }
        Sieve { needed, allowed_marks }
    }
}

/// Shows `take` the hashes of a URL's features.
pub(crate) fn each_feature(url: &str, take: &mut impl FnMut(u64)) {
    words(url).for_each(|word| take(Feature::text(word, Kinds::WORD).hash));
}

/// What a URL holds, to be sieved.
pub(crate) fn holdings(url: &str) -> Holdings {
    let mut held = Holdings { words: 0, marks: marks(url) };
    words(url).for_each(|word| held.add_word(word));
    held
}

/// The ASCII marks of a text, a bit each.
fn marks(text: &str) -> u128 {
    text.bytes().filter(u8::is_ascii).fold(0, |set, byte| set | mark(byte))
}

fn mark(byte: u8) -> u128 {
    if byte.is_ascii_alphanumeric() { 0 } else { 1 << byte }
}
