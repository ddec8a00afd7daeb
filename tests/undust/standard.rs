//! Standard streams that are closed, and a limit on the size of files: what cannot be read or written
//! is an error, and leaves nothing.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::support::{assert_contains, stderr, two_trained, within_limits, write};

const URL: &str = "http://a.test/users/7x/name7\n";

/// A run behind a line of the shell that closes a stream or sets a limit.
fn run(folder: &Path, line: &str, arguments: &[&str]) -> Output {
    within_limits(folder, line, arguments).stdin(Stdio::null()).output().expect("a shell")
}

/// Nobody could read what is printed.
#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = two_trained();
    let folder = folder.path();
    write(folder, "queue", URL);
    for arguments in [
        &["ingest", "crawl.jsonl"][..],
        &["ingest", "crawl.jsonl", "-o", "/dev/stdout"],
        &["cluster", "crawl.jsonl"],
        &["cluster", "crawl.jsonl", "--sample", "9"],
        &["cluster", "crawl.jsonl", "--state", "state"],
        &["translate", "queue"],
        &["diff", "models", "models", "queue"],
        &["show", "models/a.test"],
        &["explain", URL.trim()],
        &["models"],
        &["evaluate", "crawl.jsonl", "--methods", "tree"],
        &["evaluate", "crawl.jsonl", "--models", "models"],
        &["observe", "crawl.jsonl"],
        &["live", "--state", "live"],
        &["config"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
    ] {
        let ended = run(folder, "exec >&-", arguments);
        // Of commands that test models, 1 says that one does not hold.
        let is_test = arguments[0] == "observe" || arguments.contains(&"--models");
        assert_eq!(ended.status.code(), Some(1 + i32::from(is_test)), "{arguments:?}");
        let described = stderr(&ended);
        assert_contains(&described, &["undust: cannot write standard output: it is closed"]);
    }
    assert!(!folder.join("state").exists() && !folder.join("live").exists());
    // Who writes nothing there misses nothing.
    for arguments in [
        &["train", "crawl.jsonl", "--method", "tree"][..],
        &["ingest", "crawl.jsonl", "-o", "pages.jsonl"],
    ] {
        assert!(run(folder, "exec >&-", arguments).status.success(), "{arguments:?}");
    }
    // What leads nowhere on purpose is not closed.
    assert!(run(folder, "exec >/dev/null", &["translate", "queue"]).status.success());
}

/// It is not an empty input.
#[test]
fn a_closed_standard_input_is_an_error() {
    let folder = two_trained();
    let folder = folder.path();
    write(folder, "queue", URL);
    let commands = vec![
        &["ingest", "-"][..],
        &["cluster", "-"],
        &["train", "-", "--method", "dustbuster"],
        &["translate"],
        &["translate", "queue", "/dev/stdin"],
        &["diff", "models", "models"],
        &["evaluate", "-"],
        &["evaluate", "-", "--models", "models"],
        &["observe", "-"],
        &["validate", "models/a.test", "-"],
        &["live", "--state", "live"],
        &["config", "--config", "/dev/stdin"],
    ];
    for arguments in commands {
        let ended = run(folder, "exec <&-", arguments);
        let is_test = arguments[0] == "observe" || arguments.contains(&"--models");
        assert_eq!(ended.status.code(), Some(1 + i32::from(is_test)), "{arguments:?}");
        let described = stderr(&ended);
        assert_contains(&described, &["undust: cannot read standard input: it is closed"]);
        assert_eq!(described.lines().count(), 1, "{described}");
        assert!(ended.stdout.is_empty());
    }
    assert!(!folder.join("live").exists());
    assert!(run(folder, "exec <&-", &["translate", "queue"]).status.success());
    assert!(run(folder, "exec </dev/null", &["translate"]).status.success());
}

/// Everything below a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        names.extend(self::names(&path));
        names.push(path.display().to_string());
    }
    names
}

/// By default the system ends a program that writes beyond it.
#[test]
#[cfg(unix)]
fn a_limit_on_the_size_of_files_is_told_and_leaves_nothing() {
    let folder = two_trained();
    let folder = folder.path();
    write(folder, "queue", URL.repeat(1000));
    let before = names(folder);
    for (arguments, place) in [
        (&["ingest", "crawl.jsonl", "-o", "out"][..], "out: "),
        (&["cluster", "crawl.jsonl", "-o", "out"], "out: "),
        (&["cluster", "crawl.jsonl", "--sample", "99", "-o", "out"], "out: "),
        (&["train", "crawl.jsonl", "--method", "tree", "--models", "models"], "models/a.test"),
        (&["evaluate", "crawl.jsonl", "--methods", "tree", "--json", "out"], "out: "),
        (&["man", "pages"], "pages: "),
        (&["cluster", "crawl.jsonl", "--state", "state"], "state/clusters.redb: "),
        (&["live", "--state", "live"], "live/clusters.redb: "),
    ] {
        let ended = run(folder, "ulimit -f 1", arguments);
        let described = stderr(&ended);
        assert_eq!(ended.status.code(), Some(1), "{arguments:?}: {described}");
        assert_contains(&described, &["undust: ", place, "File too large"]);
    }
    // A state that could not be begun, and the pages of the manual, leave their folders.
    for empty in ["state", "live", "pages"] {
        for name in names(&folder.join(empty)) {
            assert!(name.ends_with(".1"), "{name}");
        }
        fs::remove_dir_all(folder.join(empty)).ok();
    }
    assert_eq!(names(folder), before);
    // To a file that the shell has opened, too.
    let ended = run(folder, "ulimit -f 1; exec >printed", &["translate", "queue"]);
    assert_eq!(ended.status.code(), Some(1));
    assert_contains(&stderr(&ended), &["cannot write standard output: File too large"]);
}
