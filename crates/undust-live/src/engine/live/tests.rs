use std::sync::atomic::{AtomicU32, Ordering};

use undust_cluster::clusters::Clusters;
use undust_learn::config::Config;
use undust_learn::observer::Observer;
use undust_pages::page::Page;

use super::*;
use crate::engine::evidence::Hypotheses;
use crate::engine::learning::AutoLearner;

fn options(background: bool) -> EngineOptions {
    EngineOptions { risk: 0.05, first_learning: 60, background, ..EngineOptions::default() }
}

fn learner() -> Arc<dyn Learn> {
    Arc::new(AutoLearner::without_network(Config::default()))
}

fn response(url: &str, digest: &str) -> Response {
    let digest = Some(digest.to_owned());
    Response { url: url.to_owned(), status: 200, digest, ..Response::default() }
}

/// Stories of two sites, some of them under several URLs, and a few failures: what was decided upon each.
fn crawl(live: &Live, numbers: std::ops::Range<u32>) -> Vec<String> {
    let mut decided = Vec::new();
    for n in numbers {
        let site = ["a", "b"][n as usize % 2];
        for query in ["", "?v=1", "?w=2", "?v=1&w=2"].iter().take(1 + n as usize % 4) {
            let url = format!("http://{site}.test/story/{n}{query}");
            let decision = live.decide(&url).expect("a decision");
            if decision.fetches() {
                let came = match n % 11 {
                    0 => Response { status: 503, url: url.clone(), ..Response::default() },
                    _ => response(&url, &format!("story {n}")),
                };
                live.saw(came).expect("a response");
            }
            decided.push(format!("{url} {decision:?}"));
        }
    }
    decided
}

/// Whatever happens to a process: the next one decides as it would have, though nothing was told to end.
#[test]
fn a_state_goes_on_where_it_was() {
    let whole = Live::with_secret(options(false), Secret::of_seed(17), learner());
    let expected = [crawl(&whole, 0..150), crawl(&whole, 150..260)].concat();
    assert!(expected.iter().any(|line| line.contains("Skip")));
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(folder.path()).expect("a journal");
    journal.append(&Event::Secret(Secret::of_seed(17))).expect("a line");
    let open = || Live::open(folder.path(), options(false), learner()).expect("a state");
    let first = open();
    let mut decided = crawl(&first, 0..150);
    let before = first.stats();
    drop(first);
    let second = open();
    let of = |stats: &BTreeMap<String, SiteStats>| -> Vec<_> {
        stats.values().map(|s| (s.fetched, s.distinct, s.skipped, s.audits, s.learnings)).collect()
    };
    assert_eq!(of(&second.stats()), of(&before));
    decided.extend(crawl(&second, 150..260));
    let first_other = decided.iter().zip(&expected).position(|(one, other)| one != other);
    assert_eq!(first_other.map(|at| (&decided[at], &expected[at])), None);
}

#[test]
fn the_clusters_of_the_state_have_what_came_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let live = Live::open(folder.path(), options(false), learner()).expect("a state");
    crawl(&live, 0..50);
    live.keep().expect("clusters");
    let fetched: u64 = live.stats().values().map(|site| site.fetched).sum();
    drop(live);
    let clusters = LiveClusters::open(folder.path()).expect("clusters");
    assert_eq!(clusters.pages().expect("pages").pages.len() as u64, fetched);
}

/// What clusters knew before there was a journal is an earlier crawl.
#[test]
fn a_state_of_clusters_is_taken_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut clusters = LiveClusters::open_or_make(folder.path(), |_| {}).expect("a state");
    let mut batch = crate::clusters::ResponseBatch::new();
    for n in 0..90 {
        let url = format!("http://a.test/story/{n}");
        batch.push(response(&format!("{url}?v=1"), &url));
        batch.push(response(&url, &url));
    }
    clusters.ingest(batch).expect("a batch");
    drop(clusters);
    let live = Live::open(folder.path(), options(false), learner()).expect("a state");
    assert_eq!(live.stats()["a.test"].fetched, 180);
    let fetches = |url: &str| live.decide(url).expect("a decision").fetches();
    let mut skipped = 0;
    for n in 0..30 {
        let url = format!("http://a.test/story/{n}");
        assert!(fetches(&url));
        live.saw(response(&url, &format!("{url} has changed"))).expect("a response");
        skipped += usize::from(!fetches(&format!("{url}?v=1")));
    }
    assert!(skipped > 10, "{skipped}");
}

#[test]
fn two_processes_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let _first = Live::open(folder.path(), options(false), learner()).expect("a state");
    let error = Live::open(folder.path(), options(false), learner()).expect_err("in use");
    assert!(error.to_string().contains("in use by another process"), "{error}");
}

#[test]
fn what_is_no_url_is_fetched_and_forgotten() {
    let live = Live::in_memory(options(false), learner()).expect("an engine");
    for url in ["", "nonsense", "mailto:a@b.test", "/path"] {
        assert_eq!(live.decide(url).expect("a decision"), Decision::Fetch);
        assert_eq!(live.saw(response(url, "x")).expect("a response"), None);
    }
    assert!(live.stats().is_empty());
}

/// Learns nothing, when it is allowed to.
struct Slow {
    gate: Mutex<()>,
    learned: AtomicU32,
}

impl Learn for Slow {
    fn begin(&self) -> Hypotheses {
        Hypotheses::default()
    }

    fn learn(&self, _: &[Page], _: &Clusters, _: &dyn Observer) -> Result<Hypotheses> {
        drop(locked(&self.gate));
        self.learned.fetch_add(1, Ordering::SeqCst);
        Ok(Hypotheses::default())
    }
}

/// Nobody waits for a learner that takes its time.
#[test]
fn learning_is_beside_the_crawl() {
    let slow = Arc::new(Slow { gate: Mutex::new(()), learned: AtomicU32::new(0) });
    let learner: Arc<dyn Learn> = Arc::clone(&slow) as _;
    let live = Live::in_memory(options(true), learner).expect("an engine");
    let shut = locked(&slow.gate);
    crawl(&live, 0..300);
    assert!(live.stats().values().all(|site| site.learnings == 0));
    drop(shut);
    live.settle().expect("learning");
    assert!(live.stats().values().all(|site| site.learnings == 1));
    assert_eq!(slow.learned.load(Ordering::SeqCst), 2);
}
