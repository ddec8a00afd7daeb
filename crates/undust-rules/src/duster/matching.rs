//! Matching a pattern's elements against a URL's tokens.

use std::ops::Range;

use undust_util::op_counter;

use super::pattern_element::{CharacterClass, Choice, PatternElement};
use super::tokens::{TokenKind, kind, tokens};

/// The range of `url`, in bytes, that each element takes, if together they take all of it.
///
/// An optional element takes a token if it can, and goes without if that leads to a dead end. After
/// the first dead end no element is tried twice at one place, so time and memory are at worst the
/// product of the two lengths. Tokens are cut when they are needed: every range ends at the end of
/// a token, and from there the rest of the URL has the same tokens as within the whole.
pub(super) fn parts(elements: &[PatternElement], url: &str) -> Option<Vec<Range<usize>>> {
    let mut parts: Vec<Range<usize>> = Vec::with_capacity(elements.len());
    let mut untried = Vec::new();
    let mut dead_ends = DeadEnds::default();
    let mut at = 0;
    loop {
        op_counter::count(1);
        let number = parts.len();
        let next = match elements.get(number) {
            None if at == url.len() => return Some(parts),
            Some(element) if !dead_ends.knows(number, at, url.len()) => {
                let taken = element.takes(&url[at..]);
                if taken.is_some() && element.is_optional() {
                    untried.push((number, at));
                }
                taken.or(element.is_optional().then_some(0))
            }
            _ => None,
        };
        at = match next {
            Some(taken) => {
                parts.push(at..at + taken);
                at + taken
            }
            None => dead_ends.back(&mut parts, &mut untried)?,
        };
    }
}

/// The places that matching has seen since its first dead end: seeing them again is useless.
#[derive(Debug, Default)]
struct DeadEnds {
    been: Vec<u64>,
    /// Whether there was a dead end. For most URLs there is none, and nothing is kept.
    active: bool,
}

impl DeadEnds {
    /// Returns to the last optional element that took a token, and lets it go without.
    fn back(
        &mut self,
        parts: &mut Vec<Range<usize>>,
        untried: &mut Vec<(usize, usize)>,
    ) -> Option<usize> {
        self.active = true;
        let (number, at) = untried.pop()?;
        parts.truncate(number);
        parts.push(at..at);
        Some(at)
    }

    /// Whether matching has been here; from now on it has.
    fn knows(&mut self, element: usize, at: usize, length: usize) -> bool {
        if !self.active {
            return false;
        }
        let state = element * (length + 1) + at;
        if state / 64 >= self.been.len() {
            self.been.resize(state / 64 + 1, 0);
        }
        let (word, bit) = (&mut self.been[state / 64], 1 << (state % 64));
        let known = *word & bit != 0;
        *word |= bit;
        known
    }
}

impl PatternElement {
    fn is_optional(&self) -> bool {
        matches!(self, Self::Replace { optional: true, .. })
    }

    /// Number of bytes that it takes of the rest; nothing if it does not match.
    fn takes(&self, rest: &str) -> Option<usize> {
        let is = |text: &str| rest.starts_with(text) && tokens(rest).next() == Some(text);
        match self {
            Self::Literal(text) => is(text).then_some(text.len()),
            Self::Replace { what: Choice::Texts(texts), .. } => {
                texts.iter().find(|text| is(text)).map(|text| text.len())
            }
            Self::Copy(class) | Self::Replace { what: Choice::Class(class), .. } => {
                class.takes(rest)
            }
        }
    }
}

impl CharacterClass {
    fn takes(self, rest: &str) -> Option<usize> {
        let next = |wanted| tokens(rest).next().filter(|token| kind(token) == wanted);
        match self {
            Self::Letters => next(TokenKind::Letters).map(str::len),
            Self::Digits => next(TokenKind::Digits).map(str::len),
            Self::Word => {
                let words = tokens(rest).take_while(|token| kind(token) != TokenKind::Mark);
                Some(words.map(str::len).sum()).filter(|length| *length > 0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> PatternElement {
        PatternElement::Literal(text.into())
    }

    fn optional(text: &str) -> PatternElement {
        let what = Choice::Texts([text.into()].into());
        PatternElement::Replace { what, optional: true, with: "".into() }
    }

    fn any_letters() -> PatternElement {
        PatternElement::Replace {
            what: Choice::Class(CharacterClass::Letters),
            optional: true,
            with: "".into(),
        }
    }

    #[test]
    fn an_optional_element_takes_a_token_where_that_leads_somewhere() {
        let elements =
            [any_letters(), optional("-"), PatternElement::Copy(CharacterClass::Letters)];
        assert_eq!(parts(&elements, "foo-bar"), Some(vec![0..3, 3..4, 4..7]));
        assert_eq!(parts(&elements, "bar"), Some(vec![0..0, 0..0, 0..3]));
        assert_eq!(parts(&elements, "-bar"), Some(vec![0..0, 0..1, 1..4]));
        assert_eq!(parts(&elements, "foo-bar-"), None);
        assert_eq!(parts(&elements, ""), None);
        assert_eq!(parts(&[], ""), Some(Vec::new()));
    }

    #[test]
    fn a_word_takes_all_up_to_the_next_mark() {
        let elements = [PatternElement::Copy(CharacterClass::Word), text("/")];
        assert_eq!(parts(&elements, "a1b/"), Some(vec![0..3, 3..4]));
        assert_eq!(parts(&elements, "/"), None);
    }

    #[test]
    fn many_optional_elements_do_not_make_it_slow() {
        let any_digits = || {
            let what = Choice::Class(CharacterClass::Digits);
            PatternElement::Replace { what, optional: true, with: "".into() }
        };
        let pairs = (0..100).flat_map(|_| [any_letters(), any_digits()]);
        let elements: Vec<PatternElement> = pairs.chain([text("/")]).collect();
        assert_eq!(parts(&elements, &"a1".repeat(99)), None);
    }
}
