//! Edits for people.

use std::fmt::{self, Write};

use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::edit::Edit;
use super::literals::Literals;
use super::program::FRONT;
use super::replacement::{ANY, DROPPED, ReplacementPiece, WORD};

/// Longest notation of an edit, in bytes; a model may hold edits and words of any length.
const LONGEST: usize = 2048;

/// What stands for the rest of a longer one.
const REST: &str = "…";

/// A text that is cut where it gets too long: writing more fails.
#[derive(Default)]
pub(super) struct Short(String);

impl Short {
    /// The text, which takes no more memory than it must: there is one for each rule.
    pub(super) fn text(mut self) -> String {
        self.0.shrink_to_fit();
        self.0
    }
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = LONGEST.saturating_sub(self.0.len());
        if text.len() <= left {
            self.0.push_str(text);
            return Ok(());
        }
        let kept = (0..=left).rev().find_map(|end| text.get(..end));
        self.0.push_str(kept.unwrap_or_default());
        self.0.push_str(REST);
        Err(fmt::Error)
    }
}

/// An edit for people.
pub fn spell(edit: &Edit, lexicon: &Lexicon, literals: &Literals) -> String {
    let mut text = Short::default();
    // It fails where it is cut.
    let _ = write_edit(&mut text, edit, lexicon, literals);
    text.text()
}

fn write_edit(
    text: &mut Short,
    edit: &Edit,
    lexicon: &Lexicon,
    literals: &Literals,
) -> fmt::Result {
    let name = |key: &Symbol| lexicon.spell(*key);
    match edit {
        Edit::DropKey(key) => write!(text, "drop ?{}", name(key)),
        Edit::DropArgument(key, value) => {
            write!(text, "drop ?{}=", name(key))?;
            value.iter().try_for_each(|piece| text.write_str(&name(piece)))
        }
        Edit::CutValue(key, 1) => write!(text, "cut ?{} after its first word", name(key)),
        Edit::CutValue(key, words) => {
            write!(text, "cut ?{} after its first {words} words", name(key))
        }
        Edit::DropPath => text.write_str("drop the path"),
        Edit::DropSlot(place) => {
            let piece = usize::from(*place).saturating_sub(FRONT) + 1;
            write!(text, "path piece {piece} → *")
        }
        Edit::Joint(edits) => edits.iter().enumerate().try_for_each(|(place, edit)| {
            text.write_str(if place == 0 { "" } else { " and " })?;
            write_edit(text, edit, lexicon, literals)
        }),
        Edit::Replace { from, to } => {
            let write_piece = |text: &mut Short, piece: Symbol| match piece {
                ANY => text.write_str("<any>"),
                WORD => text.write_str("<word>"),
                DROPPED => text.write_str("*"),
                EDGE => text.write_str("$"),
                _ => text.write_str(&name(&piece)),
            };
            from.iter().try_for_each(|piece| write_piece(text, *piece))?;
            text.write_str(" → ")?;
            to.iter().try_for_each(|piece| match piece {
                ReplacementPiece::Literal(_, number) => text.write_str(literals.text(*number)),
                ReplacementPiece::Keep(place) => match from.get(usize::from(*place)) {
                    // What is the same in all URLs is written as it is.
                    Some(kept) if !matches!(*kept, ANY | WORD) => write_piece(text, *kept),
                    _ => write!(text, "${}", place + 1),
                },
                ReplacementPiece::Value(key) => write!(text, "<{}>", name(key)),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_is_cut_between_two_characters() {
        for before in 0..4 {
            let mut text = Short("x".repeat(before));
            assert!((0..LONGEST).any(|_| text.write_str("ö€").is_err()));
            assert!(text.0.ends_with(REST));
            assert!((LONGEST - 3..=LONGEST + REST.len()).contains(&text.0.len()));
        }
        let mut text = Short::default();
        assert!(text.write_str(&"x".repeat(LONGEST)).is_ok() && text.write_str("").is_ok());
        assert!(text.write_str("x").is_err());
    }

    /// However often it writes however long a text.
    #[test]
    fn an_edit_of_any_length_is_told_in_short() {
        let mut literals = Literals::default();
        literals.number(&"x".repeat(1 << 15)).expect("few texts");
        let to: Vec<ReplacementPiece> = vec![ReplacementPiece::Literal(9, 2); 1 << 16];
        let edit = Edit::Replace { from: vec![ANY; 2].into(), to: to.into() };
        let described = spell(&Edit::Joint([edit].into()), &Lexicon::default(), &literals);
        assert!(described.starts_with("<any><any> → xxx") && described.ends_with(REST));
        assert!(described.capacity() < LONGEST + 10, "{}", described.capacity());
    }
}
