//! What `undust live` makes of crawlers, sites and disks that do not behave.
#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::live_pipe::Pipe;
use crate::support::{
    assert_contains, failure, folder_with, json_lines, output, piped, stderr, undust,
    within_limits, write,
};

fn page(url: &str, text: &str) -> Value {
    json!({ "saw": url, "status": 200, "digest": text })
}

fn story(n: u32) -> [String; 2] {
    [format!("http://a.test/story/{n}"), format!("http://a.test/story/{n}?from={n}")]
}

/// Crawls stories that are found under two URLs each, with a time for each that is fetched; all
/// decisions.
fn crawl(
    pipe: &mut Pipe,
    numbers: std::ops::Range<u32>,
    time: &dyn Fn(u32) -> Value,
) -> Vec<Value> {
    let mut decisions = Vec::new();
    for n in numbers {
        for url in story(n) {
            let decision = pipe.ask(&json!({ "decide": url }));
            if decision["do"] != "skip" {
                let mut saw = page(&url, &format!("story {n}"));
                saw["time"] = time(n);
                pipe.tell(&saw);
            }
            decisions.push(decision);
        }
    }
    decisions
}

fn no_time(_: u32) -> Value {
    Value::Null
}

fn skips(decisions: &[Value]) -> usize {
    decisions.iter().filter(|decision| decision["do"] == "skip").count()
}

/// The URLs that the clusters of a state have.
fn clustered(folder: &Path) -> usize {
    let (clusters, _) = output(folder, "cluster", &["--state", "state", "--min-size", "1"]);
    let urls = |cluster: &Value| cluster["urls"].as_array().map_or(0, Vec::len);
    json_lines(&clusters).iter().map(urls).sum()
}

#[test]
fn what_comes_unasked_counts_and_what_comes_twice_counts_once() {
    let folder = folder_with::<&str>(&[]);
    let mut pipe = Pipe::open(folder.path(), &[]);
    let url = "http://a.test/story/1";
    pipe.tell(&page(url, "one"));
    pipe.tell(&page(url, "other"));
    let decision = pipe.ask(&json!({ "decide": url }));
    assert_eq!((&decision["do"], &decision["why"]), (&json!("skip"), &json!("fetched before")));
    let stats = pipe.stats();
    assert_eq!((&stats["fetched"], &stats["distinct"]), (&json!(1), &json!(1)));
    pipe.kill();
}

/// A page that is asked for and never comes is no reason to skip another, and blocks nothing.
#[test]
fn what_never_comes_proves_nothing() {
    let folder = folder_with::<&str>(&[]);
    let mut pipe = Pipe::open(folder.path(), &[]);
    assert!(skips(&crawl(&mut pipe, 0..80, &no_time)) > 20);
    let pending = |pipe: &mut Pipe| pipe.stats()["pending"].as_u64();
    assert_eq!(pending(&mut pipe), Some(0));
    for n in 1000..1020 {
        for url in story(n) {
            assert_ne!(pipe.ask(&json!({ "decide": url }))["do"], "skip");
        }
    }
    assert_eq!(pending(&mut pipe), Some(40));
    // One that fails is not awaited any more.
    let [failed, other] = story(1000);
    pipe.tell(&json!({ "saw": failed, "status": 0 }));
    pipe.tell(&json!({ "saw": other, "status": 503 }));
    assert_eq!(pending(&mut pipe), Some(38));
    assert!(skips(&crawl(&mut pipe, 80..120, &no_time)) > 20);
    pipe.kill();
}

