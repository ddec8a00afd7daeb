//! The habits of a command line: completions, manual pages, settings, lists of models, differences.

mod made_up;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use made_up::{crawl, failure, folder, output, stderr, two_trained, undust, write};
use serde_json::Value;

#[test]
fn shells_complete_and_manuals_exist() {
    let folder = folder("");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (script, _) = output(folder.path(), "completions", &[shell]);
        assert!(script.contains("undust") && script.contains("translate"), "{shell}");
    }
    let (page, _) = output(folder.path(), "man", &[]);
    assert!(page.contains(".TH undust 1"), "{page}");
    output(folder.path(), "man", &["pages"]);
    for name in ["undust.1", "undust-train.1", "undust-diff.1"] {
        let page = std::fs::read_to_string(folder.path().join("pages").join(name)).expect("a page");
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
}

#[test]
fn the_environment_says_where_the_models_are() {
    let folder = folder("");
    write(folder.path(), "came-back.jsonl", "");
    let mut commands = vec![
        vec!["translate", "came-back.jsonl"],
        vec!["models"],
        vec!["explain", "http://a.test/"],
        vec!["observe", "came-back.jsonl"],
    ];
    if cfg!(feature = "serve") {
        commands.push(vec!["serve"]);
    }
    for arguments in commands {
        let mut asked = undust(folder.path(), arguments[0]);
        asked.args(&arguments[1..]).env("UNDUST_MODELS", "elsewhere");
        // Of a verdict, 1 says that the crawl refutes an edit.
        let code = if arguments[0] == "observe" { 2 } else { 1 };
        let told = failure(&mut asked, code);
        assert!(told.contains("elsewhere"), "{arguments:?}: {told}");
    }
}

#[test]
fn settings_come_from_flags_the_environment_a_file_and_defaults() {
    let folder = folder("");
    write(folder.path(), "own.toml", "seed = 1\n[gate]\nprice = 9.0\nrate = 0.1\n");
    let mut config = undust(folder.path(), "config");
    config.args(["--config", "own.toml", "--seed", "7"]);
    config.env("UNDUST_GATE_RATE", "0.2").env("UNDUST_CRAWLS", "/nowhere");
    let shown = String::from_utf8(config.output().expect("a run").stdout).expect("text");
    let line = |name: &str| {
        let line = shown.lines().find(|line| line.starts_with(name)).expect("a line");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("seed ="), "seed = 7 # --seed");
    assert_eq!(line("price ="), "price = 9.0 # own.toml");
    assert_eq!(line("rate ="), "rate = 0.2 # UNDUST_GATE_RATE");
    assert_eq!(line("mixture ="), "mixture = 0.045 # default");
    write(folder.path(), "shown.toml", &shown);
    output(folder.path(), "config", &["--config", "shown.toml"]);
    let mut wrong = undust(folder.path(), "config");
    let told = failure(wrong.env("UNDUST_GATE_RISK", "much"), 2);
    assert!(told.starts_with("UNDUST_GATE_RISK: "), "{told}");
    for unknown in ["UNDUST_GATE_RIKS", "UNDUST_PRESET"] {
        let mut wrong = undust(folder.path(), "config");
        let told = failure(wrong.env("UNDUST_CRAWLS", "free").env(unknown, "0.1"), 2);
        assert!(told.starts_with(&format!("{unknown}: ")), "{told}");
    }
}

#[test]
fn settings_that_no_file_holds_are_told_with_where_they_come_from() {
    let folder = folder("");
    write(folder.path(), "own.toml", "seed = 1\n");
    let shown = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut config = undust(folder.path(), "config");
        config.args(arguments).env_remove("NO_COLOR").envs(variables.iter().copied());
        let text = String::from_utf8(config.output().expect("a run").stdout).expect("text");
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().map(line).collect::<Vec<_>>()
    };
    let has = |shown: &[String], line: &str| {
        assert!(shown.iter().any(|shown| shown == line), "{line} is not in {shown:#?}");
    };
    let by_default = shown(&[], &[]);
    for line in [
        "# config = none # default",
        "# models = \"models\" # default",
        "# color = auto # default",
        "risk = 0.005 # default",
    ] {
        has(&by_default, line);
    }
    let variables = [
        ("UNDUST_CONFIG", "own.toml"),
        ("UNDUST_MODELS", "theirs"),
        ("UNDUST_COLOR", "always"),
        ("UNDUST_GATE_RISK", "0.5"),
    ];
    let by_environment = shown(&[], &variables);
    for line in [
        "# config = \"own.toml\" # UNDUST_CONFIG",
        "# models = \"theirs\" # UNDUST_MODELS",
        "# color = always # UNDUST_COLOR",
        "seed = 1 # own.toml",
        "risk = 0.5 # UNDUST_GATE_RISK",
    ] {
        has(&by_environment, line);
    }
    let flags = ["--models", "ours", "--color", "never", "--risk", "0.25", "--seed", "3"];
    let by_flags = shown(&flags, &variables);
    for line in [
        "# models = \"ours\" # --models",
        "# color = never # --color",
        "risk = 0.25 # --risk",
        "seed = 3 # --seed",
    ] {
        has(&by_flags, line);
    }
    has(&shown(&[], &[("NO_COLOR", "1")]), "# color = auto # default; NO_COLOR makes it never");
}

