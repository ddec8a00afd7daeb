//! A pattern as people write one: a regular expression and a template.

use std::fmt::{self, Display, Write};

use super::pattern_element::{CharacterClass, Choice, PatternElement};

/// `^regex$ → template`.
pub(super) fn write(elements: &[PatternElement], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('^')?;
    for element in elements {
        element.fmt(f)?;
    }
    write!(f, "$ → {}", template(elements))
}

/// One element of the regular expression.
impl fmt::Display for PatternElement {
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

fn template(elements: &[PatternElement]) -> String {
    let mut template = String::new();
    let mut copies = 0;
    for (at, element) in elements.iter().enumerate() {
        match element {
            PatternElement::Literal(text) | PatternElement::Replace { with: text, .. } => {
                template.push_str(&text.replace('$', "$$"));
            }
            PatternElement::Copy(_) => {
                copies += 1;
                template.push_str(&reference(copies, &elements[at + 1..]));
            }
        }
    }
    template
}

/// `$1`, or `${1}` where what is written next would be taken for a part of the name.
fn reference(number: usize, next: &[PatternElement]) -> String {
    let written = next.iter().map(|element| match element {
        PatternElement::Literal(text) | PatternElement::Replace { with: text, .. } => text.as_ref(),
        PatternElement::Copy(_) => "$",
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
