//! The habits of a command line: completions, manual pages, settings, lists of models, differences.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::support::{
    assert_contains, copy_folder, crawl, ends_within, failure, folder, models_of_format, output,
    process, repository, signal, stderr, stdout, succeed, trained_by, two_trained, undust, write,
};

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
        let page = fs::read_to_string(folder.path().join("pages").join(name)).expect("a page");
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
        let described = failure(&mut asked, code);
        assert!(described.contains("elsewhere"), "{arguments:?}: {described}");
    }
}

#[test]
fn settings_come_from_flags_the_environment_a_file_and_defaults() {
    let folder = folder("");
    write(folder.path(), "own.toml", "seed = 1\n[site]\nmin_pages = 9\nmin_clusters = 4\n");
    let mut config = undust(folder.path(), "config");
    config.args(["--config", "own.toml", "--seed", "7"]);
    config.env("UNDUST_SITE_MIN_CLUSTERS", "2").env("UNDUST_CRAWLS", "/nowhere");
    let shown = succeed(&mut config).0;
    let line = |name: &str| {
        let line = shown.lines().find(|line| line.starts_with(name)).expect("a line");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("seed ="), "seed = 7 # --seed");
    assert_eq!(line("min_pages ="), "min_pages = 9 # own.toml");
    assert_eq!(line("min_clusters ="), "min_clusters = 2 # UNDUST_SITE_MIN_CLUSTERS");
    assert_eq!(line("max_lost_share ="), "max_lost_share = 0.005 # default");
    write(folder.path(), "shown.toml", &shown);
    output(folder.path(), "config", &["--config", "shown.toml"]);
    let mut wrong = undust(folder.path(), "config");
    let described = failure(wrong.env("UNDUST_GATE_MAX_LOST_SHARE", "much"), 2);
    assert_contains(&described, &["UNDUST_GATE_MAX_LOST_SHARE: "]);
    for unknown in ["UNDUST_GATE_RIKS", "UNDUST_SEQ2SEQ_PAPER_X"] {
        let mut wrong = undust(folder.path(), "config");
        let described = failure(wrong.env("UNDUST_CRAWLS", "free").env(unknown, "0.1"), 2);
        assert!(described.starts_with(&format!("{unknown}: ")), "{described}");
    }
}

#[test]
fn settings_that_no_file_holds_are_told_with_where_they_come_from() {
    let folder = folder("");
    write(folder.path(), "own.toml", "seed = 1\n");
    let shown = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut config = undust(folder.path(), "config");
        config.args(arguments).env_remove("NO_COLOR").envs(variables.iter().copied());
        let text = succeed(&mut config).0;
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
        "max_lost_share = 0.005 # default",
    ] {
        has(&by_default, line);
    }
    let variables = [
        ("UNDUST_CONFIG", "own.toml"),
        ("UNDUST_MODELS", "theirs"),
        ("UNDUST_COLOR", "always"),
        ("UNDUST_GATE_MAX_LOST_SHARE", "0.5"),
    ];
    let by_environment = shown(&[], &variables);
    for line in [
        "# config = \"own.toml\" # UNDUST_CONFIG",
        "# models = \"theirs\" # UNDUST_MODELS",
        "# color = always # UNDUST_COLOR",
        "seed = 1 # own.toml",
        "max_lost_share = 0.5 # UNDUST_GATE_MAX_LOST_SHARE",
    ] {
        has(&by_environment, line);
    }
    let flags = ["--models", "ours", "--color", "never", "--max-lost-share", "0.25", "--seed", "3"];
    let by_flags = shown(&flags, &variables);
    for line in [
        "# models = \"ours\" # --models",
        "# color = never # --color",
        "max_lost_share = 0.25 # --max-lost-share",
        "seed = 3 # --seed",
    ] {
        has(&by_flags, line);
    }
    has(&shown(&[], &[("NO_COLOR", "1")]), "# color = auto # default; NO_COLOR makes it never");
}

