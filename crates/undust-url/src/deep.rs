//! Deep tokens: the pieces of a path segment or of an argument's value, by the conventions of
//! one host (Koppula et al., WSDM 2010, section 4, algorithms 1 and 2).
//!
//! `profile-42-Austria_Graz.html` follows `profile-*-Austria_*.html`, where `profile`,
//! `Austria` and `html` are anchors: runs of letters or digits that many values of the key
//! share. A tree of such patterns is learned from the values of one key of one host. Each level
//! fixes more anchors.

pub mod pattern;
pub mod sample;
#[cfg(test)]
mod tests;
mod units;

use std::collections::BTreeMap;

use pattern::DeepPattern;
use sample::DeepSample;
use units::{Neighbour, Unit, UnitKind, units};

/// Share of a node's values that must have an anchor: the first try, and the second.
const COVERAGE: [f64; 2] = [0.9, 0.5];
/// Most distinct anchors at one position, as a number and as a share of the node's values.
const MAX_ANCHORS: (usize, f64) = (5, 0.1);
/// Largest standard deviation of the anchors' frequencies, as a share of their mean.
const MAX_VARIATION: f64 = 1.0;
/// With fewer distinct values no convention is learned.
const MIN_VALUES: usize = 10;
/// Most levels of patterns.
const MAX_DEPTH: usize = 6;

/// The conventions of one key of one host: a tree of patterns. Each pattern narrows its parent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeepTokenizer {
    roots: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    pattern: DeepPattern,
    children: Vec<Node>,
}

impl DeepTokenizer {
    /// Learns the conventions of all values from a sample of them.
    #[cfg(test)]
    fn learn<'t>(values: impl Iterator<Item = &'t str>) -> Self {
        let mut sample = DeepSample::default();
        values.for_each(|value| sample.insert(value));
        Self::learn_sample(&sample)
    }

    /// Learns from a sample of at most 2,000 distinct values of a key. Values of more than 256
    /// bytes are ignored, and fewer than 10 distinct values have no conventions. The order of
    /// the values is irrelevant.
    ///
    /// O(n log s) for the sample of n values, then O(s d) for its s values and d ≤ 6 levels,
    /// times their length.
    pub fn learn_sample(sample: &DeepSample<'_>) -> Self {
        Self { roots: children(&DeepPattern::any(), sample.values(), MAX_DEPTH) }
    }

    /// The narrowest pattern that `text` fits; none if it follows no convention. Linear in
    /// `text` for each pattern tried.
    pub fn pattern(&self, text: &str) -> Option<&DeepPattern> {
        let mut found = None;
        let mut nodes = &self.roots;
        while let Some(node) = nodes.iter().find(|node| node.pattern.fits(text)) {
            found = Some(&node.pattern);
            nodes = &node.children;
        }
        found
    }
}

/// Algorithm 1: the patterns below `parent`, which all `values` fit. Values without the chosen
/// anchors get another try by themselves.
fn children(parent: &DeepPattern, mut values: Vec<&str>, depth: usize) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for left in (0..depth).rev() {
        if values.len() < MIN_VALUES {
            break;
        }
        let candidates = Candidates::find(parent, &values);
        let places = candidates.select(values.len());
        if places.is_empty() {
            break;
        }
        let mut groups: BTreeMap<DeepPattern, Vec<&str>> = BTreeMap::new();
        let mut rest = Vec::new();
        for value in values {
            match parent.narrow(value, &candidates.anchors_of(parent, value, &places)) {
                Some(pattern) => groups.entry(pattern).or_default().push(value),
                None => rest.push(value),
            }
        }
        nodes.extend(groups.into_iter().map(|(pattern, values)| {
            let children = children(&pattern, values, left);
            Node { pattern, children }
        }));
        values = rest;
    }
    nodes
}

/// A position of an anchor: the gap of the pattern, the neighbours on either side, and whether the
/// anchor is a number or a word. The paper calls them clusters of candidate anchors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AnchorPlace<'t> {
    gap: usize,
    before: Neighbour<'t>,
    after: Neighbour<'t>,
    kind: UnitKind,
}

/// The candidate anchors of a node by position, and the number of values that have each.
struct Candidates<'t>(BTreeMap<AnchorPlace<'t>, BTreeMap<&'t str, usize>>);

