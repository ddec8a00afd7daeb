//! Constants: texts and formats of arguments that a model distinguishes, although they are no function words.
//!
//! An edit that was tested in one author's folder holds in that folder, however rare its name is.
//! So a model lists such names, and the formats of what an edit drops: `(a(x))` is not `a`.

use serde::{Deserialize, Serialize};

use super::Symbol;
use crate::text_index::TextIndex;

/// The first symbol of a constant.
pub(super) const FIRST_CONSTANT: Symbol = 1 << 30;

/// Bits of a number that are the format's.
const FORMAT_BITS: u32 = 8;

/// Most formats and texts; more have no number.
const MOST_FORMATS: usize = (1 << FORMAT_BITS) - 1;
const MOST_TEXTS: usize = (1 << 14) - 1;

/// Texts and formats of arguments that are distinguished. The number of an argument holds that of its text and that of
/// its format, each zero if it is not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Constants {
    texts: ConstantList,
    formats: ConstantList,
}

/// Texts, or formats, numbered from one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct ConstantList {
    all: Vec<String>,
    numbers: TextIndex,
}

impl ConstantList {
    fn number(&self, text: &str) -> u32 {
        if self.all.is_empty() { 0 } else { self.numbers.get(text).unwrap_or(0) }
    }

    /// The number of a text, which is added if it is new; none where there are too many.
    fn add(&mut self, text: &str, most: usize) -> Option<u32> {
        let known = self.number(text);
        if known > 0 {
            return Some(known);
        }
        if self.all.len() >= most {
            return None;
        }
        self.all.push(text.to_owned());
        let number = self.all.len() as u32;
        self.numbers.insert(text, number);
        Some(number)
    }

    fn text(&self, number: u32) -> &str {
        let place = (number as usize).checked_sub(1);
        place.and_then(|place| self.all.get(place)).map_or("", String::as_str)
    }
}

/// As they are spelled: `=` and a text, or `~` and a format. What is neither is left out.
impl From<Vec<String>> for Constants {
    fn from(spelled: Vec<String>) -> Self {
        let mut constants = Self::default();
        for constant in spelled {
            constants.add(&constant);
        }
        constants
    }
}

impl From<Constants> for Vec<String> {
    fn from(Constants { texts, formats }: Constants) -> Self {
        let texts = texts.all.into_iter().map(|text| format!("={text}"));
        texts.chain(formats.all.into_iter().map(|format| format!("~{format}"))).collect()
    }
}

impl Constants {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.all.is_empty() && self.formats.all.is_empty()
    }

    /// The number of an argument with a text.
    pub fn number(&self, text: &str) -> u32 {
        let is_told = !self.formats.all.is_empty();
        let format = if is_told { self.formats.number(&format_of(text)) } else { 0 };
        self.texts.number(text) << FORMAT_BITS | format
    }

    /// Adds a constant as it is spelled; its symbol, unless there are too many, or it is none.
    pub fn add(&mut self, spelled: &str) -> Option<Symbol> {
        match spelled.split_at_checked(1)? {
            ("=", text) => {
                Some(FIRST_CONSTANT + (self.texts.add(text, MOST_TEXTS)? << FORMAT_BITS))
            }
            ("~", format) => Some(FIRST_CONSTANT + self.formats.add(format, MOST_FORMATS)?),
            _ => None,
        }
    }

    /// The symbol of a constant, as it is spelled.
    pub fn symbol(&self, spelled: &str) -> Option<Symbol> {
        let number = match spelled.split_at_checked(1)? {
            ("=", text) => self.texts.number(text) << FORMAT_BITS,
            ("~", format) => self.formats.number(format),
            _ => 0,
        };
        (number > 0).then_some(FIRST_CONSTANT + number)
    }

    /// How the constant with a symbol is spelled.
    pub(super) fn spell(&self, symbol: Symbol) -> String {
        let number = symbol - FIRST_CONSTANT;
        match number >> FORMAT_BITS {
            0 => format!("~{}", self.formats.text(number)),
            text => format!("={}", self.texts.text(text)),
        }
    }
}

/// Whether a symbol is that of a constant.
pub fn is_constant(symbol: Symbol) -> bool {
    (FIRST_CONSTANT + 1..FIRST_CONSTANT << 1).contains(&symbol)
}

/// Whether an argument with a number has the text, or the format, of a constant.
pub fn has_constant(number: u32, constant: Symbol) -> bool {
    let asked = constant - FIRST_CONSTANT;
    match asked >> FORMAT_BITS {
        0 => number & MOST_FORMATS as u32 == asked,
        text => number >> FORMAT_BITS == text,
    }
}

/// The format of a text: letters are `a`, digits `0`, both together `x`; everything else is itself. A part that
/// is repeated stands once, so that `one-two-three` and `one-two` are `a-a` both.
pub fn format_of(text: &str) -> String {
    let mut parts: Vec<char> = Vec::new();
    let mut is_run = false;
    for letter in text.chars() {
        let part = match letter {
            letter if letter.is_ascii_digit() => '0',
            letter if letter.is_alphabetic() => 'a',
            letter => letter,
        };
        let joins = matches!(part, '0' | 'a');
        match parts.last_mut() {
            Some(last) if is_run && joins => {
                if *last != part {
                    *last = 'x';
                }
            }
            _ => parts.push(part),
        }
        is_run = joins;
    }
    let mut format: Vec<char> = Vec::new();
    for part in parts {
        format.push(part);
        if let [.., a, b, c, d] = format[..]
            && (a, b) == (c, d)
        {
            format.truncate(format.len() - 2);
        }
    }
    format.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_distinguish_what_looks_different() {
        for (text, format) in [
            ("eu", "a"),
            ("2024", "0"),
            ("(S(c17b8ed4))", "(a(x))"),
            ("one-two-three-four", "a-a"),
            ("one-two", "a-a"),
            ("2024-12", "0-0"),
            ("F19BFBEC", "x"),
            ("", ""),
        ] {
            assert_eq!(format_of(text), format, "{text}");
        }
    }

    #[test]
    fn an_argument_has_a_text_and_a_format() {
        let constants = Constants::from(["=alice", "~a", "~0"].map(str::to_owned).to_vec());
        let symbol = |spelled: &str| constants.symbol(spelled).expect("a constant");
        for (text, has) in
            [("alice", ["=alice", "~a"].as_slice()), ("bob", &["~a"]), ("17", &["~0"]), ("a1", &[])]
        {
            let number = constants.number(text);
            let all = ["=alice", "~a", "~0"].into_iter();
            let found: Vec<&str> = all.filter(|one| has_constant(number, symbol(one))).collect();
            assert_eq!(found, has, "{text}");
        }
        for spelled in ["=alice", "~a", "~0"] {
            assert!(is_constant(symbol(spelled)));
            assert_eq!(constants.spell(symbol(spelled)), spelled);
        }
        assert!(!is_constant(7) && constants.symbol("=bob").is_none());
        let again: Vec<String> = constants.clone().into();
        assert_eq!(Constants::from(again), constants);
    }

    #[test]
    fn there_are_no_more_formats_than_a_number_holds() {
        let mut constants = Constants::default();
        let added = (0..300).filter_map(|n| constants.add(&format!("~{}", "-a".repeat(n))));
        assert_eq!(added.count(), MOST_FORMATS);
    }
}
