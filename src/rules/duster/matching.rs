//! Matching a pattern's pieces against a URL's tokens.

use std::ops::Range;

use super::pattern::{Choice, Class, Piece};
use super::tokens::{Kind, kind};

/// The tokens that each piece takes, if the pieces together take all of them. An optional
/// piece takes a token where it can, and goes without where that leads nowhere. No piece is
/// tried twice at one token after the first dead end, so time and memory are at worst the
/// product of the two lengths.
pub(super) fn spans(pieces: &[Piece], tokens: &[&str]) -> Option<Vec<Range<usize>>> {
    let mut spans: Vec<Range<usize>> = Vec::with_capacity(pieces.len());
    let mut untried = Vec::new();
    let mut dead_ends = DeadEnds::default();
    let mut at = 0;
    loop {
        let number = spans.len();
        let Some(piece) = pieces.get(number) else {
            if at == tokens.len() {
                return Some(spans);
            }
            at = dead_ends.back(&mut spans, &mut untried)?;
            continue;
        };
        let optional = piece.is_optional();
        match piece.takes(&tokens[at..]) {
            _ if dead_ends.knows(number, at, tokens.len()) => {
                at = dead_ends.back(&mut spans, &mut untried)?;
            }
            Some(taken) => {
                if optional {
                    untried.push((number, at));
                }
                spans.push(at..at + taken);
                at += taken;
            }
            None if optional => spans.push(at..at),
            None => at = dead_ends.back(&mut spans, &mut untried)?,
        }
    }
}

/// Where matching has been since it first had to go back: to come there again is no use.
#[derive(Debug, Default)]
struct DeadEnds {
    been: Vec<u64>,
    /// Most patterns never go back, and then nothing is kept.
    active: bool,
}

impl DeadEnds {
    /// Goes back to the last optional piece that took a token, and leaves it without.
    fn back(
        &mut self,
        spans: &mut Vec<Range<usize>>,
        untried: &mut Vec<(usize, usize)>,
    ) -> Option<usize> {
        self.active = true;
        let (number, at) = untried.pop()?;
        spans.truncate(number);
        spans.push(at..at);
        Some(at)
    }

    /// Whether matching has been here; from now on it has.
    fn knows(&mut self, piece: usize, at: usize, tokens: usize) -> bool {
        if !self.active {
            return false;
        }
        let state = piece * (tokens + 1) + at;
        if state / 64 >= self.been.len() {
            self.been.resize(state / 64 + 1, 0);
        }
        let (word, bit) = (&mut self.been[state / 64], 1 << (state % 64));
        let known = *word & bit != 0;
        *word |= bit;
        known
    }
}

impl Piece {
    fn is_optional(&self) -> bool {
        matches!(self, Self::Replace { optional: true, .. })
    }

    /// How many of the next tokens it takes; nothing where they are not what it wants.
    fn takes(&self, next: &[&str]) -> Option<usize> {
        match self {
            Self::Literal(text) => (*next.first()? == text.as_ref()).then_some(1),
            Self::Replace { what: Choice::Texts(texts), .. } => {
                let first = next.first()?;
                texts.iter().any(|text| text.as_ref() == *first).then_some(1)
            }
            Self::Copy(class) | Self::Replace { what: Choice::Class(class), .. } => {
                class.takes(next)
            }
        }
    }
}

impl Class {
    fn takes(self, next: &[&str]) -> Option<usize> {
        let is = |wanted| (kind(next.first()?) == wanted).then_some(1);
        match self {
            Self::Letters => is(Kind::Letters),
            Self::Digits => is(Kind::Digits),
            Self::Word => {
                let length = next.iter().take_while(|token| kind(token) != Kind::Mark).count();
                (length > 0).then_some(length)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Literal(text.into())
    }

    fn optional(text: &str) -> Piece {
        let what = Choice::Texts([text.into()].into());
        Piece::Replace { what, optional: true, with: "".into() }
    }

    fn any_letters() -> Piece {
        Piece::Replace { what: Choice::Class(Class::Letters), optional: true, with: "".into() }
    }

    #[test]
    fn an_optional_piece_takes_a_token_where_that_leads_somewhere() {
        let pieces = [any_letters(), optional("-"), Piece::Copy(Class::Letters)];
        assert_eq!(spans(&pieces, &["foo", "-", "bar"]), Some(vec![0..1, 1..2, 2..3]));
        assert_eq!(spans(&pieces, &["bar"]), Some(vec![0..0, 0..0, 0..1]));
        assert_eq!(spans(&pieces, &["-", "bar"]), Some(vec![0..0, 0..1, 1..2]));
        assert_eq!(spans(&pieces, &["foo", "bar", "-"]), None);
        assert_eq!(spans(&pieces, &[]), None);
        assert_eq!(spans(&[], &[]), Some(Vec::new()));
    }

    #[test]
    fn a_word_takes_all_up_to_the_next_mark() {
        let pieces = [Piece::Copy(Class::Word), text("/")];
        assert_eq!(spans(&pieces, &["a", "1", "b", "/"]), Some(vec![0..3, 3..4]));
        assert_eq!(spans(&pieces, &["/"]), None);
    }

    #[test]
    fn many_optional_pieces_do_not_make_it_slow() {
        let pieces: Vec<Piece> = (0..100).map(|_| any_letters()).chain([text("/")]).collect();
        let tokens = ["a"; 99];
        assert_eq!(spans(&pieces, &tokens), None);
    }
}
