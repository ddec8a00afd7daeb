//! `undust cluster --state` killed at random moments, again and again: no batch that was
//! acknowledged is lost, and none is there in part.
//!
//! `UNDUST_KILLS` says how often; the default is short.
#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use undust::crawl::{ReadOptions, Response, read_all, read_pages};
use undust::live::{LiveClusters, LivePages, ResponseBatch};

use crate::support::process;

/// Kills in the short form.
const KILLS: usize = 25;
/// Batches after which a state begins anew.
const BATCHES: usize = 8;
/// URLs in a batch.
const URLS: u64 = 4000;

/// A batch: new pages, pages that changed, redirects that turn, pages that are gone.
fn manifest(batch: usize) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(batch as u64);
    let known = URLS * batch as u64 / 2 + URLS / 2;
    let line = |n: u64| {
        let number = if n < URLS / 2 { rng.random_range(0..known) } else { known + n };
        let url = format!("http://a.test/{number}");
        match rng.random_range(0..10) {
            0 => format!("{{\"url\":\"{url}\",\"status\":404}}\n"),
            1 => {
                let to = rng.random_range(0..known);
                format!(
                    "{{\"url\":\"{url}\",\"status\":301,\"location\":\"http://a.test/{to}\"}}\n"
                )
            }
            _ => {
                let (title, bits) = (rng.random_range(0..40), rng.random_range(0..512));
                format!(
                    "{{\"url\":\"{url}\",\"status\":200,\"title\":\"{title}\",\"simhash\":\"{bits:016x}\"}}\n"
                )
            }
        }
    };
    (0..URLS).map(line).collect()
}

/// What a state holds after each number of batches.
fn expected(folder: &Path) -> Vec<LivePages> {
    let mut state = LiveClusters::open_or_make(&folder.join("expected"), |_| {}).unwrap();
    let mut after = vec![LivePages::default()];
    for batch in 0..BATCHES {
        let mut responses: Vec<Response> = Vec::new();
        read_all(&[path(folder, batch)], &ReadOptions::default(), &mut |response| {
            responses.push(response);
            Ok(())
        })
        .unwrap();
        let mut taken = ResponseBatch::new();
        taken.extend(responses);
        state.ingest(taken).unwrap();
        after.push(state.pages().unwrap());
    }
    after
}

fn path(folder: &Path, batch: usize) -> std::path::PathBuf {
    folder.join(format!("{batch}.jsonl"))
}

fn spawn(folder: &Path, batch: usize) -> Child {
    process(folder, &["cluster", "--state", "state", "-o", "clusters.jsonl"])
        .arg(path(folder, batch))
        .stdout(Stdio::null())
        .stderr(File::create(folder.join("stderr")).unwrap())
        .spawn()
        .unwrap()
}

fn is_same(a: &LivePages, b: &LivePages) -> bool {
    (&a.pages, &a.groups, &a.left_out) == (&b.pages, &b.groups, &b.left_out)
}

/// Batches that the state holds; it must hold the whole of each.
fn held(folder: &Path, done: usize, acknowledged: bool, after: &[LivePages]) -> usize {
    let state = folder.join("state");
    if !LiveClusters::is_in(&state) {
        assert!(done == 0 && !acknowledged, "the state is gone");
        return 0;
    }
    let pages = LiveClusters::open(&state).expect("a state that opens").pages().expect("pages");
    if is_same(&pages, &after[done + 1]) {
        return done + 1;
    }
    assert!(!acknowledged, "a batch that was acknowledged is lost");
    assert!(is_same(&pages, &after[done]), "the state holds a part of a batch");
    done
}

#[test]
fn no_kill_loses_a_batch() {
    let kills = std::env::var("UNDUST_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    (0..BATCHES).for_each(|batch| fs::write(path(folder.path(), batch), manifest(batch)).unwrap());
    assert!(
        !read_pages(&[path(folder.path(), 0)], &ReadOptions::default()).unwrap().0.pages.is_empty()
    );
    let after = expected(folder.path());
    let timed = |batch| {
        let begin = Instant::now();
        spawn(folder.path(), batch).wait().unwrap();
        begin.elapsed()
    };
    let longest = (0..BATCHES).map(timed).max().unwrap_or_default();
    let (mut rng, mut done) = (ChaCha8Rng::seed_from_u64(17), 0);
    let (mut before, mut within, mut later) = (0, 0, 0);
    fs::remove_dir_all(folder.path().join("state")).unwrap();
    for _ in 0..kills {
        let mut child = spawn(folder.path(), done);
        let wait = rng.random_range(0.0..1.2) * longest.as_secs_f64();
        std::thread::sleep(Duration::from_secs_f64(wait));
        child.kill().unwrap();
        let is_done = child.wait().unwrap().success();
        let described = fs::read_to_string(folder.path().join("stderr")).unwrap();
        assert!(!described.contains("undust:"), "{described}");
        let acknowledged = is_done || described.contains("URLs taken in");
        let now = held(folder.path(), done, acknowledged, &after);
        *(match (acknowledged, now > done) {
            (true, _) => &mut later,
            (false, true) => &mut within,
            (false, false) => &mut before,
        }) += 1;
        done = now;
        if done == BATCHES {
            fs::remove_dir_all(folder.path().join("state")).unwrap();
            done = 0;
        }
    }
    println!("{before} kills before the commit, {within} after it, {later} after it was reported");
}
