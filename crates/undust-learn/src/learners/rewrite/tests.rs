use undust_testing::crawl;

use super::*;

fn learn(groups: &[Vec<String>], fan_out: usize) -> Vec<Rule> {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    let settings = RewriteConfig { fan_out };
    candidates(&set, &settings, 1).rules
}

fn apply(rules: &[Rule], url: &str) -> Vec<String> {
    rules.iter().filter_map(|rule| rule.apply(url)).collect()
}

/// The session-id rules that the paper names first. One key at a time is made general, so
/// a story must have been seen with many sessions.
#[test]
fn a_session_id_goes() {
    let story = |n: u32, tail: String| format!("http://x.com/story?id={n}{tail}");
    let groups: Vec<Vec<String>> = (0..12)
        .map(|n| {
            (0..12)
                .map(|sid| story(n, format!("&sid={n}a{sid}")))
                .chain([story(n, String::new())])
                .collect()
        })
        .collect();
    let rules = learn(&groups, 10);
    let images = apply(&rules, "http://x.com/story?sid=zz&id=99");
    assert!(images.contains(&"http://x.com/story?id=99".to_owned()), "{images:?}");
    assert_eq!(apply(&learn(&groups, 13), "http://x.com/story?sid=zz&id=99"), [""; 0]);
}

/// A key that moves from the query into the path.
#[test]
fn an_argument_moves_into_the_path() {
    let groups: Vec<Vec<String>> = (100..112)
        .map(|n| vec![format!("http://x.com/t.php?id={n}&v=full"), format!("http://x.com/t/{n}")])
        .collect();
    let rules = learn(&groups, 10);
    assert!(
        apply(&rules, "http://x.com/t.php?id=7&v=full").contains(&"http://x.com/t/7".to_owned())
    );
    let notation: Vec<_> = rules.iter().map(ToString::to_string).collect();
    assert!(
        notation.iter().any(|rule| rule.ends_with(
            r#"no other argument → k(3,-) := "t", k(4,-) := k_id, k_id := ⊥, k_v := ⊥"#
        )),
        "{notation:#?}"
    );
}

/// An irrelevant path component: many texts come, so none matters.
#[test]
fn an_irrelevant_component_becomes_one_text() {
    let groups: Vec<Vec<String>> = (0..6)
        .map(|n| (0..6).map(|k| format!("http://x.com/{n}/slug-{n}-{k}")).collect())
        .collect();
    let rules = learn(&groups, 5);
    let image = |url: &str| apply(&rules, url);
    let (a, b) = (image("http://x.com/3/slug-a"), image("http://x.com/3/slug-b"));
    assert!(!a.is_empty() && a.iter().any(|image| b.contains(image)), "{a:?} {b:?}");
}

#[test]
fn nothing_is_learned_of_nothing() {
    assert!(learn(&[], 10).is_empty());
    let one = vec!["http://x.com/a".to_owned(), "http://x.com/b".to_owned()];
    assert!(learn(&[one], 10).is_empty());
    let odd =
        vec!["no url".to_owned(), "http://x/?&&;=".to_owned(), "http://x/%2F?a=%26".to_owned()];
    assert!(learn(&[odd], 2).iter().all(|rule| rule.check().is_ok()));
}

#[test]
fn a_hub_of_many_urls_costs_its_sample_only() {
    let hub: Vec<String> = (0..50_000).map(|n| format!("http://x.com/edit?id={n}")).collect();
    let (pages, clusters) = crawl(&[hub]);
    let set = TrainingSet::new(&pages, &clusters);
    let found = candidates(&set, &RewriteConfig::default(), 1);
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    assert!(found.rules.len() < 100, "{}", found.rules.len());
}