#[test]
fn the_version_tells_what_it_was_built_with() {
    let version = |flag: &str| {
        let output = undust(Path::new("."), flag).output().expect("a run");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(version("-V"), concat!("undust ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = version("--version");
    let lines: Vec<&str> = long.lines().collect();
    assert!(lines[0].starts_with(concat!("undust ", env!("CARGO_PKG_VERSION"))), "{long}");
    assert!(lines[1].starts_with("features: cli, live"), "{long}");
    assert_eq!(lines[1].contains("serve"), cfg!(feature = "serve"));
    assert_eq!(lines[2], "model format: 4");
}

/// A network of an older training has no examples; a newer one has them in its record.
#[test]
fn a_network_shows_what_it_does_before_how_it_learned() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/4/a.test");
    let folder = folder("");
    for file in std::fs::read_dir(&sample).expect("a folder") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), folder.path().join(file.file_name())).expect("a copy");
    }
    let path = folder.path().join("model.json");
    let mut model: Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
    let url = "http://a.test/users/9x/bob";
    model["record"]["report"]["examples"] = serde_json::json!([[url, "http://a.test/users/9x"]]);
    std::fs::write(&path, model.to_string()).expect("written");
    let (shown, _) = output(folder.path(), "show", &["."]);
    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("no {text} in\n{shown}"));
    assert!(at("URLs of the crawl and their forms") < at(url), "{shown}");
    assert!(at(url) < at("→ http://a.test/users/9x\n"), "{shown}");
    assert!(at("→ http://a.test/users/9x\n") < at("held-out loss"), "{shown}");
}

#[test]
fn a_folder_without_a_model_is_answered_with_what_to_do() {
    let folder = folder("");
    std::fs::create_dir(folder.path().join("models")).expect("a folder");
    for (asked, why) in [("models/none", "no such folder"), ("models", "no model.json")] {
        let told = failure(undust(folder.path(), "show").arg(asked), 1);
        assert!(told.starts_with(&format!("model {asked}: ")) && told.contains(why), "{told}");
        assert!(told.contains("`undust models`") && told.contains("`undust train`"), "{told}");
    }
}

#[test]
fn models_are_listed() {
    let folder = two_trained();
    let (table, _) = output(folder.path(), "models", &[]);
    for told in ["a.test", "b.test", "tree", "60 (50.0 %)", "2 in all"] {
        assert!(table.contains(told), "{told} is not in\n{table}");
    }
    write(folder.path(), "models/b.test/rules.json", "broken");
    let (json, _) = output(folder.path(), "models", &["--format", "json"]);
    let listed: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&listed[0]["site"], &listed[0]["saved"]), (&"a.test".into(), &60.into()));
    assert_eq!((&listed[1]["pages"], &listed[1]["saved"]), (&120.into(), &Value::Null));
    assert!(
        listed[1]["error"].as_str().is_some_and(|error| error.contains("rules.json")),
        "{json}"
    );
    assert!(failure(undust(folder.path(), "models").arg("nowhere"), 1).contains("nowhere"));
}

#[test]
fn a_difference_of_models_is_told_url_by_url() {
    let folder = two_trained();
    let others = made_up::folder(&crawl("a.test", 60));
    let mut train = undust(others.path(), "train");
    train.args(["crawl.jsonl", "--method", "tree"]).assert().success();
    write(
        folder.path(),
        "queue",
        "http://a.test/users/7x/name7\nhttp://b.test/users/7x/name7\n\nno url\n\u{e9}\n",
    );
    let after = others.path().join("models");
    let after = after.to_str().expect("text");
    let (lines, told) = output(folder.path(), "diff", &["models", after, "queue"]);
    assert_eq!(
        lines,
        "http://b.test/users/7x/name7\thttp://b.test/users/7x\thttp://b.test/users/7x/name7\n"
    );
    let summary = "1 of 5 URLs change form; 0 change only by the second folder's models, 1 only by the \
                   first's\n";
    assert_eq!(told, summary);
    let (json, _) = output(folder.path(), "diff", &["--format", "jsonl", after, "models", "queue"]);
    let change: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(change["after"], "http://b.test/users/7x");
}

