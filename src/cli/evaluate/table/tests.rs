use undust_learn::evaluate::by_shape::{FiguresByShape, ShapeFigures};
use undust_learn::evaluate::result::{IntervalBounds, NetworkFigures};

use super::*;

/// Made-up results: 1,000 clusters in 1,250 pages, some lost, and redundant fetches.
fn method(
    name: &str,
    lost: usize,
    redundant: usize,
    learned: Option<NetworkFigures>,
) -> MethodResult {
    let covered = 1000 - lost;
    let crawled = covered + redundant;
    let (precision, recall) = (covered as f64 / crawled as f64, covered as f64 / 1000.0);
    let f1 = 2.0 * precision * recall / (precision + recall);
    let [around_p, around_r, around_f1] = [precision, recall, f1].map(|x| [x - 0.01, x]);
    let figures = Figures {
        precision,
        recall,
        f1,
        crawled,
        covered,
        lost,
        redundant,
        by_shape: by_shape(lost, redundant),
        intervals: IntervalBounds { precision: around_p, recall: around_r, f1: around_f1 },
        fit_seconds: if learned.is_some() { 31.25 } else { 0.0 },
        rules: if name == "rewrite" { 12 } else { 0 },
        candidates: (name == "rewrite").then_some(40),
        notes: Vec::new(),
        learned_nothing: false,
        network: learned,
        details: None,
    };
    MethodResult { name: name.to_owned(), outcome: MethodOutcome::Evaluated(Box::new(figures)) }
}

/// A fifth of the URLs and clusters has an unseen shape, and so has whatever is lost.
fn by_shape(lost: usize, redundant: usize) -> FiguresByShape {
    let figures = |urls, clusters, lost, redundant| ShapeFigures {
        urls,
        clusters,
        crawled: clusters.saturating_sub(lost) + redundant,
        lost,
        redundant,
        f1: 0.9,
        ..ShapeFigures::default()
    };
    FiguresByShape { seen: figures(1000, 800, 0, redundant), unseen: figures(250, 200, lost, 0) }
}

fn network(stopped: Stopped) -> Option<NetworkFigures> {
    let (steps, best_step) = (850, 450);
    Some(NetworkFigures { templates: 1180, steps, best_step, exact_match: 0.97, stopped })
}

fn result(site: &str, methods: Vec<MethodResult>) -> SiteResult {
    SiteResult {
        site: site.to_owned(),
        crawl: format!("data/{site}.jsonl.gz"),
        split: 0.75,
        hold_out: undust_learn::training::hold_out::HoldOut::Time,
        train_pages: 3750,
        train_clusters: 3000,
        test_pages: 1250,
        test_clusters: 1000,
        judged: None,
        unseen_urls: 250,
        undust: "0.1.0",
        methods,
    }
}

fn usual(site: &str, lost: usize) -> SiteResult {
    let methods = vec![
        method("keep-all", 0, 250, None),
        method("token-identity", 0, 200, None),
        method("seq2seq", lost, 17, network(Stopped::Converged)),
        method("seq2seq-paper", 10 * lost, 3, network(Stopped::Converged)),
    ];
    result(site, methods)
}

fn failed(name: &str) -> MethodResult {
    let error = "no `gpu` backend".to_owned();
    MethodResult { name: name.to_owned(), outcome: MethodOutcome::Failed { error } }
}

