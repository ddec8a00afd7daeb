//! The features by which key rules are found: their shape, and what their keys must be.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use undust_url::keyed_url::KeyedUrl;
use undust_url::keys::Key;

use super::{KeyRule, Test};
use crate::feature::{Feature, Kinds};

impl KeyRule {
    /// What every URL has that the rule is for.
    ///
    /// A value counts together with the shape where the context fixes one: then the rules of
    /// one page type do not meet those of another that share a value, such as the host.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let context = &self.context;
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
}

/// Shows `take` the hashes of the features of these kinds that a URL has.
pub(crate) fn each_feature(url: &KeyedUrl<'_>, kinds: Kinds, take: &mut impl FnMut(u64)) {
    if kinds.has(Kinds::NAME) {
        url.query().iter().for_each(|argument| take(name_hash(argument.key())));
    }
    if kinds.has(Kinds::VALUE) {
        each_value(url, 0, take);
    }
    if kinds.has(Kinds::SHAPE.with(Kinds::SHAPED)) {
        let shape = shape_of(url);
        take(shape);
        if kinds.has(Kinds::SHAPED) {
            each_value(url, shape, take);
        }
    }
}

/// Keeps the values of different keys apart. None for deep tokens: finding those in a URL takes
/// the patterns of all rules.
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

fn each_value(url: &KeyedUrl<'_>, shape: u64, take: &mut impl FnMut(u64)) {
    take(value_hash(url.scheme, 1, shape));
    take(value_hash(url.host, 2, shape));
    for (place, segment) in url.segments.iter().enumerate() {
        let from_end = url.segments.len() - 1 - place;
        take(value_hash(segment, 0x1_0000 + place as u64, shape));
        take(value_hash(segment, 0x2_0000 + from_end as u64, shape));
    }
    for argument in url.query() {
        let seed = argument_hash(argument.key(), argument.value().is_none());
        take(value_hash(argument.value().unwrap_or_default(), seed, shape));
    }
}

fn shape_of(url: &KeyedUrl<'_>) -> u64 {
    let names = url.query().iter();
    shape_hash(
        url.segments.len(),
        names.map(|argument| argument_hash(argument.key(), argument.value().is_none())),
    )
}

/// The names are summed up because the order of arguments is irrelevant.
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
