use undust_rules::measured::Counting;
use undust_testing::crawl;

use super::*;
use crate::config::FalsePositives;

/// Drops the argument `v`.
fn drop_v() -> Rule {
    let rule = serde_json::json!({
        "context": {"keys": {"k_v": "any"}},
        "transformation": {"k_v": []},
    });
    Rule::Keys(serde_json::from_value(rule).expect("a rule"))
}

fn evidence(groups: &[&[&str]]) -> RuleEvidence {
    let groups: Vec<Vec<String>> =
        groups.iter().map(|group| group.iter().map(|url| (*url).to_owned()).collect()).collect();
    let (pages, clusters) = crawl(&groups);
    let urls = LabelledUrls::new(&pages, &clusters, &[]);
    measure(vec![drop_v()], &urls, &()).rules[0].evidence
}

#[test]
fn a_right_rule_has_no_false_positives() {
    let found = evidence(&[
        &["http://x/1", "http://x/1?v=a", "http://x/1?v=b"],
        &["http://x/2?v=a", "http://x/2"],
        &["http://x/3"],
    ]);
    let expected = RuleEvidence {
        coverage: 3,
        known: 3,
        wrong: 0,
        with_duplicate: 3,
        wrong_with_duplicate: 0,
        shared: 5,
        strict_collisions: 0,
        collisions: 0,
    };
    assert_eq!(found, expected);
}

/// What the papers' own count does not see: images that were never crawled.
#[test]
fn collisions_count_where_the_image_was_never_crawled() {
    let found = evidence(&[
        &["http://x/1?v=a", "http://x/other"],
        &["http://x/1?v=b"],
        &["http://x/1?v=c"],
        &["http://x/2?v=a"],
    ]);
    assert_eq!((found.coverage, found.known, found.wrong), (4, 0, 0));
    assert_eq!((found.shared, found.strict_collisions, found.collisions), (3, 3, 2));
    assert_eq!(found.rate(FalsePositives::Paper, Counting::Changed), 0.0);
    assert_eq!(found.rate(FalsePositives::Collisions, Counting::Changed), 0.5);
    assert_eq!(found.rate(FalsePositives::Paper, Counting::Buckets), 1.0);
}

#[test]
fn an_image_of_another_cluster_is_wrong() {
    let found = evidence(&[
        &["http://x/1", "http://x/p"],
        &["http://x/1?v=a", "http://x/q"],
        &["http://x/2?v=a"],
    ]);
    assert_eq!((found.known, found.wrong), (1, 1));
    assert_eq!((found.with_duplicate, found.wrong_with_duplicate, found.collisions), (1, 1, 1));
    assert_eq!(found.rate(FalsePositives::Paper, Counting::WithDuplicate), 1.0);
    assert_eq!(found.rate(FalsePositives::Paper, Counting::Changed), 0.5);
    assert_eq!(found.rate(FalsePositives::Paper, Counting::Known), 1.0);
}

/// A URL that the rule itself changes is no resident of its old form.
#[test]
fn a_url_that_moves_on_is_no_resident() {
    let found = evidence(&[&["http://x/1?v=a&v=b", "http://x/z"], &["http://x/1?v=b"]]);
    assert_eq!((found.coverage, found.known, found.wrong), (2, 1, 1));
    assert_eq!((found.shared, found.collisions), (0, 0));
}

#[test]
fn clusters_that_a_rule_was_made_of_do_not_test_it() {
    let groups =
        [vec!["http://x/1".into(), "http://x/1?v=a".into()], vec!["http://x/2?v=a".into()]];
    let (pages, clusters) = crawl(&groups);
    let urls = LabelledUrls::new(&pages, &clusters, &[true, false]);
    assert_eq!(urls.len(), 1);
    assert_eq!(measure(vec![drop_v()], &urls, &()).rules[0].evidence.coverage, 1);
}

/// Every count of many rules, in batches or at once, is that of each rule alone.
#[test]
fn rules_do_not_disturb_one_another() {
    let groups: Vec<Vec<String>> = (0..300)
        .map(|n| {
            vec![
                format!("http://x/{n}?v=1"),
                format!("http://x/{n}"),
                format!("http://x/{n}?a=1&v=2"),
            ]
        })
        .collect();
    let (pages, clusters) = crawl(&groups);
    let urls = LabelledUrls::new(&pages, &clusters, &[]);
    let set_a = serde_json::json!({
        "context": {"keys": {"k_a": "any"}},
        "transformation": {"k_a": [{"literal": "1"}], "k_v": []},
    });
    let rules = [drop_v(), Rule::Keys(serde_json::from_value(set_a).expect("a rule"))];
    let together = measure(rules.to_vec(), &urls, &()).rules;
    for (rule, together) in rules.iter().zip(&together) {
        let alone = &measure(vec![rule.clone()], &urls, &()).rules[0];
        assert_eq!(alone, together);
    }
    assert_eq!(together[0].evidence.coverage, 600);
}

#[test]
fn rules_are_measured_in_batches_that_fit_into_memory() {
    let most = IMAGES;
    assert_eq!(batches(&[most, 1, most - 1, 1]), [0..1, 1..3, 3..4]);
    assert_eq!(batches(&[most + 5, most + 5, 3]), [0..1, 1..2, 2..3]);
    assert!(batches(&[])[0].is_empty());
}

#[test]
fn what_was_not_left_out_is_not_told_of() {
    let groups = [vec!["http://x/1".to_owned(), "http://x/1?v=a".to_owned()]];
    let (pages, clusters) = crawl(&groups);
    let measured = measure(vec![drop_v()], &LabelledUrls::new(&pages, &clusters, &[]), &());
    assert_eq!((measured.note, measured.rules.len()), (None, 1));
}
