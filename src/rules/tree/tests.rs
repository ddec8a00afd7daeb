use super::*;
use crate::pairs::tests::crawl;

fn learn(groups: &[Vec<String>]) -> Vec<String> {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    let found = candidates(&set, &TreeConfig::default(), 1);
    found.rules.iter().map(ToString::to_string).collect()
}

fn urls(group: &[&str]) -> Vec<String> {
    group.iter().map(|url| format!("http://{url}")).collect()
}

/// Section 3.1.
#[test]
fn one_rule_for_the_last_segment_of_paths_of_several_lengths() {
    let rules = learn(&[
        urls(&["ag.arizona.edu/srnr/about/art/index.html", "ag.arizona.edu/srnr/about/art"]),
        urls(&["ag.arizona.edu/art/index.html", "ag.arizona.edu/art"]),
    ]);
    assert_eq!(
        rules,
        [
            r#"k(1,-)="http", k(2,-)="ag.arizona.edu", k(-,1)="index.html", no other argument → k(-,1) := ⊥"#
        ]
    );
}