#[test]
fn the_version_tells_what_it_was_built_with() {
    let version = |flag: &str| output(Path::new("."), flag, &[]).0;
    assert_eq!(version("-V"), concat!("undust ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = version("--version");
    let lines: Vec<&str> = long.lines().collect();
    assert!(lines[0].starts_with(concat!("undust ", env!("CARGO_PKG_VERSION"))), "{long}");
    assert!(lines[1].starts_with("features: "), "{long}");
    assert_eq!(lines[1].contains("serve"), cfg!(feature = "serve"));
    assert_eq!(lines[2], "model format: 5");
}

/// A network of an older training has no examples; a newer one has them in its record.
#[test]
fn a_network_shows_what_it_does_before_how_it_learned() {
    let folder = folder("");
    copy_folder(&models_of_format(5).join("a.test"), folder.path());
    let path = folder.path().join("model.json");
    let mut model: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    let url = "http://a.test/users/9x/bob";
    model["record"]["report"]["examples"] = serde_json::json!([[url, "http://a.test/users/9x"]]);
    fs::write(&path, model.to_string()).expect("written");
    let (shown, _) = output(folder.path(), "show", &["."]);
    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("no {text} in\n{shown}"));
    assert!(at("URLs of the crawl and their canonical URLs") < at(url), "{shown}");
    assert!(at(url) < at("→ http://a.test/users/9x\n"), "{shown}");
    assert!(at("→ http://a.test/users/9x\n") < at("held-out loss"), "{shown}");
}

#[test]
fn a_folder_without_a_model_is_answered_with_what_to_do() {
    let folder = folder("");
    fs::create_dir(folder.path().join("models")).expect("a folder");
    for (asked, why) in [("models/none", "no such folder"), ("models", "no model.json")] {
        let described = failure(undust(folder.path(), "show").arg(asked), 1);
        let asked = format!("model {asked}: ");
        assert_contains(&described, &[&asked, why, "`undust models`", "`undust train`"]);
    }
}

#[test]
fn models_are_listed() {
    let folder = two_trained();
    let (table, _) = output(folder.path(), "models", &[]);
    assert_contains(&table, &["a.test", "b.test", "tree", "60 (50.0 %)", "2 in all"]);
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
    let others = trained_by("tree", &crawl("a.test", 60));
    write(
        folder.path(),
        "queue",
        "http://a.test/users/7x/name7\nhttp://b.test/users/7x/name7\n\nno url\n\u{e9}\n",
    );
    let after = others.path().join("models");
    let after = after.to_str().expect("text");
    let (lines, described) = output(folder.path(), "diff", &["models", after, "queue"]);
    assert_eq!(
        lines,
        "http://b.test/users/7x/name7\thttp://b.test/users/7x\thttp://b.test/users/7x/name7\n"
    );
    assert_contains(&described, &["1 of 5 URLs", "0 changed only", "1 only"]);
    let (json, _) = output(folder.path(), "diff", &["--format", "jsonl", after, "models", "queue"]);
    let change: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(change["after"], "http://b.test/users/7x");
}

/// What a broken model does not change would look like what it changed no more.
#[test]
fn a_model_that_cannot_be_loaded_is_no_difference() {
    let folder = two_trained();
    let path = |name: &str| folder.path().join(name);
    copy_folder(&path("models"), &path("others"));
    write(folder.path(), "others/a.test/model.json", "{");
    let queue = |host: &str| format!("http://{host}/users/7x/name7\n").repeat(3);
    write(folder.path(), "queue", queue("a.test") + &queue("b.test"));
    for order in [["models", "others"], ["others", "models"]] {
        let mut diff = undust(folder.path(), "diff");
        let output = diff.args(order).arg("queue").assert().failure().code(1).get_output().clone();
        assert_eq!(stdout(&output), "");
        let described = stderr(&output);
        assert_eq!(
            described.matches("undust: model others/a.test/model.json: ").count(),
            1,
            "{described}"
        );
        assert_contains(&described, &["0 of 6 URLs", "3 not compared\n"]);
        assert_contains(
            described.lines().last().expect("an end"),
            &["undust: one model could not be"],
        );
    }
    // The same site's model may be broken in both.
    write(folder.path(), "models/a.test/model.json", "{");
    let described = failure(undust(folder.path(), "diff").args(["models", "others", "queue"]), 1);
    assert_contains(&described, &["2 models could not be loaded"]);
}

#[test]
fn rules_are_shown_as_a_person_writes_them() {
    let folder = two_trained();
    let (shown, _) = output(folder.path(), "show", &["models/a.test"]);
    let rule = "/users/*x/name* → drop the last segment";
    assert_contains(&shown, &[" 1   ", rule, "1 rule in all", "--all adds"]);
    let (shown, _) = output(folder.path(), "show", &["models/a.test", "--all"]);
    assert_contains(&shown, &[&format!("1. {rule}\n"), "1 rule in all", "precision"]);
}

#[test]
fn quiet_is_quiet_and_verbose_tells_more() {
    let folder = folder(&crawl("a.test", 60));
    let (_, described) = output(folder.path(), "cluster", &["crawl.jsonl", "--quiet"]);
    assert_eq!(described, "");
    let (_, described) = output(folder.path(), "cluster", &["crawl.jsonl", "-v"]);
    assert!(
        described.contains("crawl.jsonl: a crawl manifest") && described.contains("took "),
        "{described}"
    );
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
    let mut child = process(Path::new("."), &["ingest", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(crawl("a.test", 3).as_bytes()).expect("written");
    let mut output = child.stdout.take().expect("a pipe");
    output.read_exact(&mut [0; 20]).expect("the beginning of a line");
    drop(output);
    let ended = ends_within(&mut child, Duration::from_secs(60)).expect("it waits for its input");
    assert!(ended.success(), "{ended}");
    drop(input);
}

/// A shell learns that Ctrl-C ended a program.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_program_ends_as_interrupted() {
    let mut child = process(repository(), &["translate"])
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
    let mut child = process(Path::new("."), &["evaluate", "-"])
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
fn assert_ends(mut child: std::process::Child, name: &str, number: i32) {
    signal(child.id(), name);
    let status = ends_within(&mut child, Duration::from_secs(20)).expect("it goes on");
    let ended = std::os::unix::process::ExitStatusExt::signal(&status);
    assert!(status.code() == Some(128 + number) || ended == Some(number), "{status}");
}
