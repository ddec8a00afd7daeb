use undust_model::translation::Rewriter;
use undust_testing::crawl;

use super::*;
use crate::config::FalsePositives;
use crate::learners::LEARNERS;
use crate::learners::{duster, rewrite};

/// Every learner on one site: its rules are meaningful, survive their file, and change no
/// canonical form.
fn check(groups: &[Vec<String>]) {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    let mut config = Config::default();
    config.rules.min_coverage = 1;
    for learner in LEARNERS {
        let (rules, _) = learner.learn(&set, &config, &());
        for measured in rules.rules() {
            assert_eq!(measured.rule.check(), Ok(()), "{}: {measured}", learner.name);
        }
        let json = undust_rules::store::to_json(learner.name, &rules).expect("JSON");
        let again = undust_rules::store::parse(&json, learner.name).expect("rules");
        assert!(again.rules().eq(rules.rules()));
        for url in groups.iter().flatten().take(500) {
            let form = rules.rewritten(url).into_owned();
            assert_eq!(again.rewritten(url), form);
            assert_eq!(rules.rewritten(&form), form, "{}: {url}", learner.name);
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
    for learner in LEARNERS {
        let (rules, _) = learner.learn(&set, &Config::default(), &());
        let form = rules.rewritten("http://x.com/story/7777/print").into_owned();
        assert_eq!(form, "http://x.com/story/7777", "{}", learner.name);
    }
}

/// Dropping `v` is right on twelve pages. Elsewhere it gives four pages one form each time, which
/// was never crawled: the paper's count does not see that.
#[test]
fn a_rule_that_loses_pages_is_kept_by_the_papers_count_alone() {
    let right = (0..12).map(|n| {
        let page = format!("http://x.com/p/{n}");
        (1..7).map(|v| format!("{page}?v={v}")).chain([page.clone()]).collect()
    });
    let wrong =
        (100..150).flat_map(|n| (1..5).map(move |v| vec![format!("http://x.com/p/{n}?v={v}")]));
    let (pages, clusters) = crawl(&right.chain(wrong).collect::<Vec<_>>());
    let set = TrainingSet::new(&pages, &clusters);
    let by_collisions = Config::default().rules;
    let by_paper = RuleLimits { count: FalsePositives::Paper, ..by_collisions };
    let strict = RuleLimits { count: FalsePositives::Strict, ..by_collisions };
    let drops_v = |rules| {
        let config = Config { rules, ..Config::default() };
        let (rules, _) = rewrite::LEARNER.learn(&set, &config, &());
        rules.rewritten("http://x.com/p/7777?v=1") == "http://x.com/p/7777"
    };
    assert_eq!([by_paper, by_collisions, strict].map(drops_v), [true, false, false]);
}

/// Every story has a print view, and every second one a raw view too. DUSTER learns a rule for
/// the print view and a rule for both views; what the first does, the second does as well.
#[test]
fn redundant_rules_are_left_out() {
    let groups: Vec<Vec<String>> = (100..300)
        .map(|n| {
            let story = format!("http://x.com/story/{n}");
            let mut urls = vec![format!("{story}/print"), story.clone()];
            urls.extend((n % 2 == 0).then(|| format!("{story}/raw")));
            urls
        })
        .collect();
    let (pages, clusters) = crawl(&groups);
    let set = TrainingSet::new(&pages, &clusters);
    let (all, _) = duster::LEARNER.within_limits(&set, &Config::default(), &());
    let (all, (kept, _)) =
        (RuleSet::new(all), duster::LEARNER.learn(&set, &Config::default(), &()));
    let notations = |set: &RuleSet| set.rules().map(ToString::to_string).collect::<Vec<_>>();
    let print = "^http://x\\.com/story/([0-9]+)/?(?:print)?$ → http://x.com/story/$1";
    let both = "^http://x\\.com/story/([0-9]+)/?(?:print|raw)?$ → http://x.com/story/$1";
    let mut found = notations(&all);
    found.sort_unstable();
    assert_eq!(found, [print, both]);
    assert_eq!(notations(&kept), [both]);
    for url in groups.iter().flatten() {
        assert_eq!(kept.rewritten(url), all.rewritten(url));
    }
}

/// What was reported of the work on a site, and how much of it was done.
#[derive(Default)]
struct RecordedProgress(std::sync::Mutex<Vec<(&'static str, usize, usize)>>);

impl Observer for RecordedProgress {
    fn progress(&self, what: &'static str, done: usize, of: usize) {
        self.0.lock().unwrap().push((what, done, of));
    }
}

#[test]
fn the_work_of_a_learner_is_reported() {
    let story = |n: u32| {
        let story = format!("http://x.com/story/{n}");
        vec![format!("{story}/print"), story]
    };
    let (pages, clusters) = crawl(&(100..300).map(story).collect::<Vec<_>>());
    let set = TrainingSet::new(&pages, &clusters);
    for learner in LEARNERS {
        let recorded = RecordedProgress::default();
        let (rules, report) = learner.learn(&set, &Config::default(), &recorded);
        assert_eq!(
            rules.rules().count(),
            learner.learn(&set, &Config::default(), &()).0.rules().len()
        );
        let recorded = recorded.0.into_inner().unwrap();
        assert_eq!(recorded.first(), Some(&(learner.name, 0, 0)));
        let measured: Vec<_> =
            recorded.iter().filter(|recorded| recorded.0 == "measuring rules").collect();
        assert!(measured.iter().all(|(_, done, of)| done <= of && *of <= report.candidates));
        assert!(measured.last().is_some_and(|(_, done, of)| done == of), "{}", learner.name);
    }
}