/// What a broken model does not change would look like what it changed no more.
#[test]
fn a_model_that_cannot_be_loaded_is_no_difference() {
    let folder = two_trained();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("others")).expect("a folder");
    for site in ["a.test", "b.test"] {
        fs::create_dir(path("others").join(site)).expect("a folder");
        for file in fs::read_dir(path("models").join(site)).expect("a model").flatten() {
            fs::copy(file.path(), path("others").join(site).join(file.file_name()))
                .expect("a copy");
        }
    }
    write(folder.path(), "others/a.test/model.json", "{");
    let queue = |host: &str| format!("http://{host}/users/7x/name7\n").repeat(3);
    write(folder.path(), "queue", queue("a.test") + &queue("b.test"));
    for order in [["models", "others"], ["others", "models"]] {
        let mut diff = undust(folder.path(), "diff");
        let output = diff.args(order).arg("queue").assert().failure().code(1).get_output().clone();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        let told = stderr(&output);
        assert_eq!(told.matches("undust: model others/a.test/model.json: ").count(), 1, "{told}");
        assert!(
            told.contains("0 of 6 URLs change form") && told.contains("; 3 not compared\n"),
            "{told}"
        );
        assert!(
            told.ends_with("undust: one model could not be loaded; its URLs were not compared\n"),
            "{told}"
        );
    }
    // The same site's model may be broken in both.
    write(folder.path(), "models/a.test/model.json", "{");
    let told = failure(undust(folder.path(), "diff").args(["models", "others", "queue"]), 1);
    assert_eq!(told, "2 models could not be loaded; their URLs were not compared");
}

#[test]
fn rules_are_shown_as_a_person_writes_them() {
    let folder = two_trained();
    let (shown, _) = output(folder.path(), "show", &["models/a.test"]);
    assert!(shown.contains("1. /users/*x/name* → drop the last segment\n"), "{shown}");
    assert!(shown.contains("1 rule in all"), "{shown}");
}

#[test]
fn quiet_is_quiet_and_verbose_tells_more() {
    let folder = folder(&crawl("a.test", 60));
    let (_, told) = output(folder.path(), "cluster", &["crawl.jsonl", "--quiet"]);
    assert_eq!(told, "");
    let (_, told) = output(folder.path(), "cluster", &["crawl.jsonl", "-v"]);
    assert!(told.contains("crawl.jsonl: a crawl manifest") && told.contains("took "), "{told}");
    assert!(!failure(undust(folder.path(), "show").args(["-q", "nowhere"]), 1).is_empty());
}

#[test]
fn colors_are_asked_for_and_refused() {
    let folder = two_trained();
    let colored = |arguments: &[&str]| {
        let (shown, _) = output(folder.path(), "models", arguments);
        shown.contains("\u{1b}[")
    };
    assert!(colored(&["--color", "always"]));
    assert!(!colored(&["--color=never"]) && !colored(&[]));
    let help = |color: &str| output(folder.path(), "models", &[color, "--help"]).0;
    assert!(
        help("--color=always").contains("\u{1b}[") && !help("--color=never").contains("\u{1b}[")
    );
}

/// What came is passed on while more may come: the reader takes a line of it and leaves.
#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_leaves_ends_the_program_though_input_may_come() {
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("undust"))
        .args(["ingest", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(crawl("a.test", 3).as_bytes()).expect("written");
    let mut output = child.stdout.take().expect("a pipe");
    output.read_exact(&mut [0; 20]).expect("the beginning of a line");
    drop(output);
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None if begun.elapsed() > Duration::from_secs(60) => panic!("it waits for its input"),
            None => sleep(Duration::from_millis(20)),
        }
    };
    assert!(ended.success(), "{ended}");
    drop(input);
}

/// A shell learns that Ctrl-C ended a program.
#[test]
#[cfg(unix)]
fn an_interrupted_program_ends_as_interrupted() {
    // What runs behind a shell without job control ignores Ctrl-C, and so do its children.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if ignored.is_some_and(|mask| mask & 0b10 != 0) {
        return;
    }
    let folder = folder(&crawl("a.test", 60));
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("undust"))
        .args(["translate", "--models"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("models"))
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"http://a.test/\n").expect("written");
    let mut first = [0; 4];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("an answer");
    assert_ends(child, "INT", 2);
}

/// As does one that is to bring to an end what it has begun, while it has begun nothing.
#[cfg(unix)]
#[test]
fn a_program_that_waits_for_its_crawl_ends_when_told() {
    let mut child = Process::new(assert_cmd::cargo::cargo_bin!("undust"))
        .args(["evaluate", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    // More than a pipe holds: when it is written, the program reads.
    let lines = "{\"url\":\"http://a.test/\",\"status\":200}\n".repeat(1 << 15);
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("written");
    assert_ends(child, "TERM", 15);
    drop(input);
}

#[cfg(unix)]
fn assert_ends(mut child: std::process::Child, name: &str, signal: i32) {
    let pid = child.id().to_string();
    assert!(Process::new("kill").args(["-s", name, &pid]).status().expect("kill").success());
    let (asked, patience) = (Instant::now(), Duration::from_secs(20));
    while child.try_wait().expect("a child").is_none() && asked.elapsed() < patience {
        sleep(Duration::from_millis(5));
    }
    child.kill().ok();
    let status = child.wait().expect("a child");
    let ended = std::os::unix::process::ExitStatusExt::signal(&status);
    assert!(status.code() == Some(128 + signal) || ended == Some(signal), "{status}");
}
