//! What a person at a terminal sees, and what a program that reads a pipe does not. The terminal is
//! that of `script`; where there is none, nothing is tested.
#![cfg(target_os = "linux")]

mod made_up;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use made_up::{crawl, folder, undust};

fn program() -> String {
    assert_cmd::cargo::cargo_bin("undust").display().to_string()
}

/// Runs a line of the shell in which `undust` is the program.
fn shell(folder: &Path, line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &line.replace("undust", &program())]).current_dir(folder);
    shell.env_remove("NO_COLOR").env_remove("UNDUST_COLOR").env("TERM", "xterm");
    shell.stdin(Stdio::null());
    shell
}

/// What a terminal of so many columns gets of a line of the shell; none where there is no terminal
/// to be had.
fn on_terminal(folder: &Path, columns: usize, line: &str) -> Option<String> {
    let line = format!("stty cols {columns} rows 40; {line}");
    let script = format!("script -qec '{line}' /dev/null");
    let told = Command::new("script").arg("--version").output();
    told.ok().filter(|told| told.status.success())?;
    Some(text(&shell(folder, &script).output().expect("a run").stdout))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The text as it stands, without colors.
fn plain(text: &str) -> String {
    let command = regex::Regex::new("\u{1b}\\[[0-9;?]*[A-Za-z]").expect("a pattern");
    command.replace_all(text, "").into_owned()
}

/// What lines of tables are made of.
const TABLE: [char; 5] = ['│', '┆', '─', '═', '╌'];

fn trained() -> tempfile::TempDir {
    let folder = folder(&(crawl("a.test", 60) + &crawl("a-name-that-is-long.example.test", 60)));
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "--method", "tree"]).assert().success();
    folder
}

/// Commands whose input comes in two parts, with more than a second between them.
const SLOW: [&str; 4] = [
    "undust ingest - -o out.jsonl",
    "undust cluster - -o out.jsonl",
    "undust cluster - --state state -o out.jsonl",
    "undust train - --method tree --models new",
];

fn slowly(command: &str) -> String {
    format!("(cat crawl.jsonl; sleep 1.6; cat crawl.jsonl) | {command}")
}

#[test]
fn nothing_on_a_pipe_tells_how_far_a_job_is() {
    let folder = folder(&crawl("a.test", 60));
    for command in SLOW {
        let output: Output = shell(folder.path(), &slowly(command)).output().expect("a run");
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        let told = text(&output.stdout) + &text(&output.stderr);
        assert!(!told.contains(['\u{1b}', '\r', '\u{8}']), "{command}: {told:?}");
        assert!(!told.contains(" read in ") && !told.contains('█'), "{command}: {told:?}");
        assert!(told.lines().count() <= 3, "{command}: {told:?}");
    }
}

#[test]
fn a_terminal_tells_how_far_a_job_is() {
    let folder = folder(&crawl("a.test", 60));
    for command in SLOW {
        let Some(told) = on_terminal(folder.path(), 100, &slowly(command)) else { return };
        assert!(told.contains(" read in ") && told.contains('\u{1b}'), "{command}: {told:?}");
        let quiet = on_terminal(folder.path(), 100, &slowly(&format!("{command} --quiet")));
        assert_eq!(quiet.as_deref(), Some(""), "{command}");
        _ = std::fs::remove_dir_all(folder.path().join("state"));
    }
}

#[test]
fn tables_are_as_wide_as_the_terminal() {
    let folder = trained();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/4");
    let network = format!("undust show {}", models.join("a.test").display());
    for command in [
        "undust models",
        "undust show models/a.test",
        "undust evaluate crawl.jsonl --methods keep-all,tree",
        "undust observe crawl.jsonl",
        &network,
    ] {
        for columns in [60, 100] {
            let line = format!("{command} 2> told");
            let Some(told) = on_terminal(folder.path(), columns, &line) else { return };
            let told = plain(&told);
            // Between the tables of `evaluate` stand sentences, which a terminal wraps by itself.
            let is_cut = |line: &&str| !command.contains("evaluate") || line.contains(TABLE);
            let lines = told.lines().map(str::trim_end).filter(is_cut);
            let widest = lines.map(|line| line.chars().count()).max();
            assert!(widest.is_some_and(|widest| widest <= columns), "{command} {columns}:\n{told}");
        }
    }
    let Some(told) = on_terminal(folder.path(), 60, "undust models") else { return };
    assert!(told.contains("a-name-t") && told.contains('…'), "{told}");
}

#[test]
fn colors_are_for_terminals_unless_somebody_says_otherwise() {
    let folder = trained();
    let is_colored = |text: &str| text.contains("\u{1b}[");
    // The last is a complaint.
    for command in ["undust models", "undust models --help", "undust models --colour"] {
        let on_terminal = |prefix: &str, flags: &str| {
            on_terminal(folder.path(), 100, &format!("{prefix} {command} {flags}"))
        };
        let Some(told) = on_terminal("", "") else { return };
        assert!(is_colored(&told), "{command}: {told:?}");
        for (prefix, flags) in
            [("NO_COLOR=1", ""), ("", "--color never"), ("UNDUST_COLOR=never", "")]
        {
            let told = on_terminal(prefix, flags).unwrap_or_default();
            assert!(!told.is_empty() && !is_colored(&told), "{prefix} {command} {flags}: {told:?}");
        }
        let piped = |prefix: &str, flags: &str| {
            let output = shell(folder.path(), &format!("{prefix} {command} {flags}")).output();
            let output = output.expect("a run");
            text(&output.stdout) + &text(&output.stderr)
        };
        assert!(!is_colored(&piped("", "")), "{command}");
        assert!(is_colored(&piped("NO_COLOR=1", "--color always")), "{command}");
    }
}

/// Whoever types URLs ends them by one Ctrl-D, as everywhere.
#[test]
fn one_ctrl_d_ends_what_is_typed() {
    let folder = trained();
    for typed in ["http://a.test/users/1x/bob\n", ""] {
        let line = format!("{} translate", program());
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(folder.path());
        script.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut terminal) = script.spawn() else { return };
        let mut keys = terminal.stdin.take().expect("a keyboard");
        let begun = Instant::now();
        sleep(Duration::from_millis(500));
        write!(keys, "{typed}\u{4}").expect("keys");
        let has_ended = loop {
            match terminal.try_wait().expect("its state") {
                Some(_) => break true,
                None if begun.elapsed() > Duration::from_secs(20) => break false,
                None => sleep(Duration::from_millis(50)),
            }
        };
        terminal.kill().ok();
        terminal.wait().expect("an end");
        assert!(has_ended, "one Ctrl-D behind {typed:?} is no end");
    }
}
