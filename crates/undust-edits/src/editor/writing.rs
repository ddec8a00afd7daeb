//! Forms, written part by part.

use undust_url::last_shape::PieceEnd;
use undust_util::op_counter;

use super::output_parts::OutputPart;
use crate::literals::Literals;

/// A form; nothing where it is longer than `longest`.
#[inline]
pub(super) fn written(
    literals: &Literals,
    parts: &[OutputPart],
    url: &str,
    ends: &[PieceEnd],
    longest: usize,
) -> Option<String> {
    let mut form = String::with_capacity(url.len() + 16);
    write(literals, parts, url, ends, longest, |part| form.push_str(part)).then_some(form)
}

/// Hands the parts of a form to `put`, one after another, until it would be longer than
/// `longest`; whether that was all. A part that is copied often makes much of a short URL.
#[inline]
pub(super) fn write(
    literals: &Literals,
    parts: &[OutputPart],
    url: &str,
    ends: &[PieceEnd],
    longest: usize,
    mut put: impl FnMut(&str),
) -> bool {
    let mut left = longest;
    for part in parts {
        let text = match part {
            OutputPart::Pieces(from, to) => {
                let [from, to] = [from, to].map(|piece| start(ends, usize::from(*piece)));
                url.get(from..to).unwrap_or_default()
            }
            OutputPart::Literal(number) => literals.text(*number),
        };
        let Some(rest) = left.checked_sub(text.len()) else { return false };
        left = rest;
        op_counter::count(text.len());
        put(text);
    }
    true
}

/// Where a piece of a URL begins.
#[inline]
pub(super) fn start(ends: &[PieceEnd], piece: usize) -> usize {
    piece.checked_sub(1).and_then(|before| ends.get(before)).map_or(0, |end| end.at as usize)
}
