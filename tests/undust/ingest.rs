//! `undust ingest` as a whole program: files and pipes in, one manifest out.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Output, Stdio};

use assert_cmd::Command;
use xxhash_rust::xxh64::xxh64;

use crate::support::{
    access_log, assert_contains, json_lines, only_sentence, process, public_crawls, stderr, stdout,
    succeed, write,
};

const PAGE: &str = "<title>A page</title><p>with some words on it";

fn ingest() -> Command {
    crate::support::undust(Path::new("."), "ingest")
}

/// A run that succeeds on this standard input.
fn ingested(input: impl Into<Vec<u8>>) -> Output {
    ingest().arg("-").write_stdin(input).assert().success().get_output().clone()
}

fn page(uri: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
    let length = http.len();
    format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nContent-Length: {length}\r\n\r\n{http}\r\n\r\n").into()
}

fn pages(count: usize) -> Vec<u8> {
    (0..count).flat_map(|i| page(&format!("http://x.test/{i}"))).collect()
}

fn gz(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

#[test]
fn files_and_standard_input_become_one_manifest() {
    let folder = tempfile::tempdir().expect("a folder");
    let packed = write(folder.path(), "any-name", gz(&page("http://x.test/packed")));
    let mut both = ingest();
    both.arg(packed).arg("-").write_stdin(page("http://x.test/piped"));
    let (lines, described) = succeed(&mut both);
    let lines = json_lines(&lines);
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["url"], &lines[1]["url"]),
        (&"http://x.test/packed".into(), &"http://x.test/piped".into())
    );
    assert_eq!(
        (&lines[0]["title"], &lines[0]["simhash"]),
        (&"A page".into(), &lines[1]["simhash"])
    );
    assert_eq!(described, "2 responses\n");
}

/// Other programs compute the hash by the examples of the documents.
#[test]
fn the_text_hash_is_that_of_the_documents() {
    let formats = include_str!("../../docs/using/formats.md");
    for column in 0..2 {
        let example = |step: &str| {
            let row = formats.lines().find_map(|line| line.strip_prefix(&format!("| {step} | `")));
            let row = row.and_then(|row| row.strip_suffix("` |")).expect("a row of the examples");
            row.split("` | `").nth(column).expect("an example")
        };
        let html = example("visible text");
        let feed = serde_json::json!({"url": "http://x.test/", "status": 200, "html": html});
        let (lines, _) = succeed(ingest().arg("-").write_stdin(format!("{feed}\n")));
        let page = &json_lines(&lines)[0];
        let hash = format!("{:016x}", xxh64(example("masked").as_bytes(), 0));
        assert_eq!(page["text_hash"], hash);
        assert_eq!(example("`text_hash`"), hash);
        assert_eq!(page["words"], example("words").split(' ').count());
    }
}

#[test]
fn a_manifest_is_read_back_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let warc = write(folder.path(), "w", pages(3));
    let mut before = warc;
    for name in ["m.jsonl", "m.jsonl.gz", "m.jsonl.zst"] {
        let after = folder.path().join(name);
        ingest().arg(&before).arg("-o").arg(&after).assert().success();
        before = after;
    }
    let out = ingest().arg(&before).assert().success().get_output().stdout.clone();
    assert_eq!(out, fs::read(folder.path().join("m.jsonl")).expect("a manifest"));
}

#[test]
fn threads_change_nothing() {
    let data = pages(500);
    let run =
        |threads| succeed(ingest().args(["-", "--jobs", threads]).write_stdin(data.clone())).0;
    assert_eq!(run("1"), run("3"));
}

#[test]
fn damage_is_counted() {
    let data = [&gz(&pages(2))[..], b"garbage", &gz(&page("http://x.test/last"))].concat();
    let output = ingested(data);
    assert_eq!(stdout(&output).lines().count(), 3);
    assert_contains(&stderr(&output), &["1 damaged WARC record"]);
    let cut = gz(&pages(2000));
    assert_contains(&stderr(&ingested(&cut[..cut.len() / 2])), &["ends early"]);
}

#[test]
fn failures_are_one_sentence_and_leave_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.jsonl.gz");
    let good = "{\"url\":\"http://x.test/\",\"status\":200}\n";
    for (data, described) in [
        ("just text\n", "of no kind that is known"),
        (&format!("{good}{good}{{\"url\":1}}\n"), "-:3: "),
        (&access_log("/", 1), "--host"),
    ] {
        let failed = only_sentence(ingest().arg("-").arg("-o").arg(&out).write_stdin(data), 1);
        assert_contains(&failed, &[described]);
    }
    // What was skipped says why nothing came out.
    let image = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx";
    let image = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.test/i\r\nContent-Length: {}\r\n\r\n{image}\r\n\r\n",
        image.len()
    );
    for (data, report) in [("", "0 responses"), (&image, "0 responses, 1 other than HTML")] {
        let mut ingest = ingest();
        let failed =
            ingest.args(["-", "-o"]).arg(&out).write_stdin(data).assert().failure().code(1);
        let described = stderr(failed.get_output());
        assert_eq!(described.lines().next(), Some(report));
        assert_contains(&described, &["\nundust: -: ", "no HTML response"]);
    }
    let missing = only_sentence(ingest().arg("/nowhere/at.all"), 1);
    assert_contains(&missing, &["cannot read /nowhere/at.all: "]);
    let mut elsewhere = ingest();
    elsewhere.args(["-", "-o", "/nowhere/out"]).write_stdin("");
    assert_contains(&only_sentence(&mut elsewhere, 1), &["cannot create /nowhere/out: "]);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn an_old_manifest_survives_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = write(folder.path(), "out.jsonl", b"old");
    let lines = "{\"url\":\"http://x.test/\",\"status\":200}\n{}\n";
    only_sentence(ingest().args(["-", "-o"]).arg(&out).write_stdin(lines), 1);
    assert_eq!(fs::read(&out).expect("the old file"), b"old");
}

#[test]
fn access_logs_take_their_host_from_the_command_line() {
    let mut logs = ingest();
    logs.args(["-", "--host", "https://www.x.test"]).write_stdin(access_log("/a", 1));
    assert_contains(&succeed(&mut logs).0, &["\"https://www.x.test/a\""]);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "w", pages(20_000));
    let mut child = process(folder.path(), &["ingest", "w"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut first = [0; 100];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("a first line");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_sentence() {
    let mut full = ingest();
    full.args(["-", "-o", "/dev/full"]).write_stdin(pages(9));
    assert_contains(&only_sentence(&mut full, 1), &["cannot write /dev/full: "]);
}

/// The folder `UNDUST_CRAWLS` has a WARC file and the manifest that its crawler wrote.
#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn a_real_crawl_is_what_its_crawler_saw() {
    let folder = public_crawls();
    let lines = |name: &str| json_lines(&succeed(ingest().arg(folder.join(name))).0);
    let (read, seen) = (lines("wiki.warc.gz"), lines("wiki.jsonl.gz"));
    assert_eq!(read.len(), seen.len());
    let mut same_simhash = 0;
    for (read, seen) in read.iter().zip(&seen) {
        for field in ["url", "status", "location", "title", "digest"] {
            assert_eq!(read[field], seen[field], "{field} of {}", seen["url"]);
        }
        same_simhash += usize::from(read["simhash"] == seen["simhash"]);
    }
    assert!(same_simhash * 1000 >= seen.len() * 999, "{same_simhash} of {}", seen.len());
}
