//! The features by which patterns are found, and the sieve that declines most of them.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::pattern::Pattern;
use super::pattern_element::{Choice, PatternElement};
use super::tokens::{tokens, words};
use crate::feature::{Feature, Holdings, Kinds, Sieve};

/// Keeps prefixes apart from features of other kinds.
const PREFIX_SEED: u64 = 0x7_0000;

impl Pattern {
    /// What a URL must have for the rule to apply: the pattern's words, and the literals that it
    /// begins with. Where the rules of a site share all their words, these distinguish them.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let words = self.words().map(|word| Feature::text(word, Kinds::WORD));
        let prefix = self
            .elements
            .iter()
            .map_while(PatternElement::literal)
            .fold(Prefix::EMPTY, Prefix::then);
        words.chain(prefix.feature()).collect()
    }

    /// The words and marks that a URL must have for the rule to apply, and the marks that it
    /// may have, for no class takes a mark. `%` is always allowed: it may begin a letter.
    pub(crate) fn sieve(&self) -> Sieve {
        let mut needed = Holdings::default();
        self.words().for_each(|word| needed.add_word(word));
        let mut allowed_marks = mark(b'%');
        for element in &self.elements {
            match element {
                PatternElement::Literal(text) => {
                    needed.marks |= marks(text);
                    allowed_marks |= marks(text);
                }
                PatternElement::Replace { what: Choice::Texts(texts), .. } => {
                    allowed_marks |= texts.iter().fold(0, |set, text| set | marks(text));
                }
                PatternElement::Copy(_) | PatternElement::Replace { .. } => {}
            }
        }
        Sieve { needed, allowed_marks }
    }
}

/// Shows `take` the hashes of a URL's features of these kinds.
pub(crate) fn each_feature(url: &str, kinds: Kinds, take: &mut impl FnMut(u64)) {
    if kinds.has(Kinds::WORD) {
        words(url).for_each(|word| take(Feature::text(word, Kinds::WORD).hash));
    }
    if kinds.has(Kinds::PREFIX) {
        let prefixes = tokens(url).scan(Prefix::EMPTY, |prefix, token| {
            *prefix = prefix.then(token);
            Some(prefix.feature())
        });
        prefixes.flatten().for_each(|feature| take(feature.hash));
    }
}

/// The first tokens of a URL, hashed one after the other, so that all prefixes of a URL take no
/// longer than the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Prefix(u64);

impl Prefix {
    const EMPTY: Prefix = Prefix(0);

    fn then(self, token: &str) -> Self {
        Prefix(xxh3_64_with_seed(token.as_bytes(), self.0))
    }

    /// Nothing for the empty prefix, which every URL has.
    fn feature(self) -> Option<Feature> {
        (self != Self::EMPTY).then_some(Feature { kind: Kinds::PREFIX, hash: self.0 ^ PREFIX_SEED })
    }
}

/// What a URL holds, to be sieved.
pub(crate) fn holdings(url: &str) -> Holdings {
    let mut held = Holdings { words: 0, marks: marks(url) };
    words(url).for_each(|word| held.add_word(word));
    held
}

/// The ASCII marks of a text, a bit each.
fn marks(text: &str) -> u128 {
    text.bytes().filter(u8::is_ascii).fold(0, |set, byte| set | mark(byte))
}

fn mark(byte: u8) -> u128 {
    if byte.is_ascii_alphanumeric() { 0 } else { 1 << byte }
}
