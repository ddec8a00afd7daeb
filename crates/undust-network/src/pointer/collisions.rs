//! Targets that would give different pages one URL.
//!
//! What is taught for a shape is done to every URL of that shape, those without a duplicate too.
//! Where a pair says `/a?idx=7` → `/a`, and `/a?idx=8` is another page, the shape of both is better
//! left alone: a cluster lost costs more than a fetch saved.

use rustc_hash::FxHashMap;

use undust_decoder::pointer::decode::Written;
use undust_decoder::pointer::written_out;
use undust_learn::training::TrainingSet;
use undust_url::lexicon::Symbol;
use undust_url::pieces::pieces;

use super::alignment::AlignedPair;

/// Targets of one shape that are tested, the most frequent first. A rarer one is not what the
/// network will find likeliest.
const MOST_TARGETS: usize = 8;

/// By pair: whether its target, written for the URLs of its shape, gives more than `max_rate` of
/// those that share their result with another URL the canonical URL of another cluster.
///
/// Cost: pairs × length, at most eight times; none where any rate is allowed.
pub(crate) fn colliding(
    set: &TrainingSet<'_>,
    pairs: &[AlignedPair<'_>],
    phrases: &[String],
    max_rate: f64,
) -> Vec<bool> {
    let mut colliding = vec![false; pairs.len()];
    if max_rate >= 1.0 {
        return colliding;
    }
    let crawled: FxHashMap<&str, u32> =
        set.pairs().map(|pair| (pair.source, pair.cluster)).collect();
    let mut shapes: FxHashMap<&[Symbol], Vec<usize>> = FxHashMap::default();
    for (index, pair) in pairs.iter().enumerate() {
        shapes.entry(&pair.shape).or_default().push(index);
    }
    for of_shape in shapes.into_values().filter(|of_shape| of_shape.len() > 1) {
        let mut targets: FxHashMap<&[Written], Vec<usize>> = FxHashMap::default();
        for index in &of_shape {
            if let Some(target) =
                pairs[*index].target.as_deref().filter(|_| pairs[*index].changes())
            {
                targets.entry(target).or_default().push(*index);
            }
        }
        let mut targets: Vec<_> = targets.into_iter().collect();
        targets.sort_unstable_by(|(a, those), (b, these)| (these.len(), a).cmp(&(those.len(), b)));
        targets.truncate(MOST_TARGETS);
        let of_shape: Vec<&AlignedPair<'_>> = of_shape.iter().map(|index| &pairs[*index]).collect();
        for (target, taught) in targets {
            if collision_rate(target, &of_shape, phrases, &crawled) > max_rate {
                taught.into_iter().for_each(|index| colliding[index] = true);
            }
        }
    }
    colliding
}

/// The share of the URLs that get a canonical URL of another cluster, among those whose result was
/// crawled or is that of another URL. A result that was not crawled belongs to the cluster that has
/// it most often.
fn collision_rate(
    target: &[Written],
    of_shape: &[&AlignedPair<'_>],
    phrases: &[String],
    crawled: &FxHashMap<&str, u32>,
) -> f64 {
    let mut results: FxHashMap<String, FxHashMap<u32, usize>> = FxHashMap::default();
    for pair in of_shape {
        let texts: Vec<&str> = pieces(pair.pair.source).map(|piece| piece.text).collect();
        let result = written_out(target, &texts, phrases);
        *results.entry(result).or_default().entry(pair.pair.cluster).or_default() += 1;
    }
    let (mut tested, mut wrong) = (0, 0);
    for (result, clusters) in results {
        let urls: usize = clusters.values().sum();
        let owner = crawled.get(result.as_str());
        let right = match owner {
            Some(owner) => clusters.get(owner).copied().unwrap_or(0),
            None => clusters.values().copied().max().unwrap_or(0),
        };
        if owner.is_some() || urls > 1 {
            tested += urls;
            wrong += urls - right;
        }
    }
    wrong as f64 / tested.max(1) as f64
}
