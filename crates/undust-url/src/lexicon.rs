//! Shapes: the pieces of a URL with its arguments reduced to their kinds.
//!
//! In a [template](super::template) an argument has a number, and what a method learns about `arg2`
//! is useless if the same argument is `arg3` in a longer path. In a shape an argument has a *kind*
//! (a number of some length, a word), so that what is learned at one position also holds at
//! others.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use self::constants::FIRST_CONSTANT;
pub use self::constants::{Constants, format_of, has_constant, is_constant};
use super::pieces::{Piece, UrlPart, What, pieces};
use super::text_index::TextIndex;
use super::traits::Traits;

mod constants;

/// A piece reduced to its symbol: a delimiter, a function word, or the kind of an argument.
pub type Symbol = u32;

/// Pads short sequences, and marks the position before the first and after the last piece.
pub const EDGE: Symbol = 0;

const KINDS: [&str; 10] =
    ["1", "12", "123", "1234", "12345", "1234567", "hex", "Word", "word", "%"];
const FIRST_KIND: Symbol = 1;
/// The kind of `*` if that is not a function word, and of every text without another kind.
pub const STAR_KIND: Symbol = FIRST_KIND + 8;
/// The kinds of numbers come first.
const HEX: Symbol = 6;
const DELIMITERS: [&str; 13] = ["://", "/", "?", "=", "&", ";", ":", "#", ".", ",", "~", "-", "_"];
const FIRST_DELIMITER: Symbol = FIRST_KIND + KINDS.len() as Symbol;
/// If an argument of the query has fewer values than this, its values are function words.
const MANY: usize = 30;
const FIRST_WORD: Symbol = FIRST_DELIMITER + DELIMITERS.len() as Symbol;

/// The function words of a site (Xu, Liu, Callan, SIGIR 2017, section 2.1), over
/// [pieces](super::pieces). A name in the query is a separate word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Listed", into = "Listed")]
pub struct Lexicon {
    words: Vec<Word>,
    texts: TextIndex,
    keys: TextIndex,
    constants: Constants,
}

/// A function word.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Word {
    /// Its text.
    text: String,
    /// Whether it is a name in the query.
    key: bool,
}

/// A lexicon as stored in files. The symbols follow from the texts, whatever their order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    /// The function words.
    words: Vec<String>,
    /// The names in the query.
    names: Vec<String>,
    /// What of arguments is distinguished.
    #[serde(default, skip_serializing_if = "Constants::is_empty")]
    constants: Constants,
}

impl TryFrom<Listed> for Lexicon {
    type Error = String;

    fn try_from(Listed { words, names, constants }: Listed) -> Result<Self, String> {
        let word = |key: bool| move |text: String| Word { text, key };
        let all = words.into_iter().map(word(false)).chain(names.into_iter().map(word(true)));
        let mut words: Vec<Word> = all.collect();
        words.sort_unstable();
        if words.first().is_some_and(|word| word.text.is_empty()) {
            return Err("a word of the lexicon is empty: remove it".into());
        }
        match words.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                Err(format!("the lexicon has {:?} twice: remove one of them", pair[0].text))
            }
            None => Ok(Self::from(words).with_constants(constants)),
        }
    }
}

impl From<Lexicon> for Listed {
    fn from(lexicon: Lexicon) -> Self {
        let (names, words): (Vec<Word>, Vec<Word>) =
            lexicon.words.into_iter().partition(|word| word.key);
        let texts = |words: Vec<Word>| words.into_iter().map(|word| word.text).collect();
        Self { words: texts(words), names: texts(names), constants: lexicon.constants }
    }
}

impl From<Vec<Word>> for Lexicon {
    fn from(mut words: Vec<Word>) -> Self {
        words.shrink_to_fit();
        let mut lexicon = Self::default();
        for (symbol, word) in (FIRST_WORD..).zip(&words) {
            let index = if word.key { &mut lexicon.keys } else { &mut lexicon.texts };
            index.insert(&word.text, symbol);
        }
        lexicon.words = words;
        lexicon
    }
}

/// Least share of a site's URLs that must have a piece for it to be a function word. It is never
/// fewer than three URLs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrequencyThresholds {
    /// Of words.
    pub word: f64,
    /// Of names in the query.
    pub key: f64,
}

