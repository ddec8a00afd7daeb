//! `undust translate` as a whole program: one line in, one line out, whatever the lines are.
#![cfg(feature = "network")]

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::support::{
    LEARNS, assert_contains, crawl, data, failure, folder, process, program, stderr, train,
    trained, undust, write,
};

/// What translating `queue` prints.
fn translated(folder: &Path, arguments: &[&str], queue: impl Into<Vec<u8>>) -> Vec<u8> {
    let mut command = undust(folder, "translate");
    let assert = command.args(arguments).write_stdin(queue).assert().success();
    assert.get_output().stdout.clone()
}

fn records(output: &[u8]) -> Vec<serde_json::Value> {
    let lines = output.split_inclusive(|byte| *byte == b'\n');
    lines.map(|line| serde_json::from_slice(line).expect("JSON")).collect()
}

#[test]
fn one_line_in_one_line_out_whatever_the_lines_are() {
    let folder = trained(&["a.test", "b.test"]);
    let long = format!("http://a.test/{}", "x/".repeat(50_000));
    let odd = [
        b"http://c.test/no/model".to_vec(),
        b"http://[2001:db8::1]:81/x".to_vec(),
        b"http://user:secret@c.test/\r".to_vec(),
        b"no URL".to_vec(),
        b"".to_vec(),
        b"\r".to_vec(),
        b"http://a.test\0/".to_vec(),
        b"http://a.test/\xff\xfe".to_vec(),
        b"\x80".to_vec(),
        long.into_bytes(),
    ];
    let mut queue = Vec::new();
    for (user, odd) in odd.iter().enumerate() {
        queue.push(odd.clone());
        for host in ["a.test", "b.test"] {
            queue.push(format!("http://{host}/users/{user}x/name{user}\r").into_bytes());
        }
    }
    let output = translated(folder.path(), &[], [queue.join(&b'\n'), b"\n".to_vec()].concat());
    let lines: Vec<&[u8]> = output.split(|byte| *byte == b'\n').collect();
    assert_eq!((lines.len() - 1, lines.last()), (queue.len(), Some(&&b""[..])));
    for (user, (lines, odd)) in lines.chunks_exact(3).zip(odd).enumerate() {
        assert!(lines[0] == odd, "{}", odd.escape_ascii());
        for (line, host) in lines[1..].iter().zip(["a.test", "b.test"]) {
            let line = str::from_utf8(line).unwrap();
            assert!(line.starts_with(&format!("http://{host}/users/{user}x")), "{line}");
            assert!(line.ends_with('\r'), "{line}");
        }
    }
}

#[test]
fn files_and_standard_input_are_one_queue() {
    let folder = trained(&["a.test"]);
    write(folder.path(), "first", "http://c.test/1\nhttp://c.test/2");
    write(folder.path(), "last", "http://c.test/4\n");
    let output = translated(folder.path(), &["first", "-", "last"], "http://c.test/3\n");
    let expected = "http://c.test/1\nhttp://c.test/2\nhttp://c.test/3\nhttp://c.test/4\n";
    assert_eq!(String::from_utf8(output).unwrap(), expected);
    assert_eq!(translated(folder.path(), &[], ""), b"");
    let mut missing = undust(folder.path(), "translate");
    let described = failure(missing.args(["first", "none"]), 1);
    assert_contains(&described, &["cannot read none: "]);
    let described = failure(undust(folder.path(), "translate").arg("models"), 1);
    assert_contains(&described, &["models: is a folder; "]);
}

