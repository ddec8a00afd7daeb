mod learning;
mod restart;

use std::path::Path;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;
use undust_learn::config::Config;

use super::*;
use crate::engine::evidence::Hypotheses;
use crate::engine::learning::AutoLearner;

fn options(background: bool) -> EngineOptions {
    EngineOptions { risk: 0.05, first_learning: 60, background, ..EngineOptions::default() }
}

fn learner() -> Arc<dyn Learn> {
    Arc::new(AutoLearner::new(Config::default()))
}

fn response(url: &str, digest: &str) -> Response {
    let digest = Some(digest.to_owned());
    Response { url: url.to_owned(), status: 200, digest, ..Response::default() }
}

/// Stories of two sites, some of them under several URLs, and a few failures: what was decided upon each, and which
/// site was learned with it.
fn crawl(live: &Live, numbers: std::ops::Range<u32>) -> Vec<String> {
    let mut decided = Vec::new();
    for n in numbers {
        let site = ["a", "b"][n as usize % 2];
        for query in ["", "?v=1", "?w=2", "?v=1&w=2"].iter().take(1 + n as usize % 4) {
            let url = format!("http://{site}.test/story/{n}{query}");
            let (decision, mut learned) = (live.decide(&url).expect("a decision"), None);
            if decision.fetches() {
                let came = match n % 11 {
                    0 => Response { status: 503, url: url.clone(), ..Response::default() },
                    _ => response(&url, &format!("story {n}")),
                };
                learned = live.saw(came).expect("a response");
            }
            decided.push(format!("{url} {decision:?} {learned:?}"));
        }
    }
    decided
}

/// A state with a journal, whose secret is of this seed.
fn state_of_seed(seed: u64) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(folder.path()).expect("a journal");
    journal.append(&Event::Secret(Secret::of_seed(seed))).expect("a line");
    folder
}

/// The first decision that is another one is shown.
fn assert_alike(decided: &[String], expected: &[String]) {
    assert_eq!(decided.iter().zip(expected).find(|(one, other)| one != other), None);
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

/// There is no end to the hosts that a page can link to.
#[test]
fn a_host_without_pages_costs_nothing() {
    let live = Live::in_memory(options(false), learner()).expect("an engine");
    for n in 0..1000 {
        let url = format!("http://{n}.test/");
        assert_eq!(live.decide(&url).expect("a decision"), Decision::Fetch);
        assert!(live.explain(&url).is_none());
        let failed = Response { url: url.clone(), status: 404, ..Response::default() };
        let location = Some("http://a.test/".to_owned());
        let moved = Response { url, status: 301, location, ..Response::default() };
        for came in [failed, moved] {
            live.saw(came).expect("a response");
        }
    }
    assert!(live.stats().is_empty());
    assert_eq!(live.totals(), LiveTotals { lost_share_bound: 1.0, ..LiveTotals::default() });
}

/// What is in flight when a site is put away is in flight when it comes back.
#[test]
fn totals_are_the_sums_of_sites_that_were_put_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let live = Live::open(folder.path(), options(false), learner()).expect("a state");
    for site in 0..4 {
        let url = |page: u32| format!("http://s{site}.test/{page}");
        live.saw(response(&url(0), "home")).expect("a response");
        (1..5).for_each(|page| drop(live.decide(&url(page)).expect("a decision")));
    }
    let pending =
        |live: &Live| (live.totals().pending, live.stats().values().map(|s| s.pending).sum());
    assert_eq!(pending(&live), (16, 16));
    live.relieve_to(0).expect("sites that are put away");
    for site in 0..4 {
        live.saw(response(&format!("http://s{site}.test/1"), "one")).expect("a response");
    }
    assert_eq!(pending(&live), (12, 12));
}

