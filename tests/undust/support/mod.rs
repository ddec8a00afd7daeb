//! What the tests share: the program as a command, temporary folders, and what a run gave.
#![allow(
    dead_code,
    unused_imports,
    reason = "a build without networks, and tests/counted.rs, use some of it"
)]

mod crawls;
mod daemon;
mod figures;
mod paths;
mod terminal;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Output};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

pub use crawls::{LEARNS, SETTINGS, access_log, crawl, line, shop};
pub use daemon::Daemon;
pub use figures::{Figures, accepts_anew};
pub use paths::{copy_folder, data, models_of_format, program, public_crawls, repository};
#[cfg(target_os = "linux")]
pub use terminal::{Terminal, shell};

/// A folder with these files.
pub fn folder_with<C: AsRef<[u8]>>(files: &[(&str, C)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    files.iter().for_each(|(name, content)| _ = write(folder.path(), name, content));
    folder
}

/// A folder with `crawl.jsonl` and `tiny.toml`.
pub fn folder(crawl: &str) -> TempDir {
    folder_with(&[("crawl.jsonl", crawl), ("tiny.toml", SETTINGS)])
}

/// Writes a file; its path.
pub fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("the test's folder can be written");
    path
}

/// A state whose secret is known, so that two of them decide alike.
pub fn known_state(state: &Path) {
    if !state.exists() {
        fs::create_dir(state).expect("a folder");
        let lines = format!("{{\"undust live\":2}}\n{{\"secret\":\"{:032x}\"}}\n", 17);
        fs::write(state.join("live.jsonl"), lines).expect("a journal");
    }
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

/// The program with a subcommand, run in a folder.
pub fn undust(folder: &Path, subcommand: &str) -> Command {
    let mut command = Command::new(program());
    command.current_dir(folder).arg(subcommand);
    command
}

/// The same as a process that the test starts, feeds and ends itself.
pub fn process(folder: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(program());
    if cfg!(target_os = "linux") {
        // The tests may run under `nohup`, or in the background of a shell.
        command = std::process::Command::new("env");
        command.arg("--default-signal=HUP,INT").arg(program());
    }
    command.current_dir(folder).args(arguments);
    command
}

/// The same behind a line of the shell that sets limits; blocks of `ulimit -f` are 512 bytes.
#[cfg(unix)]
pub fn within_limits(folder: &Path, limits: &str, arguments: &[&str]) -> std::process::Command {
    let mut shell = std::process::Command::new("sh");
    shell.current_dir(folder).args(["-c", &format!("{limits}; exec \"$@\""), "sh"]);
    shell.arg(program()).args(arguments);
    shell
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A run that succeeds: its standard output, and its standard error.
pub fn succeed(command: &mut Command) -> (String, String) {
    let output = command.output().expect("a run");
    assert!(output.status.success(), "{command:?}: {}", stderr(&output));
    (stdout(&output), stderr(&output))
}

/// The same of a subcommand with these arguments.
pub fn output(folder: &Path, subcommand: &str, arguments: &[&str]) -> (String, String) {
    succeed(undust(folder, subcommand).args(arguments))
}

/// The same of one that reads this from a pipe.
pub fn piped(folder: &Path, subcommand: &str, arguments: &[&str], input: &str) -> (String, String) {
    succeed(undust(folder, subcommand).args(arguments).write_stdin(input))
}

/// What `undust translate` prints of a queue.
pub fn translated(folder: &Path, queue: &str) -> String {
    piped(folder, "translate", &[], queue).0
}

/// Runs to a failure with this exit code; its standard error.
fn complaint(command: &mut Command, code: i32) -> String {
    let described = stderr(command.assert().failure().code(code).get_output());
    assert!(!described.contains("panicked"), "{described}");
    described
}

/// Runs to a failure with this exit code; the last line of its standard error, which says what is wrong.
pub fn failure(command: &mut Command, code: i32) -> String {
    let described = complaint(command, code);
    let last = described.lines().last().unwrap_or_default();
    last.strip_prefix("undust: ").unwrap_or_else(|| panic!("no sentence: {described}")).to_owned()
}

/// The same of a run that reports one line and no more.
pub fn only_sentence(command: &mut Command, code: i32) -> String {
    let described = complaint(command, code);
    assert_eq!(described.lines().count(), 1, "{described}");
    described.trim_end().strip_prefix("undust: ").expect("a sentence").to_owned()
}

/// That a message names all of these: files, lines, counts, remedies. How it puts them is its own
/// affair.
#[track_caller]
pub fn assert_contains(described: &str, parts: &[&str]) {
    for part in parts {
        assert!(described.contains(part), "{part:?} is not in {described:?}");
    }
}

/// A run whose reader is gone before the first byte comes.
pub fn into_closed_pipe(folder: &Path, arguments: &[&str]) -> Output {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    process(folder, arguments).stdout(writer).output().expect("a run")
}

pub fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// How a process ended; nothing, and it is killed, where it did not within this time.
pub fn ends_within(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    loop {
        match child.try_wait().expect("its state") {
            Some(status) => return Some(status),
            None if begun.elapsed() < time => std::thread::sleep(Duration::from_millis(5)),
            None => break,
        }
    }
    child.kill().ok();
    child.wait().expect("an end");
    None
}

/// Sends a signal, such as `INT`.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let kill = std::process::Command::new("kill").args(["-s", name, &process.to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

/// `undust train` of the crawl by a network with the tiny settings; models go to `models`.
pub fn train(folder: &Path) -> Command {
    let mut command = undust(folder, "train");
    command.args(["crawl.jsonl", "--config", "tiny.toml", "--method", "seq2seq"]);
    command
}

/// A folder with trained networks of these hosts.
pub fn trained(hosts: &[&str]) -> TempDir {
    let folder = folder(&hosts.iter().map(|host| crawl(host, 30)).collect::<String>());
    train(folder.path()).assert().success();
    folder
}

/// A folder with a crawl, and models of it by a method of rules in `models`.
pub fn trained_by(method: &str, crawl: &str) -> TempDir {
    let folder = folder(crawl);
    undust(folder.path(), "train").args(["crawl.jsonl", "--method", method]).assert().success();
    folder
}

/// A folder with models in `models`, which know that a user's name may go.
pub fn two_trained() -> TempDir {
    trained_by("tree", &(crawl("a.test", 60) + &crawl("b.test", 60)))
}
