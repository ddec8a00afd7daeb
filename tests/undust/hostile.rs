//! Words of a hostile site, and texts of a hostile folder, are shown and command no terminal.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{
    assert_contains, crawl, folder, output, piped, stderr, stdout, two_trained, undust,
    within_limits, write,
};

/// What turns colors on, rings, deletes, begins a command in one byte and turns the writing round.
const HOSTILE: &str = "\u{1b}[31m\u{7}\u{7f}\u{9b}\u{202e}";

/// Users, each under three URLs, their files and notes, each under two, and lists; all words of their URLs, and their titles, are hostile.
fn hostile_crawl() -> String {
    let line = |path: String, page: String| {
        let url = format!("http://a.test/{path}");
        json!({"url": url, "status": 200, "title": page, "digest": page}).to_string() + "\n"
    };
    let of = |n: usize| {
        let (user, page) = (format!("us{HOSTILE}ers/{n}x"), format!("{HOSTILE}{n}"));
        line(format!("{user}/na{HOSTILE}me{n}"), page.clone())
            + &line(format!("{user}?s{HOSTILE}id={n}9"), page.clone())
            + &line(user.clone(), page)
            + &["files", "notes/all"]
                .map(|kind| {
                    let (path, page) = (format!("{user}/{kind}"), format!("{kind} {n}"));
                    line(format!("{path}?s{HOSTILE}id={n}9"), page.clone()) + &line(path, page)
                })
                .concat()
            + &line(format!("li{HOSTILE}st?s{HOSTILE}id={n}"), format!("list {n}"))
    };
    (0..60).map(of).collect()
}

/// Makes the texts of `model.json` hostile that mean nothing to the program, and those of `disabled.json`.
fn make_hostile(place: &Path, is_any_method: bool) {
    let path = place.join("model.json");
    let mut model: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    model["undust"] = HOSTILE.into();
    let report = &mut model["record"]["report"];
    if is_any_method {
        report["method"] = HOSTILE.into();
        model["method"] = HOSTILE.into();
    } else {
        report["rules"]["notes"] = json!([HOSTILE]);
    }
    let model = model.to_string();
    fs::write(&path, &model).expect("written");
    let off = json!({
        "model": format!("{:032x}", xxhash_rust::xxh3::xxh3_128(model.as_bytes())),
        "operations": [{"operation": HOSTILE, "scope": HOSTILE, "agreed": 0, "disagreed": 3}],
    });
    fs::write(place.join("disabled.json"), off.to_string()).expect("written");
}

/// Standard output and standard error, whatever the exit code. It commands nothing, and has what would.
fn shown(folder: &Path, arguments: &[&str]) -> String {
    let output = undust(folder, arguments[0]).args(&arguments[1..]).output().expect("a run");
    let described = stdout(&output) + &stderr(&output);
    let commands = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
    assert!(!described.contains(commands), "{arguments:?}: {}", described.escape_debug());
    let is_written_out =
        described.contains("\\u{1b}[31m\\u{7}") || described.contains("\\u001b[31m\\u0007");
    assert!(is_written_out, "{arguments:?}: {described}");
    described
}

#[test]
fn nothing_that_is_shown_commands_a_terminal() {
    let folder = folder(&hostile_crawl());
    let folder = folder.path();
    let url = format!("http://a.test/us{HOSTILE}ers/7x/na{HOSTILE}me7");
    write(folder, "queue", format!("{url}\n"));
    write(folder, "other.jsonl", crawl("b.test", 60));
    output(folder, "train", &["other.jsonl", "--method", "tree", "--models", "others"]);
    output(folder, "train", &["crawl.jsonl"]);
    for scope in ["where the path begins with /us\\u{1b}[31m", "with us\\u{1b}[31m"] {
        let described = shown(folder, &["show", "models/a.test", "--all"]);
        let words: Vec<_> = described.split_whitespace().collect();
        assert!(words.join(" ").contains(scope), "{described}");
    }
    let described = shown(folder, &["explain", &url]);
    assert!(described.contains("\n1. "), "{described}");
    make_hostile(&folder.join("models/a.test"), true);
    for arguments in [
        &["show", "models/a.test"][..],
        &["show", "models/a.test", "--format", "json"],
        &["models"],
        &["models", "--format", "json"],
        &["explain", &url],
        &["explain", &url, "--format", "json"],
        &["diff", "others", "models", "queue"],
        &["diff", "others", "models", "queue", "--format", "jsonl"],
        &["evaluate", "crawl.jsonl", "--models", "models"],
        &["evaluate", "crawl.jsonl", "--models", "models", "--json", "-"],
        &["translate", "queue", "--format", "jsonl"],
        &["ingest", "crawl.jsonl"],
        &["cluster", "crawl.jsonl"],
        &["cluster", "crawl.jsonl", "--state", "state"],
        &["cluster", "--state", "state", "--query", &url],
    ] {
        shown(folder, arguments);
    }
    write(folder, "models/a.test/disabled.json", "{}");
    let described = shown(folder, &["show", &format!("models/{HOSTILE}")]);
    assert!(described.contains("no such folder"), "{described}");
}

