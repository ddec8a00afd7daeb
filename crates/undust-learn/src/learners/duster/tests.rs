use proptest::prelude::*;

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;
use undust_rules::duster::tokens::words;
use undust_rules::index::RuleIndex;
use undust_testing::crawl;

use super::*;

/// All clusters are learned from, and one is enough for a rule.
fn settings() -> DusterConfig {
    DusterConfig { validation: 0.0, min_clusters: 1, ..DusterConfig::default() }
}

fn site(groups: &[&[&str]]) -> (Vec<Page>, Clusters) {
    let owned = |group: &&[&str]| group.iter().map(|url| url.to_string()).collect();
    crawl(&groups.iter().map(owned).collect::<Vec<_>>())
}

fn learn(groups: &[&[&str]], settings: &DusterConfig) -> Vec<Rule> {
    let (pages, clusters) = site(groups);
    candidates(&TrainingSet::new(&pages, &clusters), settings, 1).rules
}

#[test]
fn the_case_that_aches_own_test_has() {
    let rules = learn(
        &[&[
            "https://example.com/?id=5",
            "http://example.com/?id=5",
            "http://example.com/index.php?id=5",
        ]],
        &settings(),
    );
    let [rule] = rules.as_slice() else { panic!("{rules:?}") };
    assert_eq!(
        rule.apply("https://example.com/index.php?id=6").as_deref(),
        Some("http://example.com/?id=6")
    );
    assert_eq!(rule.apply("http://example.com/?id=6"), None);
    assert_eq!(rule.apply("http://example.org/index.php?id=6"), None);
}

#[test]
fn a_mark_that_some_urls_lack_is_optional() {
    let rules = learn(&[&["http://x.com/a", "http://x.com/a/"]], &settings());
    assert_eq!(rules[0].to_string(), "^http://x\\.com/([a-zA-Z]+)/?$ → http://x.com/$1");
}

#[test]
fn a_rule_needs_enough_clusters() {
    let groups: [&[&str]; 3] = [
        &["http://x.com/t/a/", "http://x.com/t/a"],
        &["http://x.com/t/b/", "http://x.com/t/b"],
        &["http://x.com/7?x", "http://x.com/7"],
    ];
    let at_least = |min_clusters| learn(&groups, &DusterConfig { min_clusters, ..settings() });
    let shown: Vec<String> = at_least(1).iter().map(Rule::to_string).collect();
    assert_eq!(
        shown,
        [
            "^http://x\\.com/t/([a-zA-Z]+)/?$ → http://x.com/t/$1",
            "^http://x\\.com/([0-9]+)\\??(?:[a-zA-Z]+)?$ → http://x.com/$1",
        ]
    );
    assert_eq!((at_least(2).len(), at_least(3).len()), (1, 0));
}

#[test]
fn strings_that_are_no_url_give_no_rule_for_any_site() {
    assert!(learn(&[&["a/b", "a"]], &settings()).is_empty());
    assert!(learn(&[&["???", "??"]], &settings()).is_empty());
}

#[test]
fn no_page_and_no_duplicate_give_nothing() {
    assert!(learn(&[], &settings()).is_empty());
    assert!(learn(&[&["http://x.com/"]], &settings()).is_empty());
}

#[test]
fn the_notes_say_what_was_left_out() {
    let long = format!("http://x.com/{}", "/a".repeat(500));
    let mut group: Vec<String> = (0..20).map(|n| format!("http://x.com/{n}")).collect();
    group.push(long);
    let (pages, clusters) = crawl(&[group]);
    let found = candidates(&TrainingSet::new(&pages, &clusters), &settings(), 3);
    assert!(found.notes[0].starts_with("1 cluster with more than 10 URLs: "), "{:?}", found.notes);
}

/// URLs of one cluster on one host.
fn urls() -> impl Strategy<Value = Vec<String>> {
    let part = "(a|b|cc|1|23|4|-|/|[?]|&|=|;|%2F|%C3|é|_|\\.){0,12}";
    let url = ("https?", "(www\\.)?", part).prop_map(|(s, w, p)| format!("{s}://{w}x.com/{p}"));
    proptest::collection::hash_set(url, 2..8).prop_map(|urls| {
        let mut urls: Vec<String> = urls.into_iter().collect();
        urls.sort();
        urls
    })
}

