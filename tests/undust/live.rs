//! `undust cluster --state` and `undust train --state` as whole programs: batches, answers, models,
//! and what goes wrong.

use std::fs;
use std::path::Path;

use serde_json::Value;
use undust::live::LiveClusters;

use crate::support::{
    assert_contains, crawl, data, failure, files, folder, json_lines, output, stderr, succeed,
    undust, within_limits, write,
};

/// All clusters after these crawls came as one batch.
fn take_in(folder: &Path, crawls: &[&str]) -> String {
    output(folder, "cluster", &[crawls, &["--state", "state", "--min-size", "1"]].concat()).0
}

fn query(folder: &Path, urls: &[&str]) -> Vec<Value> {
    let asked = [&["--state", "state", "--query"], urls].concat();
    json_lines(&output(folder, "cluster", &asked).0)
}

fn page(url: &str, digest: &str) -> String {
    format!("{{\"url\":\"http://a.test/{url}\",\"status\":200,\"digest\":\"{digest}\"}}\n")
}

fn gone(url: &str) -> String {
    format!("{{\"url\":\"http://a.test/{url}\",\"status\":410}}\n")
}

fn redirect(url: &str, location: &str) -> String {
    format!(
        "{{\"url\":\"http://a.test/{url}\",\"status\":301,\"location\":\"http://a.test/{location}\"}}\n"
    )
}

#[test]
fn one_batch_writes_what_the_batch_clusters_are() {
    for name in ["cs.jsonl.gz", "wiki.jsonl.gz"] {
        let folder = folder("");
        for (setting, value) in [("BITS", "3"), ("BITS", "5"), ("TITLE", "false")] {
            let state = format!("state{setting}{value}");
            let clusters = |arguments: &[&str]| {
                let mut cluster = undust(folder.path(), "cluster");
                cluster.env(format!("UNDUST_CLUSTERS_{setting}"), value);
                succeed(cluster.arg(data(name)).args(["--min-size", "1"]).args(arguments)).0
            };
            assert!(clusters(&["--state", &state]) == clusters(&[]), "{name} {setting} {value}");
        }
    }
}

#[test]
fn crawls_in_a_row_keep_the_ids_of_their_groups() {
    let folder = folder("");
    write(folder.path(), "1", page("a", "1") + &page("b/b", "1") + &page("c", "2"));
    write(folder.path(), "2", gone("a") + &page("d", "2") + &redirect("e", "f"));
    write(folder.path(), "3", page("f", "3"));
    let lines = |ids: &[(u32, &[&str])]| -> String {
        let line = |(id, urls): &(u32, &[&str])| {
            let urls = urls.iter().map(|url| format!("\"http://a.test/{url}\""));
            let urls = urls.collect::<Vec<_>>();
            format!("{{\"cluster\":{id},\"size\":{},\"urls\":[{}]}}\n", urls.len(), urls.join(","))
        };
        ids.iter().map(line).collect()
    };
    assert_eq!(take_in(folder.path(), &["1"]), lines(&[(0, &["a", "b/b"]), (1, &["c"])]));
    assert_eq!(take_in(folder.path(), &["2"]), lines(&[(0, &["b/b"]), (1, &["c", "d"])]));
    let all = lines(&[(0, &["b/b"]), (1, &["c", "d"]), (2, &["e", "f"])]);
    assert_eq!(take_in(folder.path(), &["3"]), all);
    assert_eq!(take_in(folder.path(), &[]), all, "without a crawl nothing changes");
    assert_eq!(take_in(folder.path(), &["2", "3"]), all, "what is known changes nothing");
}

#[test]
fn a_query_gives_group_and_canonical_url() {
    let folder = folder("");
    write(folder.path(), "1", page("a", "1") + &page("b/b", "1") + &redirect("r/r/r", "a"));
    take_in(folder.path(), &["1"]);
    let urls = ["b/b", "r/r/r", "a", "a#top", "z"].map(|url| format!("http://a.test/{url}"));
    let described = query(folder.path(), &urls.each_ref().map(String::as_str));
    let verdicts: Vec<_> =
        described.iter().map(|described| described["verdict"].as_str()).collect();
    assert_eq!(verdicts[..4], ["duplicate", "duplicate", "canonical", "canonical"].map(Some));
    assert_eq!(verdicts[4..], [None]);
    assert_eq!(described[0]["url"], urls[0]);
    assert_eq!((&described[1]["group"], &described[1]["size"]), (&Value::from(0), &Value::from(3)));
    assert_eq!(described[1]["canonical"], urls[2]);
    assert!(described[4]["group"].is_null());
}

#[test]
fn canonical_urls_can_be_ordered_otherwise() {
    let folder = folder("");
    write(folder.path(), "1", page("a?b", "1") + &page("x/long/path/that/is/static", "1"));
    write(folder.path(), "order.toml", "[canonical]\norder = [\"static\", \"length\"]\n");
    let order = ["--config", "order.toml", "--state", "state", "1"];
    undust(folder.path(), "cluster").args(order).assert().success();
    let described = query(folder.path(), &["http://a.test/a?b"]);
    assert_eq!(described[0]["canonical"], "http://a.test/x/long/path/that/is/static");
}