/// All answers come at the end, the last one first, and hours after they were asked for.
#[test]
fn what_comes_late_and_out_of_order_counts_as_what_comes_at_once() {
    let stats = |is_late: bool| {
        let folder = folder_with::<&str>(&[]);
        let mut pipe = Pipe::open(folder.path(), &[]);
        let mut events: Vec<Value> = Vec::new();
        for n in 0..60 {
            for url in story(n) {
                // Nothing came back yet in the first ones, so all of them are fetched.
                assert_ne!(pipe.ask(&json!({ "decide": url }))["do"], "skip");
                events.push(page(&url, &format!("story {n}")));
            }
        }
        if is_late {
            events.reverse();
            for (hour, event) in events.iter_mut().enumerate() {
                event["time"] =
                    json!(format!("2026-11-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24));
            }
        }
        events.iter().for_each(|event| pipe.tell(event));
        let stats = pipe.stats();
        // A form that comes after its variants tests none of them, so that the next stories do.
        let least = if is_late { 5 } else { 20 };
        assert!(skips(&crawl(&mut pipe, 100..140, &no_time)) > least);
        pipe.kill();
        ["fetched", "distinct", "pending"].map(|figure| stats[figure].clone())
    };
    let at_once = stats(false);
    assert_eq!(at_once, [120, 60, 0].map(|figure| json!(figure)));
    assert_eq!(stats(true), at_once);
}

/// Times are for the clusters of the state; no decision depends on them.
#[test]
fn a_clock_that_goes_back_changes_nothing() {
    let day = |day: u32| json!(format!("2026-11-{:02}T00:00:00Z", 1 + day % 28));
    let run = |time: &dyn Fn(u32) -> Value| {
        let folder = folder_with::<&str>(&[]);
        let mut pipe = Pipe::open(folder.path(), &[]);
        let decisions = crawl(&mut pipe, 0..90, time);
        assert!(pipe.end().success());
        (decisions, clustered(folder.path()))
    };
    let expected = run(&no_time);
    assert!(skips(&expected.0) > 30 && expected.1 == 180 - skips(&expected.0));
    let back = |n: u32| day(27 - n % 28);
    let nonsense =
        |n: u32| json!(["yesterday", "", "0000-00-00T99:99:99Z", "9999999999"][n as usize % 4]);
    assert!(run(&day) == expected);
    assert!(run(&back) == expected);
    assert!(run(&nonsense) == expected);
}

/// A site that begins to answer everything with one page, status 200: nobody learns that all URLs
/// show the same, and what it hid is fetched again.
#[test]
fn an_error_page_for_every_url_teaches_nothing() {
    let folder = folder_with::<&str>(&[]);
    let mut pipe = Pipe::open(folder.path(), &[]);
    let url = |n: u32| format!("http://a.test/{}/{n}", ["story", "user", "tag"][n as usize % 3]);
    let fetch = |pipe: &mut Pipe, n: u32, text: &str| {
        let url = url(n);
        let is_fetched = pipe.ask(&json!({ "decide": url }))["do"] != "skip";
        if is_fetched {
            pipe.tell(&page(&url, text));
        }
        is_fetched
    };
    assert!((0..100).all(|n| fetch(&mut pipe, n, &format!("page {n}"))));
    assert!((100..400).all(|n| fetch(&mut pipe, n, "Sorry, something went wrong.")));
    let stats = pipe.stats();
    assert_eq!((&stats["banned"], &stats["fetched"]), (&json!(true), &json!(100)), "{stats}");
    assert_eq!((&stats["ignored"], &stats["learnings"]), (&json!(300), &json!(0)), "{stats}");
    // What it hid is fetched again, and ends it.
    assert!((100..250).all(|n| fetch(&mut pipe, n, &format!("page {n}"))));
    let stats = pipe.stats();
    assert_eq!((&stats["banned"], &stats["fetched"]), (&json!(false), &json!(250)), "{stats}");
    assert!(pipe.end().success());
    let log = fs::read_to_string(folder.path().join("stderr")).expect("a log");
    assert_contains(&log, &["300 pages of a ban ignored"]);
}

/// A hundred thousand made-up URLs of one host, each another page, in the midst of the crawl of
/// another: nothing is decided in another way there.
#[test]
fn what_one_host_makes_up_changes_nothing_for_another() {
    let (alone, poisoned) = (folder_with::<&str>(&[]), folder_with::<&str>(&[]));
    let mut pipe = Pipe::open(alone.path(), &[]);
    let expected = (crawl(&mut pipe, 0..80, &no_time), pipe.stats());
    pipe.kill();
    assert!(skips(&expected.0) > 20);
    let mut pipe = Pipe::open(poisoned.path(), &[]);
    let mut decisions = Vec::new();
    for n in 0..80 {
        for made_up in (n * 1250)..(n + 1) * 1250 {
            let url =
                format!("http://trap.test/{}/{made_up}?from={made_up}&x{made_up}", made_up % 97);
            if made_up % 10 == 0 {
                assert_eq!(pipe.ask(&json!({ "decide": url }))["url"], url);
            }
            pipe.tell(&page(&url, &format!("trap {made_up}")));
        }
        decisions.extend(crawl(&mut pipe, n..n + 1, &no_time));
    }
    let all = pipe.ask(&json!({ "stats": true }));
    assert_eq!(all["stats"]["trap.test"]["fetched"], 100_000);
    assert!(decisions == expected.0 && all["stats"]["a.test"] == expected.1);
    pipe.kill();
}

#[test]
fn a_state_of_another_version_is_refused_with_a_sentence() {
    let folder = folder_with::<&str>(&[]);
    piped(folder.path(), "live", &["--state", "state"], "{\"decide\":\"http://a.test/\"}\n");
    let journal = folder.path().join("state/live.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let later = text.replacen("{\"undust live\":2}", "{\"undust live\":3}", 1);
    assert_ne!(later, text);
    fs::write(&journal, &later).expect("a journal");
    let described = failure(undust(folder.path(), "live").args(["--state", "state"]), 1);
    assert_contains(&described, &["state/live.jsonl", "another version"]);
    assert_eq!(fs::read_to_string(&journal).expect("a journal"), later, "it is left as it is");
}

/// A journal that can grow no more: what cannot be kept is answered by an error, and what was
/// taken is there when the disk has room again.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_loses_nothing_that_was_taken() {
    let folder = folder_with::<&str>(&[]);
    piped(folder.path(), "live", &["--state", "state"], "\n");
    let size = fs::metadata(folder.path().join("state/clusters.redb")).expect("clusters").len();
    let event =
        |n: u64| page(&format!("http://a.test/story/{n}"), &format!("story {n}")).to_string();
    // Half as much again as fits.
    let count = size * 3 / 2 / event(9999).len() as u64;
    let events: String = (0..count).map(|n| event(n) + "\n").collect();
    write(folder.path(), "events", events + "{\"stats\":true}\n");
    let limits = format!("ulimit -f {}", size / 512);
    let mut command = within_limits(folder.path(), &limits, &["live", "--state", "state"]);
    let events = File::open(folder.path().join("events")).expect("events");
    let run = command.stdin(events).stdout(Stdio::piped()).output().expect("a run");
    let log = stderr(&run);
    assert!(!log.contains("panicked"), "{log}");
    let answers = json_lines(&String::from_utf8(run.stdout).expect("text"));
    let refused: Vec<&Value> = answers.iter().filter_map(|answer| answer.get("error")).collect();
    assert!(refused.len() > 100, "{log}");
    assert_contains(refused[0].as_str().unwrap_or_default(), &["live.jsonl", "File too large"]);
    let fetched =
        |answers: &[Value]| answers.last().map(|all| all["stats"]["a.test"]["fetched"].clone());
    let taken = fetched(&answers);
    assert_eq!(taken, Some(json!(count - refused.len() as u64)), "{log}");
    let (answers, _) = piped(folder.path(), "live", &["--state", "state"], "{\"stats\":true}\n");
    assert_eq!(fetched(&json_lines(&answers)), taken);
    assert_eq!(Some(json!(clustered(folder.path()))), taken);
}
