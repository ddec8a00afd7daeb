//! What the pointer network is trained on: distinct shapes with what is written for them, and how
//! many pairs of URLs each stands for.

use rustc_hash::FxHashMap;

use undust_learn::config::Config;
use undust_learn::training::{Pair, TrainingSet, hold_out};
use undust_model::networks::pointer::decode::Written;
use undust_model::networks::tagger::front;
use undust_model::networks::tagger::labels::align;
use undust_model::report::network::ExampleCounts;
use undust_url::lexicon::{Lexicon, Shares, Symbol};
use undust_url::pieces::{Piece, pieces};

/// A distinct shape with its target.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Example {
    /// The pieces of the source.
    pub shape: Vec<Symbol>,
    /// What is written.
    pub target: Vec<Written>,
    /// How many pairs of URLs it stands for; one without a duplicate counts `singleton_weight`.
    pub count: f64,
}

/// What the network learns a site from.
#[derive(Debug)]
pub(crate) struct Examples {
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

/// Phrases that are learned: each is one more answer that a step may have.
const MOST_PHRASES: usize = 64;

impl Examples {
    /// Aligns the pairs of `set`. Cost: pairs × length².
    pub(crate) fn of(set: &TrainingSet<'_>, config: &Config) -> Self {
        let settings = &config.seq2seq;
        let urls = set.pages().iter().map(|page| page.url.as_ref());
        let shares = Shares { word: config.tokens.threshold, key: 0.0 };
        let lexicon = Lexicon::learn(urls, shares);
        let mut counts = ExampleCounts::default();
        let mut drafts = Vec::new();
        for pair in set.pairs().filter(|pair| !pair.singleton || settings.singleton_weight > 0.0) {
            match draft(&pair, settings.max_source) {
                Some(steps) => drafts.push((pair, steps)),
                None => counts.too_long += 1,
            }
        }
        let phrases = phrases(&drafts, settings.min_phrase, settings.min_hub);
        let mut sides = [FxHashMap::default(), FxHashMap::default()];
        for (pair, steps) in drafts {
            let Some(target) = numbered(&steps, &phrases) else {
                counts.unreachable += 1;
                continue;
            };
            let counted = if pair.singleton { &mut counts.singletons } else { &mut counts.pairs };
            *counted += 1;
            let shape = pieces(pair.source).map(|piece| lexicon.symbol(piece)).collect();
            let held_out = !set.is_hub(pair.cluster, settings.min_hub)
                && hold_out::by_cluster(pair.cluster, settings.held_out, config.seed);
            let weight = if pair.singleton { settings.singleton_weight } else { 1.0 };
            *sides[usize::from(held_out)].entry((shape, target)).or_insert(0.0) += weight;
        }
        let mut phrases: Vec<(String, u16)> =
            phrases.into_iter().map(|(text, number)| (text.to_owned(), number)).collect();
        phrases.sort_unstable_by_key(|(_, number)| *number);
        let phrases = phrases.into_iter().map(|(text, _)| text).collect();
        let [train, held_out] = sides.map(sorted);
        Self { lexicon, phrases, train, held_out, counts }
    }

    /// Whether any pair changes its scheme or authority.
    pub(crate) fn change_hosts(&self) -> bool {
        let mut all = self.train.iter().chain(&self.held_out);
        all.any(|example| {
            let front = front(&example.shape);
            (0..front).any(|place| example.target.get(place) != Some(&Written::Copy(place as u16)))
        })
    }
}

/// A step of writing, before phrases have numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step<'t> {
    Copy(u16),
    Insert(&'t str),
}

/// How the target of a pair is written: its pieces are copied where the source has them in the same
/// order, then where it has them anywhere, and else inserted, as many at once as there are.
fn draft<'c>(pair: &Pair<'c>, longest: usize) -> Option<Vec<Step<'c>>> {
    let (source, target): (Vec<Piece<'_>>, Vec<Piece<'_>>) =
        (pieces(pair.source).collect(), pieces(pair.target).collect());
    if source.len().max(target.len()) > longest {
        return None;
    }
    let texts =
        |pieces: &[Piece<'c>]| -> Vec<&'c str> { pieces.iter().map(|piece| piece.text).collect() };
    let edits = align(&texts(&source), pair.target, &texts(&target));
    let mut steps = Vec::with_capacity(target.len());
    let mut inserted = edits.insert.iter().peekable();
    for place in 0..=source.len() {
        if let Some((_, text)) = inserted.next_if(|(before, _)| *before == place) {
            insert(text, pair.target, &source, &edits.keep, &mut steps);
        }
        if edits.keep.get(place) == Some(&true) {
            steps.push(Step::Copy(place as u16));
        }
    }
    Some(steps)
}

