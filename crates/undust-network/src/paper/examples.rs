//! Template pairs: what the network is trained on.
//!
//! Once arguments are placeholders, thousands of pairs are the same pair. Only distinct ones
//! are kept, with their counts, so that training costs what the site's templates cost,
//! however many pages it has.

use rustc_hash::FxHashMap;

use undust_learn::config::Config;
use undust_learn::report::network::ExampleCounts;
use undust_learn::training::{Pair, TrainingSet, hold_out};
use undust_url::frequency::DocumentFrequencies;
use undust_url::template::{ARGUMENTS, Reading, TemplateSymbol, Vocabulary};
use undust_url::tokens::{Role, drop_slashes};

use crate::pointer::phrases::MIN_HUB;

/// A distinct pair of templates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Example {
    /// The source template.
    pub source: Vec<TemplateSymbol>,
    /// The target template, its placeholders numbered by the source's arguments.
    pub target: Vec<TemplateSymbol>,
    /// How many pairs of URLs it stands for; one without a duplicate counts
    /// `singleton_weight`.
    pub count: f64,
}

/// What the network learns a site from.
#[derive(Debug)]
pub(crate) struct Examples {
    /// The site's vocabulary.
    pub vocabulary: Vocabulary,
    /// To train on.
    pub train: Vec<Example>,
    /// Of other clusters, to measure by.
    pub held_out: Vec<Example>,
    /// How they came about.
    pub counts: ExampleCounts,
}

/// The tokens of a target that its source does not explain: candidates for literals.
const UNMATCHED: TemplateSymbol = TemplateSymbol::MAX;

impl Examples {
    /// Cuts the URLs of `set` into templates. Linear in their length, twice.
    pub(crate) fn of(set: &TrainingSet<'_>, config: &Config) -> Self {
        let (tokens, net) = (&config.tokens, &config.seq2seq_paper);
        let form = |url| {
            if tokens.drop_slashes { drop_slashes(url) } else { std::borrow::Cow::Borrowed(url) }
        };
        let forms: Vec<_> = set.pages().iter().map(|page| form(page.url.as_ref())).collect();
        let df = DocumentFrequencies::count(
            forms.iter().map(AsRef::as_ref),
            tokens.delimiters(),
            tokens.df,
        );
        let mut cutter = Cutter {
            vocabulary: Vocabulary::learn(&df, &tokens.function_rule()),
            max_source: net.max_source,
            max_target: net.max_target,
            counts: ExampleCounts::default(),
        };
        let pairs = || {
            let kept = set
                .pairs()
                .zip(&forms)
                .filter(|(pair, _)| !pair.singleton || net.singleton_weight > 0.0);
            kept.map(|(pair, source)| (pair, source.as_ref(), form(pair.target)))
        };
        cutter.add_literals(pairs().map(|(_, source, target)| (source, target)), net.min_literal);
        let mut train = FxHashMap::default();
        let mut held_out = FxHashMap::default();
        for (pair, source, target) in pairs() {
            let Some(templates) = cutter.cut(&pair, source, &target) else { continue };
            let is_held_out = !set.is_hub(pair.cluster, MIN_HUB)
                && hold_out::by_cluster(pair.cluster, net.held_out, config.seed);
            let side = if is_held_out { &mut held_out } else { &mut train };
            *side.entry(templates).or_insert(0.0) +=
                if pair.singleton { net.singleton_weight } else { 1.0 };
        }
        Self {
            vocabulary: cutter.vocabulary,
            train: sorted(train),
            held_out: sorted(held_out),
            counts: cutter.counts,
        }
    }
}

type Templates = (Vec<TemplateSymbol>, Vec<TemplateSymbol>);

/// In an order that does not depend on the map's.
fn sorted(counts: FxHashMap<Templates, f64>) -> Vec<Example> {
    let mut examples: Vec<_> = counts
        .into_iter()
        .map(|((source, target), count)| Example { source, target, count })
        .collect();
    examples.sort_unstable_by(|a, b| (&a.source, &a.target).cmp(&(&b.source, &b.target)));
    examples
}

struct Cutter {
    vocabulary: Vocabulary,
    max_source: usize,
    max_target: usize,
    counts: ExampleCounts,
}

