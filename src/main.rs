//! The program `undust`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
