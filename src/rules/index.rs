//! Which rules may be for a URL, without asking all of them.
//!
//! A rule has features that every URL it is for must have: its number of segments and
//! argument names (its shape), what keys must be, words it must hold. Of these the one that
//! the fewest other rules have is its pivot. A URL looks its own features up and meets the
//! few rules whose pivots are among them.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::key_rule::{KeyRule, Test};
use super::rule::Rule;
use super::{dustbuster, duster};
use crate::url::{Key, KeyedUrl};

/// What kind of feature the pivots are of, as a set: a URL computes no others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Kinds(u8);

impl Kinds {
    /// Number of segments and names of arguments, alone.
    const SHAPE: Kinds = Kinds(1);
    /// The value of a key in a URL of one shape.
    const SHAPED: Kinds = Kinds(2);
    /// The value of a key in a URL of any shape.
    const VALUE: Kinds = Kinds(4);
    /// The name of an argument.
    const NAME: Kinds = Kinds(8);
    /// A run of letters or of digits, anywhere.
    const WORD: Kinds = Kinds(16);
    /// A run of letters and digits, anywhere.
    const RUN: Kinds = Kinds(32);

    fn has(self, kind: Kinds) -> bool {
        self.0 & kind.0 != 0
    }
}

#[derive(Debug, Clone, Copy)]
struct Feature {
    kind: Kinds,
    hash: u64,
}

/// The rules by their pivots.
#[derive(Debug, Default)]
pub struct Index {
    by_pivot: FxHashMap<u64, Vec<u32>>,
    /// Rules without any feature.
    anywhere: Vec<u32>,
    /// By rule, where there are patterns.
    sieves: Vec<Sieve>,
    kinds: Kinds,
}

/// What a URL must have for a pattern, in one look: patterns of one site share many words.
#[derive(Debug, Clone, Copy)]
struct Sieve {
    /// A bit a word, by its hash; words may share one.
    words: u64,
    marks: duster::Marks,
}

impl Sieve {
    fn of(rule: &Rule) -> Self {
        match rule {
            Rule::Pattern(rule) => {
                let words = rule.words().into_iter().map(word_bit).fold(0, |set, bit| set | bit);
                Sieve { words, marks: rule.marks() }
            }
            _ => Sieve { words: 0, marks: duster::Marks { needed: 0, allowed: u128::MAX } },
        }
    }

    fn lets_through(&self, words: u64, marks: u128) -> bool {
        let Self { words: needed, marks: duster::Marks { needed: at_least, allowed } } = *self;
        needed & !words == 0 && at_least & !marks == 0 && marks & !allowed == 0
    }
}

fn word_bit(word: &str) -> u64 {
    1 << (word_hash(word, Kinds::WORD) >> 58)
}

impl Index {
    /// Of rules, which are then known by their places. Linear in their features.
    pub fn new(rules: &[&Rule]) -> Self {
        let features: Vec<_> = rules.iter().map(|rule| features(rule)).collect();
        let mut owners: FxHashMap<u64, u32> = FxHashMap::default();
        for feature in features.iter().flatten() {
            *owners.entry(feature.hash).or_default() += 1;
        }
        let mut index = Index::default();
        if rules.iter().any(|rule| matches!(rule, Rule::Pattern(_))) {
            index.sieves = rules.iter().map(|rule| Sieve::of(rule)).collect();
        }
        for (rule, features) in (0..).zip(&features) {
            match features.iter().min_by_key(|feature| (owners[&feature.hash], feature.kind.0)) {
                Some(pivot) => {
                    index.kinds.0 |= pivot.kind.0;
                    index.by_pivot.entry(pivot.hash).or_default().push(rule);
                }
                None => index.anywhere.push(rule),
            }
        }
        index
    }

    /// The places of all rules that may be for the URL, ascending, in `found`.
    pub fn find(&self, url: &str, keyed: Option<&KeyedUrl<'_>>, found: &mut Vec<u32>) {
        found.clear();
        found.extend(&self.anywhere);
        let mut look_up = |hash: u64| found.extend(self.by_pivot.get(&hash).into_iter().flatten());
        if let Some(keyed) = keyed {
            self.look_up_keys(keyed, &mut look_up);
        }
        if self.kinds.has(Kinds::WORD) {
            duster::words(url).for_each(|word| look_up(word_hash(word, Kinds::WORD)));
        }
        if self.kinds.has(Kinds::RUN) {
            dustbuster::words(url).for_each(|run| look_up(word_hash(run, Kinds::RUN)));
        }
        if found.len() > 1 && !self.sieves.is_empty() {
            let words = duster::words(url).map(word_bit).fold(0, |set, bit| set | bit);
            let marks = duster::marks_of(url);
            found.retain(|rule| self.sieves[*rule as usize].lets_through(words, marks));
        }
        if found.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
    }

