//! What a batch says that is no news, and what parts without leaving.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::*;

#[test]
fn a_bridge_that_comes_back_has_left_all_the_same() {
    let (_folder, mut state) = state();
    ingest(&mut state, [page("/a", "t", 0), page("/q", "t", 7), page("/b/b", "t", 63)]);
    assert_eq!(texts(&state), ["0: /a /q /b/b"]);
    // Far from the canonical URL, near what it brought along.
    ingest(&mut state, [page("/q", "t", 255)]);
    assert_eq!(texts(&state), ["0: /a /q /b/b"]);
    assert_eq!(state.repair().unwrap(), 1);
    assert_eq!(texts(&state), ["0: /a", "1: /q /b/b"]);
}

#[test]
fn an_answer_that_repairs_nothing_leaves_it_to_the_repair() {
    let (_folder, mut state) = state();
    let many = (0..20).map(|n| page(&format!("/p{n}"), "t", 0));
    let bridged = [page("/a", "t", 0), page("/q", "t", 7), page("/b/b", "t", 63)];
    ingest(&mut state, many.chain(bridged));
    ingest(&mut state, [page("/q", "t", 0)]);
    assert_eq!(answer(&mut state, "/b/b").2, UrlVerdict::Differs);
    assert_eq!(state.repair().unwrap(), 1);
    assert_eq!(state.query("/b/b").unwrap().unwrap().verdict, UrlVerdict::Canonical);
}

#[test]
fn what_is_no_news_changes_nothing() {
    let (_folder, mut state) = state();
    let known = |url, simhash, digest: &str| Response {
        digest: Some(digest.into()),
        ..page(url, "t", simhash)
    };
    ingest(&mut state, [known("/a", 0, "x"), known("/b", 1, "y"), digest("/c", "z")]);
    let before = texts(&state);
    let url = |url: &str| Response { url: url.into(), status: 200, ..Response::default() };
    let quiet = [
        // A WARC's `revisit`, the line of a log, answers that say nothing of the page.
        digest("/b", "y"),
        Response { is_listed: true, ..url("/a") },
        Response { status: 403, ..url("/c") },
    ];
    let report = ingest(&mut state, quiet);
    assert_eq!((report.unchanged, report.unanswered, report.changed), (1, 1, 0));
    assert_eq!(texts(&state), before);
}

#[test]
fn an_answer_that_tells_nothing_or_of_times_to_come_holds_no_later_one_back() {
    let (_folder, mut state) = state();
    let at = |time: &str, response| Response { time: Some(time.into()), ..response };
    let failed = Response { url: "/a".into(), status: 503, ..Response::default() };
    ingest(&mut state, [at("2024-03-01T00:00:00Z", failed)]);
    ingest(&mut state, [at("2024-02-01T00:00:00Z", digest("/a", "1"))]);
    assert_eq!(texts(&state), ["0: /a"]);
    ingest(&mut state, [at("9999-01-01T00:00:00Z", digest("/a", "2"))]);
    let report = ingest(&mut state, [at("2024-04-01T00:00:00Z", digest("/a", "3"))]);
    assert_eq!((report.outdated, report.changed), (0, 1));
}

#[test]
fn the_steps_of_a_batch_are_counted_to_the_last() {
    let (_folder, mut state) = state();
    for fingerprint in [0, 7, u64::MAX] {
        let mut batch = ResponseBatch::new();
        (0..9).for_each(|n| batch.push(page(&format!("/{n}"), "t", fingerprint)));
        let (steps, done) = (batch.steps(), Arc::default());
        state.ingest_counting(batch, &done).unwrap();
        assert_eq!((steps, done.load(Ordering::Relaxed)), (27, 27));
    }
}
