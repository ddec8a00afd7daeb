//! The tables that commands print, as they were last agreed on; `INSTA_UPDATE=always` agrees anew.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use regex::Regex;
use tempfile::TempDir;

use crate::support::{folder_with, shop, stdout, undust};

/// A folder with two models of the shop: `auto` in `models`, `tree` in `rules`.
fn trained() -> TempDir {
    let folder = folder_with(&[("empty.jsonl", shop(false)), ("full.jsonl", shop(true))]);
    for (method, models) in [("auto", "models"), ("tree", "rules")] {
        let mut train = undust(folder.path(), "train");
        train.args(["empty.jsonl", "--method", method, "--models", models]).assert().success();
    }
    folder
}

/// Standard output, without what differs from one time or version to the next.
fn describe(folder: &Path, command: &str, arguments: &[&str], input: &str) -> String {
    let mut command = undust(folder, command);
    let text = stdout(&command.args(arguments).write_stdin(input).output().unwrap());
    let seconds = Regex::new(r"\d\.\d ┆").unwrap();
    let text = seconds.replace_all(&text, "0.0 ┆");
    let size = Regex::new(r"\d\.\d\d KiB").unwrap();
    let text = size.replace_all(&text, "0.00 KiB").into_owned();
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn models_are_shown() {
    let folder = trained();
    for (name, arguments) in [
        ("show_edits", &["models/s.test"][..]),
        ("show_edits_all", &["models/s.test", "--all"]),
        ("show_rules", &["rules/s.test"]),
        ("show_rules_all", &["rules/s.test", "--all"]),
    ] {
        insta::assert_snapshot!(name, describe(folder.path(), "show", arguments, ""));
    }
}

#[test]
fn models_are_listed() {
    let folder = trained();
    let model = File::open(folder.path().join("models/s.test/model.json")).unwrap();
    model.set_modified(SystemTime::now() - Duration::from_secs(3 * 86_400 + 3600)).unwrap();
    insta::assert_snapshot!("models", describe(folder.path(), "models", &["models"], ""));
}

#[test]
fn models_are_compared() {
    let folder = trained();
    let urls = "http://s.test/item/7?ref=mail\nhttp://s.test/list?part=7&status=closed\n";
    insta::assert_snapshot!(
        "diff",
        describe(folder.path(), "diff", &["rules", "models", "-"], urls)
    );
}

#[test]
fn methods_are_evaluated_and_models_tested() {
    let folder = trained();
    let methods = ["empty.jsonl", "--methods", "keep-all,tree,slots"];
    insta::assert_snapshot!("evaluate", describe(folder.path(), "evaluate", &methods, ""));
    let models = ["full.jsonl", "--models", "models"];
    insta::assert_snapshot!("evaluate_models", describe(folder.path(), "evaluate", &models, ""));
    let came = describe(folder.path(), "observe", &["full.jsonl"], "");
    insta::assert_snapshot!("observe", came);
    insta::assert_snapshot!("show_off", describe(folder.path(), "show", &["models/s.test"], ""));
}
