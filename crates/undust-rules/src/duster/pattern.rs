//! The rule: a regular expression over a URL's tokens, and what becomes of each element.

use std::fmt;

use serde::{Deserialize, Serialize};

use undust_util::op_counter;

use super::matching::parts;
use super::notation;
use super::pattern_element::{CharacterClass, Choice, PatternElement};
use super::saved_element::{SavedElement, saved_elements};
use super::tokens::{TokenKind, kind, tokens};

/// A rule over all tokens of a URL: which are copied, and which are replaced.
///
/// Matching goes by whole tokens, as alignment does: `[0-9]+` takes a whole run of digits, never
/// a part of one. Regular expressions know no tokens, so the elements are matched directly, and a
/// rule needs no compiled state. A character outside ASCII is a letter, percent-encoded or not.
///
/// In JSON it is a list. A text stands for itself, `{"copy": "digits"}` for a run that is
/// copied, `{"replace": ["print"], "optional": true, "with": ""}` for tokens that are replaced.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<SavedElement>", into = "Vec<SavedElement>")]
pub struct Pattern {
    /// What they are matched against, from the first token to the last.
    pub elements: Box<[PatternElement]>,
}

impl Pattern {
    /// The image of `url`; nothing if the rule does not apply or changes nothing. Most URLs are
    /// declined at the pattern's leading literals, without allocation. Otherwise time and memory
    /// are linear in the URL, or at worst, with optional elements that lead astray, the product of
    /// its length and the number of elements.
    pub(crate) fn apply(&self, url: &str) -> Option<String> {
        self.image(url).filter(|image| image != url)
    }

    /// The image of `url`, even if it is `url` itself.
    pub fn image(&self, url: &str) -> Option<String> {
        let (literals, start) = self.lead(url)?;
        let (elements, (lead, rest)) = (&self.elements[literals..], url.split_at(start));
        let parts = parts(elements, rest)?;
        let mut image = String::with_capacity(url.len());
        image.push_str(lead);
        for (element, part) in elements.iter().zip(parts) {
            match element {
                PatternElement::Literal(text) | PatternElement::Replace { with: text, .. } => {
                    image.push_str(text)
                }
                PatternElement::Copy(_) => image.push_str(&rest[part]),
            }
        }
        Some(image)
    }

    /// The texts that it looks for, in order; `*` for any run.
    pub fn literals(&self) -> String {
        let mut literals = String::new();
        for element in &self.elements {
            match element {
                PatternElement::Literal(text) => literals.push_str(text),
                PatternElement::Replace { what: Choice::Texts(texts), .. } => {
                    texts.iter().for_each(|text| literals.push_str(text));
                }
                PatternElement::Copy(_) | PatternElement::Replace { .. } => literals.push('*'),
            }
        }
        literals
    }

    /// How many literals the pattern begins with, and where they end in `url`; nothing if `url` does
    /// not begin with them, token by token.
    fn lead(&self, url: &str) -> Option<(usize, usize)> {
        let (mut tokens, mut at) = (tokens(url), 0);
        for (number, element) in self.elements.iter().enumerate() {
            let PatternElement::Literal(text) = element else { return Some((number, at)) };
            op_counter::count(1);
            tokens.next().filter(|token| *token == text.as_ref())?;
            at += text.len();
        }
        Some((self.elements.len(), at))
    }

    /// The words that a URL must have for the rule to apply: the pattern's runs of letters and
    /// runs of digits, in its order, repeated where they are.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let literals = self.elements.iter().filter_map(PatternElement::literal);
        literals.filter(|text| kind(text) != TokenKind::Mark)
    }

    /// Number of literal tokens, marks included: the more, the fewer URLs the rule is for.
    pub(crate) fn specificity(&self) -> usize {
        self.elements.iter().filter_map(PatternElement::literal).count()
    }

    /// Whether the rule is meaningful; the reason if it is not.
    pub fn check(&self) -> Result<(), String> {
        for element in &self.elements {
            element.check()?;
        }
        let is_wrong = |text: &str| text.contains(char::is_control);
        let is_wrong = |element: &PatternElement| match element {
            PatternElement::Literal(text) => is_wrong(text),
            PatternElement::Copy(_) => false,
            PatternElement::Replace { with, .. } => is_wrong(with),
        };
        if self.elements.iter().any(is_wrong) {
            return Err("writes a control character".into());
        }
        let replaces = |element: &PatternElement| matches!(element, PatternElement::Replace { .. });
        if !self.elements.iter().any(replaces) {
            return Err("the pattern replaces nothing".into());
        }
        if !self.elements.iter().any(PatternElement::names_a_word) {
            return Err(
                "the pattern has no word that a URL must have, so it is not for this site alone"
                    .into(),
            );
        }
        self.check_neighbours()
    }

    /// Two required runs of one class in a row are meaningless: in a URL they would be one run.
    fn check_neighbours(&self) -> Result<(), String> {
        for pair in self.elements.windows(2) {
            let classes = [pair[0].class(), pair[1].class()];
            let has_word =
                classes.contains(&Some(CharacterClass::Word)) && !classes.contains(&None);
            if has_word || classes[0].is_some() && classes[0] == classes[1] {
                return Err(format!(
                    "{} and {} in a row are one run of characters: no URL can match",
                    pair[0], pair[1]
                ));
            }
        }
        Ok(())
    }
}

/// `^regex$ → template`, with the classes of the paper: `[0-9]+`, `[a-zA-Z]+` and, for all
/// between two marks, `[a-zA-Z0-9]+`. Read them as whole tokens.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::write(&self.elements, f)
    }
}

impl From<Vec<SavedElement>> for Pattern {
    fn from(list: Vec<SavedElement>) -> Self {
        Self { elements: list.into_iter().flat_map(SavedElement::into_elements).collect() }
    }
}

impl From<Pattern> for Vec<SavedElement> {
    fn from(pattern: Pattern) -> Self {
        saved_elements(&pattern.elements)
    }
}

#[cfg(test)]
mod tests;
