use proptest::prelude::*;

use undust_cluster::clusters::{ClusterOptions, cluster};
use undust_crawl::{ReadOptions, read_pages};
use undust_testing::in_repository;

use super::listing::LoggedResponse;
use super::listing::tests::{logged, sketched};
use super::*;
use crate::training::TrainingSet;

fn shown(candidates: &CandidateRules) -> Vec<String> {
    candidates.rules.iter().map(Rule::to_string).collect()
}

fn learn(listing: &Listing) -> CandidateRules {
    candidates(listing, &DustbusterConfig::default(), 1)
}

/// A site with index files, a second name of a script, and sessions.
fn site() -> Vec<(String, u64)> {
    let mut pages = Vec::new();
    for n in 0..30 {
        let folder = ["a", "b/c", "d/e"][n as usize % 3];
        pages.push((format!("http://x.com/{folder}/{n}/"), n));
        pages.push((format!("http://x.com/{folder}/{n}/index.html"), n));
        pages.push((format!("http://x.com/story?id={n}"), 100 + n));
        pages.push((format!("http://x.com/story_{n}"), 100 + n));
        pages.push((format!("http://x.com/view?p={n}&sid={:x}", n * 7919), 200 + n));
        pages.push((format!("http://x.com/view?p={n}&sid={:x}", n * 104_729 + 1), 200 + n));
    }
    pages
}

#[test]
fn the_rules_of_a_site() {
    let pages = site();
    let found = learn(&sketched(pages.iter().map(|(url, sketch)| (url.as_str(), *sketch))));
    let expected = [
        "\"^http://x.com/story?id=\" → \"^http://x.com/story_\"",
        "\"/index.html$\" → \"/$\"",
        "\"sid=…\" → \"\"",
    ];
    let mut rules = shown(&found);
    rules.sort_unstable();
    let mut sorted = expected.to_vec();
    sorted.sort_unstable();
    assert_eq!(rules, sorted, "{:?}", found.notes);
}

#[test]
fn a_log_gives_likely_rules_and_says_so() {
    let sized = site().into_iter().map(|(url, page)| (url, 10 * page));
    let found = learn(&logged(sized));
    assert!(shown(&found).contains(&"\"/index.html$\" → \"/$\"".to_owned()));
    assert!(found.notes.iter().any(|note| note.contains("sizes")), "{:?}", found.notes);
}

#[test]
fn a_bare_list_gives_likely_rules_and_says_so() {
    let answer = |(url, _)| LoggedResponse { url, status: 200, length: None };
    let found = learn(&Listing::of_answers(site().into_iter().map(answer)));
    assert!(shown(&found).contains(&"\"/index.html$\" → \"/$\"".to_owned()));
    assert!(found.notes.iter().any(|note| note.contains("bare list")), "{:?}", found.notes);
    assert!(found.rules.iter().all(|rule| rule.check().is_ok()));
}

#[test]
fn nothing_to_learn_from() {
    assert!(learn(&Listing::default()).rules.is_empty());
    assert!(learn(&sketched([("", 0)])).rules.is_empty());
    let most = usize::MAX;
    let (high_bucket, window) = (most, most);
    let settings = DustbusterConfig { max_tokens: most, high_bucket, window, ..Default::default() };
    assert!(candidates(&sketched([("/a", 0), ("/b", 0)]), &settings, 1).rules.is_empty());
    let one = (0..300).map(|n| format!("http://x.com/{n}")).collect::<Vec<_>>();
    assert!(learn(&sketched(one.iter().map(|url| (url.as_str(), 7)))).rules.is_empty());
}

#[test]
fn one_large_cluster_and_long_urls() {
    let mut pages: Vec<(String, u64)> =
        (0..20_000).map(|n| (format!("http://x.com/login?to={n}"), 0)).collect();
    pages.extend((0..20).map(|n| (format!("http://x.com/{}{n}", "a/".repeat(15_000)), n)));
    pages.extend((0..20).map(|n| (format!("http://x.com/?{}{n}", "a=b&c;".repeat(5_000)), n)));
    let found = learn(&sketched(pages.iter().map(|(url, sketch)| (url.as_str(), *sketch))));
    assert!(shown(&found).contains(&"\"to=…\" → \"\"".to_owned()), "{:?}", shown(&found));
}

/// Aliases of a folder, as `data/README.md` says that this site has them.
#[test]
fn the_rules_of_our_crawl() {
    let (read, _) =
        read_pages(&[in_repository("data/cs.jsonl.gz")], &ReadOptions::default()).unwrap();
    let clusters = cluster(&read.pages, &ClusterOptions::default());
    let set = TrainingSet::new(&read.pages, &clusters);
    let found = candidates(&Listing::of_pages(&set), &DustbusterConfig::default(), 1);
    let alias =
        "\"^http://www.cs.example.test/people/olga/\" → \"^http://www.cs.example.test/~olga/\"";
    assert!(shown(&found).iter().any(|rule| rule == alias), "{:#?}", shown(&found));
    assert_eq!(
        found.rules,
        candidates(&Listing::of_pages(&set), &DustbusterConfig::default(), 1).rules
    );
}

proptest! {
    #[test]
    fn any_list_of_strings_can_be_learned_from(
        urls in proptest::collection::btree_set("(http://é?[ab]|)[ab/?=&;%é]{0,10}", 0..30),
        seed: u64,
    ) {
        let pages = (0..).zip(&urls).map(|(n, url): (u64, _)| (url.as_str(), n / 3));
        let listing = sketched(pages);
        let settings = DustbusterConfig { min_known: 1, min_support: 1, ..Default::default() };
        let found = candidates(&listing, &settings, seed);
        prop_assert_eq!(&found.rules, &candidates(&listing, &settings, seed).rules);
        for rule in &found.rules {
            prop_assert_eq!(rule.check(), Ok(()));
            prop_assert!(urls.iter().any(|url| rule.apply(url).is_some()), "{}", rule);
        }
    }
}

/// A rule that its pages refute is no candidate, whatever its text.
#[test]
fn refuted_rules_are_no_candidates() {
    let same = (0..4).flat_map(|n| [(format!("/{n}/"), n), (format!("/{n}/index.html"), n)]);
    let other =
        (4..40).flat_map(|n| [(format!("/{n}/"), n), (format!("/{n}/index.html"), 100 + n)]);
    let urls: Vec<(String, u64)> = same.chain(other).collect();
    let found = learn(&sketched(urls.iter().map(|(url, sketch)| (url.as_str(), *sketch))));
    assert!(!shown(&found).iter().any(|rule| rule.contains("index.html")), "{:?}", shown(&found));
}
