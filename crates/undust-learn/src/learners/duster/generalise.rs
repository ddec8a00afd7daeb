//! From a consensus to a rule: rare tokens become classes, so that the rule of one page becomes
//! the rule of all pages like it (Rodrigues et al., TKDE 2015).

use rustc_hash::FxHashMap;

use super::sequence::{Sequence, SequenceLexicon, TokenSet};
use crate::config::DusterConfig;
use undust_rules::duster::pattern::Pattern;
use undust_rules::duster::pattern_element::{CharacterClass, Choice, PatternElement};
use undust_rules::duster::tokens::TokenKind;

/// Where a token stands: the token before it and, if that is `=`, the name before that. Positions
/// would not do: they shift with every token that is missing further left.
type TokenPlace = [Option<u32>; 2];

/// A set, and whether its tokens stay literal.
type ClassifiedSet<'s> = (&'s TokenSet, bool);

/// Which tokens stay literal, and what the others become.
#[derive(Debug)]
pub(super) struct Generaliser<'l, 'c> {
    lexicon: &'l SequenceLexicon<'c>,
    /// How many consensuses have a token at a place.
    counts: FxHashMap<(TokenPlace, u32), u32>,
    /// The count from which on it is frequent.
    frequent: u32,
    max_alternatives: usize,
}

impl<'l, 'c> Generaliser<'l, 'c> {
    /// Counts the tokens of all consensuses. Linear in their length.
    pub(super) fn new(
        lexicon: &'l SequenceLexicon<'c>,
        consensuses: &[Sequence],
        settings: &DusterConfig,
    ) -> Self {
        let mut counts = FxHashMap::default();
        let mut tokens = Vec::new();
        for consensus in consensuses {
            for (set, place) in placed(consensus, lexicon) {
                tokens.extend(set.tokens().map(|token| (place, token)));
            }
            tokens.sort_unstable();
            tokens.dedup();
            tokens.drain(..).for_each(|token| *counts.entry(token).or_default() += 1);
        }
        let frequent = frequent(settings.min_frequency, consensuses.len());
        Self { lexicon, counts, frequent, max_alternatives: settings.max_alternatives }
    }

    /// The rule of one consensus. Marks, scheme, authority and frequent tokens stay literal. A
    /// rare token that all URLs share stands for the page, so its class is copied. A set of
    /// several tokens is irrelevant, so it is replaced by the canonical URL's token, or by
    /// nothing if that has none; if one of the tokens is rare, their whole class is. Linear.
    ///
    /// A component that is copied whole must lie between marks. With `across_gaps` the marks may
    /// be missing in some URLs. Such a rule fails on a URL that lacks the mark and has the word
    /// after it; the stricter one is then to be tried.
    pub(super) fn pattern(&self, consensus: &Sequence, across_gaps: bool) -> Pattern {
        let sets: Vec<ClassifiedSet<'_>> = placed(consensus, self.lexicon)
            .map(|(set, place)| (set, self.stays_literal(set, place)))
            .collect();
        let is_edge = |neighbour: Option<&TokenSet>| {
            neighbour.is_none_or(|set| !is_word(set) && (across_gaps || !set.gap))
        };
        let mut elements = Vec::with_capacity(sets.len());
        let mut start = 0;
        for component in sets.chunk_by(|(a, _), (b, _)| is_word(a) && is_word(b)) {
            let end = start + component.len();
            let before = start.checked_sub(1).map(|at| sets[at].0);
            let after = sets.get(end).map(|(set, _)| *set);
            if is_unknown(component) && [before, after].into_iter().all(is_edge) {
                elements.push(PatternElement::Copy(CharacterClass::Word));
            } else {
                elements.extend(component.iter().map(|set| self.element(*set)));
            }
            start = end;
        }
        Pattern { elements: elements.into() }
    }

    fn stays_literal(&self, set: &TokenSet, place: TokenPlace) -> bool {
        let count = |token| self.counts.get(&(place, token)).copied().unwrap_or_default();
        set.in_origin || !is_word(set) || set.tokens().all(|token| count(token) >= self.frequent)
    }

    fn element(&self, (set, literal): ClassifiedSet<'_>) -> PatternElement {
        let many = 1 + set.others.len() > self.max_alternatives && !set.in_origin;
        let class = match set.kind {
            TokenKind::Letters => Some(CharacterClass::Letters),
            TokenKind::Digits => Some(CharacterClass::Digits),
            TokenKind::Mark => None,
        };
        let class = class.filter(|_| !literal || many);
        if set.is_invariant() {
            let text = || PatternElement::Literal(self.lexicon.text(set.first).into());
            return class.filter(|_| !literal).map_or_else(text, PatternElement::Copy);
        }
        let what = class.map_or_else(|| Choice::Texts(self.texts(set)), Choice::Class);
        let with = set.canonical.map_or("", |token| self.lexicon.text(token)).into();
        PatternElement::Replace { what, optional: set.gap, with }
    }

    fn texts(&self, set: &TokenSet) -> Box<[Box<str>]> {
        let mut texts: Vec<_> = set.tokens().map(|token| self.lexicon.text(token).into()).collect();
        texts.sort_unstable();
        texts.into()
    }
}

/// Each set with its place. Gaps are ignored: a mark that some URLs lack still determines the place
/// of what follows it.
fn placed<'s>(
    consensus: &'s Sequence,
    lexicon: &SequenceLexicon<'_>,
) -> impl Iterator<Item = (&'s TokenSet, TokenPlace)> {
    let equals = lexicon.known("=");
    let mut next: TokenPlace = [None; 2];
    let mut name = None;
    consensus.iter().map(move |set| {
        let place = next;
        let token = set.tokens().min();
        let named = equals.is_some() && token == equals;
        next = [token, name.filter(|_| named)];
        name = Some(set.first).filter(|_| is_word(set) && set.others.is_empty());
        (set, place)
    })
}

