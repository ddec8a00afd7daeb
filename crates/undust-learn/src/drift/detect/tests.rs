use crate::report::Report;
use proptest::prelude::*;
use undust_edits::conventions::Overrides;
use undust_rules::store::parse;
use undust_testing::crawl;

use super::*;
use crate::conventions;
use crate::drift::operation::OperationVerdict;

/// One rule: drop `v`.
fn drops_v() -> Model {
    let rules = serde_json::json!({"method": "tree", "rules": [{"rule": {"keys": {
        "context": {"keys": {"k_v": "any"}},
        "transformation": {"k_v": []},
    }}}]});
    Model::Rules(parse(rules.to_string().as_bytes(), "tree").expect("rules"))
}

fn detected(groups: &[&[&str]]) -> Drift {
    let groups: Vec<Vec<String>> =
        groups.iter().map(|group| group.iter().map(|url| (*url).to_owned()).collect()).collect();
    let (pages, clusters) = crawl(&groups);
    let (model, report) = (drops_v(), Report::default());
    let learned = Learned { model, report, conventions: None };
    detect(&pages, &clusters, Subject::from(&learned))
}

/// The same rule, of a site that was seen as these groups of URLs show it.
fn detected_as_normalized(seen: &[&[&str]], groups: &[&[&str]]) -> Drift {
    let pages = (0..).zip(seen);
    let urls = pages.flat_map(|(page, urls)| urls.iter().map(move |url| (*url, page)));
    let conventions = conventions::learn(urls, Overrides::default());
    let learned = Learned::new(drops_v(), Report::new("tree", 0, 0), conventions);
    let groups: Vec<Vec<String>> =
        groups.iter().map(|group| group.iter().map(|url| (*url).to_owned()).collect()).collect();
    let (pages, clusters) = crawl(&groups);
    detect(&pages, &clusters, Subject::from(&learned))
}

/// The lists `from` to `to`, with an argument and without.
fn lists(from: usize, to: usize) -> impl Iterator<Item = [String; 2]> {
    (from..to).map(|n| [format!("http://x/list/{n}"), format!("http://x/list/{n}?v={n}")])
}

/// The same as two pages: one of all lists without the argument, one of all with it.
fn apart(from: usize, to: usize) -> [Vec<String>; 2] {
    [0, 1].map(|way| lists(from, to).map(|urls| urls[way].clone()).collect())
}

fn verdict(groups: Vec<Vec<String>>) -> OperationVerdict {
    let groups: Vec<Vec<&str>> =
        groups.iter().map(|urls| urls.iter().map(String::as_str).collect()).collect();
    let groups: Vec<&[&str]> = groups.iter().map(Vec::as_slice).collect();
    detected(&groups).operations[0].verdict
}

fn verdicts(drift: &Drift) -> Vec<(&str, usize, usize, usize, usize, OperationVerdict)> {
    let describe =
        |one: &'_ Operation| (one.changed, one.tested, one.collisions, one.lost, one.verdict);
    let operations = drift.operations.iter().map(|one| (&*one.notation, describe(one)));
    operations.map(|(name, (a, b, c, d, verdict))| (name, a, b, c, d, verdict)).collect()
}

fn counts(drift: &Drift) -> (usize, usize, usize, usize, OperationVerdict) {
    let one = &drift.operations[0];
    (one.changed, one.tested, one.collisions, one.lost, one.verdict)
}

#[test]
fn urls_of_one_page_hold() {
    let drift =
        detected(&[&["http://x/1", "http://x/1?v=a", "http://x/1?v=b"], &["http://x/2?v=a"]]);
    assert_eq!(counts(&drift), (3, 2, 0, 0, OperationVerdict::Held));
    assert_eq!((drift.lost, drift.crawled, drift.recall), (0, 2, 1.0));
}

#[test]
fn urls_outside_the_largest_cluster_are_wrong() {
    let drift = detected(&[
        &["http://x/1?v=a", "http://x/1?v=b"],
        &["http://x/1?v=c"],
        &["http://x/1?v=d"],
    ]);
    assert_eq!(counts(&drift), (4, 4, 3, 2, OperationVerdict::Refuted));
    assert_eq!((drift.lost, drift.lost_share), (2, 1.0 - drift.recall));
}

#[test]
fn who_outnumbers_a_url_that_stays_is_to_blame() {
    let drift = detected(&[&["http://x/1?v=a", "http://x/1?v=b"], &["http://x/1"]]);
    assert_eq!(counts(&drift), (2, 2, 2, 1, OperationVerdict::Untested));
}

