//! The order in which the tree asks for keys (Koppula et al., section 5.2, algorithm 5): by
//! information gain about the class.

use rustc_hash::FxHashMap;

use super::components::UrlComponents;
use super::place::{Component, ComponentKey};

/// Most pairwise rules by which the gain is estimated.
pub(super) const MAX_RULES: usize = 20_000;

/// A key, its value, and the class of the source.
type Valued<'a> = (ComponentKey<'a>, &'a str, usize);

/// The keys by falling information gain.
#[derive(Debug, Default)]
pub(super) struct KeyOrder<'a>(FxHashMap<ComponentKey<'a>, usize>);

impl<'a> KeyOrder<'a> {
    /// Learns from sources and the numbers of their classes. O(n log n) for n values.
    pub(super) fn learn(sources: &[(UrlComponents<'a>, usize)]) -> Self {
        let mut values: Vec<Valued<'a>> = Vec::new();
        let mut classes: FxHashMap<usize, usize> = FxHashMap::default();
        for (components, class) in sources {
            values.extend(keys(components).map(|(key, text)| (key, text, *class)));
            *classes.entry(*class).or_default() += 1;
        }
        values.sort_unstable();
        let mut counts: Vec<usize> = classes.values().copied().collect();
        counts.sort_unstable();
        let all = counts.into_iter().fold(Spread::default(), Spread::with);
        let by_key = values.chunk_by(|a, b| a.0 == b.0);
        let mut gains: Vec<(f64, ComponentKey<'a>)> =
            by_key.map(|values| (remaining(values, &classes, all), values[0].0)).collect();
        gains.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self(gains.into_iter().enumerate().map(|(rank, (_, key))| (key, rank)).collect())
    }

    /// The rank of a key; an unknown key comes last.
    pub(super) fn rank(&self, key: ComponentKey<'_>) -> usize {
        self.0.get(&key).copied().unwrap_or(usize::MAX)
    }
}

/// The entropy of the class that remains once one key's value is known. The entropy before is
/// the same for all keys, so the least remaining entropy is the largest gain. Sources that lack
/// the key count as one more value. Linear in the key's values, but for sorting them.
fn remaining(values: &[Valued<'_>], classes: &FxHashMap<usize, usize>, all: Spread) -> f64 {
    let mut bits = 0.0;
    for same in values.chunk_by(|a, b| a.1 == b.1) {
        let counts = same.chunk_by(|a, b| a.2 == b.2).map(<[_]>::len);
        bits += counts.fold(Spread::default(), Spread::with).entropy();
    }
    let mut having: Vec<usize> = values.iter().map(|(_, _, class)| *class).collect();
    having.sort_unstable();
    let lacking = having.chunk_by(|a, b| a == b).fold(all, |lacking, run| {
        let count = classes.get(&run[0]).copied().unwrap_or(run.len());
        lacking.without(count).with(count - run.len())
    });
    (bits + lacking.entropy()) / all.total.max(1) as f64
}

/// A distribution of things over classes.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    total: usize,
    /// Sum of n log n over the classes.
    sum: f64,
}

impl Spread {
    fn with(self, count: usize) -> Self {
        Self { total: self.total + count, sum: self.sum + n_log_n(count) }
    }

    fn without(self, count: usize) -> Self {
        Self { total: self.total - count, sum: self.sum - n_log_n(count) }
    }

    /// In bits, times the number of things.
    fn entropy(self) -> f64 {
        n_log_n(self.total) - self.sum
    }
}

fn n_log_n(n: usize) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * f64::log2(n as f64) }
}

/// The keys of a URL, its segments from both ends.
fn keys<'a>(components: &UrlComponents<'a>) -> impl Iterator<Item = (ComponentKey<'a>, &'a str)> {
    let ends = [(ComponentKey::Scheme, components.scheme), (ComponentKey::Host, components.host)];
    let values = components.values().flat_map(|value| {
        let keys = match value.component {
            Component::Scheme | Component::Host => [None, None],
            Component::Segment(spot) => {
                [Some(ComponentKey::Start(spot.start)), Some(ComponentKey::End(spot.end))]
            }
            Component::Argument { name, nth, bare } => {
                [Some(ComponentKey::Argument { name, nth, bare }), None]
            }
        };
        keys.into_iter().flatten().map(|key| (key, value.text))
    });
    ends.into_iter().chain(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::tree::conventions::Conventions;

    #[test]
    fn the_key_that_separates_the_classes_comes_first() {
        let conventions = Conventions::default();
        let url = |n: usize| format!("http://x.com/{}/{}?a={n}", n % 2, n % 3);
        let urls: Vec<_> = (0..60).map(url).collect();
        let source = |(n, url)| (UrlComponents::parse(url, &conventions).expect("a URL"), n % 2);
        let sources: Vec<_> = urls.iter().map(String::as_str).enumerate().map(source).collect();
        let order = KeyOrder::learn(&sources);
        assert!(order.rank(ComponentKey::Start(0)) < order.rank(ComponentKey::Start(1)));
        assert!(order.rank(ComponentKey::Start(0)) < order.rank(ComponentKey::Host));
        assert_eq!(order.rank(ComponentKey::End(7)), usize::MAX);
    }

    #[test]
    fn what_is_taken_out_of_a_spread_is_as_if_it_had_never_been_there() {
        let even = Spread::default().with(2).with(2);
        let bits = |spread: Spread, bits: f64| assert!((spread.entropy() - bits).abs() < 1e-9);
        bits(even, 4.0);
        bits(even.with(4).without(4), 4.0);
        bits(even.without(2), 0.0);
    }
}
