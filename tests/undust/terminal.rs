//! What a person at a terminal sees, and what a program that reads a pipe does not.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::Duration;

use crate::support::{
    Terminal, crawl, data, ends_within, folder, models_of_format, shell, stderr, stdout, trained_by,
};

/// What a terminal of `columns` columns shows of a line of the shell.
fn on_terminal(folder: &Path, columns: u16, line: &str) -> String {
    Terminal::run(folder, columns, line).rest().0
}

/// The text as it stands, without colors.
fn plain(text: &str) -> String {
    let command = regex::Regex::new("\u{1b}\\[[0-9;?]*[A-Za-z]").expect("a pattern");
    command.replace_all(text, "").into_owned()
}

/// What lines of tables are made of.
const TABLE: [char; 5] = ['│', '┆', '─', '═', '╌'];

fn trained() -> tempfile::TempDir {
    trained_by("tree", &(crawl("a.test", 60) + &crawl("a-name-that-is-long.example.test", 60)))
}

/// Commands whose input comes in two parts, with more than a second between them.
const SLOW: [&str; 4] = [
    "undust ingest - -o out.jsonl",
    "undust cluster - -o clusters.jsonl",
    "undust cluster - --state state -o clusters.jsonl",
    "undust train - --method tree --models new",
];

fn slowly(command: &str) -> String {
    format!("(cat crawl.jsonl; sleep 1.6; cat crawl.jsonl) | {command}")
}

#[test]
fn nothing_on_a_pipe_tells_how_far_a_job_is() {
    let folder = folder(&crawl("a.test", 60));
    for command in SLOW {
        let output = shell(folder.path(), &slowly(command)).output().expect("a run");
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        let described = stdout(&output) + &stderr(&output);
        assert!(!described.contains(['\u{1b}', '\r', '\u{8}']), "{command}: {described:?}");
        assert!(
            !described.contains(" read in ") && !described.contains('█'),
            "{command}: {described:?}"
        );
        assert!(described.lines().count() <= 3, "{command}: {described:?}");
    }
}

#[test]
fn a_terminal_tells_how_far_a_job_is() {
    let folder = folder(&crawl("a.test", 60));
    for command in SLOW {
        let described = on_terminal(folder.path(), 100, &slowly(command));
        assert!(
            described.contains(" read in ") && described.contains('\u{1b}'),
            "{command}: {described:?}"
        );
        let quiet = on_terminal(folder.path(), 100, &slowly(&format!("{command} --quiet")));
        assert_eq!(quiet, "", "{command}");
        _ = std::fs::remove_dir_all(folder.path().join("state"));
    }
}

/// What is left on a terminal of 80 columns at the end.
fn screen(shown: &str) -> String {
    let mut terminal = vt100::Parser::new(40, 80, 0);
    terminal.process(shown.as_bytes());
    terminal.screen().contents()
}

/// Lines of progress are drawn over and over, and no line of a result may stand where they do.
#[test]
fn every_site_keeps_its_line_and_no_bar_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["blog", "shop", "library", "lists", "forum", "store"];
    let crawls = names.map(|name| data(&format!("{name}.jsonl.gz")).display().to_string());
    let line = format!("undust train {}", crawls.join(" "));
    let (shown, status) = Terminal::run(folder.path(), 80, &line).rest();
    let left = screen(&shown);
    assert!(status.success(), "{left}");
    for name in names {
        let result = format!("models/{name}.test: ");
        assert!(left.lines().any(|line| line.starts_with(&result)), "{name}:\n{left}");
    }
    for bar in ["testing edits", "accepting edits", "sites done", "left", "█"] {
        assert!(!left.contains(bar), "{bar}:\n{left}");
    }
    assert!(shown.contains("sites done"), "nothing was drawn: {shown:?}");
}

#[test]
fn tables_are_as_wide_as_the_terminal() {
    let folder = trained();
    let network = format!("undust show {}", models_of_format(5).join("a.test").display());
    for command in [
        "undust models",
        "undust show models/a.test",
        "undust evaluate crawl.jsonl --methods keep-all,tree",
        "undust observe crawl.jsonl",
        &network,
    ] {
        for columns in [60, 100] {
            let line = format!("{command} 2> stderr");
            let described = plain(&on_terminal(folder.path(), columns, &line));
            // Between the tables of `evaluate` stand sentences, which a terminal wraps by itself.
            let is_cut = |line: &&str| !command.contains("evaluate") || line.contains(TABLE);
            let lines = described.lines().map(str::trim_end).filter(is_cut);
            let widest = lines.map(|line| line.chars().count()).max();
            assert!(
                widest.is_some_and(|widest| widest <= columns.into()),
                "{command} {columns}:\n{described}"
            );
        }
    }
    let described = on_terminal(folder.path(), 60, "undust models");
    assert!(described.contains("a-name-") && described.contains('…'), "{described}");
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
        let described = on_terminal("", "");
        assert!(is_colored(&described), "{command}: {described:?}");
        for (prefix, flags) in
            [("NO_COLOR=1", ""), ("", "--color never"), ("UNDUST_COLOR=never", "")]
        {
            let described = on_terminal(prefix, flags);
            assert!(
                !described.is_empty() && !is_colored(&described),
                "{prefix} {command} {flags}: {described:?}"
            );
        }
        let piped = |prefix: &str, flags: &str| {
            let output = shell(folder.path(), &format!("{prefix} {command} {flags}")).output();
            let output = output.expect("a run");
            stdout(&output) + &stderr(&output)
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
        let mut terminal = Terminal::run(folder.path(), 80, "exec undust translate");
        // The terminal keeps what is typed until the program reads it.
        terminal.type_keys(&format!("{typed}\x04"));
        let ended = ends_within(terminal.process(), Duration::from_secs(20));
        assert!(ended.is_some_and(|status| status.success()), "{typed:?}: {ended:?}");
    }
}