/// Of one process or of several.
#[test]
fn totals_are_the_sums_of_the_sites() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Live::open(folder.path(), options(false), learner()).expect("a state");
    let check = |live: &Live| {
        let (totals, sites) = (live.totals(), live.stats());
        let sum = |of: fn(&SiteStats) -> u64| sites.values().map(of).sum::<u64>();
        assert_eq!((totals.sites, sites.len()), (2, 2));
        let found = [totals.fetched, totals.distinct, totals.skipped, totals.pending];
        let expected =
            [sum(|s| s.fetched), sum(|s| s.distinct), sum(|s| s.skipped), sum(|s| s.pending)];
        assert_eq!(found, expected);
        assert_eq!((totals.learnings, totals.banned), (sum(|s| s.learnings.into()), 0));
        assert_eq!(totals.audits.trials, sum(|s| s.audits.trials));
        assert_eq!(totals.audits.audited, sum(|s| s.audits.audited));
        assert!(totals.skipped > 0 && totals.lost_share_bound > 0.0);
    };
    let live = open();
    crawl(&live, 0..150);
    live.decide("http://a.test/story/9999").expect("a decision");
    check(&live);
    live.begin_crawl().expect("a crawl");
    live.learn_now("a.test").expect("learning");
    crawl(&live, 100..200);
    check(&live);
    drop(live);
    check(&open());
}

#[test]
fn figures_come_by_pages() {
    let live = Live::in_memory(options(false), learner()).expect("an engine");
    for n in 0..25 {
        live.saw(response(&format!("http://{n}.test/"), "x")).expect("a response");
    }
    for limit in [1, 7, 25, 26] {
        let mut all = BTreeMap::new();
        let mut after = None;
        loop {
            let page = live.stats_after(after.as_deref(), limit);
            assert!(page.len() <= limit && page.is_sorted_by(|a, b| a.0 < b.0));
            after = page.last().map(|(site, _)| site.clone());
            if after.is_none() {
                break;
            }
            all.extend(page);
        }
        assert_eq!(all, live.stats());
    }
    assert!(live.stats_after(Some("zzz"), 10).is_empty());
}

