//! The command line; see [`undust::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    undust::cli::run()
}
