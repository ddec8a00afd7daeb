//! What `--help` says, as it was last agreed on; `INSTA_UPDATE=always` agrees anew.

use assert_cmd::Command;

const NAMES: [&str; 14] = [
    "ingest",
    "cluster",
    "train",
    "translate",
    "observe",
    "evaluate",
    "show",
    "explain",
    "serve",
    "models",
    "diff",
    "config",
    "completions",
    "man",
];

/// `--help` of a subcommand on a terminal of 100 columns.
fn help(subcommand: &[&str]) -> String {
    let mut command = Command::cargo_bin("undust").expect("the program is built");
    let help = command.args(subcommand).arg("--help").env("COLUMNS", "100").assert().success();
    let text = String::from_utf8(help.get_output().stdout.clone()).expect("text");
    let text = text.replace("undust.exe", "undust");
    if cfg!(feature = "network") {
        return text;
    }
    // A build without networks judges none where no method is named; the shorter list needs no
    // line of its own.
    let methods = "keep-all,token-identity,rewrite,tree,dustbuster,duster,tagger,slots,auto";
    let all = format!("[default:\n          {methods},seq2seq]");
    text.replace(&format!("[default: {methods}]"), &all)
}

#[test]
fn every_subcommand_is_described() {
    insta::assert_snapshot!("undust", help(&[]));
    for name in NAMES {
        insta::assert_snapshot!(name, help(&[name]));
    }
}

#[test]
fn the_snapshots_are_of_all_subcommands() {
    let listed = help(&[]);
    let commands = listed.split("Commands:").nth(1).expect("a list");
    let names = commands.lines().skip(1).take_while(|line| !line.is_empty());
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, [&NAMES[..], &["help"]].concat());
}