#[test]
fn training_from_a_state_of_one_batch_gives_the_same_bytes() {
    for (name, method) in
        [("cs.jsonl.gz", "tree"), ("wiki.jsonl.gz", "dustbuster"), ("tracker-1.jsonl.gz", "auto")]
    {
        let folder = folder("");
        let train = |arguments: &[&str]| {
            let mut train = undust(folder.path(), "train");
            train.args(["--method", method]).args(arguments);
            train.assert().success();
        };
        let crawl = data(name).display().to_string();
        train(&[&crawl, "--models", "from-crawl"]);
        take_in(folder.path(), &[&crawl]);
        train(&["--state", "state", "--models", "from-state"]);
        let [crawl, state] =
            ["from-crawl", "from-state"].map(|models| files(&folder.path().join(models)));
        assert!(!crawl.is_empty() && crawl == state, "{name}");
    }
}

#[test]
fn only_sites_that_changed_are_trained_again() {
    let folder = folder(&(crawl("a.test", 30) + &crawl("b.test", 30)));
    let tree = |folder: &Path, more: &[&str]| {
        let mut train = undust(folder, "train");
        train.args(["--state", "state", "--method", "tree", "--config", "tiny.toml"]).args(more);
        stderr(train.assert().success().get_output())
    };
    take_in(folder.path(), &["crawl.jsonl"]);
    let trained = |described: &str, site: &str| described.contains(&format!("models/{site}: "));
    let first = tree(folder.path(), &[]);
    assert!(trained(&first, "a.test") && trained(&first, "b.test"), "{first}");
    let again = tree(folder.path(), &[]);
    assert!(again.contains("a.test: kept, 0.0 % of its pages"), "{again}");
    assert!(!trained(&again, "a.test") && !trained(&again, "b.test"), "{again}");
    // Two of sixty pages of one site, then ten.
    for (users, share) in [(31, "3.3 %"), (35, "")] {
        write(folder.path(), "more.jsonl", crawl("b.test", users));
        take_in(folder.path(), &["more.jsonl"]);
        let described = tree(folder.path(), &[]);
        assert!(!trained(&described, "a.test"), "{described}");
        let kept = described.contains(&format!("b.test: kept, {share}"));
        assert_eq!(
            (kept, trained(&described, "b.test")),
            (!share.is_empty(), share.is_empty()),
            "{described}"
        );
    }
    let all = tree(folder.path(), &["--retrain", "0"]);
    assert!(trained(&all, "a.test") && trained(&all, "b.test"), "{all}");
    let other = tree(folder.path(), &["--seed", "5"]);
    assert!(trained(&other, "a.test") && trained(&other, "b.test"), "{other}");
    fs::remove_dir_all(folder.path().join("models/a.test")).unwrap();
    let lost = tree(folder.path(), &["--seed", "5"]);
    assert!(trained(&lost, "a.test") && !trained(&lost, "b.test"), "{lost}");
}

#[test]
fn odd_redirects_and_pages_are_left_out_until_they_count() {
    let folder = folder("");
    let odd = redirect("self", "self") + &redirect("1", "2") + &redirect("2", "1");
    write(folder.path(), "1", odd + &redirect("early", "late") + &page("a", "1") + &gone("a"));
    let (_, described) = output(folder.path(), "cluster", &["1", "--state", "state"]);
    let left_out = ["4 URLs left out", "1 redirected out of the crawl", "3 redirected in a loop"];
    assert_contains(&described, &left_out);
    write(folder.path(), "2", page("late", "1") + &redirect("2", "a"));
    let clusters = take_in(folder.path(), &["2"]);
    assert_eq!(clusters.lines().count(), 1, "{clusters}");
    assert!(clusters.contains("\"size\":5"), "{clusters}");
}

