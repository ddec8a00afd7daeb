//! Manifests and access logs, read and written.

use std::fs;
use std::path::Path;

use undust_pages::response::Response;
use undust_util::error::{Error, Remedy};

use super::{gz, read, read_with, three_pages, urls};
use crate::manifest::ManifestWriter;
use crate::options::ReadOptions;

#[test]
fn manifests() {
    let good = r#"{"url":"http://x/é","status":200,"simhash":"00000000000000ff","unknown":[1]}"#;
    let data = format!("\u{feff}{good}\r\n\n  \n{good}");
    for data in [
        data.clone().into_bytes(),
        gz(data.as_bytes()),
        zstd::encode_all(data.as_bytes(), 3).unwrap(),
    ] {
        let (responses, _) = read(&data);
        assert_eq!(responses.len(), 2);
        assert_eq!(
            (responses[1].url.as_str(), responses[1].simhash.map(|hash| hash.0)),
            ("http://x/é", Some(255))
        );
    }
}

/// Other tools write them; no server ever sees one.
#[test]
fn urls_of_manifests_lose_their_fragments() {
    let line = |end| format!("{{\"url\":\"http://x/a{end}\",\"status\":200}}\n");
    let (responses, _) = read(["", "#top", "#a?b"].map(line).concat().as_bytes());
    assert_eq!(responses.iter().map(|one| &*one.url).collect::<Vec<_>>(), ["http://x/a"; 3]);
}

#[test]
fn bad_manifest_lines_are_errors_or_counted() {
    let good = br#"{"url":"http://x/","status":200}"#;
    for (bad, reason) in [
        (&b"no json"[..], "expected"),
        (br#"{"url":"http://x/"}"#, "missing field `status`"),
        (br#"{"status":200}"#, "missing field `url`"),
        (br#"{"url":"","status":200}"#, "the url is empty"),
        (br##"{"url":"#top","status":200}"##, "the url is empty"),
        (br#"{"url":"http://x/","status":70000}"#, "70000"),
        (br#"{"url":"http://x/","status":200,"simhash":"xyz"}"#, "`xyz` is not a simhash"),
        (b"{\"url\":\"http://x/\xff\",\"status\":200}", "unicode"),
        (b"{\"url\":\"http://x/\",\"status\":2", "EOF"),
        (b"\0\0\0", "expected"),
    ] {
        let data = [&good[..], b"\n", bad, b"\n", good, b"\n"].concat();
        let error = read_with(&data, &ReadOptions::default()).unwrap_err();
        assert!(
            matches!(&error, Error::Reason { line: Some(2), reason: found, .. }
                if found.to_string().contains(reason)),
            "{error}"
        );
        assert!(!error.to_string().contains("line 1 column"), "{error}");
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        let (responses, report) = read_with(&data, &lenient).unwrap();
        assert_eq!((responses.len(), report.bad_manifest_lines), (2, 1));
    }
}

#[test]
fn a_cut_manifest_is_an_error_unless_lenient() {
    let lines = (0..5000)
        .map(|i| format!("{{\"url\":\"http://x/{i}\",\"status\":{}}}\n", 200 + i * 7919 % 300));
    let data = gz(lines.collect::<String>().as_bytes());
    let data = &data[..data.len() / 2];
    let error = read_with(data, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("ends early"), "{error}");
    assert_eq!(error.remedy(), Some(Remedy::SkipDamage));
    let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
    let (responses, report) = read_with(data, &lenient).unwrap();
    assert!(responses.len() > 1000 && report.cut_inputs == 1, "{report}");
}

#[test]
fn access_logs() {
    let log = concat!(
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /a?b=1 HTTP/1.1\" 200 512 \"-\" \"Agent \\\"x\\\"\"\n",
        "1.2.3.4 - john doe [17/May/2015:10:05:03 -0230] \"HEAD /\\xe9\\x22 HTTP/1.0\" 304 -\n",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"POST /a HTTP/1.1\" 200 5\n",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"-\" 408 -\n",
        "\0\0garbage\n\n",
    );
    let hosted = ReadOptions { host: Some("www.x.org".into()), ..ReadOptions::default() };
    let (responses, report) = read_with(log.as_bytes(), &hosted).unwrap();
    let seen: Vec<_> =
        responses.iter().map(|r| (r.url.as_str(), r.status, r.length, r.time.as_deref())).collect();
    assert_eq!(
        seen,
        [
            ("http://www.x.org/a?b=1", 200, Some(512), Some("2015-05-17T10:05:03+00:00")),
            ("http://www.x.org/%E9\"", 304, None, Some("2015-05-17T10:05:03-02:30")),
        ]
    );
    assert_eq!((report.other_methods, report.bad_log_lines), (1, 2));
    let error = read_with(log.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::NameHost));
}

#[test]
fn access_logs_that_name_hosts() {
    let log = concat!(
        "www.x.org:443 1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 512\n",
        "[::1]:80 ::1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 512\n",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET http://y.org/z#f HTTP/1.1\" 200 512\n",
        "1.2.3.4 v.org - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 512\n",
    );
    let hosts = ["https://www.x.org/", "http://[::1]/", "http://y.org/z", "http://v.org/"];
    assert_eq!(urls(log.as_bytes()).0, hosts);
    // Neither a user's name nor another address is a host.
    for second in ["ann", "5.6.7.8"] {
        let line =
            format!("1.2.3.4 {second} - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 512\n");
        let options = ReadOptions { host: Some("x.org".into()), ..ReadOptions::default() };
        let (responses, _) = read_with(line.as_bytes(), &options).unwrap();
        assert_eq!(responses[0].url, "http://x.org/", "{second}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (responses, _) = read(&three_pages().concat());
    for name in ["m.jsonl", "m.jsonl.gz", "m.jsonl.zst"] {
        let path = folder.path().join(name);
        let mut writer = ManifestWriter::create(&path).unwrap();
        responses.iter().for_each(|response| writer.write(response).unwrap());
        assert!(!path.exists(), "half-written");
        writer.finish().unwrap();
        assert_eq!(read(&fs::read(&path).unwrap()).0, responses, "{name}");
    }
    let unfinished = folder.path().join("unfinished.jsonl");
    drop(ManifestWriter::create(&unfinished).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let mut writer = ManifestWriter::create(Path::new("/dev/full")).unwrap();
    let response = Response { url: "x".repeat(100_000), ..Response::default() };
    let written = (0..9).try_for_each(|_| writer.write(&response)).and_then(|()| writer.finish());
    assert!(written.unwrap_err().to_string().starts_with("cannot write /dev/full: "));
}