impl<'t> Candidates<'t> {
    /// One pass over the values. If one value has several candidates at one position, the first
    /// counts towards coverage, and all count as distinct anchors.
    fn find(pattern: &DeepPattern, values: &[&'t str]) -> Self {
        let mut found: BTreeMap<AnchorPlace<'t>, BTreeMap<&'t str, usize>> = BTreeMap::new();
        let mut seen: Vec<AnchorPlace<'t>> = Vec::new();
        for value in values {
            seen.clear();
            for (place, unit) in candidates(pattern, value) {
                let anchors = found.entry(place).or_default();
                let is_first = !seen.contains(&place);
                *anchors.entry(unit.text).or_default() += usize::from(is_first);
                if is_first {
                    seen.push(place);
                }
            }
        }
        Self(found)
    }

    /// Algorithm 2: the positions whose anchors are few, evenly frequent, and in most values. If
    /// some positions have a single anchor that every value has, all of these are chosen. Otherwise
    /// the best position is chosen: the one with the highest coverage, then the fewest anchors,
    /// then the first.
    fn select(&self, values: usize) -> Vec<AnchorPlace<'t>> {
        let is_constant = |anchors: &BTreeMap<_, usize>| {
            anchors.len() == 1 && anchors.values().sum::<usize>() == values
        };
        let constant = self.0.iter().filter(|(_, anchors)| is_constant(anchors));
        let constant: Vec<_> = constant.map(|(place, _)| *place).collect();
        if !constant.is_empty() {
            return constant;
        }
        let least = |coverage: f64| {
            let usable = self.0.iter().filter(|(_, anchors)| usable(anchors, values, coverage));
            usable.min_by_key(|(_, anchors)| {
                (std::cmp::Reverse(anchors.values().sum::<usize>()), anchors.len())
            })
        };
        COVERAGE.into_iter().find_map(least).map(|(place, _)| *place).into_iter().collect()
    }

    /// The spans of the anchors of `value` at the chosen positions, in order; empty if one of them
    /// is missing.
    fn anchors_of(
        &self,
        pattern: &DeepPattern,
        value: &str,
        places: &[AnchorPlace<'_>],
    ) -> Vec<(usize, usize)> {
        let first_in = |place: &AnchorPlace<'_>| {
            let mut in_place = candidates(pattern, value).filter(|(at, _)| at == place);
            in_place.next().map(|(_, unit)| (unit.at, unit.at + unit.text.len()))
        };
        let mut spans: Option<Vec<_>> = places.iter().map(first_in).collect();
        if let Some(spans) = &mut spans {
            spans.sort_unstable();
        }
        spans.unwrap_or_default()
    }
}

fn usable(anchors: &BTreeMap<&str, usize>, values: usize, coverage: f64) -> bool {
    let (most, share) = MAX_ANCHORS;
    let covered = anchors.values().sum::<usize>() as f64;
    covered >= coverage * values as f64
        && anchors.len() <= most.min((share * values as f64) as usize)
        && variation(anchors.values()) <= MAX_VARIATION
}

/// The standard deviation as a share of the mean.
fn variation<'n>(counts: impl ExactSizeIterator<Item = &'n usize> + Clone) -> f64 {
    let n = counts.len() as f64;
    let mean = counts.clone().sum::<usize>() as f64 / n;
    let variance = counts.map(|&count| (count as f64 - mean).powi(2)).sum::<f64>() / n;
    variance.sqrt() / mean
}

/// The runs of letters or digits in the gaps of `pattern` in `value`.
fn candidates<'t>(
    pattern: &DeepPattern,
    value: &'t str,
) -> impl Iterator<Item = (AnchorPlace<'t>, Unit<'t>)> {
    let gaps = pattern.gaps(value).unwrap_or_default();
    gaps.into_iter().enumerate().flat_map(move |(gap, (start, end))| {
        let in_gap = units(value).filter(move |unit| {
            start <= unit.at && unit.at + unit.text.len() <= end && unit.kind != UnitKind::Delimiter
        });
        in_gap.map(move |unit| {
            let before = Neighbour::before(value, unit.at);
            let after = Neighbour::after(value, unit.at + unit.text.len());
            (AnchorPlace { gap, before, after, kind: unit.kind }, unit)
        })
    })
}
