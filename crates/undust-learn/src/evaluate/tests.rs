//! What the table of results says of baselines, and what it evaluates.

use std::path::Path;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use undust_model::model::Model;
use undust_model::translation::Rewriter;
use undust_pages::page::Page;
use undust_testing::topics_and_articles;
use undust_url::site::SiteBy;

use super::queue::{Work, evaluate_all};
use super::result::{MethodOutcome, MethodResult, make_names_unique};
use super::units::{UnitBy, units};
use super::*;
use crate::config::Config;

fn unit(pages: Vec<Page>) -> Unit {
    Unit { site: "a.test".into(), site_by: SiteBy::Host, crawl: "a.jsonl".into(), pages }
}

fn evaluated(unit: Unit, methods: &[Method], options: &EvaluationOptions) -> SiteResult {
    evaluate(unit, methods, &Training::new(&Config::default()), options).expect("pages to test on")
}

#[test]
fn fetching_everything_finds_everything() {
    let pages = topics_and_articles("a.test", 100);
    let result = evaluated(unit(pages), &[Method::KeepAll], &EvaluationOptions::default());
    let figures = result.methods[0].figures().expect("figures");
    assert_eq!(figures.recall, 1.0);
    assert_eq!(figures.precision, result.test_clusters as f64 / result.test_pages as f64);
    assert_eq!((figures.lost, figures.crawled), (0, result.test_pages));
    assert_eq!(figures.redundant, result.test_pages - result.test_clusters);
}

/// I.8, the other half: without a model the paper's tokeniser still merges URLs that
/// differ in slashes only, and nothing else.
#[test]
fn token_identity_merges_slashes_only() {
    let result = evaluated(
        unit(topics_and_articles("a.test", 40)),
        &[Method::KeepAll, Method::TokenIdentity],
        &EvaluationOptions::default(),
    );
    let [keep_all, merged] = [0, 1].map(|at| result.methods[at].figures().expect("figures"));
    assert_eq!((keep_all.crawled, keep_all.covered), (merged.crawled, merged.covered));
    let canonical = |url| Model::TokenIdentity.rewritten(url).into_owned();
    assert_eq!(canonical("http://a.test/x/"), canonical("http://a.test/x"));
    assert_ne!(canonical("http://a.test/x"), canonical("http://a.test/y"));
}

#[test]
fn a_test_part_without_pages_is_reported() {
    for (count, split) in [(0, 0.75), (9, 1.0)] {
        let options = EvaluationOptions { split, ..EvaluationOptions::default() };
        let error =
            Split::of(unit(topics_and_articles("a.test", count)), &options).expect_err("no pages");
        assert!(error.to_string().contains("is left to test on"), "{error}");
    }
}

