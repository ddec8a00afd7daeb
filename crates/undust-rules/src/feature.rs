//! Features and sieves: what a URL must have for a rule to apply.
//!
//! Each kind of rule gives its own features, and finds the same features in a URL. The
//! [`RuleIndex`](super::index::Index) brings the two together and knows neither.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A set of kinds of features. A URL computes features only of the kinds that are looked up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kinds(u8);

impl Kinds {
    /// The number of segments and the names of the arguments.
    pub(crate) const SHAPE: Kinds = Kinds(1);
    /// The value of a key in a URL of one shape.
    pub(crate) const SHAPED: Kinds = Kinds(2);
    /// The value of a key in a URL of any shape.
    pub(crate) const VALUE: Kinds = Kinds(4);
    /// The name of an argument.
    pub(crate) const NAME: Kinds = Kinds(8);
    /// A run of letters or of digits, anywhere.
    pub(crate) const WORD: Kinds = Kinds(16);
    /// A run of letters and digits, anywhere.
    pub(crate) const RUN: Kinds = Kinds(32);
    /// What the URL begins with, up to the end of a token.
    pub(crate) const PREFIX: Kinds = Kinds(64);

    /// Whether the two sets have a kind in common.
    pub(crate) fn has(self, kinds: Kinds) -> bool {
        self.0 & kinds.0 != 0
    }

    /// The kinds of either set.
    pub(crate) const fn with(self, kinds: Kinds) -> Kinds {
        Kinds(self.0 | kinds.0)
    }
}

/// Something that every URL must have for a rule to apply.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Feature {
    /// Its kind, a set of one.
    pub kind: Kinds,
    /// A hash of the feature. If two features share one, a rule is only tried in vain.
    pub hash: u64,
}

impl Feature {
    /// That a text stands anywhere in the URL, as a feature of this kind.
    pub(crate) fn text(text: &str, kind: Kinds) -> Self {
        Self { kind, hash: xxh3_64_with_seed(text.as_bytes(), 0x6_0000 + u64::from(kind.0)) }
    }
}

/// What a URL holds, in two sets of bits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Holdings {
    /// A bit a word, by its hash; words may share one.
    pub words: u64,
    /// The ASCII marks, a bit each.
    pub marks: u128,
}

impl Holdings {
    /// Adds a word.
    pub(crate) fn add_word(&mut self, word: &str) {
        self.words |= 1 << (Feature::text(word, Kinds::WORD).hash >> 58);
    }
}

/// What a URL must hold for a rule to apply, and what it may hold besides. The rules of one site
/// share many words, so that a URL finds several of which one applies: a sieve declines the others
/// without trying them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sieve {
    /// Without any of these the rule does not apply.
    pub needed: Holdings,
    /// With any other mark it does not apply either.
    pub allowed_marks: u128,
}

impl Sieve {
    /// Lets every URL through.
    pub(crate) const OPEN: Sieve =
        Sieve { needed: Holdings { words: 0, marks: 0 }, allowed_marks: u128::MAX };

    /// Whether the rule may apply to a URL that holds this.
    pub(crate) fn lets_through(&self, url: Holdings) -> bool {
        self.needed.words & !url.words == 0
            && self.needed.marks & !url.marks == 0
            && url.marks & !self.allowed_marks == 0
    }
}
