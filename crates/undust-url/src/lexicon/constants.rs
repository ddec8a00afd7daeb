//! Constants: texts and formats of arguments that a model distinguishes, although they are no function words.
//!
//! What an edit was tested in one author's folder is known in that folder, however rare its name is. So a
//! model lists such names, and the formats of what an edit drops: `(a(x))` is not `a`.

use serde::{Deserialize, Serialize};

use super::Symbol;
use crate::text_index::TextIndex;

/// The first symbol of a constant.
pub(super) const FIRST_CONSTANT: Symbol = 1 << 30;

/// Texts and formats of arguments, each with a number above zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Constants {
    /// As they are spelled: `=` and a text, or `~` and a format.
    spelled: Vec<String>,
    texts: TextIndex,
    formats: TextIndex,
}

impl From<Vec<String>> for Constants {
    fn from(spelled: Vec<String>) -> Self {
        let (mut texts, mut formats) = (TextIndex::default(), TextIndex::default());
        for (number, constant) in (1..).zip(&spelled) {
            if let Some(text) = constant.strip_prefix('=') {
                texts.insert(text, number);
            } else if let Some(format) = constant.strip_prefix('~') {
                formats.insert(format, number);
            }
        }
        Self { spelled, texts, formats }
    }
}

impl From<Constants> for Vec<String> {
    fn from(constants: Constants) -> Self {
        constants.spelled
    }
}

impl Constants {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spelled.is_empty()
    }

    /// The number of a text: its own, or that of its format; zero if neither is listed.
    pub fn number(&self, text: &str) -> u32 {
        if self.spelled.is_empty() {
            return 0;
        }
        let known = self.texts.get(text);
        known.or_else(|| self.formats.get(&format_of(text))).unwrap_or(0)
    }

    /// The symbol of a constant, as it is spelled.
    pub fn symbol(&self, spelled: &str) -> Option<Symbol> {
        let number = match spelled.split_at_checked(1)? {
            ("=", text) => self.texts.get(text),
            ("~", format) => self.formats.get(format),
            _ => None,
        };
        number.map(constant_symbol)
    }

    /// How the constant with a symbol is spelled.
    pub(super) fn spell(&self, symbol: Symbol) -> &str {
        let place = (symbol - FIRST_CONSTANT).checked_sub(1);
        place.and_then(|place| self.spelled.get(place as usize)).map_or("", String::as_str)
    }
}

/// The symbol of the constant with a number.
pub fn constant_symbol(number: u32) -> Symbol {
    FIRST_CONSTANT + number
}

/// The number of a symbol, if it is that of a constant.
pub fn constant_number(symbol: Symbol) -> Option<u32> {
    symbol.checked_sub(FIRST_CONSTANT).filter(|number| *number > 0 && *number < FIRST_CONSTANT)
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
    fn texts_come_before_formats() {
        let constants = Constants::from(["=alice", "~a", "~0"].map(str::to_owned).to_vec());
        let numbers = ["alice", "bob", "17", "a1"].map(|text| constants.number(text));
        assert_eq!(numbers, [1, 2, 3, 0]);
        assert_eq!(constants.symbol("=alice"), Some(constant_symbol(1)));
        assert_eq!(constants.spell(constant_symbol(2)), "~a");
        assert_eq!(constant_number(constant_symbol(3)), Some(3));
        assert_eq!(constant_number(7), None);
    }
}
