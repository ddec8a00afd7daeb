//! What `--help` says, as it was last agreed on; `INSTA_UPDATE=always` agrees anew.

use std::path::Path;

use crate::support::{access_log, folder_with, process, stderr, stdout};

const NAMES: [&str; 21] = [
    "ingest",
    "cluster",
    "train",
    "translate",
    "validate",
    "observe",
    "live",
    "evaluate",
    "report",
    "shapes",
    "show",
    "explain",
    "export",
    "serve",
    "models",
    "pack",
    "unpack",
    "diff",
    "config",
    "completions",
    "man",
];

/// `--help` of a subcommand on a terminal of 100 columns.
fn help(subcommand: &[&str]) -> String {
    let mut command = process(Path::new("."), subcommand);
    let output = command.arg("--help").env("COLUMNS", "100").output().expect("a run");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output).replace("undust.exe", "undust");
    if cfg!(feature = "network") || subcommand != ["evaluate"] {
        return text;
    }
    // A build without networks evaluates none where no method is named.
    let methods = "keep-all,token-identity,rewrite,tree,dustbuster,duster,miqps,slots,auto";
    let all = format!("[default: {methods},seq2seq]");
    text.replace(&format!("[default: {methods}]"), &all)
}

#[test]
fn every_subcommand_is_described() {
    // A build without networks lacks a command.
    if cfg!(feature = "network") {
        insta::assert_snapshot!("undust", help(&[]));
    }
    for name in NAMES {
        insta::assert_snapshot!(name, help(&[name]));
    }
}

#[test]
fn the_snapshots_are_of_all_subcommands() {
    let listed = help(&[]);
    let commands = listed.split("Commands:").nth(1).expect("a list");
    let lines = commands.lines().skip(1).take_while(|line| !line.is_empty());
    let in_list: Vec<_> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(in_list, NAMES.into_iter().chain(["help"]).collect::<Vec<_>>());
}

/// Whoever reads of access logs, or of their host, in a command's help can give it one; a command
/// that is given one all the same says which take it.
#[test]
fn access_logs_are_offered_where_they_work() {
    let pages = |n: usize| ["", "index.html"].map(|file| access_log(&format!("/{n}/{file}"), n));
    let log: String = (1000..1300).flat_map(pages).collect();
    let folder = folder_with(&[("log", log)]);
    let run = |arguments: &[&str]| {
        let output = process(folder.path(), arguments).output().expect("a run");
        (output.status.code(), stderr(&output))
    };
    let with_logs = [
        &["ingest", "log", "-o", "pages.jsonl", "--host", "a.test"][..],
        &["train", "log", "--method", "dustbuster", "--host", "a.test"],
        &["validate", "models/a.test", "log", "-o", "pairs.jsonl", "--host", "a.test"],
        &["shapes", "log", "--host", "a.test"],
    ];
    for arguments in with_logs {
        let (code, described) = run(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {described}");
    }
    for (arguments, expected) in [
        (&["train", "log", "--host", "a.test"][..], 1),
        (&["cluster", "log"], 1),
        (&["evaluate", "log", "--methods", "tree"], 1),
        (&["observe", "log"], 2),
        (&["translate", "log"], 1),
        (&["diff", "models", "models", "log"], 1),
    ] {
        let (code, described) = run(arguments);
        assert_eq!(code, Some(expected), "{arguments:?}: {described}");
        assert!(!described.contains("--host"), "{described}");
        // What reads pages says what a log is good for.
        let is_reader = !["translate", "diff"].contains(&arguments[0]);
        let advice = "only `undust train --method dustbuster` learns from it";
        assert_eq!(described.contains(advice), is_reader, "{arguments:?}: {described}");
    }
    let offers = NAMES.into_iter().filter(|name| {
        let help = help(&[name]);
        help.contains("access log") || help.contains("--host ")
    });
    assert_eq!(offers.collect::<Vec<_>>(), with_logs.map(|arguments| arguments[0]));
}
