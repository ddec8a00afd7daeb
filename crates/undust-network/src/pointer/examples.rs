//! What the pointer network is trained on: distinct shapes with what is written for them, and how
//! many pairs of URLs each stands for.

use rustc_hash::FxHashMap;

use undust_decoder::pointer::decode::Written;
use undust_decoder::pointer::{PointerTranslator, spelled};
use undust_learn::config::{Config, Seq2SeqConfig};
use undust_learn::function_words::function_words;
use undust_learn::report::network::{ExampleCounts, NetworkReport, TrainingReport};
use undust_learn::training::{Pair, TrainingSet, hold_out};
use undust_url::lexicon::{Lexicon, Symbol};
use undust_url::pieces::pieces;

use super::alignment::{Draft, draft};
use super::phrases::{MIN_HUB, Phrases, needed};
use super::samples::samples;

/// Weight of the identity pair of a page without a duplicate; a pair weighs 1.
const SINGLETON_WEIGHT: f64 = 0.3;
/// A pair is drawn in proportion to its count to this power.
const COUNT_POWER: f64 = 0.5;

/// A distinct shape with its target.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Example {
    /// The pieces of the source.
    pub shape: Vec<Symbol>,
    /// What is written.
    pub target: Vec<Written>,
    /// How many pairs of URLs it stands for; one without a duplicate counts [`SINGLETON_WEIGHT`].
    pub count: f64,
    /// How often it is drawn, in proportion to others.
    pub weight: f64,
}

/// What the network is trained on.
#[derive(Debug, Clone)]
pub(crate) struct Examples {
    /// Function words.
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

impl Examples {
    /// Aligns the pairs of a site. Cost: pairs × length².
    pub(crate) fn of(set: &TrainingSet<'_>, config: &Config) -> Self {
        let urls = set.pages().iter().map(|page| page.url.as_ref());
        let lexicon = function_words(urls, config.tokens.threshold);
        let settings = &config.seq2seq;
        let mut counts = ExampleCounts::default();
        let drafts = drafts(set, settings, &mut counts);
        let needs = drafts.iter().flat_map(|(pair, steps)| needed(steps, pair.cluster));
        let phrases = Phrases::learn(needs);
        let site = Site { set, lexicon: &lexicon, phrases: &phrases, settings, seed: config.seed };
        let [train, held_out] = site.examples(drafts, &mut counts);
        Self { phrases: phrases.into_texts(), lexicon, train, held_out, counts }
    }

    /// What is reported of a network that was trained on them.
    pub(crate) fn report(
        &self,
        translator: &PointerTranslator,
        training: TrainingReport,
    ) -> NetworkReport {
        NetworkReport {
            pairs: self.counts,
            templates: self.train.len(),
            held_out: Some(self.held_out.len()),
            training,
            samples: Some(samples(translator, &self.train, &self.held_out)),
        }
    }

    /// The shapes as text, ascending.
    pub(crate) fn shapes(&self) -> Vec<String> {
        let all = self.train.iter().chain(&self.held_out);
        let mut shapes: Vec<String> =
            all.map(|example| spelled(&self.lexicon, &example.shape)).collect();
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }

    /// Whether any pair changes its scheme or authority.
    pub(crate) fn change_hosts(&self) -> bool {
        let mut all = self.train.iter().chain(&self.held_out);
        all.any(|example| {
            let front = Lexicon::front(&example.shape);
            (0..front).any(|place| example.target.get(place) != Some(&Written::Copy(place as u16)))
        })
    }
}

/// How the pairs of a site are written, but for those that are too long.
fn drafts<'c>(
    set: &TrainingSet<'c>,
    settings: &Seq2SeqConfig,
    counts: &mut ExampleCounts,
) -> Vec<Draft<'c>> {
    let draft = |pair: Pair<'c>| {
        let steps = draft(&pair, settings.max_source);
        counts.too_long += usize::from(steps.is_none());
        Some((pair, steps?))
    };
    set.pairs().filter_map(draft).collect()
}

/// A site whose pairs become examples.
struct Site<'s, 'c> {
    set: &'s TrainingSet<'c>,
    lexicon: &'s Lexicon,
    phrases: &'s Phrases<'c>,
    settings: &'s Seq2SeqConfig,
    seed: u64,
}

impl<'c> Site<'_, 'c> {
    /// Those to train on, and those held out.
    fn examples(&self, drafts: Vec<Draft<'c>>, counts: &mut ExampleCounts) -> [Vec<Example>; 2] {
        let mut sides = [FxHashMap::default(), FxHashMap::default()];
        for (pair, steps) in drafts {
            let weight = if pair.singleton { SINGLETON_WEIGHT } else { 1.0 };
            let Some(target) = self.phrases.written(&steps) else {
                counts.unreachable += 1;
                continue;
            };
            *(if pair.singleton { &mut counts.singletons } else { &mut counts.pairs }) += 1;
            let shape = pieces(pair.source).map(|piece| self.lexicon.symbol(piece)).collect();
            let side = usize::from(self.is_held_out(pair.cluster));
            *sides[side].entry((shape, target)).or_insert(0.0) += weight;
        }
        sides.map(sorted)
    }

    fn is_held_out(&self, cluster: u32) -> bool {
        !self.set.is_hub(cluster, MIN_HUB)
            && hold_out::by_cluster(cluster, self.settings.held_out, self.seed)
    }
}

