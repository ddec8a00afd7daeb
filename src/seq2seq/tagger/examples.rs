//! What the tagger is trained on: distinct shapes with their tags, and how many pairs of URLs
//! each stands for.

use rustc_hash::FxHashMap;

use super::labels::{Edits, Tag, align};
use crate::config::{Config, TaggerConfig};
use crate::seq2seq::examples::ExampleCounts;
use crate::training::{Pair, TrainingSet, hold_out};
use crate::url::lexicon::{Lexicon, Shares, Symbol};
use crate::url::pieces::pieces;

/// A distinct shape with its tags.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Example {
    /// The pieces of the source.
    pub shape: Vec<Symbol>,
    /// What becomes of them, and one for the end.
    pub tags: Vec<Tag>,
    /// How many pairs of URLs it stands for; one without a duplicate counts
    /// `singleton_weight`.
    pub count: f64,
}

/// What the tagger learns a site from.
#[derive(Debug)]
pub(super) struct Examples {
    /// The site's function words.
    pub lexicon: Lexicon,
    /// What may be inserted, the most frequent first.
    pub phrases: Vec<String>,
    /// To train on.
    pub train: Vec<Example>,
    /// Of other clusters, to judge by.
    pub held_out: Vec<Example>,
    /// How they came about.
    pub counts: ExampleCounts,
}

/// Phrases that are learned: each is one more answer that a tag may have.
const MOST_PHRASES: usize = 64;

impl Examples {
    /// Aligns the pairs of `set`. Cost: pairs × length².
    pub(super) fn of(set: &TrainingSet<'_>, config: &Config) -> Self {
        let (tokens, tagger) = (&config.tokens, &config.tagger);
        let urls = set.pages().iter().map(|page| page.url.as_ref());
        let shares = Shares { word: tokens.threshold, key: tokens.key_threshold };
        let lexicon = Lexicon::learn(urls, shares);
        let mut counts = ExampleCounts::default();
        let drafts = drafts(set, tagger, &mut counts);
        let phrases = phrases(&drafts, tagger.min_phrase);
        let mut sides = [FxHashMap::default(), FxHashMap::default()];
        for (pair, edits) in drafts {
            let Some(tags) = tags(&edits, &phrases) else {
                counts.unreachable += 1;
                continue;
            };
            let counted = if pair.singleton { &mut counts.singletons } else { &mut counts.pairs };
            *counted += 1;
            let shape = pieces(pair.source).map(|piece| lexicon.symbol(piece)).collect();
            let held_out = hold_out::by_cluster(pair.cluster, tagger.held_out, config.seed);
            let weight = if pair.singleton { tagger.singleton_weight } else { 1.0 };
            *sides[usize::from(held_out)].entry((shape, tags)).or_insert(0.0) += weight;
        }
        let [train, held_out] = sides.map(sorted);
        Self { lexicon, phrases: in_order(phrases), train, held_out, counts }
    }
}

type Draft<'c> = (Pair<'c>, Edits<'c>);

/// The edits of every pair that counts and is short enough.
fn drafts<'c>(
    set: &TrainingSet<'c>,
    config: &TaggerConfig,
    counts: &mut ExampleCounts,
) -> Vec<Draft<'c>> {
    let mut drafts = Vec::new();
    for pair in set.pairs().filter(|pair| !pair.singleton || config.singleton_weight > 0.0) {
        let cut = |url| -> Vec<&str> { pieces(url).map(|piece| piece.text).collect() };
        let (source, target) = (cut(pair.source), cut(pair.target));
        if source.len().max(target.len()) > config.max_source {
            counts.too_long += 1;
            continue;
        }
        drafts.push((pair, align(&source, pair.target, &target)));
    }
    drafts
}

/// The phrases that so many pairs need, by number, from 1.
fn phrases(drafts: &[Draft<'_>], least: usize) -> FxHashMap<String, u16> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, phrase) in drafts.iter().flat_map(|(_, edits)| &edits.insert) {
        *counts.entry(phrase).or_default() += 1;
    }
    let mut frequent: Vec<_> =
        counts.into_iter().filter(|(_, count)| *count >= least.max(1)).collect();
    frequent.sort_unstable_by_key(|(phrase, count)| (std::cmp::Reverse(*count), *phrase));
    frequent.truncate(MOST_PHRASES);
    (1..).zip(frequent).map(|(number, (phrase, _))| (phrase.to_owned(), number)).collect()
}

fn in_order(phrases: FxHashMap<String, u16>) -> Vec<String> {
    let mut numbered: Vec<_> = phrases.into_iter().collect();
    numbered.sort_unstable_by_key(|(_, number)| *number);
    numbered.into_iter().map(|(phrase, _)| phrase).collect()
}

/// Nothing where a phrase is not among those that are learned.
fn tags(edits: &Edits<'_>, phrases: &FxHashMap<String, u16>) -> Option<Vec<Tag>> {
    let kept = edits.keep.iter().chain([&true]);
    let mut tags: Vec<Tag> = kept.map(|keep| Tag { keep: *keep, insert: 0 }).collect();
    for (place, phrase) in &edits.insert {
        tags[*place].insert = *phrases.get(*phrase)?;
    }
    Some(tags)
}

/// In an order that does not depend on the map's.
fn sorted(counts: FxHashMap<(Vec<Symbol>, Vec<Tag>), f64>) -> Vec<Example> {
    let mut examples: Vec<_> =
        counts.into_iter().map(|((shape, tags), count)| Example { shape, tags, count }).collect();
    examples.sort_unstable_by(|a, b| (&a.shape, &a.tags).cmp(&(&b.shape, &b.tags)));
    examples
}

impl Examples {
    /// Whether any pair changes its scheme or authority.
    pub(super) fn change_hosts(&self) -> bool {
        let mut all = self.train.iter().chain(&self.held_out);
        all.any(|example| example.tags[..front(&example.shape)].iter().any(|tag| *tag != Tag::KEEP))
    }
}

/// How many of the first pieces are scheme, `://` and authority.
pub(super) fn front(shape: &[Symbol]) -> usize {
    let has_scheme = shape.get(1).copied() == Lexicon::delimiter("://");
    if has_scheme { shape.len().min(3) } else { 0 }
}
