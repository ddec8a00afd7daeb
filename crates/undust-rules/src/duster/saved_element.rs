//! A pattern as JSON: its literal tokens run together, so that a person can read it.

use serde::{Deserialize, Serialize};

use super::pattern_element::{CharacterClass, Choice, PatternElement};
use super::tokens::tokens;

/// What a pattern's list holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a text, {\"copy\": CLASS} or {\"replace\": [TEXT, ...] or CLASS, \
                 \"optional\": BOOL, \"with\": TEXT}; a CLASS is letters, digits or word"
)]
pub(super) enum SavedElement {
    /// Literal tokens.
    Text(String),
    /// A run that is copied.
    Copy { copy: CharacterClass },
    /// What is replaced.
    Replace {
        replace: Choice,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        optional: bool,
        #[serde(default)]
        with: Box<str>,
    },
}

impl SavedElement {
    /// The elements that it stands for, one a token.
    pub(super) fn into_elements(self) -> Vec<PatternElement> {
        match self {
            Self::Text(text) => {
                tokens(&text).map(|text| PatternElement::Literal(text.into())).collect()
            }
            Self::Copy { copy } => vec![PatternElement::Copy(copy)],
            Self::Replace { replace: what, optional, with } => {
                vec![PatternElement::Replace { what, optional, with }]
            }
        }
    }
}

/// Elements as they are saved, neighbouring literals as one text.
pub(super) fn saved_elements(elements: &[PatternElement]) -> Vec<SavedElement> {
    let mut saved_elements: Vec<SavedElement> = Vec::new();
    for element in elements {
        match (element, saved_elements.last_mut()) {
            (PatternElement::Literal(text), Some(SavedElement::Text(last))) => last.push_str(text),
            (PatternElement::Literal(text), _) => {
                saved_elements.push(SavedElement::Text(text.to_string()))
            }
            (PatternElement::Copy(class), _) => {
                saved_elements.push(SavedElement::Copy { copy: *class })
            }
            (PatternElement::Replace { what, optional, with }, _) => {
                let (replace, optional, with) = (what.clone(), *optional, with.clone());
                saved_elements.push(SavedElement::Replace { replace, optional, with });
            }
        }
    }
    saved_elements
}