#[test]
fn one_crawl_needs_no_average() {
    insta::assert_snapshot!(table(&[usual("wiki.test", 4)], 100), @r#"
    ┌────────────────┬──────────────────────┐
    │                ┆      wiki.test       │
    │ method         ┆      P      R     F1 │
    ╞════════════════╪══════════════════════╡
    │ keep-all       ┆ 0.8000 1.0000 0.8889 │
    │ token-identity ┆ 0.8333 1.0000 0.9091 │
    │ seq2seq        ┆ 0.9832 0.9960 0.9896 │
    │ seq2seq-paper  ┆ 0.9969 0.9600 0.9781 │
    └────────────────┴──────────────────────┘
    P: share of fetches that showed a new page. R: share of duplicate clusters seen.
    Lost: clusters never seen. Redundant: fetches that showed a page seen before.
    A shape is unseen if every URL learned from differs in more than arguments.
    Each method learned from the first part of a crawl and was replayed on the rest.

    wiki.test: learned from 3750 pages in 3000 clusters, tested on 1250 in 1000
    ┌────────────────┬──────┬───────────┬─────────────┬─────────┬───────────┐
    │                ┆      ┆           ┆    F1, 95 % ┆     fit ┆           │
    │ method         ┆ lost ┆ redundant ┆    interval ┆ seconds ┆ learned   │
    ╞════════════════╪══════╪═══════════╪═════════════╪═════════╪═══════════╡
    │ keep-all       ┆    0 ┆       250 ┆ 0.879–0.889 ┆     0.0 ┆           │
    │ token-identity ┆    0 ┆       200 ┆ 0.899–0.909 ┆     0.0 ┆           │
    │ seq2seq        ┆    4 ┆        17 ┆ 0.980–0.990 ┆    31.2 ┆ 850 steps │
    │ seq2seq-paper  ┆   40 ┆         3 ┆ 0.968–0.978 ┆    31.2 ┆ 850 steps │
    └────────────────┴──────┴───────────┴─────────────┴─────────┴───────────┘
    URLs tested whose shape is unseen: 250 of 1250 (20.0 %)
    ┌────────────────┬────────────────────────┬────────────────────────┐
    │                ┆      seen shapes       ┆     unseen shapes      │
    │ method         ┆  lost redundant     F1 ┆  lost redundant     F1 │
    ╞════════════════╪════════════════════════╪════════════════════════╡
    │ keep-all       ┆     0       250 0.9000 ┆     0         0 0.9000 │
    │ token-identity ┆     0       200 0.9000 ┆     0         0 0.9000 │
    │ seq2seq        ┆     0        17 0.9000 ┆     4         0 0.9000 │
    │ seq2seq-paper  ┆     0         3 0.9000 ┆    40         0 0.9000 │
    └────────────────┴────────────────────────┴────────────────────────┘
    "#);
}

#[test]
fn two_crawls_and_their_average_fit_into_100_columns() {
    let shown = table(&[usual("wiki.test", 4), usual("cs.test", 60)], 100);
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    insta::assert_snapshot!(shown, @r#"
    ┌────────────────┬──────────────────────┬──────────────────────┬──────────────────────┐
    │                ┆      wiki.test       ┆       cs.test        ┆       average        │
    │ method         ┆      P      R     F1 ┆      P      R     F1 ┆      P      R     F1 │
    ╞════════════════╪══════════════════════╪══════════════════════╪══════════════════════╡
    │ keep-all       ┆ 0.8000 1.0000 0.8889 ┆ 0.8000 1.0000 0.8889 ┆ 0.8000 1.0000 0.8889 │
    │ token-identity ┆ 0.8333 1.0000 0.9091 ┆ 0.8333 1.0000 0.9091 ┆ 0.8333 1.0000 0.9091 │
    │ seq2seq        ┆ 0.9832 0.9960 0.9896 ┆ 0.9822 0.9400 0.9607 ┆ 0.9827 0.9680 0.9751 │
    │ seq2seq-paper  ┆ 0.9969 0.9600 0.9781 ┆ 0.9926 0.4000 0.5702 ┆ 0.9947 0.6800 0.7742 │
    └────────────────┴──────────────────────┴──────────────────────┴──────────────────────┘
    P: share of fetches that showed a new page. R: share of duplicate clusters seen.
    Lost: clusters never seen. Redundant: fetches that showed a page seen before.
    A shape is unseen if every URL learned from differs in more than arguments.
    Each method learned from the first part of a crawl and was replayed on the rest.

    wiki.test: learned from 3750 pages in 3000 clusters, tested on 1250 in 1000
    ┌────────────────┬──────┬───────────┬─────────────┬─────────┬───────────┐
    │                ┆      ┆           ┆    F1, 95 % ┆     fit ┆           │
    │ method         ┆ lost ┆ redundant ┆    interval ┆ seconds ┆ learned   │
    ╞════════════════╪══════╪═══════════╪═════════════╪═════════╪═══════════╡
    │ keep-all       ┆    0 ┆       250 ┆ 0.879–0.889 ┆     0.0 ┆           │
    │ token-identity ┆    0 ┆       200 ┆ 0.899–0.909 ┆     0.0 ┆           │
    │ seq2seq        ┆    4 ┆        17 ┆ 0.980–0.990 ┆    31.2 ┆ 850 steps │
    │ seq2seq-paper  ┆   40 ┆         3 ┆ 0.968–0.978 ┆    31.2 ┆ 850 steps │
    └────────────────┴──────┴───────────┴─────────────┴─────────┴───────────┘
    URLs tested whose shape is unseen: 250 of 1250 (20.0 %)
    ┌────────────────┬────────────────────────┬────────────────────────┐
    │                ┆      seen shapes       ┆     unseen shapes      │
    │ method         ┆  lost redundant     F1 ┆  lost redundant     F1 │
    ╞════════════════╪════════════════════════╪════════════════════════╡
    │ keep-all       ┆     0       250 0.9000 ┆     0         0 0.9000 │
    │ token-identity ┆     0       200 0.9000 ┆     0         0 0.9000 │
    │ seq2seq        ┆     0        17 0.9000 ┆     4         0 0.9000 │
    │ seq2seq-paper  ┆     0         3 0.9000 ┆    40         0 0.9000 │
    └────────────────┴────────────────────────┴────────────────────────┘

    cs.test: learned from 3750 pages in 3000 clusters, tested on 1250 in 1000
    ┌────────────────┬──────┬───────────┬─────────────┬─────────┬───────────┐
    │                ┆      ┆           ┆    F1, 95 % ┆     fit ┆           │
    │ method         ┆ lost ┆ redundant ┆    interval ┆ seconds ┆ learned   │
    ╞════════════════╪══════╪═══════════╪═════════════╪═════════╪═══════════╡
    │ keep-all       ┆    0 ┆       250 ┆ 0.879–0.889 ┆     0.0 ┆           │
    │ token-identity ┆    0 ┆       200 ┆ 0.899–0.909 ┆     0.0 ┆           │
    │ seq2seq        ┆   60 ┆        17 ┆ 0.951–0.961 ┆    31.2 ┆ 850 steps │
    │ seq2seq-paper  ┆  600 ┆         3 ┆ 0.560–0.570 ┆    31.2 ┆ 850 steps │
    └────────────────┴──────┴───────────┴─────────────┴─────────┴───────────┘
    URLs tested whose shape is unseen: 250 of 1250 (20.0 %)
    ┌────────────────┬────────────────────────┬────────────────────────┐
    │                ┆      seen shapes       ┆     unseen shapes      │
    │ method         ┆  lost redundant     F1 ┆  lost redundant     F1 │
    ╞════════════════╪════════════════════════╪════════════════════════╡
    │ keep-all       ┆     0       250 0.9000 ┆     0         0 0.9000 │
    │ token-identity ┆     0       200 0.9000 ┆     0         0 0.9000 │
    │ seq2seq        ┆     0        17 0.9000 ┆    60         0 0.9000 │
    │ seq2seq-paper  ┆     0         3 0.9000 ┆   600         0 0.9000 │
    └────────────────┴────────────────────────┴────────────────────────┘
    "#);
}

#[test]
fn five_crawls_go_on_below() {
    let sites = ["a.test", "b.test", "c.test", "d.test", "a-very-long-name.example.test"];
    let results: Vec<_> = sites.iter().enumerate().map(|(at, site)| usual(site, at)).collect();
    let shown = table(&results, 100);
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    let tables = shown.split("P: ").next().unwrap_or_default();
    insta::assert_snapshot!(tables, @r#"
    ┌────────────────┬──────────────────────┬──────────────────────┬──────────────────────┐
    │                ┆        a.test        ┆        b.test        ┆        c.test        │
    │ method         ┆      P      R     F1 ┆      P      R     F1 ┆      P      R     F1 │
    ╞════════════════╪══════════════════════╪══════════════════════╪══════════════════════╡
    │ keep-all       ┆ 0.8000 1.0000 0.8889 ┆ 0.8000 1.0000 0.8889 ┆ 0.8000 1.0000 0.8889 │
    │ token-identity ┆ 0.8333 1.0000 0.9091 ┆ 0.8333 1.0000 0.9091 ┆ 0.8333 1.0000 0.9091 │
    │ seq2seq        ┆ 0.9833 1.0000 0.9916 ┆ 0.9833 0.9990 0.9911 ┆ 0.9833 0.9980 0.9906 │
    │ seq2seq-paper  ┆ 0.9970 1.0000 0.9985 ┆ 0.9970 0.9900 0.9935 ┆ 0.9969 0.9800 0.9884 │
    └────────────────┴──────────────────────┴──────────────────────┴──────────────────────┘
    ┌────────────────┬──────────────────────┬──────────────────────┬──────────────────────┐
    │                ┆        d.test        ┆ a-very-long-name.ex… ┆       average        │
    │ method         ┆      P      R     F1 ┆      P      R     F1 ┆      P      R     F1 │
    ╞════════════════╪══════════════════════╪══════════════════════╪══════════════════════╡
    │ keep-all       ┆ 0.8000 1.0000 0.8889 ┆ 0.8000 1.0000 0.8889 ┆ 0.8000 1.0000 0.8889 │
    │ token-identity ┆ 0.8333 1.0000 0.9091 ┆ 0.8333 1.0000 0.9091 ┆ 0.8333 1.0000 0.9091 │
    │ seq2seq        ┆ 0.9832 0.9970 0.9901 ┆ 0.9832 0.9960 0.9896 ┆ 0.9833 0.9980 0.9906 │
    │ seq2seq-paper  ┆ 0.9969 0.9700 0.9833 ┆ 0.9969 0.9600 0.9781 ┆ 0.9969 0.9800 0.9883 │
    └────────────────┴──────────────────────┴──────────────────────┴──────────────────────┘
    "#);
}

#[test]
fn what_went_wrong_is_said_below() {
    let interrupted = network(Stopped::Interrupted);
    let mut nothing = method("seq2seq-paper", 0, 250, None);
    if let MethodOutcome::Evaluated(figures) = &mut nothing.outcome {
        figures.learned_nothing = true;
    }
    let rewrite = method("rewrite", 1, 1, None);
    let first = result("a.test", vec![rewrite, failed("seq2seq"), nothing]);
    let second = result("b.test", vec![method("seq2seq", 8, 20, interrupted)]);
    insta::assert_snapshot!(table(&[first, second], 100), @r#"
    ┌───────────────┬──────────────────────┬──────────────────────┬──────────────────────┐
    │               ┆        a.test        ┆        b.test        ┆       average        │
    │ method        ┆      P      R     F1 ┆      P      R     F1 ┆      P      R     F1 │
    ╞═══════════════╪══════════════════════╪══════════════════════╪══════════════════════╡
    │ rewrite       ┆ 0.9990 0.9990 0.9990 ┆          –           ┆          –           │
    │ seq2seq       ┆          –           ┆ 0.9802 0.9920 0.9861 ┆          –           │
    │ seq2seq-paper ┆ 0.8000 1.0000 0.8889 ┆          –           ┆          –           │
    └───────────────┴──────────────────────┴──────────────────────┴──────────────────────┘
    P: share of fetches that showed a new page. R: share of duplicate clusters seen.
    Lost: clusters never seen. Redundant: fetches that showed a page seen before.
    A shape is unseen if every URL learned from differs in more than arguments.
    Each method learned from the first part of a crawl and was replayed on the rest.

    a.test: learned from 3750 pages in 3000 clusters, tested on 1250 in 1000
    ┌───────────────┬──────┬───────────┬─────────────┬─────────┬────────────────┐
    │               ┆      ┆           ┆    F1, 95 % ┆     fit ┆                │
    │ method        ┆ lost ┆ redundant ┆    interval ┆ seconds ┆ learned        │
    ╞═══════════════╪══════╪═══════════╪═════════════╪═════════╪════════════════╡
    │ rewrite       ┆    1 ┆         1 ┆ 0.989–0.999 ┆     0.0 ┆ 12 of 40 rules │
    │ seq2seq       ┆    – ┆         – ┆           – ┆       – ┆ failed         │
    │ seq2seq-paper ┆    0 ┆       250 ┆ 0.879–0.889 ┆     0.0 ┆                │
    └───────────────┴──────┴───────────┴─────────────┴─────────┴────────────────┘
    URLs tested whose shape is unseen: 250 of 1250 (20.0 %)
    ┌───────────────┬────────────────────────┬────────────────────────┐
    │               ┆      seen shapes       ┆     unseen shapes      │
    │ method        ┆  lost redundant     F1 ┆  lost redundant     F1 │
    ╞═══════════════╪════════════════════════╪════════════════════════╡
    │ rewrite       ┆     0         1 0.9000 ┆     1         0 0.9000 │
    │ seq2seq       ┆           –            ┆           –            │
    │ seq2seq-paper ┆     0       250 0.9000 ┆     0         0 0.9000 │
    └───────────────┴────────────────────────┴────────────────────────┘

    b.test: learned from 3750 pages in 3000 clusters, tested on 1250 in 1000
    ┌─────────┬──────┬───────────┬─────────────┬─────────┬───────────┐
    │         ┆      ┆           ┆    F1, 95 % ┆     fit ┆           │
    │ method  ┆ lost ┆ redundant ┆    interval ┆ seconds ┆ learned   │
    ╞═════════╪══════╪═══════════╪═════════════╪═════════╪═══════════╡
    │ seq2seq ┆    8 ┆        20 ┆ 0.976–0.986 ┆    31.2 ┆ 850 steps │
    └─────────┴──────┴───────────┴─────────────┴─────────┴───────────┘
    URLs tested whose shape is unseen: 250 of 1250 (20.0 %)
    ┌─────────┬────────────────────────┬────────────────────────┐
    │         ┆      seen shapes       ┆     unseen shapes      │
    │ method  ┆  lost redundant     F1 ┆  lost redundant     F1 │
    ╞═════════╪════════════════════════╪════════════════════════╡
    │ seq2seq ┆     0        20 0.9000 ┆     8         0 0.9000 │
    └─────────┴────────────────────────┴────────────────────────┘

    a.test, seq2seq: no `gpu` backend
    a.test, seq2seq-paper: nothing was learned; every URL stays as it is
    b.test, seq2seq: training was interrupted; these are the figures of the best weights so far
    "#);
}

#[test]
fn averages_are_means_over_sites_that_all_methods_had() {
    let (first, second) = (usual("a.test", 0), usual("b.test", 100));
    let of =
        |result: &SiteResult, at: usize| result.methods[at].figures().map(|figures| figures.f1);
    let results = [first, second];
    let names = method_names(&results);
    let blocks = blocks(&results, &names);
    let average = blocks[2].rows[2].as_ref().map(|row| row[2]);
    let expected = of(&results[0], 2).zip(of(&results[1], 2)).map(|(a, b)| (a + b) / 2.0);
    assert!(average.is_some() && average == expected);
    assert_eq!(mean([Some([1.0; 3]), None].iter()), None);
    assert_eq!(mean([Some([1.0; 3]), Some([0.5; 3])].iter()), Some([0.75; 3]));
}

#[test]
fn a_narrow_terminal_gets_one_block_at_a_time() {
    let shown = table(&[usual("a.test", 4), usual("b.test", 60)], 10);
    assert_eq!(shown.lines().filter(|line| line.starts_with('┌')).count(), 3 + 4);
}
