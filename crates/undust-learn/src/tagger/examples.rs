//! What the tagger is trained on: distinct shapes with their tags, and how many pairs of URLs
//! each stands for.

use rustc_hash::FxHashMap;

use undust_model::networks::alignment::{Alignment, align};
use undust_model::networks::tagger::labels::Tag;
use undust_model::report::network::ExampleCounts;
use undust_url::lexicon::{Lexicon, Symbol};
use undust_url::pieces::pieces;

use crate::config::{Config, TaggerConfig};
use crate::function_words::function_words;
use crate::training::{Pair, TrainingSet, hold_out};

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

impl Example {
    /// Whether all pieces stay, and none is added.
    pub(super) fn changes_nothing(&self) -> bool {
        self.tags.iter().all(|tag| *tag == Tag::KEEP)
    }
}

/// What the tagger learns a site from.
#[derive(Debug, Clone)]
pub(super) struct Examples {
    /// The site's function words.
    pub lexicon: Lexicon,
    /// What may be inserted, the most frequent first.
    pub phrases: Vec<String>,
    /// To train on.
    pub train: Vec<Example>,
    /// Of other clusters, to measure by.
    pub held_out: Vec<Example>,
    /// How they came about.
    pub counts: ExampleCounts,
}

/// Phrases that are learned: each is one more answer that a tag may have.
const MOST_PHRASES: usize = 64;

impl Examples {
    /// Aligns the pairs of `set`. Cost: pairs × length².
    pub(super) fn of(set: &TrainingSet<'_>, config: &Config) -> Self {
        let urls = set.pages().iter().map(|page| page.url.as_ref());
        Self::with(function_words(urls, config.tokens.threshold), set, config)
    }

    /// The same with function words that are known.
    pub(super) fn with(lexicon: Lexicon, set: &TrainingSet<'_>, config: &Config) -> Self {
        let tagger = &config.tagger;
        let mut counts = ExampleCounts::default();
        let drafts = drafts(set, tagger, &mut counts);
        let phrases = phrases(&drafts, tagger);
        let mut sides = [FxHashMap::default(), FxHashMap::default()];
        for (pair, edits) in drafts {
            let Some(tags) = tags(&edits, &phrases) else {
                counts.unreachable += 1;
                continue;
            };
            let counted = if pair.singleton { &mut counts.singletons } else { &mut counts.pairs };
            *counted += 1;
            let shape = pieces(pair.source).map(|piece| lexicon.symbol(piece)).collect();
            let held_out = !set.is_hub(pair.cluster, tagger.min_hub)
                && hold_out::by_cluster(pair.cluster, tagger.held_out, config.seed);
            let weight = if pair.singleton { tagger.singleton_weight } else { 1.0 };
            *sides[usize::from(held_out)].entry((shape, tags)).or_insert(0.0) += weight;
        }
        let [train, held_out] = sides.map(sorted);
        Self { lexicon, phrases: in_order(phrases), train, held_out, counts }
    }
}

type DraftExample<'c> = (Pair<'c>, Alignment<'c>);

/// The edits of every pair that counts and is short enough.
fn drafts<'c>(
    set: &TrainingSet<'c>,
    config: &TaggerConfig,
    counts: &mut ExampleCounts,
) -> Vec<DraftExample<'c>> {
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