/// Words and arguments of `text`, a part of `target`, are copied where the source has them, from a
/// place that is not kept if there is one; what lies between is inserted.
fn insert<'t>(
    text: &'t str,
    target: &'t str,
    source: &[Piece<'_>],
    keep: &[bool],
    steps: &mut Vec<Step<'t>>,
) {
    let start = text.as_ptr() as usize - target.as_ptr() as usize;
    let mut open = start;
    let mut at = 0;
    for piece in pieces(target) {
        let range = at..at + piece.text.len();
        at = range.end;
        if range.start < start || range.end > start + text.len() || piece.delimiter {
            continue;
        }
        let same = |place: &usize| source[*place].text == piece.text;
        let mut free = (0..source.len()).filter(|place| !keep[*place]);
        let Some(place) = free.find(same).or_else(|| (0..source.len()).find(same)) else {
            continue;
        };
        if open < range.start {
            steps.push(Step::Insert(&target[open..range.start]));
        }
        steps.push(Step::Copy(place as u16));
        open = range.end;
    }
    if open < start + text.len() {
        steps.push(Step::Insert(&target[open..start + text.len()]));
    }
}

type DraftExample<'c> = (Pair<'c>, Vec<Step<'c>>);

/// The phrases that enough clusters need, or a hub; by number. Where a smaller cluster alone needs
/// one, it is the name of one page, which no function of other strings finds.
fn phrases<'c>(
    drafts: &[DraftExample<'c>],
    min_clusters: usize,
    min_urls: usize,
) -> FxHashMap<&'c str, u16> {
    let mut needs: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (pair, steps) in drafts {
        for step in steps {
            if let Step::Insert(text) = step {
                needs.entry(text).or_default().push(pair.cluster);
            }
        }
    }
    let mut frequent: Vec<(usize, &str)> = Vec::new();
    for (phrase, mut clusters) in needs {
        let urls = clusters.len();
        clusters.sort_unstable();
        clusters.dedup();
        if clusters.len() >= min_clusters || urls >= min_urls {
            frequent.push((urls, phrase));
        }
    }
    frequent.sort_unstable_by(|a, b| (b.0, a.1).cmp(&(a.0, b.1)));
    frequent.truncate(MOST_PHRASES);
    (0..).zip(frequent).map(|(number, (_, phrase))| (phrase, number)).collect()
}

/// Nothing where a phrase is not among those that are learned.
fn numbered(steps: &[Step<'_>], phrases: &FxHashMap<&str, u16>) -> Option<Vec<Written>> {
    let number = |step: &Step<'_>| match step {
        Step::Copy(place) => Some(Written::Copy(*place)),
        Step::Insert(text) => phrases.get(text).map(|number| Written::Phrase(*number)),
    };
    steps.iter().map(number).collect()
}

/// In an order that does not depend on the map's.
fn sorted(counts: FxHashMap<(Vec<Symbol>, Vec<Written>), f64>) -> Vec<Example> {
    let mut examples: Vec<_> = counts
        .into_iter()
        .map(|((shape, target), count)| Example { shape, target, count })
        .collect();
    examples.sort_unstable_by(|a, b| (&a.shape, &a.target).cmp(&(&b.shape, &b.target)));
    examples
}

#[cfg(test)]
mod tests {
    use undust_learn::config::Seq2SeqConfig;
    use undust_testing::crawl;

    use super::*;

    fn examples(groups: &[Vec<String>], seq2seq: Seq2SeqConfig) -> Examples {
        let (pages, clusters) = crawl(groups);
        let config = Config { seq2seq, ..Config::default() };
        Examples::of(&TrainingSet::new(&pages, &clusters), &config)
    }

    /// Source → target; what is inserted in braces.
    fn spell(examples: &Examples, example: &Example) -> String {
        let spelled = |symbol: &Symbol| examples.lexicon.spell(*symbol).into_owned();
        let source: String = example.shape.iter().map(spelled).collect();
        let target = example.target.iter().map(|written| match written {
            Written::Copy(place) => spelled(&example.shape[usize::from(*place)]),
            Written::Phrase(number) => format!("{{{}}}", examples.phrases[usize::from(*number)]),
        });
        format!("{source} → {}", target.collect::<String>())
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