#[test]
fn what_changes_nothing_is_untested() {
    assert_eq!(counts(&detected(&[&["http://x/1"]])), (0, 0, 0, 0, OperationVerdict::Untested));
    assert_eq!(counts(&detected(&[&["http://x/1?v=a"]])), (1, 0, 0, 0, OperationVerdict::Untested));
}

/// Rules are tested on the URLs that they get, whatever was merged before.
#[test]
fn how_urls_are_entered_is_to_blame_for_what_it_merges_alone() {
    let urls = ["http://x.com/1?v=a", "http://x.com/2?v=a", "http://x.com/3?v=a", "http://x.com/3"];
    let other = ["https://x.com/1?v=a", "https://x.com/2?v=a", "https://x.com/3?v=a"];
    let groups = [&urls[..1], &other[..1], &urls[1..2], &other[1..2], &urls[2..], &other[2..]];
    let drift = detected_as_normalized(&[&["http://x.com/1"]], &groups);
    let rule = drops_v().operations()[0].to_string();
    let scheme = "scheme https → http";
    assert_eq!(
        verdicts(&drift),
        [
            (scheme, 3, 3, 6, 3, OperationVerdict::Refuted),
            (&*rule, 6, 6, 0, 0, OperationVerdict::Held)
        ]
    );
    let references: Vec<_> =
        drift.operations.iter().filter_map(|one| one.reference.clone()).collect();
    assert_eq!(
        references,
        [OperationRef::Normalization(NormalizationStep::Https(false)), OperationRef::RuleOrEdit(0)]
    );
}

#[test]
fn every_convention_that_was_learned_is_tested() {
    let ways = [
        ("host www. → none", ["http://x.com/N", "http://www.x.com/N"]),
        ("order of arguments", ["http://x.com/?a=N&b=1", "http://x.com/?b=1&a=N"]),
        ("list ?a in order", ["http://x.com/?a=1,N", "http://x.com/?a=N,1"]),
        ("path in lower case: x.com/a", ["http://x.com/a/nN", "http://x.com/A/nN"]),
    ];
    for (step, ways) in ways {
        let numbered: Vec<_> =
            (20..30).map(|n| ways.map(|way| way.replace('N', &n.to_string()))).collect();
        let together: Vec<_> = numbered.iter().map(|urls| [&*urls[0], &*urls[1]]).collect();
        let together: Vec<&[&str]> = together.iter().map(|urls| &urls[..]).collect();
        let apart: Vec<&[&str]> = together.iter().flat_map(|urls| urls.chunks(1)).collect();
        let held = detected_as_normalized(&together, &together);
        assert_eq!(verdicts(&held)[0], (step, 10, 10, 0, 0, OperationVerdict::Held));
        let refuted = detected_as_normalized(&together, &apart);
        assert_eq!(verdicts(&refuted)[0], (step, 10, 10, 20, 10, OperationVerdict::Refuted));
        assert_eq!(refuted.refuted().count(), 1);
    }
}

/// Nor is what came back as it came.
#[test]
fn what_was_not_learned_is_not_tested() {
    let urls = [
        "http://x.com/1",
        "http://x.com/%31",
        "http://x.com/2?new=1&v=a",
        "http://x.com/2?v=a&new=1",
    ];
    let groups: Vec<&[&str]> = urls.chunks(1).collect();
    let drift = detected_as_normalized(&[&["http://x.com/1?v=a"]], &groups);
    assert_eq!(verdicts(&drift).len(), 1);
    assert_eq!(drift.refuted().count(), 0);
}

proptest! {
    /// Lists that are empty are one page, however many they are: it does not outvote pages that collide.
    #[test]
    fn an_empty_page_hides_nothing(empty in 0..300_usize, pairs in 2..6_usize) {
        let pair = |n: usize| apart(10 * n, 10 * n + 10);
        let one = lists(10 * pairs, 10 * pairs + empty).flatten().collect();
        let groups = (0..pairs).flat_map(pair).chain([one]);
        prop_assert_eq!(verdict(groups.collect()), OperationVerdict::Refuted);
    }

    /// Nor do its URLs say more than once that it is not another page.
    #[test]
    fn an_empty_page_multiplies_nothing(empty in 2..60_usize, right in 0..40_usize) {
        let groups = lists(0, right).map(Vec::from).chain(apart(right, right + empty));
        let expected =
            if right < 26 { OperationVerdict::Untested } else { OperationVerdict::Held };
        prop_assert_eq!(verdict(groups.collect()), expected);
    }
}