#[test]
fn json_says_what_became_of_each_line() {
    let folder = folder(&crawl("a.test", 30));
    write(folder.path(), "tiny.toml", LEARNS);
    train(folder.path()).assert().success();
    let queue =
        b"http://a.test/users/1x/name1\nhttp://a.test/users/2x/name2\nhttp://a.test/users/3x\n\
        http://c.test/\n\xff\n";
    let mut records = records(&translated(folder.path(), &["--format", "jsonl"], queue));
    for record in &mut records[..2] {
        let of_step = record["steps"][0].as_object_mut().unwrap().remove("probability");
        assert_eq!(of_step.as_ref(), record.get("probability"));
    }
    // The network's answer has a probability where it leaves the URL as it is, too.
    for record in &mut records[..3] {
        let probability = record.as_object_mut().unwrap().remove("probability");
        let probability = probability.and_then(|given| given.as_f64());
        assert!(probability.is_some_and(|given| (0.5..=1.0).contains(&given)), "{probability:?}");
    }
    let cause = "http://a.test/users/<word>/<word> → http://a.test/users/<word>";
    let expected = [
        serde_json::json!({
            "url": "http://a.test/users/1x/name1", "canonical": "http://a.test/users/1x",
            "site": "a.test", "how": "network", "cause": cause,
            "steps": [{"notation": cause}],
        }),
        serde_json::json!({
            "url": "http://a.test/users/2x/name2", "canonical": "http://a.test/users/2x",
            "site": "a.test", "how": "cache", "cause": cause,
            "steps": [{"notation": cause}],
        }),
        serde_json::json!({
            "url": "http://a.test/users/3x", "canonical": "http://a.test/users/3x",
            "site": "a.test", "how": "network",
        }),
        serde_json::json!({
            "url": "http://c.test/", "canonical": "http://c.test/", "site": null,
            "how": "unchanged", "reason": "no model",
        }),
        serde_json::json!({
            "url": "\u{fffd}", "canonical": "\u{fffd}", "site": null,
            "how": "unchanged", "reason": "not a URL",
        }),
    ];
    assert_eq!(records, expected);
}

/// By `--min-confidence`, and by `min_probability` in the settings of the training.
#[test]
fn an_answer_of_low_probability_is_refused_and_its_probability_told() {
    let folder = folder(&crawl("a.test", 30));
    let queue = "http://a.test/users/1x/name1\nhttp://a.test/users/3x\n";
    for (settings, arguments) in
        [("", &["--min-confidence", "1"][..]), ("min_probability = 1", &[])]
    {
        let settings = LEARNS.replace("[site]", &format!("{settings}\n[site]"));
        write(folder.path(), "tiny.toml", settings);
        train(folder.path()).assert().success();
        let arguments = [&["--format", "jsonl"], arguments].concat();
        let records = records(&translated(folder.path(), &arguments, queue));
        let [changed, same] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!(changed["canonical"], "http://a.test/users/1x/name1");
        assert_eq!(
            (&changed["how"], &changed["reason"]),
            (&"unchanged".into(), &"low confidence".into())
        );
        assert!(changed.get("steps").is_none() && same.get("reason").is_none(), "{records:?}");
        for record in [changed, same] {
            let probability = record["probability"].as_f64().expect("a number");
            assert!((0.5..=1.0).contains(&probability), "{record}");
        }
    }
}

#[test]
fn unique_keeps_the_first_url_of_each_form() {
    let folder = trained(&["a.test"]);
    let queue: String = (0..200).map(|n| format!("http://a.test/users/{}x\n", n % 50)).collect();
    let forms = translated(folder.path(), &[], queue.as_str());
    let mut forms: Vec<_> = forms.split(|byte| *byte == b'\n').collect();
    forms.sort_unstable();
    forms.dedup();
    let unique =
        String::from_utf8(translated(folder.path(), &["--unique"], queue.as_str())).unwrap();
    assert_eq!(unique.lines().count(), forms.len() - 1);
    assert!(queue.starts_with(&unique));
}

#[test]
fn a_damaged_model_is_named_and_the_others_work() {
    for file in ["model.json", "lexicon.json", "weights.safetensors"] {
        let folder = trained(&["a.test", "b.test"]);
        let path = folder.path().join("models/b.test").join(file);
        let whole = fs::read(&path).unwrap();
        let foreign = fs::read(folder.path().join("models/a.test/lexicon.json")).unwrap();
        for damaged in [&whole[..whole.len() / 2], &foreign[..foreign.len() - 1], &[]] {
            fs::write(&path, damaged).unwrap();
            assert_names(folder.path(), file);
        }
        if file != "model.json" {
            fs::remove_file(&path).unwrap();
            assert_names(folder.path(), file);
        }
    }
}

/// Two lines of a.test are translated; of b.test the file is named once, and before the summary.
fn assert_names(folder: &Path, file: &str) {
    let queue = "http://a.test/users/1x\nhttp://b.test/users/1x\nhttp://b.test/x\nhttp://a.test/\n";
    let mut command = undust(folder, "translate");
    let output = command.args(["--format", "jsonl"]).write_stdin(queue).output().unwrap();
    let described = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{described}");
    assert_eq!(described.matches(&format!("models/b.test/{file}")).count(), 1, "{described}");
    assert!(
        described.lines().next().unwrap().contains(&format!("models/b.test/{file}")),
        "{described}"
    );
    assert_contains(described.lines().last().unwrap(), &["undust: one model could not be loaded"]);
    let described = failure(undust(folder, "translate").arg("--strict").write_stdin(queue), 1);
    assert_contains(&described, &[&format!("models/b.test/{file}")]);
    let records = records(&output.stdout);
    let sites: Vec<_> = records.iter().map(|record| record["site"].as_str()).collect();
    assert_eq!(sites, [Some("a.test"), None, None, Some("a.test")]);
}

