//! `undust ingest` as a whole program: files and pipes in, one manifest out.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;

const PAGE: &str = "<title>A page</title><p>with some words on it";

fn undust() -> Command {
    let mut command = Command::cargo_bin("undust").expect("the program is built");
    command.arg("ingest");
    command
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

fn write(folder: &Path, name: &str, data: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, data).expect("the test's folder can be written");
    path
}

/// Runs to a failure with exit code 1; the one line told.
fn failure(command: &mut Command) -> String {
    let output = command.assert().failure().code(1).get_output().clone();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(told.trim_end().lines().count(), 1, "{told}");
    assert!(!told.contains("panicked"), "{told}");
    told
}

#[test]
fn files_and_standard_input_become_one_manifest() {
    let folder = tempfile::tempdir().expect("a folder");
    let packed = write(folder.path(), "any-name", &gz(&page("http://x.test/packed")));
    let assert =
        undust().arg(packed).arg("-").write_stdin(page("http://x.test/piped")).assert().success();
    let out = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["url"], &lines[1]["url"]),
        (&"http://x.test/packed".into(), &"http://x.test/piped".into())
    );
    assert_eq!(
        (&lines[0]["title"], &lines[0]["simhash"]),
        (&"A page".into(), &lines[1]["simhash"])
    );
    assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), "2 responses\n");
}

#[test]
fn lengths_are_written_where_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let warc = write(folder.path(), "w", &page("http://x.test/"));
    let line = |arguments: &[&str]| -> serde_json::Value {
        let assert = undust().arg(&warc).args(arguments).assert().success();
        serde_json::from_slice(&assert.get_output().stdout).expect("JSON")
    };
    assert_eq!(line(&[]).get("lengths"), None);
    let counted = line(&["--lengths"]);
    let lengths = counted["lengths"].as_array().expect("numbers");
    assert_eq!(lengths.len(), 12);
    assert_eq!(lengths.iter().filter_map(|words| words.as_u64()).sum::<u64>(), 5);
    assert_eq!(counted["words"], 5);
}

#[test]
fn a_manifest_is_read_back_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let warc = write(folder.path(), "w", &pages(3));
    let mut before = warc;
    for name in ["m.jsonl", "m.jsonl.gz", "m.jsonl.zst"] {
        let after = folder.path().join(name);
        undust().arg(&before).arg("-o").arg(&after).assert().success();
        before = after;
    }
    let out = undust().arg(&before).assert().success().get_output().stdout.clone();
    assert_eq!(out, fs::read(folder.path().join("m.jsonl")).expect("a manifest"));
}

#[test]
fn threads_change_nothing() {
    let data = pages(500);
    let run = |threads| {
        undust()
            .args(["-", "--threads", threads])
            .write_stdin(data.clone())
            .output()
            .expect("a run")
            .stdout
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn damage_is_counted() {
    let data = [&gz(&pages(2))[..], b"garbage", &gz(&page("http://x.test/last"))].concat();
    let output = undust().arg("-").write_stdin(data).assert().success().get_output().clone();
    assert_eq!(output.stdout.iter().filter(|&&byte| byte == b'\n').count(), 3);
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 damaged WARC record"));
    let cut = gz(&pages(2000));
    let output = undust()
        .arg("-")
        .write_stdin(&cut[..cut.len() / 2])
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("ends too early"));
}

#[test]
fn failures_are_one_sentence_and_leave_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.jsonl.gz");
    let good = "{\"url\":\"http://x.test/\",\"status\":200}\n";
    for (data, told) in [
        ("just text\n", "of no kind that is known"),
        (&format!("{good}{good}{{\"url\":1}}\n"), "-:3: "),
        ("1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1\n", "--host"),
    ] {
        let failed = failure(undust().arg("-").arg("-o").arg(&out).write_stdin(data));
        assert!(failed.contains(told), "{failed}");
    }
    // What was skipped says why nothing came out.
    let image = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx";
    let image = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.test/i\r\nContent-Length: {}\r\n\r\n{image}\r\n\r\n",
        image.len()
    );
    for (data, report) in [("", "0 responses"), (&image, "0 responses, 1 other than HTML")] {
        let mut ingest = undust();
        let failed =
            ingest.args(["-", "-o"]).arg(&out).write_stdin(data).assert().failure().code(1);
        let told = format!("{report}\nundust: -: there is no HTML response in the crawl\n");
        assert_eq!(String::from_utf8_lossy(&failed.get_output().stderr), told);
    }
    assert!(failure(undust().arg("/nowhere/at.all")).contains("cannot read /nowhere/at.all: "));
    assert!(
        failure(undust().arg("-").args(["-o", "/nowhere/out"]).write_stdin(""))
            .contains("cannot create /nowhere/out: ")
    );
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn an_old_manifest_survives_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = write(folder.path(), "out.jsonl", b"old");
    failure(
        undust()
            .arg("-")
            .arg("-o")
            .arg(&out)
            .write_stdin("{\"url\":\"http://x.test/\",\"status\":200}\n{}\n"),
    );
    assert_eq!(fs::read(&out).expect("the old file"), b"old");
}

#[test]
fn access_logs_take_their_host_from_the_command_line() {
    let line = "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 1\n";
    let assert =
        undust().args(["-", "--host", "https://www.x.test"]).write_stdin(line).assert().success();
    assert!(
        String::from_utf8_lossy(&assert.get_output().stdout).contains("\"https://www.x.test/a\"")
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().expect("a folder");
    let warc = write(folder.path(), "w", &pages(20_000));
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("undust"))
        .arg("ingest")
        .arg(warc)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut first = [0; 100];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("a first line");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_sentence() {
    let told = failure(undust().arg("-").args(["-o", "/dev/full"]).write_stdin(pages(9)));
    assert!(told.starts_with("undust: cannot write /dev/full: "), "{told}");
}

/// The folder `UNDUST_CRAWLS` has a WARC file and the manifest that its crawler wrote.
#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn a_real_crawl_is_what_its_crawler_saw() {
    let folder = PathBuf::from(std::env::var_os("UNDUST_CRAWLS").expect("UNDUST_CRAWLS"));
    let lines = |name: &str| -> Vec<serde_json::Value> {
        let out = undust().arg(folder.join(name)).assert().success().get_output().stdout.clone();
        String::from_utf8_lossy(&out)
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    };
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