#[test]
fn the_fields_of_the_json_are_a_contract() {
    let options = EvaluationOptions::default();
    let mut result =
        evaluated(unit(topics_and_articles("a.test", 40)), &[Method::KeepAll], &options);
    let error = "no luck".to_owned();
    result
        .methods
        .push(MethodResult { name: "auto".into(), outcome: MethodOutcome::Failed { error } });
    result.undust = "1.0.0";
    insta::assert_snapshot!(serde_json::to_string_pretty(&result).expect("JSON"), @r#"
    {
      "site": "a.test",
      "crawl": "a.jsonl",
      "split": 0.75,
      "hold_out": "time",
      "train_pages": 49,
      "train_clusters": 30,
      "test_pages": 17,
      "test_clusters": 11,
      "unseen_urls": 0,
      "undust": "1.0.0",
      "methods": [
        {
          "name": "keep-all",
          "precision": 0.6470588235294118,
          "recall": 1.0,
          "f1": 0.7857142857142858,
          "crawled": 17,
          "covered": 11,
          "lost": 0,
          "redundant": 6,
          "by_shape": {
            "seen": {
              "urls": 17,
              "clusters": 11,
              "crawled": 17,
              "lost": 0,
              "redundant": 6,
              "precision": 0.6470588235294118,
              "recall": 1.0,
              "f1": 0.7857142857142858
            },
            "unseen": {
              "urls": 0,
              "clusters": 0,
              "crawled": 0,
              "lost": 0,
              "redundant": 0,
              "precision": 1.0,
              "recall": 1.0,
              "f1": 1.0
            }
          },
          "intervals": {
            "precision": [
              0.55,
              0.7857142857142857
            ],
            "recall": [
              1.0,
              1.0
            ],
            "f1": [
              0.7096774193548387,
              0.88
            ]
          },
          "fit_seconds": 0.0,
          "rules": 0,
          "learned_nothing": false
        },
        {
          "name": "auto",
          "error": "no luck"
        }
      ]
    }
    "#);
}

#[test]
fn a_crawl_as_a_whole_takes_the_name_of_its_most_frequent_host() {
    let mut pages = topics_and_articles("b.test", 3);
    pages.extend(topics_and_articles("www.a.test", 9));
    pages[0].url = "no url".into();
    let found = units(Path::new("x/crawl.jsonl.gz"), pages.clone(), UnitBy::Crawl, 1000);
    let names: Vec<_> = found.units.iter().map(|unit| &*unit.site).collect();
    assert_eq!(names, ["a.test"]);
    assert_eq!(
        (found.sites, found.pages_without_site, found.units[0].pages.len()),
        (2, 1, pages.len())
    );
    let nameless = units(Path::new("x/crawl.jsonl.gz"), Vec::new(), UnitBy::Crawl, 0);
    assert_eq!(nameless.units[0].site, "crawl");
}

#[test]
fn sites_of_a_crawl_are_evaluated_alone_if_they_are_large_enough() {
    let mut pages = topics_and_articles("b.test", 3);
    pages.extend(topics_and_articles("a.test", 9));
    pages[0].url = "no url".into();
    let found = units(Path::new("crawl.jsonl"), pages, UnitBy::Host, 10);
    let sizes: Vec<_> = found.units.iter().map(|unit| (&*unit.site, unit.pages.len())).collect();
    assert_eq!(sizes, [("a.test", 15)]);
    assert_eq!((found.sites, found.small_sites, found.pages_without_site), (2, 1, 1));
}

#[test]
fn equal_names_are_told_apart() {
    let named = |site: &str, crawl: &str| {
        let unit = Unit {
            site: site.into(),
            crawl: crawl.into(),
            ..unit(topics_and_articles("a.test", 9))
        };
        evaluated(unit, &[], &EvaluationOptions::default())
    };
    let mut results = [
        named("a", "x/one.jsonl.gz"),
        named("a", "x/two.warc"),
        named("b", "x/one.jsonl"),
        named("c", "x/one.jsonl"),
        named("c", "y/one.jsonl"),
    ];
    make_names_unique(&mut results);
    let names = results.each_ref().map(|result| &*result.site);
    assert_eq!(names, ["a (one)", "a (two)", "b", "c (x/one.jsonl)", "c (y/one.jsonl)"]);
}

/// What else is done waits until one of them is evaluated.
#[derive(Default)]
struct Beside {
    is_evaluated: Mutex<bool>,
    told: Condvar,
}

impl Work<bool> for Beside {
    fn evaluate(&self, split: &Split, method: Method) -> MethodRun {
        let run = split.evaluate(method, &Training::new(&Config::default()));
        *self.is_evaluated.lock().expect("no panic") = true;
        self.told.notify_all();
        run
    }

    fn extra(&self, _: &Split) -> bool {
        let is_evaluated = self.is_evaluated.lock().expect("no panic");
        let most = Duration::from_secs(60);
        let waited =
            self.told.wait_timeout_while(is_evaluated, most, |is_evaluated| !*is_evaluated);
        *waited.expect("no panic").0
    }
}

#[test]
fn methods_are_evaluated_while_something_else_is_done() {
    let options = EvaluationOptions::default();
    let split = |site: &str| {
        let unit = Unit { site: site.into(), ..unit(topics_and_articles(site, 40)) };
        Split::of(unit, &options).expect("two parts")
    };
    let methods = [Method::KeepAll, Method::TokenIdentity];
    let mut supply = ["b.test", "a.test"].into_iter().map(split);
    let results = evaluate_all(&mut supply, &methods, 2, &Beside::default());
    let sites: Vec<(&str, usize, bool)> = results
        .iter()
        .map(|(result, extra)| (&*result.site, result.methods.len(), *extra))
        .collect();
    assert_eq!(sites, [("b.test", 2, true), ("a.test", 2, true)]);
}