/// The target of a URL that stays as it is.
pub(crate) fn unchanged(pieces: usize) -> Vec<Written> {
    (0..pieces).map(|place| Written::Copy(place as u16)).collect()
}

/// In an order that does not depend on the map's.
fn sorted(counts: FxHashMap<(Vec<Symbol>, Vec<Written>), f64>) -> Vec<Example> {
    let example = |((shape, target), count): (_, f64)| Example {
        shape,
        target,
        count,
        weight: count.powf(COUNT_POWER),
    };
    let mut examples: Vec<_> = counts.into_iter().map(example).collect();
    examples.sort_unstable_by(|a, b| (&a.shape, &a.target).cmp(&(&b.shape, &b.target)));
    examples
}

#[cfg(test)]
mod tests {
    use undust_decoder::pointer::spelled_target;
    use undust_testing::crawl;

    use super::*;

    fn examples(groups: &[Vec<String>], seq2seq: Seq2SeqConfig) -> Examples {
        let (pages, clusters) = crawl(groups);
        let config = Config { seq2seq, ..Config::default() };
        Examples::of(&TrainingSet::new(&pages, &clusters), &config)
    }

    /// Source → target; what is inserted in braces.
    fn spell(examples: &Examples, example: &Example) -> String {
        let Examples { lexicon, phrases, .. } = examples;
        let target = spelled_target(lexicon, phrases, &example.shape, &example.target);
        format!("{} → {target}", spelled(lexicon, &example.shape))
    }

    fn changing(groups: &[Vec<String>]) -> Vec<(String, f64)> {
        let all = examples(groups, Seq2SeqConfig::default());
        let spelled = all.train.iter().map(|one| (spell(&all, one), one.count));
        spelled.filter(|(text, _)| text.split_once(" → ").is_some_and(|(a, b)| a != b)).collect()
    }

    fn groups(count: usize, urls: impl Fn(usize) -> Vec<String>) -> Vec<Vec<String>> {
        (0..count).map(urls).collect()
    }

    #[test]
    fn many_pairs_are_one_example() {
        let homes = groups(40, |n| {
            ["people/", "~"].map(|place| format!("http://s.com/{place}name{n}")).into()
        });
        let expected = "http://s.com/people/<word> → http://s.com/{~}<word>";
        assert_eq!(changing(&homes), [(expected.to_owned(), 40.0)]);
    }

    /// Values that change their order are copied, and what lies between is inserted.
    #[test]
    fn what_the_source_has_is_copied_wherever_it_stands() {
        let swapped = groups(40, |n| {
            let (first, second) = (format!("name{n}"), 1000 + n);
            vec![
                format!("http://s.com/view.php?page={first}&id={second}"),
                format!("http://s.com/{second}/{first}"),
            ]
        });
        let all = examples(&swapped, Seq2SeqConfig::default());
        let target = all.train.iter().find(|one| one.shape.len() > 8).map(|one| &one.target);
        let copied = target.into_iter().flatten().filter_map(|written| match written {
            Written::Copy(place) => Some(*place),
            Written::Phrase(_) => None,
        });
        let copied: Vec<u16> = copied.collect();
        assert!(!copied.is_sorted(), "{copied:?}");
        let spelled = changing(&swapped);
        assert_eq!(spelled.len(), 1, "{spelled:?}");
        assert!(spelled[0].0.ends_with("<1234>{/}<word>"), "{spelled:?}");
    }

    #[test]
    fn what_no_phrase_and_no_source_has_is_left_out() {
        let mut known =
            groups(40, |n| vec![format!("http://s.com/{n}x"), format!("http://s.com/{n}x/a")]);
        known.push(vec!["http://s.com/prev/10135/x".into(), "http://s.com/98579".into()]);
        let all = examples(&known, Seq2SeqConfig::default());
        assert_eq!(all.counts.unreachable, 1);
        assert!(!all.change_hosts());
    }

    #[test]
    fn hubs_are_never_held_out() {
        let mut all =
            groups(40, |n| vec![format!("http://s.com/{n}x"), format!("http://s.com/{n}x/a")]);
        all.push((0..30).map(|n| format!("http://s.com/login/x{n}")).collect());
        let held = examples(&all, Seq2SeqConfig { held_out: 1.0, ..Seq2SeqConfig::default() });
        assert_eq!(held.train.iter().map(|one| one.count).sum::<f64>(), 30.0);
        assert_eq!(held.held_out.iter().map(|one| one.count).sum::<f64>(), 80.0);
    }
}
