//! What a part of a path is called in a pattern.

use std::fmt;

/// Fewest hexadecimal digits that are no word.
const HEX_DIGITS: usize = 8;

/// Longest ending of a file's name.
const ENDING_BYTES: usize = 5;

/// The name of a host or of a segment of a path in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Label<'u> {
    /// This text.
    Text(&'u str),
    /// Any text of a kind, with an ending such as `.html`, or none.
    Any(TextKind, &'u str),
    /// All segments from here on.
    Rest,
}

/// A kind of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TextKind {
    Number,
    Date,
    Hex,
    /// Two hexadecimal numbers with dots between them, as forges write what they compare.
    Pair,
    Word,
}

impl<'u> Label<'u> {
    /// Any word, without an ending.
    pub(crate) const ANY_WORD: Self = Self::Any(TextKind::Word, "");

    /// The label of a text: itself for an empty one, its kind for a number, a date or hexadecimal digits. Of a word it
    /// is the kind, too; whether the word itself stands in the pattern is for its number of URLs to decide.
    pub(crate) fn of(text: &'u str) -> Self {
        if text.is_empty() {
            return Self::Text(text);
        }
        let (stem, ending) = stem_and_ending(text);
        Self::Any(TextKind::of(stem), ending)
    }

    /// Whether the label is that of any word.
    pub(crate) fn is_word(self) -> bool {
        matches!(self, Self::Any(TextKind::Word, _))
    }

    /// Whether it stands for numbers, dates or hexadecimal digits, which a program makes.
    pub(crate) fn is_made(self) -> bool {
        matches!(self, Self::Any(_, _)) && !self.is_word()
    }

    /// Whether it stands for any two of many, and so for far more than there are pages.
    pub(crate) fn is_pair(self) -> bool {
        matches!(self, Self::Any(TextKind::Pair, _))
    }

    /// Whether it stands for dates.
    pub(crate) fn is_date(self) -> bool {
        matches!(self, Self::Any(TextKind::Date, _))
    }

    /// Whether it stands for many texts.
    pub(crate) fn is_open(self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// What matches it in a regular expression of Perl's kind.
    pub(crate) fn regex(self) -> String {
        match self {
            Self::Text(text) => escaped(text),
            Self::Rest => ".*".to_owned(),
            Self::Any(kind, ending) => format!("{}{}", kind.name_and_regex().1, escaped(ending)),
        }
    }
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Rest => f.write_str("…"),
            Self::Any(kind, ending) => write!(f, "{{{}}}{ending}", kind.name_and_regex().0),
        }
    }
}

impl TextKind {
    fn of(text: &str) -> Self {
        let (mut digits, mut hex, mut dashes) = (0, 0, 0);
        for byte in text.bytes() {
            digits += usize::from(byte.is_ascii_digit());
            hex += usize::from(byte.is_ascii_hexdigit());
            dashes += usize::from(byte == b'-');
        }
        let is_dashed = |at: &[usize]| at.iter().all(|at| text.as_bytes()[*at] == b'-');
        match (text.len(), digits, dashes) {
            (all, digits, _) if digits == all => Self::Number,
            (10, 8, 2) if is_dashed(&[4, 7]) => Self::Date,
            (7, 6, 1) if is_dashed(&[4]) => Self::Date,
            (all, 1.., _) if all >= HEX_DIGITS && hex == all => Self::Hex,
            _ if is_pair(text) => Self::Pair,
            _ => Self::Word,
        }
    }

    /// What it is called in a pattern, and what matches it.
    fn name_and_regex(self) -> (&'static str, &'static str) {
        match self {
            Self::Number => ("number", "[0-9]+"),
            Self::Date => ("date", "[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?"),
            Self::Hex => ("hex", "[0-9A-Fa-f]+"),
            Self::Pair => ("hex..hex", "[0-9A-Fa-f]+[.][.][.]?[0-9A-Fa-f]+"),
            Self::Word => ("word", "[^/?]+"),
        }
    }
}

fn is_pair(text: &str) -> bool {
    text.split_once("..").is_some_and(|(one, other)| {
        let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let parts = [one, other.strip_prefix('.').unwrap_or(other)];
        parts.iter().all(|part| part.len() >= HEX_DIGITS && is_hex(part))
    })
}

fn stem_and_ending(text: &str) -> (&str, &str) {
    let Some(dot) = text.rfind('.').filter(|dot| *dot > 0) else { return (text, "") };
    let ending = &text.as_bytes()[dot + 1..];
    let is_ending = ending.first().is_some_and(u8::is_ascii_alphabetic)
        && ending.len() <= ENDING_BYTES
        && ending.iter().all(u8::is_ascii_alphanumeric);
    if is_ending { text.split_at(dot) } else { (text, "") }
}

/// A text for a regular expression of any kind, within double quotes. There is no backslash in it, because nginx reads
/// some of them itself. What has no class of its own without one, would end the text or the line, or is read as a byte
/// here and as a letter there, is a gap that any text fills.
pub(crate) fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '.' | '$' | '*' | '+' | '?' | '(' | ')' | '{' | '}' | '|' => {
                made.extend(['[', letter, ']']);
            }
            _ if letter.is_ascii_alphanumeric() || "/-_~!&,:;=@%#".contains(letter) => {
                made.push(letter)
            }
            _ if made.ends_with(GAP) => {}
            _ => made += GAP,
        }
    }
    made
}

/// What stands for letters that not every program reads alike.
pub(crate) const GAP: &str = "[^/?&;=]+";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_kinds() {
        let label = |text| Label::of(text).to_string();
        let texts = ["", "7", "2031-04", "2031-04-05", "12.html", "deadbeef1", "deadbeef", "v2"];
        let labels =
            ["", "{number}", "{date}", "{date}", "{number}.html", "{hex}", "{word}", "{word}"];
        assert_eq!(texts.map(label), labels);
        assert_eq!(
            [".htaccess", "a.b.c", "x.tar.gz", "1.2.3", "a."].map(label),
            ["{word}", "{word}.c", "{word}.gz", "{word}", "{word}"]
        );
        let pairs = [
            "deadbeef1...deadbeef2",
            "deadbeef1..deadbeef",
            "deadbeef1....deadbeef",
            "main...deadbeef",
        ];
        let labels = ["{hex..hex}", "{hex..hex}", "{word}", "{word}"];
        assert_eq!(pairs.map(label), labels);
        assert_eq!(
            Label::Text("a").regex() + &Label::Any(TextKind::Number, ".png").regex(),
            "a[0-9]+[.]png"
        );
    }
}
