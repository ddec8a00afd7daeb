//! Console blocks: lines that begin with `$ ` are commands, and all others what they print, in this
//! order. Between them a line `...` stands for any lines; within one `…` stands for any characters.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::support::{copy_folder, program, repository, stdout};

/// What a fresh clone has that commands read. The blocks of one document share a place, so that a
/// later one may use what an earlier one made.
pub(super) struct Place(TempDir);

/// Stops at the first command that fails. Who has no `undust` yet runs it by cargo; that would
/// build it again here.
const BEGIN: &str = "
exec 2>&1
set -euo pipefail
cargo() {
    if [ \"$1 $2 $3\" = 'run --release --' ]; then shift 3; undust \"$@\"; else
        echo \"cargo $* is not run here\" >&2; return 1
    fi
}
";

impl Place {
    pub(super) fn new() -> Self {
        let place = tempfile::tempdir().expect("a folder");
        for folder in ["data", "models", "examples"] {
            copy_folder(&repository().join(folder), &place.path().join(folder));
        }
        fs::copy(repository().join("train.toml"), place.path().join("train.toml"))
            .expect("settings");
        Self(place)
    }

    /// Runs the commands of a block, for at most five minutes, and compares what they print.
    pub(super) fn run(&self, block: &str) -> Result<(), String> {
        let (commands, _) = parts(block);
        if commands.is_empty() {
            return Err("no line begins with `$ `".to_owned());
        }
        let program = program();
        let mut path = program.parent().expect("a folder").as_os_str().to_owned();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let output = Command::new("timeout")
            .args(["300", "bash", "-c", &(BEGIN.to_owned() + &commands)])
            .current_dir(self.0.path())
            .env("PATH", path)
            .output()
            .expect("a shell");
        let printed = stdout(&output);
        if !output.status.success() {
            return Err(format!("It ends with {}:\n{printed}", output.status));
        }
        match missing(block, &printed) {
            Some(line) => Err(format!("This is not printed there:\n{line}\nbut:\n{printed}")),
            None => Ok(()),
        }
    }
}

/// A block's commands, and what they print. A command goes on over the next line where its own ends
/// in a backslash, a pipe or `&&`.
fn parts(block: &str) -> (String, Vec<&str>) {
    let (mut commands, mut printed) = (String::new(), Vec::new());
    let mut goes_on = false;
    for line in block.lines() {
        match if goes_on { Some(line) } else { line.strip_prefix("$ ") } {
            Some(command) => {
                goes_on = ["\\", "|", "&&"].iter().any(|end| command.trim_end().ends_with(end));
                commands += &format!("{command}\n");
            }
            None => printed.push(line),
        }
    }
    (commands, printed)
}

/// The first line of those that a block shows which is not printed where it should be.
fn missing<'a>(block: &'a str, printed: &str) -> Option<&'a str> {
    let mut lines = printed.lines().map(str::trim_end);
    let mut may_skip = false;
    for shown in parts(block).1 {
        if shown.trim() == "..." {
            may_skip = true;
            continue;
        }
        let is_it = |line: &str| is_like(shown.trim_end(), line);
        let is_found = if may_skip { lines.any(is_it) } else { lines.next().is_some_and(is_it) };
        if !is_found {
            return Some(shown);
        }
        may_skip = false;
    }
    None
}

fn is_like(shown: &str, line: &str) -> bool {
    let pieces: Vec<_> = shown.split('…').map(regex::escape).collect();
    let pattern = format!("^{}$", pieces.join(".*"));
    regex::Regex::new(&pattern).expect("a pattern").is_match(line)
}

#[test]
fn commands_are_told_from_what_they_print() {
    let block = "$ echo a |\n    cat\na\n$ undust \\\n    show\n$ true\n1. $ 2\n";
    let commands = "echo a |\n    cat\nundust \\\n    show\ntrue\n".to_owned();
    assert_eq!(parts(block), (commands, vec!["a", "1. $ 2"]));
}

#[test]
fn what_is_shown_is_what_is_printed() {
    let printed = "first\nsecond line\nthird\nfourth\n";
    for shown in ["", "first\nsecond…\n", "...\nthird\nfourth\n", "first\n...\nfo…th\n", "...\n"]
    {
        assert_eq!(missing(shown, printed), None, "{shown}");
    }
    for (shown, wrong) in [("second line\n", "second line"), ("first\nthird\n", "third")] {
        assert_eq!(missing(shown, printed), Some(wrong));
    }
    assert_eq!(missing("fourth\nfifth", printed), Some("fourth"));
    assert_eq!(missing("...\nfourth\n...\nthird\n", printed), Some("third"));
}