/// The count from which on a token is frequent. The paper's is meant for sites with thousands of
/// candidates; on smaller sites a twentieth of the candidates is enough, but at least 2. A
/// setting of 1 stays 1: every token is literal then.
fn frequent(min_frequency: usize, candidates: usize) -> u32 {
    let scaled = min_frequency.min((candidates / 20).max(2));
    u32::try_from(scaled).unwrap_or(u32::MAX)
}

fn is_word(set: &TokenSet) -> bool {
    set.kind != TokenKind::Mark
}

/// Whether a component has several tokens that all URLs share and that are not all frequent,
/// such as a checksum. How such a text falls into runs of letters and digits is chance, so a
/// pattern of the runs would fit no other page.
fn is_unknown(component: &[ClassifiedSet<'_>]) -> bool {
    component.len() > 1
        && component.iter().all(|(set, _)| set.is_invariant() && !set.in_origin)
        && !component.iter().all(|(_, literal)| *literal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::duster::consensus::consensus;

    /// The rules of clusters whose first URLs are canonical.
    fn rules(clusters: &[&[&'static str]], settings: &DusterConfig) -> Vec<String> {
        let mut lexicon = SequenceLexicon::default();
        let consensuses: Vec<Sequence> = clusters
            .iter()
            .map(|urls| {
                let read = |(place, url): (usize, &&'static str)| {
                    let url = lexicon.read(url, 99).unwrap();
                    lexicon.sequence(&url, place == 0)
                };
                consensus(urls.iter().enumerate().map(read).collect())
            })
            .collect();
        let generaliser = Generaliser::new(&lexicon, &consensuses, settings);
        consensuses
            .iter()
            .map(|consensus| generaliser.pattern(consensus, true).to_string())
            .collect()
    }

    fn rule(urls: &[&'static str]) -> String {
        rules(&[urls], &DusterConfig::default()).remove(0)
    }

    #[test]
    fn what_all_have_is_copied_and_what_some_have_goes() {
        assert_eq!(
            rule(&["http://x.com/t/1", "http://x.com/t/1/print"]),
            "^http://x\\.com/([a-zA-Z]+)/([0-9]+)/?(?:[a-zA-Z]+)?$ → http://x.com/$1/$2"
        );
    }

    #[test]
    fn what_the_canonical_url_has_is_written_though_others_lack_it() {
        assert_eq!(
            rule(&["http://www.x.com/", "http://x.com/", "https://x.com/"]),
            "^(?:http|https)://(?:www)?\\.?x\\.com/$ → http://www.x.com/"
        );
    }

    #[test]
    fn a_component_of_mixed_tokens_is_copied_whole() {
        assert_eq!(
            rule(&["http://x.com/3f2a9c", "http://x.com/3f2a9c/"]),
            "^http://x\\.com/([a-zA-Z0-9]+)/?$ → http://x.com/$1"
        );
        assert_eq!(
            rule(&["http://x.com/a1", "http://x.com/a1b"]),
            "^http://x\\.com/([a-zA-Z]+)([0-9]+)(?:[a-zA-Z]+)?$ → http://x.com/$1$2"
        );
    }

    #[test]
    fn frequent_tokens_stay_literal() {
        let clusters: [&[&str]; 3] = [
            &["http://x.com/t?id=1", "http://x.com/t?id=1&view=all"],
            &["http://x.com/t?id=2", "http://x.com/t?id=2&view=all"],
            &["http://x.com/t?id=3", "http://x.com/t?id=3&sid=77"],
        ];
        let common = "^http://x\\.com/t\\?id=([0-9]+)\\&?";
        let target = "http://x.com/t?id=$1";
        assert_eq!(
            rules(&clusters, &DusterConfig::default()),
            [
                format!("{common}(?:view)?=?(?:all)?$ → {target}"),
                format!("{common}(?:view)?=?(?:all)?$ → {target}"),
                format!("{common}(?:[a-zA-Z]+)?=?(?:[0-9]+)?$ → {target}"),
            ]
        );
    }

    #[test]
    fn with_a_frequency_of_one_all_is_literal() {
        let settings = DusterConfig { min_frequency: 1, ..DusterConfig::default() };
        let clusters: [&[&str]; 1] = [&["http://x.com/1", "http://x.com/1/a", "http://x.com/1/b"]];
        assert_eq!(rules(&clusters, &settings), ["^http://x\\.com/1/?(?:a|b)?$ → http://x.com/1"]);
    }

    #[test]
    fn more_than_five_alternatives_are_any_but_never_for_a_host() {
        let settings = DusterConfig { min_frequency: 1, ..DusterConfig::default() };
        let clusters: [&[&str]; 2] = [
            &[
                "http://x.com/1",
                "http://x.com/2",
                "http://x.com/3",
                "http://x.com/4",
                "http://x.com/5",
                "http://x.com/6",
            ],
            &[
                "http://a.com/",
                "http://b.com/",
                "http://c.com/",
                "http://d.com/",
                "http://e.com/",
                "http://f.com/",
            ],
        ];
        assert_eq!(
            rules(&clusters, &settings),
            [
                "^http://x\\.com/(?:[0-9]+)$ → http://x.com/1",
                "^http://(?:a|b|c|d|e|f)\\.com/$ → http://a.com/",
            ]
        );
    }

    #[test]
    fn the_threshold_follows_the_candidates() {
        assert_eq!([0, 50, 100, 200, 5000].map(|n| frequent(10, n)), [2, 2, 5, 10, 10]);
        assert_eq!([0, 5000].map(|n| frequent(1, n)), [1, 1]);
    }
}
