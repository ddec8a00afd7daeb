//! Texts that edits write.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::edit::Edit;
use super::replacement::ReplacementPiece;
use crate::translation::LONGEST_URL;

/// The texts that edits write, by number. The first is `*`, for a dropped slot; the
/// second `?`, for a query that lost its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literals {
    texts: Vec<String>,
    numbers: FxHashMap<String, u16>,
}

impl Default for Literals {
    fn default() -> Self {
        let texts = ["*", "?"].map(str::to_owned);
        Self { numbers: texts.iter().cloned().zip(0..).collect(), texts: texts.into() }
    }
}

impl Literals {
    /// The number of a text; none after 65,536 others, or if no URL is so long.
    pub fn number(&mut self, text: &str) -> Option<u16> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        if text.len() > LONGEST_URL {
            return None;
        }
        let number = u16::try_from(self.texts.len()).ok()?;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        Some(number)
    }

    /// The text of a number.
    pub fn text(&self, number: u16) -> &str {
        self.texts.get(usize::from(number)).map_or("", String::as_str)
    }

    /// The literals that these edits write, in the same order. The edits are renumbered.
    pub fn of_edits<'e>(&self, edits: impl Iterator<Item = &'e mut Edit>) -> Self {
        let mut edits: Vec<&mut Edit> = edits.collect();
        let mut used = BTreeSet::new();
        for edit in &mut edits {
            each_literal(edit, &mut |number| {
                used.insert(*number);
            });
        }
        let mut kept = Self::default();
        // As many texts as before at most, so that each has a number.
        let renumbered: FxHashMap<u16, u16> =
            used.into_iter().filter_map(|old| Some((old, kept.number(self.text(old))?))).collect();
        for edit in edits {
            each_literal(edit, &mut |number| {
                *number = renumbered.get(number).copied().unwrap_or(*number);
            });
        }
        kept
    }

    /// All texts.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

/// Hands the number of every literal that an edit writes to `see`.
fn each_literal(edit: &mut Edit, see: &mut impl FnMut(&mut u16)) {
    match edit {
        Edit::Replace { to, .. } => {
            for piece in to {
                if let ReplacementPiece::Literal(_, number) = piece {
                    see(number);
                }
            }
        }
        Edit::Joint(edits) => edits.iter_mut().for_each(|edit| each_literal(edit, see)),
        Edit::DropKey(_)
        | Edit::DropArgument(..)
        | Edit::CutValue(..)
        | Edit::DropSlot(_)
        | Edit::DropPath => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: u32 = 40;

    fn writes(numbers: &[u16]) -> Edit {
        let to = numbers.iter().map(|number| ReplacementPiece::Literal(WORD, *number)).collect();
        Edit::Replace { from: [WORD].into(), to }
    }

    #[test]
    fn texts_that_no_edit_writes_are_left_out() {
        let mut all = Literals::default();
        for text in ["a", "b", "c", "d", "e"] {
            all.number(text);
        }
        let joint = |edits: [Edit; 2]| Edit::Joint(edits.into());
        let mut edits = [
            writes(&[6, 2]),
            joint([writes(&[4]), Edit::DropPath]),
            joint([writes(&[1]), writes(&[2, 99])]),
        ];
        let kept = all.of_edits(edits.iter_mut());
        assert_eq!(kept.texts(), ["*", "?", "a", "c", "e", ""]);
        let again = [
            writes(&[4, 2]),
            joint([writes(&[3]), Edit::DropPath]),
            joint([writes(&[1]), writes(&[2, 5])]),
        ];
        assert_eq!(edits, again);
        assert_eq!(kept.of_edits(edits.iter_mut()), kept);
        assert_eq!(edits, again);
        assert_eq!(kept.of_edits(std::iter::empty()), Literals::default());
    }

    #[test]
    fn there_are_as_many_texts_as_numbers() {
        let mut literals = Literals::default();
        let last = (2..1 << 16).map(|number: u32| literals.number(&number.to_string())).last();
        assert_eq!((last, literals.number("x")), (Some(Some(u16::MAX)), None));
        assert_eq!((literals.number("65535"), literals.text(u16::MAX)), (Some(u16::MAX), "65535"));
    }

    #[test]
    fn a_text_is_no_longer_than_a_url() {
        let (long, longer) = ("x".repeat(LONGEST_URL), "x".repeat(LONGEST_URL + 1));
        let mut literals = Literals::default();
        assert_eq!((literals.number(&longer), literals.number(&long)), (None, Some(2)));
    }
}
