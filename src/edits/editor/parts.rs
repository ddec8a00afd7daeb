//! A form as parts of its URL: what follows one another there is copied at once.

use crate::edits::edit::{Cell, Text};

/// A part of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The URL's pieces from one place to before another.
    Pieces(u16, u16),
    /// A literal.
    Literal(u16),
}

/// A program with the pieces that follow one another taken together.
pub(super) fn parts(program: &[Cell]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for cell in program {
        match (cell.text, parts.last_mut()) {
            (Text::Source(place), Some(Part::Pieces(_, end))) if *end == place => *end += 1,
            (Text::Source(place), _) => parts.push(Part::Pieces(place, place + 1)),
            (Text::Literal(number), _) => parts.push(Part::Literal(number)),
        }
    }
    parts
}
