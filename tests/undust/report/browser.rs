//! The page in Chromium: nothing outside it, nothing loaded, nothing run, everything reached by keys and on paper.
//!
//! `UNDUST_BROWSER` names Chromium, and `npm ci` in `tests/undust/browser` installs what drives it, as `.ci/run` does.
//! Where the variable is not set, the tests say that they open no browser. `UNDUST_PICTURES` names a folder for pictures of the pages.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{crawl, report};
use crate::support::{data, folder_with, repository};

/// A crawl whose titles and URLs would run, load, hide or turn something.
fn hostile() -> String {
    let texts = [
        "<script>alert(1)</script>",
        "\"><img src=http://evil.test/x onerror=alert(1)>",
        "</style><iframe src=http://evil.test/></iframe>",
        "\u{202e}gpj.exe \u{200b}\u{feff}\u{1b}[31m שלום עולם",
        "' onmouseover='alert(1)",
        "}}{{7*7}}${7*7}",
    ];
    let long = "x".repeat(200_000);
    let line = |n: usize, query: &str| {
        let text = texts[n % texts.len()];
        let long = if n.is_multiple_of(40) { &*long } else { "" };
        let url = format!("http://a.test/{text}/{n}{long}?{query}");
        let title = format!("{text} {n} {long}");
        json!({"url": url, "status": 200, "title": title, "digest": n.to_string()}).to_string()
            + "\n"
    };
    (100..260).map(|n| line(n, "") + &line(n, "sid=<b>") + &line(n, "\"onload=1")).collect()
}

/// What the browser finds wrong with a page; none where there is no browser.
fn wrong_in_browser(page: &Path) -> Option<String> {
    let browser = std::env::var_os("UNDUST_BROWSER").filter(|name| !name.is_empty())?;
    let script = repository().join("tests/undust/browser/check.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(browser).arg(page);
    // Pictures for who looks at the page.
    let pictures = std::env::var_os("UNDUST_PICTURES");
    if let Some(pictures) = pictures {
        let folder = Path::new(&pictures).join(page.file_stem().expect("a name"));
        fs::create_dir_all(&folder).expect("a folder for pictures");
        node.arg(folder);
    }
    let run = node.output().expect("node runs");
    let told = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() == told.is_empty(), "{told}");
    Some(told.into_owned())
}

fn check(page: &Path) {
    match wrong_in_browser(page) {
        Some(wrong) => assert_eq!(wrong, "", "{}", page.display()),
        None => say_that_nothing_was_opened(page),
    }
}

/// Also where the test passes: `eprintln!` would say it only of one that fails.
fn say_that_nothing_was_opened(page: &Path) {
    let name = page.file_name().expect("a name").display();
    let skipped = "was not opened in a browser, so nothing of it was tested: set UNDUST_BROWSER";
    writeln!(io::stderr(), "{name} {skipped}").expect("standard error");
}

#[test]
fn a_report_is_right_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let crawl = data("cgit.jsonl.gz");
    report(folder.path(), &[crawl.to_str().expect("a name"), "-o", "report.html"]);
    check(&folder.path().join("report.html"));
}

#[test]
fn a_report_on_a_hostile_crawl_is_right_in_a_browser() {
    let folder = folder_with(&[("hostile.jsonl", hostile())]);
    let methods = ["--methods", "keep-all,tree,auto"];
    report(folder.path(), &[&methods[..], &["hostile.jsonl", "-o", "hostile.html"]].concat());
    check(&folder.path().join("hostile.html"));
}

#[test]
fn pages_of_several_sites_are_right_in_a_browser() {
    let folder = folder_with(&[("one.jsonl", crawl()), ("two.jsonl", crawl())]);
    let crawls = ["one.jsonl", "two.jsonl"];
    report(folder.path(), &[&crawls[..], &["-o", "several.html"]].concat());
    check(&folder.path().join("several.html"));
}
