//! Console blocks: lines that begin with `$ ` are commands, and all others what they print.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::support::{copy_folder, home, program, stderr};

/// What a fresh clone has that commands read. The blocks of one document share a place, so that a
/// later one may use what an earlier one made.
pub(super) struct Place(TempDir);

/// Stops at the first command that fails. Who has no `undust` yet runs it by cargo; that would
/// build it again here.
const BEGIN: &str = "
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
            copy_folder(&home().join(folder), &place.path().join(folder));
        }
        fs::copy(home().join("train.toml"), place.path().join("train.toml")).expect("settings");
        Self(place)
    }

    /// Runs the commands of a block, for at most five minutes.
    pub(super) fn run(&self, block: &str) -> Result<(), String> {
        let commands = commands(block);
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
        if output.status.success() { Ok(()) } else { Err(stderr(&output)) }
    }
}

/// The commands alone. One goes on over the next line where its own ends in a backslash, a pipe or
/// `&&`.
fn commands(block: &str) -> String {
    let mut goes_on = false;
    let mut commands = String::new();
    for line in block.lines() {
        let command = if goes_on { Some(line) } else { line.strip_prefix("$ ") };
        let Some(command) = command else { continue };
        goes_on = ["\\", "|", "&&"].iter().any(|end| command.trim_end().ends_with(end));
        commands += &format!("{command}\n");
    }
    commands
}

#[test]
fn commands_are_told_from_what_they_print() {
    let block = "$ echo a |\n    cat\na\n$ undust \\\n    show\n$ true\n1. $ 2\n";
    assert_eq!(commands(block), "echo a |\n    cat\nundust \\\n    show\ntrue\n");
}