/// The classes with what else of [`urls`] is a letter.
fn with_all_letters(regex: &str) -> String {
    let class = |ascii| format!("(?:[{ascii}é]|%C3)+");
    let words = regex.replace("[a-zA-Z0-9]+", &class("a-zA-Z0-9"));
    words.replace("[a-zA-Z]+", &class("a-zA-Z"))
}

proptest! {
    /// Literal, that is before it is generalised, a rule always holds for its own cluster;
    /// generalised it holds or is no candidate.
    #[test]
    fn a_rule_maps_all_urls_it_was_made_of_to_the_canonical_one(
        urls in urls(),
        others in urls(),
    ) {
        let (pages, clusters) = crawl(&[urls, others]);
        let set = TrainingSet::new(&pages, &clusters);
        for min_frequency in [1, 10] {
            let settings = DusterConfig { min_frequency, max_alternatives: 9, ..settings() };
            let drawn = Samples::draw(&set, &settings, 7);
            let align = |sample: &ClusterSample| consensus(sample.sequences(&drawn.lexicon));
            let consensuses: Vec<Sequence> = drawn.samples.iter().map(align).collect();
            let generaliser = Generaliser::new(&drawn.lexicon, &consensuses, &settings);
            for (sample, consensus) in drawn.samples.iter().zip(&consensuses) {
                let pattern = generaliser.pattern(consensus, false);
                let canonical = set.canonical(sample.cluster);
                let is_literal = min_frequency == 1;
                if is_literal {
                    prop_assert!(pattern.check().is_ok(), "{pattern}: {:?}", pattern.check());
                }
                if is_literal || rule(&set, sample, pattern.clone()).is_some() {
                    for &page in set.clusters().members(sample.cluster) {
                        let url = set.pages()[page as usize].url.as_ref();
                        let image = pattern.image(url);
                        prop_assert_eq!(image.as_deref(), Some(canonical));
                        for word in pattern.words() {
                            prop_assert!(words(url).any(|other| other == word));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_crawl_and_seed_give_the_same(urls in urls(), others in urls(), seed: u64) {
        let (pages, clusters) = crawl(&[urls, others]);
        let set = TrainingSet::new(&pages, &clusters);
        let learn = || candidates(&set, &settings(), seed);
        prop_assert_eq!(learn().rules, learn().rules);
    }

    #[test]
    fn a_rule_survives_json_and_its_regex_takes_what_it_takes(urls in urls(), other in "\\PC*") {
        let (pages, clusters) = crawl(std::slice::from_ref(&urls));
        let set = TrainingSet::new(&pages, &clusters);
        for rule in candidates(&set, &settings(), 1).rules {
            let json = serde_json::to_string(&rule).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Rule>(&json).unwrap(), &rule, "{}", json);
            prop_assert_eq!(rule.check(), Ok(()));
            rule.apply(&other);
            let shown = rule.to_string();
            let (regex, template) = shown.split_once(" → ").unwrap();
            let regex = regex::Regex::new(&with_all_letters(regex)).unwrap();
            for url in &urls {
                prop_assert!(regex.is_match(url), "{} {}", shown, url);
                let written = regex.replace(url, template);
                if let Some(image) = rule.apply(url).filter(|_| !shown.contains("(?:[")) {
                    prop_assert_eq!(written.as_ref(), image.as_str(), "{}", shown);
                }
            }
        }
    }
}

/// Rules that share all their words are distinguished by what they begin with.
#[test]
fn a_pattern_is_found_by_its_leading_literals() {
    let words = ["aa", "bb", "cc", "dd"];
    let orders = (0..24).map(|n| {
        let mut rest = words.to_vec();
        [n / 6, n / 2 % 3, n % 2, 0].map(|place| rest.remove(place)).join("/")
    });
    let rules: Vec<Rule> = orders
        .map(|order| {
            let pattern = serde_json::json!([
                format!("http://x.test/{order}/"),
                {"copy": "digits"},
                {"replace": ["/print"], "optional": true, "with": ""},
            ]);
            Rule::Pattern(serde_json::from_value(pattern).expect("a pattern"))
        })
        .collect();
    let index = RuleIndex::new(&rules.iter().collect::<Vec<_>>());
    let mut found = Vec::new();
    index.find("http://x.test/bb/aa/dd/cc/7/print", None, &mut found);
    assert_eq!(found, [7]);
}
