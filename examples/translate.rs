//! Says of each URL of standard input what it becomes and why:
//! `cargo run --release --example translate -- MODELS < urls.txt`.

use std::path::PathBuf;

use undust::{Canonicalizer, Registry};

fn main() -> undust::Result<()> {
    let models = std::env::args_os().nth(1).map_or(PathBuf::from("models"), PathBuf::from);
    let registry = Registry::open(&models)?;
    for url in std::io::stdin().lines().map_while(Result::ok) {
        let translation = registry.canonicalize(&url);
        println!("{} {:?} {}", translation.canonical, translation.how, translation.cause);
    }
    Ok(())
}
