use super::*;
use crate::drift::operation::Verdict;
use crate::rules::store::parse;
use crate::training::tests::crawl;

/// One rule: drop `v`.
fn drops_v() -> Model {
    let rules = serde_json::json!({"method": "tree", "rules": [{"rule": {"keys": {
        "context": {"keys": {"k_v": "any"}},
        "transformation": {"k_v": []},
    }}}]});
    Model::Rules(parse(rules.to_string().as_bytes(), "tree").expect("rules"))
}

fn judged(groups: &[&[&str]]) -> Drift {
    let groups: Vec<Vec<String>> =
        groups.iter().map(|group| group.iter().map(|url| (*url).to_owned()).collect()).collect();
    let (pages, clusters) = crawl(&groups);
    let model = drops_v();
    judge(&pages, &clusters, Subject { method: &model, usage: None, model: &model })
}

fn counts(drift: &Drift) -> (usize, usize, usize, usize, Verdict) {
    let one = &drift.operations[0];
    (one.changed, one.tested, one.wrong, one.lost, one.verdict)
}

#[test]
fn urls_of_one_page_hold() {
    let drift = judged(&[&["http://x/1", "http://x/1?v=a", "http://x/1?v=b"], &["http://x/2?v=a"]]);
    assert_eq!(counts(&drift), (3, 2, 0, 0, Verdict::Held));
    assert_eq!((drift.lost, drift.crawled, drift.recall), (0, 2, 1.0));
}

#[test]
fn urls_outside_the_largest_cluster_are_wrong() {
    let drift =
        judged(&[&["http://x/1?v=a", "http://x/1?v=b"], &["http://x/1?v=c"], &["http://x/1?v=d"]]);
    assert_eq!(counts(&drift), (4, 4, 2, 2, Verdict::Refuted));
    assert_eq!((drift.lost, drift.lost_share), (2, 1.0 - drift.recall));
}

#[test]
fn who_outnumbers_a_url_that_stays_is_to_blame() {
    let drift = judged(&[&["http://x/1?v=a", "http://x/1?v=b"], &["http://x/1"]]);
    assert_eq!(counts(&drift), (2, 2, 1, 1, Verdict::Untested));
}

#[test]
fn what_changes_nothing_is_untested() {
    assert_eq!(counts(&judged(&[&["http://x/1"]])), (0, 0, 0, 0, Verdict::Untested));
    assert_eq!(counts(&judged(&[&["http://x/1?v=a"]])), (1, 0, 0, 0, Verdict::Untested));
}
