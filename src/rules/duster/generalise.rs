//! From a consensus to a rule: what is said of one page is said of all that are like it.

use rustc_hash::FxHashMap;

use super::pattern::{Choice, Class, Pattern, Piece};
use super::sequence::{Lexicon, Sequence, TokenSet};
use super::tokens::Kind;
use crate::config::DusterConfig;

/// Where a token stands: after which token that all URLs of its cluster have, and if that is
/// `=`, after which name. So it is told from the same token elsewhere, whatever may be missing
/// before it.
type Place = [Option<u32>; 2];

/// Which tokens stay literal, and what the others become.
#[derive(Debug)]
pub(super) struct Generaliser<'l, 'c> {
    lexicon: &'l Lexicon<'c>,
    /// How many consensuses have an invariant token at a place.
    counts: FxHashMap<(Place, u32), u32>,
    /// The count from which on it stays literal.
    frequent: u32,
    max_alternatives: usize,
}

impl<'l, 'c> Generaliser<'l, 'c> {
    /// Counts the tokens of all consensuses. Linear in their length.
    pub fn new(
        lexicon: &'l Lexicon<'c>,
        consensuses: &[Sequence],
        settings: &DusterConfig,
    ) -> Self {
        let mut made = Self {
            lexicon,
            counts: FxHashMap::default(),
            frequent: frequent(settings.min_frequency, consensuses.len()),
            max_alternatives: settings.max_alternatives,
        };
        for consensus in consensuses {
            let mut tokens: Vec<(Place, u32)> =
                made.placed(consensus).filter(|(set, _)| set.is_invariant()).map(key).collect();
            tokens.sort_unstable();
            tokens.dedup();
            for token in tokens {
                *made.counts.entry(token).or_default() += 1;
            }
        }
        made
    }

    /// Each set with its place.
    fn placed<'s>(&self, consensus: &'s Sequence) -> impl Iterator<Item = (&'s TokenSet, Place)> {
        let equals = self.lexicon.known("=");
        let mut last: Place = [None; 2];
        consensus.iter().map(move |set| {
            let named = equals.is_some() && last[0] == equals;
            let place = [last[0], last[1].filter(|_| named)];
            if set.is_invariant() {
                last = [Some(set.first), last[0]];
            }
            (set, place)
        })
    }

    /// The rule of one consensus: its marks are literal, and so are its scheme, its authority
    /// and its frequent tokens; of its other invariant tokens the kind is. A set of several
    /// tokens becomes the token that the canonical URL has there, or nothing if it has none.
    /// Linear.
    pub fn pattern(&self, consensus: &Sequence) -> Pattern {
        let placed: Vec<_> = self
            .placed(consensus)
            .map(|(set, place)| (set, set.in_origin || self.is_frequent(set, place)))
            .collect();
        let mut pieces = Vec::with_capacity(consensus.len());
        let mut start = 0;
        for component in placed.chunk_by(|(a, _), (b, _)| is_word(a) && is_word(b)) {
            let end = start + component.len();
            let before = start.checked_sub(1).map(|at| placed[at].0);
            let after = placed.get(end).map(|(set, _)| *set);
            if is_unknown(component) && is_edge(before) && is_edge(after) {
                pieces.push(Piece::Copy(Class::Word));
            } else {
                pieces.extend(component.iter().map(|(set, literal)| self.piece(set, *literal)));
            }
            start = end;
        }
        Pattern { pieces: pieces.into() }
    }

    fn is_frequent(&self, set: &TokenSet, place: Place) -> bool {
        self.counts.get(&key((set, place))).is_some_and(|count| *count >= self.frequent)
    }

    fn piece(&self, set: &TokenSet, literal: bool) -> Piece {
        let class = class(set).filter(|_| !set.in_origin);
        if set.is_invariant() {
            return match class {
                Some(class) if !literal => Piece::Copy(class),
                _ => Piece::Literal(self.lexicon.text(set.first).into()),
            };
        }
        let many = 1 + set.others.len() > self.max_alternatives;
        let what = match class {
            Some(class) if many => Choice::Class(class),
            _ => Choice::Texts(self.texts(set)),
        };
        let with = set.canonical.map_or("", |token| self.lexicon.text(token)).into();
        Piece::Replace { what, optional: set.gap, with }
    }

    fn texts(&self, set: &TokenSet) -> Box<[Box<str>]> {
        let mut texts: Vec<Box<str>> =
            set.tokens().map(|token| self.lexicon.text(token).into()).collect();
        texts.sort_unstable();
        texts.into()
    }
}

/// The count from which on a token is frequent: the paper's, which is meant for sites with
/// thousands of candidates, and for a smaller one 1 % of them, but 2 at least. 1 stays 1:
/// every token is literal then.
fn frequent(min_frequency: usize, candidates: usize) -> u32 {
    let scaled = min_frequency.min((candidates / 100).max(2));
    u32::try_from(scaled).unwrap_or(u32::MAX)
}

fn key((set, place): (&TokenSet, Place)) -> (Place, u32) {
    (place, set.first)
}

fn is_word(set: &TokenSet) -> bool {
    set.kind != Kind::Mark
}

fn class(set: &TokenSet) -> Option<Class> {
    match set.kind {
        Kind::Letters => Some(Class::Letters),
        Kind::Digits => Some(Class::Digits),
        Kind::Mark => None,
    }
}

/// Whether it is a component of mixed tokens, all invariant and none frequent, such as a
/// checksum: how many runs it has is as good as random.
fn is_unknown(component: &[(&TokenSet, bool)]) -> bool {
    component.len() > 1 && component.iter().all(|(set, literal)| set.is_invariant() && !literal)
}

/// Whether a component certainly ends here.
fn is_edge(neighbour: Option<&TokenSet>) -> bool {
    neighbour.is_none_or(|set| set.kind == Kind::Mark && !set.gap)
}