/// The secret of a state is drawn once, and a state of an earlier version gets one.
#[test]
fn a_state_keeps_its_secret_and_nobody_else_does() {
    let secret = |folder: &Path| {
        let live = Live::open(folder, options(false), learner()).expect("a state");
        crawl(&live, 0..20);
        let told = format!("{live:?} {}", serde_json::to_string(&live.stats()).expect("JSON"));
        (live.secret, told)
    };
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let (first, told) = secret(one.path());
    let hex = serde_json::to_string(&first).expect("JSON");
    assert!(!told.contains(hex.trim_matches('"')), "{told}");
    assert!(first == secret(one.path()).0 && first != secret(other.path()).0);
    // As an earlier version wrote it.
    let journal = other.path().join("live.jsonl");
    let lines = std::fs::read_to_string(&journal).expect("a journal");
    let old: String = lines
        .lines()
        .filter(|line| !line.contains("secret"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(old.len() < lines.len());
    std::fs::write(&journal, old).expect("a journal");
    for made in ["live.checkpoint", "clusters.redb"] {
        std::fs::remove_file(other.path().join(made)).ok();
    }
    let (given, _) = secret(other.path());
    assert!(given != first && given == secret(other.path()).0);
}

/// Beside the crawl, and nobody need say more meanwhile.
#[test]
fn what_was_answered_is_soon_on_the_disk() {
    for (sync, at_once) in [(Duration::from_millis(5), false), (Duration::ZERO, true)] {
        let folder = tempfile::tempdir().expect("a folder");
        let options = EngineOptions { sync, ..options(false) };
        let live = Live::open(folder.path(), options, learner()).expect("a state");
        crawl(&live, 0..10);
        let is_synced = || {
            let journal = &live.state.as_ref().expect("a state").journal;
            locked(journal).unsynced().is_none()
        };
        assert!(!at_once || is_synced());
        let begun = std::time::Instant::now();
        while !is_synced() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nobody syncs");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// What cannot be kept is not decided, and counts nothing.
#[test]
fn a_skip_that_the_journal_does_not_take_does_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let live = Live::open(folder.path(), options(false), learner()).expect("a state");
    crawl(&live, 0..400);
    let skipped =
        |url: &String| matches!(live.decide(url), Ok(Decision::Skip { loss, .. }) if loss > 0.0);
    let urls: Vec<String> = (400..500).map(|n| format!("http://a.test/story/{n}?v=1")).collect();
    for n in (400..500).step_by(2) {
        live.saw(response(&format!("http://a.test/story/{n}"), &format!("story {n}")))
            .expect("a page");
    }
    assert!(urls.iter().any(skipped));
    let state = live.state.as_ref().expect("a state");
    locked(&state.journal).note_sync(Err(std::io::ErrorKind::StorageFull.into()));
    let counted = || live.stats().into_values().map(|site| (site.skipped, site.audits, site.spent));
    let before: Vec<_> = counted().collect();
    let refused = urls.iter().filter(|url| live.decide(url).is_err()).count();
    assert!(refused > 0);
    assert_eq!(counted().collect::<Vec<_>>(), before);
}

/// Of two hosts of a domain the first takes part, as the journal has it, and none that only redirects.
#[test]
fn the_host_that_takes_part_is_the_same_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Live::open(folder.path(), options(false), learner()).expect("a state");
    let hosts = |live: &Live| -> Vec<(String, bool)> {
        let sites: Vec<Arc<Site>> = locked(&live.sites).values().cloned().collect();
        let takes_part = |site: &Arc<Site>| {
            live.engine(site).expect("a site").member().expect("a member").takes_part()
        };
        sites.iter().map(|site| (site.name.to_string(), takes_part(site))).collect()
    };
    let live = open();
    for domain in 0..200 {
        let page = |host: &str| {
            let url = format!("http://{host}.{domain}.test/");
            let moved = format!("http://moved.{domain}.test/");
            let location = Some(format!("{moved}there"));
            let moved = Response { url: moved, status: 301, location, ..Response::default() };
            live.saw(moved).expect("taken");
            live.saw(response(&url, "a page")).expect("taken");
        };
        std::thread::scope(|scope| {
            for host in ["a", "b", "c"] {
                scope.spawn(move || page(host));
            }
        });
    }
    let before = hosts(&live);
    assert_eq!(before.iter().filter(|(_, takes_part)| *takes_part).count(), 200);
    assert!(before.iter().all(|(name, takes_part)| !takes_part || !name.starts_with("moved")));
    drop(live);
    assert_eq!(hosts(&open()), before);
}

/// URLs are asked for twice before they come back, or never come back, and the process is killed: the next one knows of
/// no more and no less, and decides alike.
#[test]
fn what_has_not_come_back_decides_nothing() {
    for seed in 0..4 {
        let options = options(false);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let events: Vec<(String, bool)> = (0..6000)
            .map(|_| {
                let (story, query) = (random.random_range(0..400), random.random_range(0..3));
                (format!("http://a.test/story/{story}?v={query}"), random.random_range(0..3) > 0)
            })
            .collect();
        let crawl = |live: &Live, events: &[(String, bool)]| -> Vec<String> {
            let decide = |(url, comes): &(String, bool)| {
                let decision = live.decide(url).expect("a decision");
                if decision.fetches() && *comes {
                    let path = url.split('?').next().unwrap_or_default();
                    let moved =
                        Response { status: 301, location: Some(path.into()), ..response(url, "") };
                    let came = if path.ends_with('7') { moved } else { response(url, path) };
                    live.saw(came).expect("a response");
                }
                format!("{url} {decision:?}")
            };
            events.iter().map(decide).collect()
        };
        let whole = Live::with_secret(options, Secret::of_seed(seed), learner());
        let folder = state_of_seed(seed);
        for part in events.chunks(1500) {
            let live = Live::open(folder.path(), options, learner()).expect("a state");
            let (expected, decided) = (crawl(&whole, part), crawl(&live, part));
            assert_alike(&decided, &expected);
            let of = |live: &Live| -> Vec<_> {
                let stats = live.stats().into_values();
                stats.map(|s| (s.fetched, s.skipped, s.audits, s.spent, s.switched_off)).collect()
            };
            assert_eq!(of(&live), of(&whole));
        }
    }
}

/// However many URLs never come back, a redirect waits for the page that it leads to, in this process and in the next.
#[test]
fn what_never_comes_back_pushes_nothing_out() {
    let options = EngineOptions { memory: 4 << 20, ..options(false) };
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Live::open(folder.path(), options, learner()).expect("a state");
    let live = open();
    live.saw(response("http://a.test/", "home")).expect("a response");
    let location = Some("http://a.test/new".to_owned());
    let moved = Response { status: 301, location, ..response("http://a.test/old", "") };
    live.saw(moved).expect("a response");
    for n in 0..20_000 {
        assert!(live.decide(&format!("http://a.test/{n}")).expect("a decision").fetches());
    }
    live.saw(response("http://a.test/new", "new")).expect("a response");
    let known = |live: &Live| {
        let decision = live.decide("http://a.test/old").expect("a decision");
        (live.stats()["a.test"].fetched, decision.fetches())
    };
    assert_eq!(known(&live), (3, false));
    drop(live);
    assert_eq!(known(&open()), (3, false));
}
