//! Texts that edits write.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The texts that edits write, by number. The first is `*`, for a dropped slot; the
/// second `?`, for a query that lost its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct Literals {
    texts: Vec<String>,
    numbers: FxHashMap<String, u16>,
}

impl Default for Literals {
    fn default() -> Self {
        Self::from(vec!["*".to_owned(), "?".to_owned()])
    }
}

impl From<Vec<String>> for Literals {
    fn from(texts: Vec<String>) -> Self {
        let numbers = texts.iter().cloned().zip(0..).collect();
        Self { texts, numbers }
    }
}

impl From<Literals> for Vec<String> {
    fn from(literals: Literals) -> Self {
        literals.texts
    }
}

impl Literals {
    /// The number of a text; none after 65,536 others.
    pub(crate) fn number(&mut self, text: &str) -> Option<u16> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        let number = u16::try_from(self.texts.len()).ok()?;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        Some(number)
    }

    /// The text of a number.
    pub(crate) fn text(&self, number: u16) -> &str {
        self.texts.get(usize::from(number)).map_or("", String::as_str)
    }

    /// All texts.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }
}
