use undust_cluster::{ClusterOptions, Clusters, cluster};
use undust_model::model::Model;
use undust_pages::page::Page;
use undust_pages::{PagesBuilder, Response};
use undust_rules::store::parse;
use undust_url::site::SiteBy;

use super::*;

/// A site whose rules drop an argument each.
fn model(arguments: &[&str]) -> SiteModel {
    let rule = |argument: &&str| {
        serde_json::json!({"rule": {"keys": {
            "context": {"keys": {format!("k_{argument}"): "any"}},
            "transformation": {format!("k_{argument}"): []},
        }}, "evidence": {"coverage": 10, "known": 10, "wrong": 0, "with_duplicate": 0,
            "wrong_with_duplicate": 0, "shared": 0, "collisions": 0, "strict_collisions": 0}})
    };
    let rules: Vec<_> = arguments.iter().map(rule).collect();
    let json = serde_json::json!({"method": "tree", "rules": rules}).to_string();
    let model = Model::Rules(parse(json.as_bytes(), "tree").expect("rules"));
    let sites = ["x".into()].into_iter().collect();
    SiteModel::new("x", (std::sync::Arc::new(sites), SiteBy::Host), None, model)
}

const LIMITS: PairLimits = PairLimits { pairs: 100, fetches: usize::MAX, seed: 1 };

fn urls(argument: &str, count: usize) -> Vec<String> {
    (0..count).map(|n| format!("http://x/{argument}{n}?{argument}=a")).collect()
}

#[test]
fn each_rule_gets_pairs_of_a_url_and_its_image() {
    let owned = [urls("v", 300), urls("w", 4)].concat();
    let urls: Vec<&str> = owned.iter().map(String::as_str).collect();
    let none = FxHashSet::default();
    let asked = super::asked(&model(&["v", "w"]), &urls, &none, LIMITS);
    let counts: Vec<usize> = asked.iter().map(|one| one.pairs.len()).collect();
    // Equal savings, and fewer pairs decide.
    assert_eq!(counts, [4, 100]);
    for [url, form] in asked.iter().flat_map(|one| &one.pairs) {
        assert_eq!(Some(&**form), url.split('?').next());
    }
    assert_eq!(super::asked(&model(&["v", "w"]), &urls, &none, LIMITS), asked);
    let few = super::asked(&model(&["v", "w"]), &urls, &none, PairLimits { fetches: 11, ..LIMITS });
    assert_eq!(few.iter().map(|one| one.pairs.len()).collect::<Vec<_>>(), [4, 1]);
    let decided = OperationName { notation: asked[0].operation.clone(), scope: None };
    let decided = [decided].into_iter().collect();
    assert_eq!(super::asked(&model(&["v", "w"]), &urls, &decided, LIMITS), asked[1..]);
}

/// A crawl of responses: the URL, the status, the page or the target of a redirect.
fn crawl(answers: &[(String, u16, &str)]) -> (Vec<Page>, Clusters) {
    let mut crawl = PagesBuilder::new();
    for (url, status, text) in answers {
        let text = Some((*text).to_owned());
        let (digest, location) = if *status == 200 { (text, None) } else { (None, text) };
        crawl.push(Response {
            url: url.clone(),
            status: *status,
            digest,
            location,
            ..Response::default()
        });
    }
    let pages = crawl.finish().pages;
    let clusters = cluster(&pages, &ClusterOptions::default());
    (pages, clusters)
}

/// The verdict on a rule by right pairs, wrong pairs, and pairs whose image fails.
fn verdict_of(right: usize, wrong: usize, failed: usize) -> Option<(u64, u64, FetchVerdict)> {
    let mut answers = Vec::new();
    let (mut pages, mut ends) = (Vec::new(), Vec::new());
    for n in 0..right + wrong + failed {
        pages.push(format!("page {n}"));
        ends.push(format!("other {n}"));
    }
    for n in 0..right + wrong + failed {
        answers.push((format!("http://x/{n}?v=a"), 200, &*pages[n]));
        let image = format!("http://x/{n}");
        answers.push(if n < right {
            (image, 200, &*pages[n])
        } else if n < right + wrong {
            (image, 200, &*ends[n])
        } else {
            (image, 404, "")
        });
    }
    let (found, clusters) = crawl(&answers);
    let others = answers.iter().filter(|answer| answer.1 != 200);
    let others = others.map(|(url, status, _)| (url.as_str(), *status, None));
    let fetched = Fetched::new(&found, &clusters, others);
    let tested = test_rules(&model(&["v", "w"]), &fetched, &DustbusterConfig::default());
    assert!(tested.len() < 2, "nothing came back of the other rule");
    tested.first().map(|one| (one.same, one.different, one.verdict))
}

/// Figure 4: of 100 pairs five refute; ten must be known.
#[test]
fn the_papers_test_decides() {
    assert_eq!(verdict_of(0, 0, 0), None);
    assert_eq!(verdict_of(9, 0, 0), Some((9, 0, FetchVerdict::Open)));
    assert_eq!(verdict_of(10, 0, 0), Some((10, 0, FetchVerdict::Valid)));
    assert_eq!(verdict_of(120, 0, 0), Some((95, 0, FetchVerdict::Valid)));
    assert_eq!(verdict_of(60, 3, 0), Some((60, 3, FetchVerdict::Valid)));
    assert_eq!(verdict_of(60, 5, 0), Some((60, 5, FetchVerdict::Refuted)));
    assert_eq!(verdict_of(60, 0, 5), Some((60, 5, FetchVerdict::Refuted)));
    assert_eq!(verdict_of(0, 9, 0), Some((0, 5, FetchVerdict::Refuted)));
}

#[test]
fn a_redirect_is_followed_and_what_was_not_fetched_says_nothing() {
    let of = |url: &str| format!("http://x/{url}");
    let answers = [
        (of("1?v=a"), 200, "one"),
        (of("1"), 301, "http://x/one"),
        (of("one"), 200, "one"),
        (of("2?v=a"), 200, "two"),
        (of("2"), 301, "http://x/gone"),
        (of("gone"), 410, ""),
        (of("3?v=a"), 200, "three"),
        (of("4?v=a"), 200, "four"),
        (of("4"), 302, "http://x/far"),
        (of("5?v=a"), 200, "five"),
        (of("5"), 302, "http://x/5"),
    ];
    let (pages, clusters) = crawl(&answers);
    let others = answers.iter().filter(|answer| answer.1 != 200);
    let others = others.map(|(url, status, target)| {
        (url.as_str(), *status, Some(*target).filter(|t| !t.is_empty()))
    });
    let fetched = Fetched::new(&pages, &clusters, others);
    let tested = test_rules(&model(&["v"]), &fetched, &DustbusterConfig::default());
    assert_eq!((tested[0].same, tested[0].different), (1, 2));
}