impl Cutter {
    /// A token of a target that is no function token and no argument of the source becomes a
    /// literal where at least `least` pairs have it (Table 3 of the paper, row 4, shows that
    /// the original could write such constants).
    fn add_literals<'a>(
        &mut self,
        pairs: impl Iterator<Item = (&'a str, std::borrow::Cow<'a, str>)>,
        least: usize,
    ) {
        let mut missing: FxHashMap<String, usize> = FxHashMap::default();
        let mut source = Reading::default();
        for (url, target) in pairs {
            self.vocabulary.read(url, &mut source);
            if self.is_too_long(&source) {
                continue;
            }
            let (_, mut unmatched) = self.target(&source, &target);
            unmatched.sort_unstable();
            unmatched.dedup();
            for text in unmatched {
                *missing.entry(text.to_owned()).or_default() += 1;
            }
        }
        let mut literals: Vec<_> =
            missing.into_iter().filter(|(_, count)| *count >= least.max(1)).collect();
        literals.sort_unstable();
        for (text, _) in literals {
            self.vocabulary.add_literal(&text);
        }
    }

    /// The templates of a pair, or nothing where it cannot be learned.
    fn cut(&mut self, pair: &Pair<'_>, source: &str, target: &str) -> Option<Templates> {
        let mut reading = Reading::default();
        self.vocabulary.read(source, &mut reading);
        if self.is_too_long(&reading) {
            self.counts.too_long += 1;
            return None;
        }
        let (mut template, unmatched) = self.target(&reading, target);
        if template.len() > self.max_target {
            self.counts.too_long += 1;
            return None;
        }
        let mut unmatched = unmatched.into_iter();
        for symbol in template.iter_mut().filter(|symbol| **symbol == UNMATCHED) {
            let literal = unmatched.next().and_then(|text| self.vocabulary.literal(text));
            let Some(literal) = literal else {
                self.counts.unreachable += 1;
                return None;
            };
            *symbol = literal;
        }
        let count =
            if pair.singleton { &mut self.counts.singletons } else { &mut self.counts.pairs };
        *count += 1;
        Some((reading.template, template))
    }

    fn is_too_long(&self, source: &Reading<'_>) -> bool {
        source.template.len() > self.max_source || source.arguments.len() > ARGUMENTS
    }

    /// A target's template, and the texts that the source does not explain, each replaced by
    /// [`UNMATCHED`]. An argument takes the number of the leftmost unused
    /// argument of the source that has its text, or of the leftmost used one.
    fn target<'t>(
        &self,
        source: &Reading<'_>,
        target: &'t str,
    ) -> (Vec<TemplateSymbol>, Vec<&'t str>) {
        let mut used = vec![false; source.arguments.len()];
        let mut template = Vec::new();
        let mut unmatched = Vec::new();
        for token in self.vocabulary.delimiters().tokens(target) {
            if let Some(symbol) = self.vocabulary.function(token) {
                template.push(symbol);
                continue;
            }
            debug_assert!(token.role != Role::Delimiter);
            let mut same = (0..used.len()).filter(|n| source.arguments[*n] == token.text);
            let first = same.clone().next();
            match same.find(|n| !used[*n]).or(first) {
                Some(index) => {
                    used[index] = true;
                    template.push(Vocabulary::argument(index + 1));
                }
                None => {
                    template.push(UNMATCHED);
                    unmatched.push(token.text);
                }
            }
        }
        (template, unmatched)
    }
}

#[cfg(test)]
mod tests {
    use undust_learn::config::PaperConfig;
    use undust_testing::crawl;

    use super::*;
    use crate::tests::quick;

    fn examples(groups: &[Vec<String>], config: &PaperConfig) -> Examples {
        let (pages, clusters) = crawl(groups);
        let config = Config { seq2seq_paper: config.clone(), ..Config::default() };
        Examples::of(&TrainingSet::new(&pages, &clusters), &config)
    }

    fn config() -> PaperConfig {
        PaperConfig { held_out: 0.0, singleton_weight: 0.0, ..quick() }
    }

    fn spell(examples: &Examples, template: &[TemplateSymbol]) -> String {
        let words: Vec<_> = template
            .iter()
            .map(|s| examples.vocabulary.spellings()[*s as usize].as_str())
            .collect();
        words.join(" ")
    }

    fn users() -> Vec<Vec<String>> {
        (0..50)
            .map(|n| {
                vec![format!("http://s.com/users/{n}a/name{n}"), format!("http://s.com/users/{n}a")]
            })
            .collect()
    }

    #[test]
    fn many_pairs_are_one_example() {
        let examples = examples(&users(), &config());
        assert_eq!(examples.train.len(), 2);
        let long =
            examples.train.iter().find(|e| e.source != e.target).expect("a pair that changes");
        assert_eq!(spell(&examples, &long.source), "http: s.com users arg1 arg2");
        assert_eq!(spell(&examples, &long.target), "http: s.com users arg1");
        assert_eq!(long.count, 50.0);
    }

    #[test]
    fn a_target_is_numbered_by_its_source() {
        let groups: Vec<_> = (0..50)
            .map(|n| {
                vec![format!("http://s.com/a/{n}x/how{n}/b"), format!("http://s.com/x/how{n}")]
            })
            .collect();
        let examples = examples(&groups, &config());
        let targets: Vec<_> = examples.train.iter().map(|e| spell(&examples, &e.target)).collect();
        assert!(targets.contains(&"http: s.com x arg2".to_owned()), "{targets:?}");
    }

    #[test]
    fn a_constant_target_is_a_literal_and_a_looked_up_one_is_unreachable() {
        let mut groups = users();
        groups.push((0..9).map(|n| format!("http://s.com/users/set/x{n}")).collect());
        groups[50].push("http://s.com/anzer".into());
        groups.push(vec!["http://s.com/users/prev/10135/x".into(), "http://s.com/98579".into()]);
        let examples = examples(&groups, &config());
        assert_eq!(examples.vocabulary.literals(), 1);
        assert_eq!(examples.vocabulary.spellings().last().map(String::as_str), Some("anzer"));
        assert_eq!(examples.counts.unreachable, 1);
    }

    #[test]
    fn pages_without_duplicate_weigh_what_the_setting_says() {
        let mut groups = users();
        groups.extend((0..10).map(|n| vec![format!("http://s.com/lonely/{n}")]));
        assert_eq!(examples(&groups, &config()).counts.singletons, 0);
        let with = PaperConfig { singleton_weight: 0.25, ..config() };
        let examples = examples(&groups, &with);
        assert_eq!(examples.counts.singletons, 10);
        assert!(examples.train.iter().any(|e| e.count == 2.5 && e.source == e.target));
    }

    #[test]
    fn held_out_clusters_are_a_share_of_all() {
        let groups: Vec<_> = (0..400)
            .map(|n| vec![format!("http://s.com/{n}"), format!("http://s.com/{n}/")])
            .collect();
        let examples = examples(&groups, &PaperConfig { held_out: 0.25, ..config() });
        let count = |side: &[Example]| side.iter().map(|e| e.count).sum::<f64>();
        assert_eq!(count(&examples.train) + count(&examples.held_out), 800.0);
        assert!((120.0..280.0).contains(&count(&examples.held_out)));
    }
}
