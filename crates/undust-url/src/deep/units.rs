//! Runs of letters, runs of digits, and the delimiters between them (Koppula et al., WSDM 2010,
//! Definition 3).
//!
//! The definition cuts wherever `[a-z]`, `[A-Z]` and `[0-9]` change. Here a capital begins a run
//! and stays with the small letters after it: `MainPage` is `Main` and `Page`, not four runs.

/// What a unit consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum UnitKind {
    /// Letters, and all characters outside ASCII.
    Word,
    /// Digits.
    Number,
    /// Any other ASCII character, or one `%xx`.
    Delimiter,
}

/// A part of a value. All units together give the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit<'t> {
    pub text: &'t str,
    /// The byte position of its start.
    pub at: usize,
    pub kind: UnitKind,
}

/// The units of `text`, in order. Linear, allocates nothing.
pub(super) fn units(text: &str) -> impl Iterator<Item = Unit<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let unit = unit_at(text, at)?;
        at += unit.text.len();
        Some(unit)
    })
}

fn unit_at(text: &str, at: usize) -> Option<Unit<'_>> {
    let bytes = &text.as_bytes()[at..];
    let kind = kind(*bytes.first()?);
    let length = match kind {
        UnitKind::Delimiter if is_escape(bytes) => 3,
        UnitKind::Delimiter => 1,
        _ => {
            let ends = bytes.windows(2).position(|pair| is_border(pair[0], pair[1]));
            ends.map_or(bytes.len(), |last| last + 1)
        }
    };
    Some(Unit { text: &text[at..at + length], at, kind })
}

/// Whether a run ends between two bytes: where the kind changes, or between a small letter and a
/// capital.
fn is_border(left: u8, right: u8) -> bool {
    kind(left) != kind(right) || left.is_ascii_lowercase() && right.is_ascii_uppercase()
}

fn kind(byte: u8) -> UnitKind {
    match byte {
        b'0'..=b'9' => UnitKind::Number,
        b'a'..=b'z' | b'A'..=b'Z' | 128.. => UnitKind::Word,
        _ => UnitKind::Delimiter,
    }
}

/// Whether an escaped byte comes first: `%20` is one delimiter, rather than a `%` and a number.
fn is_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

/// What is next to a run of letters or digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Neighbour<'t> {
    /// None: the value ends.
    Edge,
    /// A number next to a word, a word next to a number, or a word that begins with a capital next to
    /// one that ends with a small letter.
    Change,
    /// A delimiter.
    Delimiter(&'t str),
}

impl<'t> Neighbour<'t> {
    /// The neighbour that ends at byte `at`, where a unit begins.
    pub(super) fn before(text: &'t str, at: usize) -> Self {
        let bytes = &text.as_bytes()[..at];
        match bytes.last() {
            None => Self::Edge,
            Some(_) if at >= 3 && is_escape(&bytes[at - 3..]) => Self::Delimiter(&text[at - 3..at]),
            Some(byte) if kind(*byte) == UnitKind::Delimiter => Self::Delimiter(&text[at - 1..at]),
            Some(_) => Self::Change,
        }
    }

    /// The neighbour that begins at byte `at`, where a unit ends.
    pub(super) fn after(text: &'t str, at: usize) -> Self {
        match unit_at(text, at) {
            None => Self::Edge,
            Some(unit) if unit.kind == UnitKind::Delimiter => Self::Delimiter(unit.text),
            Some(_) => Self::Change,
        }
    }
}

/// Whether a cut between `left` and `right` is between two units, and not inside a run.
pub(super) fn is_cut(left: &str, right: &str) -> bool {
    let (Some(a), Some(b)) = (left.as_bytes().last(), right.as_bytes().first()) else {
        return true;
    };
    is_border(*a, *b) || kind(*a) == UnitKind::Delimiter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_words_numbers_and_delimiters() {
        let texts: Vec<_> = units("tt08-Ab%20c.é9%zz").map(|unit| unit.text).collect();
        assert_eq!(texts, ["tt", "08", "-", "Ab", "%20", "c", ".", "é", "9", "%", "zz"]);
    }

    #[test]
    fn a_capital_behind_a_small_letter_begins_a_unit() {
        let texts: Vec<_> = units("viewMainPageURL2x").map(|unit| unit.text).collect();
        assert_eq!(texts, ["view", "Main", "Page", "URL", "2", "x"]);
        assert!(is_cut("view", "Main") && !is_cut("vie", "wMain") && !is_cut("U", "RL"));
    }

    #[test]
    fn an_escaped_byte_is_one_neighbour() {
        assert_eq!(Neighbour::before("a%20b", 4), Neighbour::Delimiter("%20"));
        assert_eq!(Neighbour::after("a%20b", 1), Neighbour::Delimiter("%20"));
        assert_eq!(Neighbour::after("a1", 1), Neighbour::Change);
        assert_eq!(Neighbour::before("a1", 0), Neighbour::Edge);
    }
}
