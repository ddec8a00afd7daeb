//! Made-up crawls, and settings with which a network learns them at once.
#![allow(dead_code, reason = "each test program uses some of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// A network that learns little, and that in milliseconds.
pub const SETTINGS: &str = "
[seq2seq]
embedding = 8
hidden = 16
batch = 8
max_steps = 60
check_every = 20
[site]
min_pages = 20
";

/// A network that learns the made-up sites to the last URL, in a second or two.
pub const LEARNS: &str = "
[seq2seq]
embedding = 16
hidden = 32
batch = 16
max_steps = 300
held_out = 0.0
learning_rate = 0.02
[site]
min_pages = 20
";

/// A manifest of `users` pages, each under two URLs.
pub fn crawl(host: &str, users: usize) -> String {
    let page = |user: usize, path: String| {
        format!(
            "{{\"url\":\"http://{host}/users/{path}\",\"status\":200,\"title\":\"{user}\",\"digest\":\"{user}\"}}\n"
        )
    };
    let pages = |user| page(user, format!("{user}x/name{user}")) + &page(user, format!("{user}x"));
    (0..users).map(pages).collect()
}

/// Items, each with a link of a newsletter; lists of open tickets, each its own; and lists of
/// closed ones, which are empty while there are none.
pub fn shop(has_closed: bool) -> String {
    let line = |path: String, page: String| {
        format!(
            "{{\"url\":\"http://s.test/{path}\",\"status\":200,\"title\":\"{page}\",\"digest\":\"{page}\"}}\n"
        )
    };
    let of = |n: usize| {
        let closed = if has_closed { format!("closed {n}") } else { "nothing found".to_owned() };
        line(format!("item/{n}"), format!("item {n}"))
            + &line(format!("item/{n}?ref=mail"), format!("item {n}"))
            + &line(format!("list?part={n}&status=open"), format!("open {n}"))
            + &line(format!("list?part={n}&status=closed"), closed)
    };
    (100..140).map(of).collect()
}

/// A folder with `crawl.jsonl` and `tiny.toml`.
pub fn folder(crawl: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "crawl.jsonl", crawl);
    write(folder.path(), "tiny.toml", SETTINGS);
    folder
}

pub fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(folder.join(name), bytes).expect("the test's folder can be written");
}

/// A folder with trained models of these hosts.
pub fn trained(hosts: &[&str]) -> TempDir {
    let folder = folder(&hosts.iter().map(|host| crawl(host, 30)).collect::<String>());
    train(folder.path()).assert().success();
    folder
}

/// `undust train` of the crawl by a network with the tiny settings; models go to `models`.
pub fn train(folder: &Path) -> Command {
    let mut command = undust(folder, "train");
    command.args(["crawl.jsonl", "--config", "tiny.toml", "--method", "seq2seq"]);
    command
}

pub fn undust(folder: &Path, subcommand: &str) -> Command {
    let mut command = Command::cargo_bin("undust").expect("the program is built");
    command.current_dir(folder).arg(subcommand);
    command
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs to a failure with this exit code; the last line told, which says what is wrong.
pub fn failure(command: &mut Command, code: i32) -> String {
    let told = stderr(command.assert().failure().code(code).get_output());
    assert!(!told.contains("panicked"), "{told}");
    let last = told.lines().last().unwrap_or_default();
    last.strip_prefix("undust: ").unwrap_or_else(|| panic!("no sentence: {told}")).to_owned()
}

/// Every file of a folder of folders.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for site in fs::read_dir(folder).expect("a folder") {
        let site = site.expect("an entry");
        for file in fs::read_dir(site.path()).expect("a folder") {
            let path = file.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("a path below").display().to_string();
            files.insert(name, fs::read(&path).expect("a file"));
        }
    }
    files
}

/// A folder with models in `models`, which know that a user's name may go.
pub fn two_trained() -> TempDir {
    let folder = folder(&(crawl("a.test", 60) + &crawl("b.test", 60)));
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "--method", "tree"]).assert().success();
    folder
}

/// A run that succeeds: what it printed, and what it told.
pub fn output(folder: &Path, command: &str, arguments: &[&str]) -> (String, String) {
    let output: Output = undust(folder, command).args(arguments).output().expect("a run");
    assert!(output.status.success(), "{}", stderr(&output));
    (String::from_utf8(output.stdout.clone()).expect("text"), stderr(&output))
}
