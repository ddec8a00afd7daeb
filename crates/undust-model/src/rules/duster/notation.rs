//! A pattern as people write one: a regular expression and a template.

use std::fmt::{self, Display, Write};

use super::piece::{CharacterClass, Choice, Piece};

/// `^regex$ → template`.
pub(super) fn write(pieces: &[Piece], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('^')?;
    for piece in pieces {
        piece.fmt(f)?;
    }
    write!(f, "$ → {}", template(pieces))
}

/// One piece of the regular expression.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => f.write_str(&escape(text)),
            Self::Copy(class) => write!(f, "({})", runs(*class)),
            Self::Replace { what, optional, .. } => {
                let optional = if *optional { "?" } else { "" };
                match what {
                    Choice::Class(class) => write!(f, "(?:{}){optional}", runs(*class)),
                    Choice::Texts(texts) => write!(f, "{}{optional}", one_of(texts)),
                }
            }
        }
    }
}

fn runs(class: CharacterClass) -> &'static str {
    match class {
        CharacterClass::Letters => "[a-zA-Z]+",
        CharacterClass::Digits => "[0-9]+",
        CharacterClass::Word => "[a-zA-Z0-9]+",
    }
}

fn one_of(texts: &[Box<str>]) -> String {
    match texts {
        [only] if only.chars().count() == 1 => escape(only),
        _ => {
            let texts: Vec<String> = texts.iter().map(|text| escape(text)).collect();
            format!("(?:{})", texts.join("|"))
        }
    }
}

fn template(pieces: &[Piece]) -> String {
    let mut template = String::new();
    let mut copies = 0;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Literal(text) | Piece::Replace { with: text, .. } => {
                template.push_str(&text.replace('$', "$$"));
            }
            Piece::Copy(_) => {
                copies += 1;
                template.push_str(&reference(copies, &pieces[at + 1..]));
            }
        }
    }
    template
}

/// `$1`, or `${1}` where what is written next would be taken for a part of the name.
fn reference(number: usize, next: &[Piece]) -> String {
    let written = next.iter().map(|piece| match piece {
        Piece::Literal(text) | Piece::Replace { with: text, .. } => text.as_ref(),
        Piece::Copy(_) => "$",
    });
    let after = written.flat_map(str::chars).next();
    match after {
        Some(after) if after.is_alphanumeric() || after == '_' => format!("${{{number}}}"),
        _ => format!("${number}"),
    }
}

/// A text as a regular expression that takes just this text.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_are_escaped_as_the_regex_crate_does(text in "\\PC{0,20}|[!-~]{0,20}") {
            prop_assert_eq!(super::escape(&text), regex::escape(&text));
        }
    }
}