impl Lexicon {
    /// The function words of `urls`, which must be distinct. Linear in their length.
    pub fn learn<'u>(urls: impl Iterator<Item = &'u str>, shares: FrequencyThresholds) -> Self {
        let mut counts: FxHashMap<(&str, bool), u32> = FxHashMap::default();
        let mut values: FxHashMap<&str, FxHashMap<&str, u32>> = FxHashMap::default();
        let (mut seen, mut all) = (FxHashSet::default(), 0_usize);
        for url in urls {
            all += 1;
            seen.clear();
            let mut name = "";
            for piece in pieces(url).filter(|piece| !piece.delimiter) {
                match piece.part {
                    UrlPart::Key => name = piece.text,
                    UrlPart::Value if values.get(name).is_none_or(|known| known.len() < MANY) => {
                        *values.entry(name).or_default().entry(piece.text).or_default() += 1;
                    }
                    _ => {}
                }
                let entry = (piece.text, piece.part == UrlPart::Key);
                if seen.insert(entry) {
                    *counts.entry(entry).or_default() += 1;
                }
            }
        }
        let least = |share: f64| (share * all as f64 - 1e-9).ceil().max(3.0) as u32;
        let (word, key) = (least(shares.word), least(shares.key));
        let listed: FxHashSet<&str> = values
            .values()
            .filter(|known| known.len() < MANY)
            .flat_map(|known| known.iter().filter(|(_, count)| **count >= 3))
            .map(|(text, _)| *text)
            .collect();
        let mut words: Vec<Word> = counts
            .into_iter()
            .filter(|((text, is_key), count)| {
                (*count >= if *is_key { key } else { word } || !is_key && listed.contains(text))
                    && (*is_key || !names_one_thing(text))
            })
            .map(|((text, key), _)| Word { text: text.to_owned(), key })
            .collect();
        words.sort_unstable();
        Self::from(words)
    }

    /// The lexicon with these names in the query in addition, however rare they are.
    pub fn with_keys(self, names: &[String]) -> Self {
        let Self { mut words, constants, .. } = self;
        for name in names {
            let word = Word { text: name.clone(), key: true };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.sort_unstable();
        Self::from(words).with_constants(constants)
    }

    /// The lexicon with only the words for which `holds` is true, and with all names in the query.
    pub fn with_words(self, holds: impl Fn(&str) -> bool) -> Self {
        let Self { mut words, constants, .. } = self;
        words.retain(|word| word.key || holds(&word.text));
        Self::from(words).with_constants(constants)
    }

    /// The lexicon with these constants.
    pub fn with_constants(self, constants: Constants) -> Self {
        Self { constants, ..self }
    }

    /// What of arguments is distinguished.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// The symbol of a name in the query.
    pub fn key(&self, name: &str) -> Option<Symbol> {
        self.keys.get(name)
    }

    /// The symbol of a word that is no name.
    pub fn word(&self, text: &str) -> Option<Symbol> {
        self.texts.get(text)
    }

    /// Whether it knows no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Number of symbols: those of kinds and delimiters, and those of words.
    pub fn len(&self) -> usize {
        FIRST_WORD as usize + self.words.len()
    }

    /// The names in the query.
    pub fn keys(&self) -> impl Iterator<Item = Symbol> {
        let keys = (FIRST_WORD..).zip(&self.words).filter(|(_, word)| word.key);
        keys.map(|(symbol, _)| symbol)
    }

    /// The symbol of a piece.
    pub fn symbol(&self, piece: Piece<'_>) -> Symbol {
        let text = piece.text.as_bytes();
        let what = if piece.delimiter { What::Delimiter } else { What::Word(Traits::of(text)) };
        self.symbol_of(text, piece.part, what)
    }

    /// The symbol of a text, by its part of the URL and its sorts of bytes.
    #[inline]
    pub(super) fn symbol_of(&self, text: &[u8], part: UrlPart, what: What) -> Symbol {
        let What::Word(traits) = what else { return FIRST_DELIMITER + delimiter_place(text) };
        let words = if part == UrlPart::Key { &self.keys } else { &self.texts };
        words.get(text).unwrap_or_else(|| kind_of(text, traits))
    }

    /// Whether a symbol is a name in the query.
    pub fn is_key(&self, symbol: Symbol) -> bool {
        let word = symbol.checked_sub(FIRST_WORD).and_then(|place| self.words.get(place as usize));
        word.is_some_and(|word| word.key)
    }

    /// Whether a symbol is a function word.
    pub fn is_word(symbol: Symbol) -> bool {
        (FIRST_WORD..FIRST_CONSTANT).contains(&symbol)
    }

    /// Whether a symbol is a delimiter.
    pub fn is_delimiter(symbol: Symbol) -> bool {
        (FIRST_DELIMITER..FIRST_WORD).contains(&symbol)
    }

    /// Whether a symbol is the kind of an argument.
    pub fn is_argument(symbol: Symbol) -> bool {
        (FIRST_KIND..FIRST_DELIMITER).contains(&symbol)
    }

    /// The symbol that a function word would have if it were rare: the kind of its text. Other
    /// symbols stay the same.
    pub fn as_argument(&self, symbol: Symbol) -> Symbol {
        let word = symbol.checked_sub(FIRST_WORD).and_then(|n| self.words.get(n as usize));
        word.map_or(symbol, |word| kind(&word.text))
    }

    /// Whether a symbol is the kind of a number (numbers are never function words).
    pub fn is_number(symbol: Symbol) -> bool {
        (FIRST_KIND..FIRST_KIND + HEX).contains(&symbol)
    }

    /// Whether a symbol is `-` or `_`, which may join a word and a number. These delimiters come
    /// last.
    pub fn is_mark(symbol: Symbol) -> bool {
        (FIRST_WORD - 2..FIRST_WORD).contains(&symbol)
    }

    /// The symbol of a kind of arguments, by its name without brackets.
    pub fn kind(name: &str) -> Option<Symbol> {
        let place = KINDS.iter().position(|kind| *kind == name)?;
        Some(FIRST_KIND + place as Symbol)
    }

    /// The names of the kinds of arguments.
    pub fn kinds() -> [&'static str; KINDS.len()] {
        KINDS
    }

    /// The symbol of a delimiter. Known when the program is compiled, if the text is.
    #[inline]
    pub const fn delimiter(text: &str) -> Option<Symbol> {
        match (text.as_bytes(), delimiter_place(text.as_bytes())) {
            (b"://", place) | (_, place @ 1..) => Some(FIRST_DELIMITER + place),
            _ => None,
        }
    }

    /// How many of the first pieces of a shape are scheme, `://` and authority.
    pub fn front(shape: &[Symbol]) -> usize {
        let has_scheme = shape.get(1).copied() == Self::delimiter("://");
        if has_scheme { shape.len().min(3) } else { 0 }
    }

    /// A symbol for people: a word's or delimiter's text, an argument's kind in angle brackets.
    pub fn spell(&self, symbol: Symbol) -> std::borrow::Cow<'_, str> {
        if symbol == EDGE {
            "".into()
        } else if Self::is_argument(symbol) {
            format!("<{}>", KINDS[(symbol - FIRST_KIND) as usize]).into()
        } else if Self::is_delimiter(symbol) {
            DELIMITERS[(symbol - FIRST_DELIMITER) as usize].into()
        } else if is_constant(symbol) {
            format!("<{}>", self.constants.spell(symbol)).into()
        } else {
            let word = self.words.get((symbol - FIRST_WORD) as usize);
            word.map_or("", |word| word.text.as_str()).into()
        }
    }

    /// Reads `url` into its shape; `texts` become the texts of its pieces. Both are cleared
    /// first, so that a long queue reuses them.
    pub fn read<'u>(&self, url: &'u str, shape: &mut Vec<Symbol>, texts: &mut Vec<&'u str>) {
        shape.clear();
        texts.clear();
        for piece in pieces(url) {
            shape.push(self.symbol(piece));
            texts.push(piece.text);
        }
    }
}