#[test]
fn weights_of_another_site_are_refused() {
    let folder = trained(&["a.test", "b.test"]);
    let weights = |site: &str| folder.path().join("models").join(site).join("weights.safetensors");
    let mut bytes = fs::read(weights("a.test")).unwrap();
    // Twins in the same crawl may well be equal.
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(weights("b.test"), bytes).unwrap();
    assert_names(folder.path(), "weights.safetensors");
}

#[test]
fn a_strict_queue_ends_before_the_first_line() {
    let folder = trained(&["a.test", "b.test"]);
    fs::write(folder.path().join("models/b.test/model.json"), "{").unwrap();
    let mut command = undust(folder.path(), "translate");
    let output = command.arg("--strict").write_stdin("http://a.test/users/1x\n").output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}

#[test]
fn a_crawl_is_no_queue() {
    let folder = trained(&["a.test"]);
    let warc = b"WARC/1.0\r\nWARC-Type: response\r\n\r\n".to_vec();
    for (crawl, described) in
        [(crawl("a.test", 2).into_bytes(), "a crawl manifest"), (warc, "a WARC file")]
    {
        let sentence = failure(undust(folder.path(), "translate").write_stdin(crawl), 1);
        assert_contains(&sentence, &["-: ", "not a list of URLs", described]);
    }
}

#[test]
fn no_models_is_told_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let described = failure(&mut undust(folder.path(), "translate"), 1);
    assert_contains(&described, &["models: ", "no such folder", "`undust train`"]);
    fs::create_dir(folder.path().join("models")).unwrap();
    let described = failure(&mut undust(folder.path(), "translate"), 1);
    assert_contains(&described, &["models: ", "no model", "`undust train`"]);
}

/// The URLs of both crawls in `data`.
fn crawled() -> String {
    let mut urls = String::new();
    for name in ["wiki.jsonl.gz", "cs.jsonl.gz"] {
        let mut manifest = String::new();
        let file = fs::File::open(data(name)).unwrap();
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut manifest).unwrap();
        for line in manifest.lines() {
            let response: serde_json::Value = serde_json::from_str(line).unwrap();
            urls += response["url"].as_str().unwrap();
            urls.push('\n');
        }
    }
    urls
}

#[test]
fn what_is_translated_stays_as_it_is() {
    let folder = folder("");
    let crawls = ["wiki.jsonl.gz", "cs.jsonl.gz"].map(data);
    let mut train = undust(folder.path(), "train");
    train.args(["--config", "tiny.toml"]).args(crawls).assert().success();
    let urls = crawled();
    let once = translated(folder.path(), &[], urls.as_str());
    assert!(once != urls.as_bytes(), "nothing was translated");
    let twice = translated(folder.path(), &[], once.as_slice());
    let changed = |(once, twice): &(&[u8], &[u8])| once != twice;
    let mut lines = once.split(|byte| *byte == b'\n').zip(twice.split(|byte| *byte == b'\n'));
    let again =
        lines.find(changed).map(|(a, b)| format!("{} {}", a.escape_ascii(), b.escape_ascii()));
    assert_eq!(again, None);
    assert_eq!(once.len(), twice.len());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = trained(&["a.test"]);
    let line = "http://a.test/users/1x/name1\n";
    write(folder.path(), "queue", line.repeat(100_000));
    let script = "{ \"$0\" translate queue; echo \"exit $?\" >&2; } | head -1";
    let mut sh = assert_cmd::Command::new("sh");
    sh.current_dir(folder.path()).args(["-c", script]).arg(program());
    let output = sh.output().unwrap();
    assert_eq!(stderr(&output), "exit 0\n");
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_in_one_sentence() {
    let folder = trained(&["a.test"]);
    for lines in [1, 100_000] {
        write(folder.path(), "queue", "http://a.test/users/1x\n".repeat(lines));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = process(folder.path(), &["translate", "queue"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_contains(&stderr(&output), &["undust: cannot write standard output: "]);
        assert_eq!(stderr(&output).lines().count(), 1);
    }
}
