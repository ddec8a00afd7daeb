//! A URL as it was read: its shape, and the texts of its pieces.

use rustc_hash::FxHashSet;

use undust_url::lexicon::{Lexicon, Symbol};

/// A URL as symbols and texts.
#[derive(Debug, Default, Clone)]
pub struct ReadUrl<'u> {
    /// Its shape.
    pub shape: Vec<Symbol>,
    /// The texts of its pieces.
    pub texts: Vec<&'u str>,
}

impl<'u> ReadUrl<'u> {
    /// Reads a URL.
    pub fn of(url: &'u str, lexicon: &Lexicon) -> Self {
        let mut read = Self::default();
        lexicon.read(url, &mut read.shape, &mut read.texts);
        read
    }

    /// Where the query begins.
    pub(super) fn question(&self) -> Option<usize> {
        self.texts.iter().position(|text| *text == "?")
    }

    /// What is compared: a name in the query is no piece of a path, though it be spelled alike.
    pub(super) fn pieces(&self) -> Vec<(Symbol, &'u str)> {
        self.shape.iter().copied().zip(self.texts.iter().copied()).collect()
    }
}

/// The argument of the source whose value the target has from `place` on, and its length.
pub(super) fn value_of(
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
    place: usize,
) -> Option<(Symbol, usize)> {
    let question = source.question()?;
    let mut seen = FxHashSet::default();
    for at in question + 1..source.texts.len() {
        let named = source.texts[at] == "=" && Lexicon::is_word(source.shape[at - 1]);
        if !named || !seen.insert(source.shape[at - 1]) {
            continue;
        }
        let ends = |text: &&&str| !matches!(**text, "&" | ";" | "#");
        let length = source.texts[at + 1..].iter().take_while(ends).count();
        let value = &source.texts[at + 1..at + 1 + length];
        if length > 0 && target.texts[place..].starts_with(value) {
            return Some((source.shape[at - 1], length));
        }
    }
    None
}
