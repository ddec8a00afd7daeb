use std::path::Path;

use undust_learn::config::Config;
use undust_learn::evaluate::queue::evaluate_all;
use undust_learn::evaluate::result::tell_apart;
use undust_learn::evaluate::units::{UnitBy, units};
use undust_learn::evaluate::*;
use undust_model::folder::files::save;
use undust_model::registry::Registry;
use undust_model::translation::Canonicalizer;
use undust_pages::pages::PagesBuilder;
use undust_pages::response::Response;
use undust_url::site::SiteBy;

use crate::device::DeviceKind;

/// Topics that are shown under two URLs each, and articles under one.
fn site_pages(host: &str, count: usize) -> Vec<Page> {
    let mut pages = PagesBuilder::new();
    for number in 0..count {
        let urls = match number % 3 {
            0 => vec![format!("http://{host}/article/{number}")],
            _ => {
                ["topic", "topic/print"].map(|kind| format!("http://{host}/{kind}/{number}")).into()
            }
        };
        for url in urls {
            let digest = Some(format!("{number:040x}"));
            pages.push(Response { url, status: 200, digest, ..Response::default() });
        }
    }
    pages.finish().pages
}

fn unit(pages: Vec<Page>) -> Unit {
    Unit { site: "a.test".into(), site_by: SiteBy::Host, crawl: "a.jsonl".into(), pages }
}

/// A network small enough for a test.
fn quick() -> Config {
    let mut config = Config::default();
    (config.seq2seq.hidden, config.seq2seq.embedding) = (16, 16);
    (config.seq2seq.max_steps, config.seq2seq.check_every) = (20, 10);
    config
}

fn judged(unit: Unit, methods: &[Method], options: &EvaluationOptions) -> SiteResult {
    let config = quick();
    let training = Training { config: &config, device: DeviceKind::Cpu, observer: &() };
    evaluate(unit, methods, &training, options).expect("pages to judge by")
}

#[test]
fn fetching_everything_finds_everything() {
    let pages = site_pages("a.test", 100);
    let result = judged(unit(pages), &[Method::KeepAll], &EvaluationOptions::default());
    let figures = result.methods[0].figures().expect("figures");
    assert_eq!(figures.recall, 1.0);
    assert_eq!(figures.precision, result.test_clusters as f64 / result.test_pages as f64);
    assert_eq!((figures.lost, figures.crawled), (0, result.test_pages));
    assert_eq!(figures.redundant, result.test_pages - result.test_clusters);
}

/// I.8 of the acceptance list: a method that learned nothing is keep-all. The paper's
/// network learns from duplicates only, and there are none.
#[test]
fn a_network_without_pairs_keeps_all() {
    let pages = site_pages("a.test", 90);
    let singles: Vec<Page> =
        pages.into_iter().filter(|page| page.url.contains("article")).collect();
    let methods = [Method::KeepAll, Method::Seq2SeqPaper];
    let result = judged(unit(singles), &methods, &EvaluationOptions::default());
    let [keep_all, paper] = [0, 1].map(|at| result.methods[at].figures().expect("figures"));
    assert!(paper.learned_nothing && !keep_all.learned_nothing && paper.network.is_none());
    assert_eq!(
        (paper.f1, paper.crawled, paper.covered),
        (keep_all.f1, keep_all.crawled, keep_all.covered)
    );
    assert_eq!(paper.intervals, keep_all.intervals);
}

/// I.8, the other half: without a model the paper's tokeniser still merges URLs that
/// differ in slashes only, and nothing else.
#[test]
fn token_identity_merges_slashes_only() {
    let result = judged(
        unit(site_pages("a.test", 40)),
        &[Method::KeepAll, Method::TokenIdentity],
        &EvaluationOptions::default(),
    );
    let [keep_all, merged] = [0, 1].map(|at| result.methods[at].figures().expect("figures"));
    assert_eq!((keep_all.crawled, keep_all.covered), (merged.crawled, merged.covered));
    let canonical = |url| Model::TokenIdentity.canonical(url).into_owned();
    assert_eq!(canonical("http://a.test/x/"), canonical("http://a.test/x"));
    assert_ne!(canonical("http://a.test/x"), canonical("http://a.test/y"));
}

/// The judged thing is the running thing: a folder that was saved and is served through the
/// registry does to the URLs what the table says.
#[test]
fn what_is_judged_is_what_is_served() {
    let config = quick();
    let training = Training { config: &config, device: DeviceKind::Cpu, observer: &() };
    let options = EvaluationOptions::default();
    let split = Split::of(unit(site_pages("a.test", 120)), &options).expect("two parts");
    for method in Method::all().filter(|method| *method != Method::Seq2SeqPaper) {
        let judged = split.judge(method, &training);
        let judged = judged.figures().expect("figures");
        let (pages, clusters) = split.train();
        let learned = method.learn(&TrainingSet::new(pages, clusters), &training).expect("a model");
        let models = tempfile::tempdir().expect("a folder");
        save(models.path(), ("a.test", SiteBy::Host), &config, &learned).expect("saving");
        let registry = Registry::open(models.path()).expect("the model");
        let (pages, clusters) = split.test();
        let served = simulate(pages, clusters, &registry);
        let figures = (judged.crawled, judged.covered, judged.lost, judged.redundant);
        let expected = (served.crawled, served.covered, served.lost(), served.redundant());
        assert_eq!(figures, expected, "{method}");
        let changes = pages.iter().any(|page| registry.canonical(&page.url) != *page.url);
        assert!(!(judged.learned_nothing && changes), "{method}");
    }
}