    fn look_up_keys(&self, url: &KeyedUrl<'_>, look_up: &mut dyn FnMut(u64)) {
        if self.kinds.has(Kinds::NAME) {
            url.query().iter().for_each(|argument| look_up(name_hash(argument.name)));
        }
        if self.kinds.has(Kinds::VALUE) {
            each_value(url, 0, look_up);
        }
        if self.kinds.has(Kinds(Kinds::SHAPE.0 | Kinds::SHAPED.0)) {
            let shape = shape_of(url);
            look_up(shape);
            if self.kinds.has(Kinds::SHAPED) {
                each_value(url, shape, look_up);
            }
        }
    }
}

fn features(rule: &Rule) -> Vec<Feature> {
    match rule {
        Rule::Keys(rule) => key_features(rule),
        Rule::Pattern(rule) => word_features(rule.words().into_iter(), Kinds::WORD),
        Rule::Substitution(rule) => word_features(rule.words(), Kinds::RUN),
    }
}

fn word_features<'w>(words: impl Iterator<Item = &'w str>, kind: Kinds) -> Vec<Feature> {
    words.map(|word| Feature { kind, hash: word_hash(word, kind) }).collect()
}

fn key_features(rule: &KeyRule) -> Vec<Feature> {
    let context = &rule.context;
    let mut features = Vec::new();
    let shape = context.segments.zip(context.arguments.as_ref()).map(|(segments, keys)| {
        let names = keys.iter().filter_map(|key| match key {
            Key::Argument { name, bare, .. } => Some(argument_hash(name, *bare)),
            _ => None,
        });
        shape_hash(segments, names)
    });
    features.extend(shape.map(|hash| Feature { kind: Kinds::SHAPE, hash }));
    for (key, test) in &context.keys {
        if let Key::Argument { name, .. } = key {
            features.push(Feature { kind: Kinds::NAME, hash: name_hash(name) });
        }
        let (Some(seed), Test::Is(value)) = (seed(key), test) else { continue };
        let kind = if shape.is_some() { Kinds::SHAPED } else { Kinds::VALUE };
        features.push(Feature { kind, hash: value_hash(value, seed, shape.unwrap_or(0)) });
    }
    features
}

/// What tells the values of one key from those of another; none for keys whose values a URL
/// does not look up.
fn seed(key: &Key) -> Option<u64> {
    match key {
        Key::Scheme => Some(1),
        Key::Host => Some(2),
        Key::Start(place) => Some(0x1_0000 + u64::from(*place)),
        Key::End(place) => Some(0x2_0000 + u64::from(*place)),
        Key::Argument { name, bare, .. } => Some(argument_hash(name, *bare)),
        Key::Deep { .. } => None,
    }
}

fn each_value(url: &KeyedUrl<'_>, shape: u64, look_up: &mut dyn FnMut(u64)) {
    look_up(value_hash(url.scheme, 1, shape));
    look_up(value_hash(url.host, 2, shape));
    for (place, segment) in url.segments.iter().enumerate() {
        let from_end = url.segments.len() - 1 - place;
        look_up(value_hash(segment, 0x1_0000 + place as u64, shape));
        look_up(value_hash(segment, 0x2_0000 + from_end as u64, shape));
    }
    for argument in url.query() {
        let seed = argument_hash(argument.name, argument.value.is_none());
        look_up(value_hash(argument.value.unwrap_or_default(), seed, shape));
    }
}

fn shape_of(url: &KeyedUrl<'_>) -> u64 {
    let names = url.query().iter();
    shape_hash(
        url.segments.len(),
        names.map(|argument| argument_hash(argument.name, argument.value.is_none())),
    )
}

/// A sum, for the order of arguments is no matter.
fn shape_hash(segments: usize, names: impl Iterator<Item = u64>) -> u64 {
    let names = names.fold(0, u64::wrapping_add);
    xxh3_64_with_seed(&names.to_le_bytes(), 3 + segments as u64)
}

fn argument_hash(name: &str, bare: bool) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), 0x4_0000 + u64::from(bare))
}

fn name_hash(name: &str) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), 0x5_0000)
}

fn value_hash(value: &str, seed: u64, shape: u64) -> u64 {
    xxh3_64_with_seed(value.as_bytes(), seed ^ shape)
}

fn word_hash(word: &str, kind: Kinds) -> u64 {
    xxh3_64_with_seed(word.as_bytes(), 0x6_0000 + u64::from(kind.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::duster::Pattern;

    /// A rule is found by the word that no other has, not by those of the whole site.
    #[test]
    fn a_rule_is_found_by_its_rarest_word() {
        let rule = |n: usize| {
            let pattern = serde_json::json!([
                format!("http://x.test/section{n}x/"),
                {"copy": "digits"},
                {"replace": ["/print"], "optional": true, "with": ""},
            ]);
            Rule::Pattern(serde_json::from_value::<Pattern>(pattern).expect("a pattern"))
        };
        let rules: Vec<Rule> = (100..1100).map(rule).collect();
        let index = Index::new(&rules.iter().collect::<Vec<_>>());
        let mut found = Vec::new();
        index.find("http://x.test/section118x/1181/print", None, &mut found);
        assert_eq!(found, [18]);
    }
}