#[test]
fn no_rule_that_is_shown_or_refused_commands_a_terminal() {
    let folder = two_trained();
    let folder = folder.path();
    let hostile = json!(HOSTILE).to_string();
    let hostile = hostile.trim_matches('"');
    make_hostile(&folder.join("models/a.test"), false);
    let rules = fs::read_to_string(folder.join("models/a.test/rules.json")).expect("rules");
    let url = "http://a.test/users/7x/name7";
    for (word, in_its_place, is_broken) in
        [("/name0", format!("/{hostile}0"), false), ("users", format!("us{hostile}ers"), true)]
    {
        assert!(rules.contains(word), "{rules}");
        write(folder, "models/a.test/rules.json", rules.replace(word, &in_its_place));
        for arguments in [
            &["show", "models/a.test"][..],
            &["show", "models/a.test", "--format", "json"],
            &["explain", url],
            &["explain", url, "--format", "json"],
            &["models"],
        ] {
            // A list has only the method of a model that works.
            if is_broken || arguments[0] != "models" {
                let described = shown(folder, arguments);
                assert_eq!(
                    described.contains("is not a value of"),
                    is_broken,
                    "{arguments:?}: {described}"
                );
            }
        }
    }
}

/// Each file in turn leads to a device without end, to a pipe that nobody writes to, and is longer
/// than any: the model is broken, in no time and little memory.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_a_model_that_is_no_file_breaks_the_model() {
    let folder = two_trained();
    let folder = folder.path();
    let place = folder.join("models/a.test");
    write(folder, "queue", "http://a.test/users/7x/name7\n");
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.expect("mkfifo").success());
    for name in ["model.json", "conventions.json", "rules.json", "disabled.json"] {
        let kept = fs::read(place.join(name)).ok();
        for (target, reason) in [
            ("/dev/zero", "not a regular file"),
            ("../../pipe", "not a regular file"),
            ("../../long", "larger than 64 MiB"),
        ] {
            fs::remove_file(place.join(name)).ok();
            std::os::unix::fs::symlink(target, place.join(name)).expect("a link");
            let long = fs::File::create(folder.join("long")).expect("a file");
            long.set_len(1 << 40).expect("a length");
            for arguments in [
                &["translate", "queue", "--strict"][..],
                &["show", "models/a.test"],
                &["explain", "http://a.test/users/7x/name7"],
                &["models"],
            ] {
                let described = bounded(folder, arguments);
                // A list reads no more than the model.
                if arguments[0] != "models" || name != "disabled.json" {
                    assert!(
                        described.contains(reason),
                        "{name} {target} {arguments:?}: {described}"
                    );
                }
            }
        }
        fs::remove_file(place.join(name)).expect("the link");
        if let Some(kept) = kept {
            write(&place, name, kept);
        }
    }
}

/// Nor do settings and tokens fill the memory; a pipe that ends is as good as a file.
#[cfg(target_os = "linux")]
#[test]
fn settings_without_end_are_refused() {
    let folder = folder("");
    let described = bounded(folder.path(), &["config", "--config", "/dev/zero"]);
    assert_contains(&described, &["/dev/zero: ", "larger than 16 MiB"]);
    let from_pipe = ["--config", "/dev/stdin"];
    let (printed, _) = piped(folder.path(), "config", &from_pipe, "seed = 3");
    let seed = printed.lines().find(|line| line.starts_with("seed = 3 ")).expect("the seed");
    assert!(seed.ends_with("# /dev/stdin"), "{seed}");
}

/// What a run prints that may take a gigabyte and ten seconds.
#[cfg(target_os = "linux")]
fn bounded(folder: &Path, arguments: &[&str]) -> String {
    let limits = "ulimit -v 1048576; set -- timeout 10 \"$@\"";
    let mut run = within_limits(folder, limits, arguments);
    let output = run.env("RAYON_NUM_THREADS", "2").output().expect("a run");
    assert_ne!(output.status.code(), Some(124), "{arguments:?} takes for ever");
    String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output)
}
