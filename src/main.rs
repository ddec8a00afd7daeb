//! The program `undust`.

#![deny(unsafe_code)]

mod cli;

/// The allocators of musl and glibc make training take twice as long, and a crawl of weeks grow with what threads have
/// freed, respectively.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