/// The phrases that enough clusters need, or a hub; by number, from 1. Where a smaller cluster
/// alone needs one, it is the name of one page, which no function of other strings finds.
fn phrases(drafts: &[DraftExample<'_>], config: &TaggerConfig) -> FxHashMap<String, u16> {
    let mut needs: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (pair, edits) in drafts {
        for (_, phrase) in &edits.insert {
            needs.entry(phrase).or_default().push(pair.cluster);
        }
    }
    let mut frequent: Vec<(usize, &str)> = Vec::new();
    for (phrase, mut clusters) in needs {
        let urls = clusters.len();
        clusters.sort_unstable();
        clusters.dedup();
        if clusters.len() >= config.min_phrase || urls >= config.min_hub {
            frequent.push((urls, phrase));
        }
    }
    frequent.sort_unstable_by(|a, b| (b.0, a.1).cmp(&(a.0, b.1)));
    frequent.truncate(MOST_PHRASES);
    (1..).zip(frequent).map(|(number, (_, phrase))| (phrase.to_owned(), number)).collect()
}

fn in_order(phrases: FxHashMap<String, u16>) -> Vec<String> {
    let mut numbered: Vec<_> = phrases.into_iter().collect();
    numbered.sort_unstable_by_key(|(_, number)| *number);
    numbered.into_iter().map(|(phrase, _)| phrase).collect()
}

/// Nothing where a phrase is not among those that are learned.
fn tags(edits: &Alignment<'_>, phrases: &FxHashMap<String, u16>) -> Option<Vec<Tag>> {
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
        all.any(|example| {
            example.tags[..Lexicon::front(&example.shape)].iter().any(|tag| *tag != Tag::KEEP)
        })
    }
}

#[cfg(test)]
mod tests {
    use undust_testing::crawl;

    use super::*;

    fn examples(groups: &[Vec<String>], tagger: TaggerConfig) -> Examples {
        let (pages, clusters) = crawl(groups);
        let config = Config { tagger, ..Config::default() };
        Examples::of(&TrainingSet::new(&pages, &clusters), &config)
    }

    fn config() -> TaggerConfig {
        TaggerConfig { held_out: 0.0, ..TaggerConfig::default() }
    }

    /// Deleted pieces in brackets, inserted phrases in braces.
    fn spell(examples: &Examples, example: &Example) -> String {
        let mut spelled = String::new();
        for (place, tag) in example.tags.iter().enumerate() {
            if let Some(number) = usize::from(tag.insert).checked_sub(1) {
                spelled.push_str(&format!("{{{}}}", examples.phrases[number]));
            }
            let piece = example.shape.get(place).map(|symbol| examples.lexicon.spell(*symbol));
            let piece = piece.unwrap_or_default();
            spelled.push_str(&if tag.keep { piece.into_owned() } else { format!("[{piece}]") });
        }
        spelled
    }

    fn homes() -> Vec<Vec<String>> {
        let home = |n| ["people/", "~"].map(|place| format!("http://s.com/{place}name{n}")).into();
        (0..40).map(home).collect()
    }

    #[test]
    fn many_pairs_are_one_example() {
        let mut groups = homes();
        groups.push(vec!["http://s.com/lonely".into()]);
        let examples = examples(&groups, config());
        let spelled: Vec<_> =
            examples.train.iter().map(|e| (spell(&examples, e), e.count)).collect();
        let expected = [
            ("http://s.com/<word>", 0.3),
            ("http://s.com/~<word>", 40.0),
            ("http://s.com/{~}[people][/]<word>", 40.0),
        ];
        assert_eq!(spelled, expected.map(|(spelled, count)| (spelled.to_owned(), count)));
        assert!(!examples.change_hosts());
    }

    #[test]
    fn a_phrase_is_of_many_clusters_or_of_a_hub() {
        let mut groups = homes();
        groups.push((0..30).map(|n| format!("http://s.com/login/x{n}")).collect());
        groups.push((0..5).map(|n| format!("http://s.com/page/y{n}")).collect());
        let examples = examples(&groups, config());
        assert_eq!(examples.phrases, ["~", "x0"]);
        assert_eq!(examples.counts.unreachable, 4);
    }

    #[test]
    fn hubs_are_never_held_out() {
        let mut groups = homes();
        groups.push((0..30).map(|n| format!("http://s.com/login/x{n}")).collect());
        let examples = examples(&groups, TaggerConfig { held_out: 1.0, ..config() });
        assert!(examples.train.iter().all(|e| spell(&examples, e).contains("login")));
        assert_eq!(examples.train.iter().map(|e| e.count).sum::<f64>(), 30.0);
        assert_eq!(examples.held_out.iter().map(|e| e.count).sum::<f64>(), 80.0);
    }
}
