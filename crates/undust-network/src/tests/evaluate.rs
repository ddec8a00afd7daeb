//! What networks are in the table of results, and what is served of them.

use undust_learn::evaluate::queue::evaluate_all;
use undust_learn::evaluate::result::{MethodOutcome, SiteResult};
use undust_learn::evaluate::units::Unit;
use undust_learn::evaluate::{EvaluationOptions, Split, evaluate};
use undust_learn::learned::save;
use undust_learn::{Config, Method, Training, TrainingSet, simulate};
use undust_model::registry::Registry;
use undust_model::translation::Canonicalizer;
use undust_pages::Page;
use undust_testing::topics_and_articles;
use undust_url::site::SiteBy;

use crate::{BurnTrainer, DeviceKind};

fn unit(pages: Vec<Page>) -> Unit {
    Unit { site: "a.test".into(), site_by: SiteBy::Host, crawl: "a.jsonl".into(), pages }
}

/// Networks small enough for a test.
fn quick() -> Config {
    let mut config = Config::default();
    (config.seq2seq.hidden, config.seq2seq.embedding) = (16, 16);
    (config.seq2seq.max_steps, config.seq2seq.check_every) = (20, 10);
    (config.seq2seq_paper.hidden, config.seq2seq_paper.embedding) = (16, 16);
    config.seq2seq_paper.max_steps = 20;
    config
}

fn training(config: &Config) -> Training<'_> {
    static TRAINER: BurnTrainer = BurnTrainer::on(DeviceKind::Cpu);
    Training { config, translator: Some(&TRAINER), observer: &() }
}

fn evaluated(unit: Unit, methods: &[Method], options: &EvaluationOptions) -> SiteResult {
    let config = quick();
    let training = training(&config);
    evaluate(unit, methods, &training, options).expect("pages to test on")
}

/// I.8 of the acceptance list: a method that learned nothing is keep-all. The paper's
/// network learns from duplicates only, and there are none.
#[test]
fn a_network_without_pairs_keeps_all() {
    let pages = topics_and_articles("a.test", 90);
    let singles: Vec<Page> =
        pages.into_iter().filter(|page| page.url.contains("article")).collect();
    let methods = [Method::KeepAll, Method::Seq2SeqPaper];
    let result = evaluated(unit(singles), &methods, &EvaluationOptions::default());
    let [keep_all, paper] = [0, 1].map(|at| result.methods[at].figures().expect("figures"));
    assert!(paper.learned_nothing && !keep_all.learned_nothing && paper.network.is_none());
    assert_eq!(
        (paper.f1, paper.crawled, paper.covered),
        (keep_all.f1, keep_all.crawled, keep_all.covered)
    );
    assert_eq!(paper.intervals, keep_all.intervals);
}

/// What is evaluated is what runs: a folder that was saved and is served through the
/// registry does to the URLs what the table says.
#[test]
fn what_is_evaluated_is_what_is_served() {
    let config = quick();
    let training = training(&config);
    let options = EvaluationOptions::default();
    let split = Split::of(unit(topics_and_articles("a.test", 120)), &options).expect("two parts");
    for method in Method::all() {
        let result = split.evaluate(method, &training);
        let evaluated = result.figures().expect("figures");
        let (pages, clusters) = split.train();
        let learned = method.learn(&TrainingSet::new(pages, clusters), &training).expect("a model");
        let models = tempfile::tempdir().expect("a folder");
        let settings = serde_json::to_value(&config).expect("JSON");
        save(models.path(), ("a.test", SiteBy::Host), settings, &learned).expect("saving");
        let registry = Registry::open(models.path()).expect("the model");
        let (pages, clusters) = split.test();
        let served = simulate(pages, clusters, &registry);
        let figures = (evaluated.crawled, evaluated.covered, evaluated.lost, evaluated.redundant);
        let expected = (served.crawled, served.covered, served.lost(), served.redundant());
        assert_eq!(figures, expected, "{method}");
        let changes = pages.iter().any(|page| registry.canonical(&page.url) != *page.url);
        assert!(!(evaluated.learned_nothing && changes), "{method}");
    }
}

#[test]
fn a_network_has_figures_of_its_own_and_intervals_hold_the_figures() {
    let methods = [Method::KeepAll, Method::TokenIdentity, Method::Seq2Seq];
    let result = evaluated(
        unit(topics_and_articles("a.test", 120)),
        &methods,
        &EvaluationOptions::default(),
    );
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
        let options = EvaluationOptions { split, ..EvaluationOptions::default() };
        let methods = [Method::KeepAll, Method::TokenIdentity, Method::Seq2Seq];
        let result = evaluated(unit(topics_and_articles("a.test", count)), &methods, &options);
        let json = serde_json::to_string(&result).expect("JSON");
        assert!(!json.contains("null") && !json.contains("error"), "{count}, {split}: {json}");
    }
}

#[test]
fn results_keep_their_order_on_any_number_of_threads() {
    let methods = [Method::Seq2Seq, Method::KeepAll, Method::TokenIdentity];
    let config = quick();
    let evaluate = |split: &Split, method: Method| {
        let training = training(&config);
        split.evaluate(method, &training)
    };
    let results = |threads| {
        let unit = |site: &str| Unit { site: site.into(), ..unit(topics_and_articles(site, 40)) };
        let split = |site| Split::of(unit(site), &EvaluationOptions::default()).expect("two parts");
        let mut supply = ["c.test", "a.test", "b.test"].into_iter().map(split);
        let results = evaluate_all(&mut supply, &methods, threads, &evaluate);
        let mut results: Vec<SiteResult> = results.into_iter().map(|(result, ())| result).collect();
        for method in results.iter_mut().flat_map(|result| &mut result.methods) {
            if let MethodOutcome::Evaluated(figures) = &mut method.outcome {
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