#[test]
fn a_state_that_cannot_be_used_is_told_in_a_sentence() {
    let folder = folder("");
    let with = |arguments: &[&str]| {
        let mut command = undust(folder.path(), "cluster");
        command.args(["--state", "state"]).args(arguments);
        command
    };
    let described = failure(&mut with(&[]), 1);
    assert_contains(&described, &["no clusters yet", "give it a crawl"]);
    write(folder.path(), "1", page("a", "1"));
    write(folder.path(), "broken", page("b", "1") + "no JSON\n");
    let described = failure(&mut with(&["broken"]), 1);
    assert!(described.starts_with("broken:2: "), "{described}");
    assert!(!folder.path().join("state").exists());
    with(&["1"]).assert().success();
    let described = failure(&mut with(&["broken"]), 1);
    assert!(described.starts_with("broken:2: "), "{described}");
    assert_eq!(take_in(folder.path(), &[]).lines().count(), 1);
    let open = LiveClusters::open(&folder.path().join("state")).unwrap();
    for arguments in [&["1"][..], &[], &["--query", "http://a.test/a"]] {
        let described = failure(&mut with(arguments), 1);
        assert_contains(&described, &["in use by another process"]);
    }
    drop(open);
    let file = folder.path().join("state/clusters.redb");
    let whole = fs::read(&file).unwrap();
    for (bytes, expected) in [
        (&b"no store"[..], "not a state of undust"),
        (&whole[..whole.len() / 2], ""),
        (&[], "not a state of undust"),
    ] {
        fs::write(&file, bytes).unwrap();
        let described = failure(&mut with(&["1"]), 1);
        assert!(described.starts_with("state ") && described.contains(expected), "{described}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = folder("");
    for arguments in [&["--query", "http://a.test/"][..], &["--repair", "1"]] {
        undust(folder.path(), "cluster").args(arguments).assert().failure().code(2);
    }
    for arguments in [
        &["1", "--state", "s"][..],
        &["1", "--retrain", "0.1"],
        &["--state", "s", "--lenient"],
        &["--state", "s", "--field", "url=u"],
        &["--state", "s", "--field", "body=b"],
        &[],
    ] {
        undust(folder.path(), "train").args(arguments).assert().failure().code(2);
    }
}

/// A state that is there has something to keep; one that is new is made for nothing.
#[test]
fn an_empty_crawl_makes_no_state() {
    let folder = folder("");
    write(folder.path(), "empty", "");
    let log = "a.test 1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1\n";
    write(folder.path(), "log", log);
    let describe = |input: &str| {
        failure(undust(folder.path(), "cluster").args(["--state", "state", input]), 1)
    };
    assert_contains(&describe("empty"), &["empty: no page"]);
    assert_contains(&describe("log"), &["log: ", "an access log"]);
    assert!(!folder.path().join("state").exists());
    write(folder.path(), "1", page("a", "1"));
    let before = take_in(folder.path(), &["1"]);
    assert_eq!(take_in(folder.path(), &["empty"]), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder("");
    write(folder.path(), "1", page("a", "a"));
    let many: String = (0..20_000).map(|n| page(&format!("many/{n}"), &n.to_string())).collect();
    write(folder.path(), "many", many);
    let before = take_in(folder.path(), &["1"]);
    let size = fs::metadata(folder.path().join("state/clusters.redb")).unwrap().len();
    let limits = format!("ulimit -f {}", size / 512 + 800);
    let cluster = ["cluster", "many", "--state", "state"];
    let output = within_limits(folder.path(), &limits, &cluster).output().unwrap();
    let described = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{described}");
    assert_contains(&described, &["state/clusters.redb", "File too large"]);
    assert!(!described.contains("panicked"), "{described}");
    assert_eq!(take_in(folder.path(), &[]), before);
    assert_eq!(take_in(folder.path(), &["many"]).lines().count(), 20_001);
}

/// Bytes written over at random: the state opens or not, and no command panics over it.
#[test]
fn a_damaged_state_is_told_in_a_sentence() {
    let folder = folder(&crawl("a.test", 400));
    let folder = folder.path();
    take_in(folder, &["crawl.jsonl"]);
    let whole = fs::read(folder.join("state/clusters.redb")).expect("a state");
    let mut described = String::new();
    for seed in 0..24 {
        let mut bytes = whole.clone();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed + 1);
        for _ in 0..200 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let at = (random >> 24) as usize % bytes.len();
            bytes[at] = (random >> 16) as u8;
        }
        for arguments in [
            &["cluster", "--state", "state"][..],
            &["cluster", "--state", "state", "--query", "http://a.test/users/7x"],
            &["train", "--state", "state", "--method", "tree"],
            &["cluster", "--state", "state", "crawl.jsonl"],
            &["cluster", "--state", "state", "--repair", "--compact"],
        ] {
            write(folder, "state/clusters.redb", &bytes);
            let output =
                undust(folder, arguments[0]).args(&arguments[1..]).output().expect("a run");
            let said = stderr(&output);
            let last = said.lines().last().unwrap_or_default();
            assert!(!said.contains("panicked") && !said.contains("backtrace"), "{seed}: {said}");
            let is_told = last.starts_with("undust: state state/clusters.redb: is ");
            assert!(
                output.status.success() || output.status.code() == Some(1) && is_told,
                "{said}"
            );
            described.push_str(last);
        }
    }
    assert_contains(&described, &["is damaged (", "make it again from its crawls"]);
    // Nor does it wait for a pipe, or read a device.
    fs::remove_file(folder.join("state/clusters.redb")).expect("removed");
    fs::create_dir(folder.join("state/clusters.redb")).expect("a folder");
    let described = failure(undust(folder, "cluster").args(["--state", "state"]), 1);
    assert_contains(&described, &["state/clusters.redb: is not a state of undust"]);
}