/// The position of a delimiter in [`DELIMITERS`].
#[inline]
const fn delimiter_place(text: &[u8]) -> Symbol {
    match text {
        [b'/'] => 1,
        [b'?'] => 2,
        [b'='] => 3,
        [b'&'] => 4,
        [b';'] => 5,
        [b':'] => 6,
        [b'#'] => 7,
        [b'.'] => 8,
        [b','] => 9,
        [b'~'] => 10,
        [b'-'] => 11,
        [b'_'] => 12,
        _ => 0,
    }
}

/// Whether a text is a number or a hash, which is an argument however frequent it is.
fn names_one_thing(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && text.len() > 2 || kind(text) == FIRST_KIND + HEX
}

fn kind(text: &str) -> Symbol {
    kind_of(text.as_bytes(), Traits::of(text.as_bytes()))
}

/// The kind of an argument: how many digits a number has, whether it is hexadecimal, whether a
/// word begins with a capital or holds escapes.
fn kind_of(text: &[u8], traits: Traits) -> Symbol {
    let place = if traits.has_only(&[Traits::DIGIT]) {
        match text.len() {
            0..=4 => text.len().max(1) as Symbol - 1,
            5 | 6 => 4,
            _ => 5,
        }
    } else if text.len() >= 8
        && traits.has_only(&[Traits::DIGIT, Traits::HEX_LETTER])
        && traits.has(Traits::DIGIT)
    {
        HEX
    } else if traits.has(Traits::PERCENT) {
        9
    } else if text[0].is_ascii_uppercase() {
        7
    } else {
        8
    };
    FIRST_KIND + place
}

#[cfg(test)]
mod tests;
