//! The program `undust`.

#![deny(unsafe_code)]

mod cli;

/// With glibc's allocator a crawl of weeks grows with what threads have freed. With musl's, training takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
