//! Sequences of token sets: what is aligned, and what an alignment makes.

use rustc_hash::FxHashMap;

use undust_rules::duster::tokens::{TokenKind, kind, origin, tokens};

/// Tokens by number, so that alignment compares numbers and a consensus is small.
#[derive(Debug, Default)]
pub(super) struct SequenceLexicon<'c> {
    texts: Vec<&'c str>,
    kinds: Vec<TokenKind>,
    numbers: FxHashMap<&'c str, u32>,
}

impl<'c> SequenceLexicon<'c> {
    /// The number of a token; an unknown token gets a new one.
    fn number(&mut self, text: &'c str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.kinds.push(kind(text));
            self.texts.len() as u32 - 1
        })
    }

    /// The number of a known token.
    pub(super) fn known(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    /// The token of a number that this lexicon gave.
    pub(super) fn text(&self, number: u32) -> &'c str {
        self.texts[number as usize]
    }

    /// A URL in numbers; nothing if it has more than `longest` tokens. Linear.
    pub(super) fn read(&mut self, url: &'c str, longest: usize) -> Option<Encoded> {
        let texts: Vec<&str> = tokens(url).take(longest + 1).collect();
        if texts.len() > longest {
            return None;
        }
        let origin = origin(&texts);
        Some(Encoded { tokens: texts.iter().map(|text| self.number(text)).collect(), origin })
    }

    /// The sequence of singletons that alignment begins with.
    pub(super) fn sequence(&self, url: &Encoded, canonical: bool) -> Sequence {
        let set = |(place, &token): (usize, &u32)| TokenSet {
            first: token,
            others: Vec::new(),
            kind: self.kinds[token as usize],
            gap: false,
            in_origin: place < url.origin,
            canonical: canonical.then_some(token),
        };
        url.tokens.iter().enumerate().map(set).collect()
    }
}

/// A URL's tokens by number.
#[derive(Debug, Clone)]
pub(super) struct Encoded {
    tokens: Box<[u32]>,
    /// Number of tokens of the scheme and the authority.
    origin: usize,
}

/// Token sets from left to right.
pub(super) type Sequence = Vec<TokenSet>;

/// The tokens that URLs have at one place. All are of one kind, because only sets of one kind are
/// aligned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TokenSet {
    /// One token, outside the list: most sets have no other, and so need no heap.
    pub first: u32,
    pub others: Vec<u32>,
    pub kind: TokenKind,
    /// Whether λ is in the set: some URL has nothing here.
    pub gap: bool,
    /// Whether it belongs to the scheme or the authority of some URL.
    pub in_origin: bool,
    /// The canonical URL's token; nothing if it has none, or is not among the URLs yet.
    pub canonical: Option<u32>,
}

impl TokenSet {
    /// Its tokens, without λ.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Whether every URL has the same token here.
    pub(super) fn is_invariant(&self) -> bool {
        self.others.is_empty() && !self.gap
    }

    fn contains(&self, token: u32) -> bool {
        self.first == token || self.others.contains(&token)
    }

    fn len(&self) -> usize {
        1 + self.others.len() + usize::from(self.gap)
    }

    /// The paper's scoring function sf: the Jaccard similarity of two sets, with λ as a member;
    /// −1 if their kinds differ.
    pub(super) fn similarity(&self, other: &TokenSet) -> f32 {
        if self.kind != other.kind {
            return -1.0;
        }
        let both_gaps = usize::from(self.gap && other.gap);
        let common = self.tokens().filter(|token| other.contains(*token)).count() + both_gaps;
        common as f32 / (self.len() + other.len() - common) as f32
    }

    /// The union.
    pub(super) fn union(&self, other: &TokenSet) -> TokenSet {
        let mut union = self.clone();
        union.others.extend(other.tokens().filter(|token| !self.contains(*token)));
        union.gap |= other.gap;
        union.in_origin |= other.in_origin;
        union.canonical = self.canonical.or(other.canonical);
        union
    }

    /// The union with λ.
    pub(super) fn with_gap(&self) -> TokenSet {
        TokenSet { gap: true, ..self.clone() }
    }
}