#[test]
fn a_network_has_figures_of_its_own_and_intervals_hold_the_figures() {
    let methods = [Method::KeepAll, Method::TokenIdentity, Method::Seq2Seq];
    let result = judged(unit(site_pages("a.test", 120)), &methods, &EvaluationOptions::default());
    for method in &result.methods {
        let figures = method.figures().expect("figures");
        let [low, high] = figures.intervals.f1;
        assert!(low <= figures.f1 && figures.f1 <= high, "{figures:?}");
    }
    let network = result.methods[2].figures().and_then(|figures| figures.network);
    assert_eq!(network.map(|network| network.steps), Some(20));
}

#[test]
fn parts_without_pages_are_no_failure() {
    for (count, split) in [(1, 0.75), (1, 0.0), (2, 0.5), (60, 0.0), (60, 0.99)] {
        let options = EvaluationOptions { split, beta: Some(2.0), ..EvaluationOptions::default() };
        let methods = [Method::KeepAll, Method::TokenIdentity, Method::Seq2Seq];
        let result = judged(unit(site_pages("a.test", count)), &methods, &options);
        let json = serde_json::to_string(&result).expect("JSON");
        assert!(!json.contains("null") && !json.contains("error"), "{count}, {split}: {json}");
    }
}

#[test]
fn nothing_to_judge_by_is_said() {
    for (count, split) in [(0, 0.75), (9, 1.0)] {
        let options = EvaluationOptions { split, ..EvaluationOptions::default() };
        let error = Split::of(unit(site_pages("a.test", count)), &options).expect_err("no pages");
        assert!(error.to_string().contains("none is left to judge by"), "{error}");
    }
}

#[test]
fn the_fields_of_the_json_are_a_contract() {
    let options = EvaluationOptions { beta: Some(2.0), ..EvaluationOptions::default() };
    let mut result = judged(unit(site_pages("a.test", 40)), &[Method::KeepAll], &options);
    let error = "no luck".to_owned();
    result
        .methods
        .push(MethodResult { name: "auto".into(), judgement: Judgement::Failed { error } });
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
      "undust": "1.0.0",
      "methods": [
        {
          "name": "keep-all",
          "precision": 0.6470588235294118,
          "recall": 1.0,
          "f1": 0.7857142857142858,
          "f_beta": 0.9016393442622951,
          "crawled": 17,
          "covered": 11,
          "lost": 0,
          "redundant": 6,
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
    let mut pages = site_pages("b.test", 3);
    pages.extend(site_pages("www.a.test", 9));
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
fn sites_of_a_crawl_are_judged_alone_if_they_are_large_enough() {
    let mut pages = site_pages("b.test", 3);
    pages.extend(site_pages("a.test", 9));
    pages[0].url = "no url".into();
    let found = units(Path::new("crawl.jsonl"), pages, UnitBy::Host, 10);
    let sizes: Vec<_> = found.units.iter().map(|unit| (&*unit.site, unit.pages.len())).collect();
    assert_eq!(sizes, [("a.test", 15)]);
    assert_eq!((found.sites, found.small_sites, found.pages_without_site), (2, 1, 1));
}

#[test]
fn equal_names_are_told_apart() {
    let named = |site: &str, crawl: &str| {
        let unit = Unit { site: site.into(), crawl: crawl.into(), ..unit(site_pages("a.test", 9)) };
        judged(unit, &[], &EvaluationOptions::default())
    };
    let mut results = [
        named("a", "x/one.jsonl.gz"),
        named("a", "x/two.warc"),
        named("b", "x/one.jsonl"),
        named("c", "x/one.jsonl"),
        named("c", "y/one.jsonl"),
    ];
    tell_apart(&mut results);
    let names = results.each_ref().map(|result| &*result.site);
    assert_eq!(names, ["a (one)", "a (two)", "b", "c (x/one.jsonl)", "c (y/one.jsonl)"]);
}

#[test]
fn results_keep_their_order_on_any_number_of_threads() {
    let methods = [Method::Seq2Seq, Method::KeepAll, Method::TokenIdentity];
    let config = quick();
    let judge = |split: &Split, method: Method| {
        let training = Training { config: &config, device: DeviceKind::Cpu, observer: &() };
        split.judge(method, &training)
    };
    let results = |threads| {
        let unit = |site: &str| Unit { site: site.into(), ..unit(site_pages(site, 40)) };
        let split = |site| Split::of(unit(site), &EvaluationOptions::default()).expect("two parts");
        let mut supply = ["c.test", "a.test", "b.test"].into_iter().map(split);
        let mut results = evaluate_all(&mut supply, &methods, threads, &judge);
        for method in results.iter_mut().flat_map(|result| &mut result.methods) {
            if let Judgement::Judged(figures) = &mut method.judgement {
                figures.fit_seconds = 0.0;
            }
        }
        results
    };
    let alone = results(1);
    let names: Vec<_> = alone.iter().map(|result| &*result.site).collect();
    assert_eq!(names, ["c.test", "a.test", "b.test"]);
    let names: Vec<_> = alone[1].methods.iter().map(|method| &*method.name).collect();
    assert_eq!(names, ["seq2seq", "keep-all", "token-identity"]);
    assert_eq!(alone, results(4));
}
