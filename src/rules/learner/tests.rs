use super::*;
use crate::Canonicalizer;
use crate::pairs::tests::crawl;

/// Every learner on one site: what it keeps means something, is read back from its file, and
/// changes no canonical form.
fn check(groups: &[Vec<String>]) {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    let mut config = Config::default();
    config.rules.min_coverage = 1;
    for learner in Learner::ALL {
        let lesson = learner.learn(&set, &config);
        for learned in lesson.rules.rules() {
            assert_eq!(learned.rule.check(), Ok(()), "{}: {}", learner.name(), learned.rule);
        }
        let json = crate::rules::to_json(learner, &lesson.rules).expect("JSON");
        let again = crate::rules::parse(&json, learner).expect("rules");
        assert_eq!(again.rules(), lesson.rules.rules());
        for url in groups.iter().flatten().take(500) {
            let form = lesson.rules.canonicalize(url).into_owned();
            assert_eq!(again.canonicalize(url), form);
            assert_eq!(lesson.rules.canonicalize(&form), form, "{}: {url}", learner.name());
        }
    }
}

fn group(urls: &[&str]) -> Vec<String> {
    urls.iter().map(|url| (*url).to_owned()).collect()
}

#[test]
fn nothing_and_little_to_learn_from() {
    check(&[]);
    check(&[group(&["http://x/"])]);
    check(&[group(&["http://x/a", "http://x/b?c=d"])]);
    check(&(0..50).map(|n| vec![format!("http://x/{n}")]).collect::<Vec<_>>());
}

#[test]
fn odd_urls() {
    let odd = [
        "",
        "no url",
        "http://",
        "http:///x",
        "http://x",
        "http://x?",
        "http://x/?a=1&a=2&a=1",
        "http://x/?a=1;b=2;;&=&c",
        "http://x/%2F%3F%26?a=%26%3D%3B#%23",
        "http://x/%ff%fe/\u{e9}\u{4e2d}?\u{fc}=\u{0}",
        "http://x//a///b/?",
        "http://user:pw@[::1]:80/a;s=1?x",
        "HTTP://X/../a/./b",
    ];
    check(&[group(&odd)]);
    let copies = |n: usize| odd.iter().map(|url| format!("{url}{n}")).collect();
    check(&(0..20).map(copies).collect::<Vec<Vec<String>>>());
}

#[test]
fn long_urls() {
    let long = |n: usize| {
        vec![
            format!("http://x/{}?q={n}", "a/".repeat(15_000)),
            format!("http://x/?{}z={n}", "a=1&".repeat(7_000)),
            format!("http://x/{n}{}", "0a".repeat(15_000)),
        ]
    };
    check(&(0..6).map(long).collect::<Vec<_>>());
}

#[test]
fn a_cluster_of_50_000_urls() {
    let hub = (0..50_000).map(|n| format!("http://x/edit.php?id={n}&s={}", n % 7)).collect();
    let pages = (0..100).map(|n| vec![format!("http://x/page/{n}")]);
    check(&std::iter::once(hub).chain(pages).collect::<Vec<_>>());
}

/// Each learner on what its own paper is about.
#[test]
fn every_learner_finds_a_print_view() {
    let groups: Vec<Vec<String>> = (100..160)
        .map(|n| {
            let page = format!("http://x.com/story/{n}");
            vec![format!("{page}/print"), page]
        })
        .collect();
    let (pages, clusters) = crawl(&groups);
    let set = TrainingSet::new(&pages, &clusters);
    for learner in Learner::ALL {
        let lesson = learner.learn(&set, &Config::default());
        let form = lesson.rules.canonicalize("http://x.com/story/7777/print").into_owned();
        assert_eq!(form, "http://x.com/story/7777", "{}", learner.name());
    }
}

#[test]
fn a_rule_that_loses_pages_is_kept_by_the_papers_count_alone() {
    // Half of the pages show one hub under any `id`; the others need theirs.
    let hub = (0..60).map(|n| format!("http://x.com/show?id={n}&login=1")).collect();
    let pages = (60..120).map(|n| vec![format!("http://x.com/show?id={n}&login=1")]);
    let groups: Vec<Vec<String>> = std::iter::once(hub).chain(pages).collect();
    let (pages, clusters) = crawl(&groups);
    let set = TrainingSet::new(&pages, &clusters);
    let config = Config::default();
    let study = Learner::Rewrite.study(&set, &config);
    let limits = Limits::from(&config.rules);
    assert_eq!(study.select(&limits).rules().len(), 0);
    let by_paper = Limits { count: FalsePositives::Paper, max_false_positives: 0.6, ..limits };
    let by_collisions = Limits { count: FalsePositives::Collisions, ..by_paper };
    assert!(study.select(&by_paper).rules().len() >= study.select(&by_collisions).rules().len());
}
