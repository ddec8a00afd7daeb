//! The targets of the fuzzer, on its seeds and on all that it ever found.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use crate::targets::{TARGETS, root};

/// Every file of a target: `fuzz/corpus/TARGET` and `fuzz/found/TARGET`.
fn inputs(target: &str) -> Vec<PathBuf> {
    let folders = ["corpus", "found"].map(|kind| root().join("fuzz").join(kind).join(target));
    let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut files: Vec<_> = files.map(|file| file.expect("an entry").path()).collect();
    files.sort_unstable();
    files
}

#[test]
fn every_input_of_the_fuzzer_holds() {
    if !root().join("fuzz").exists() {
        println!("the fuzzer is no part of the package on crates.io");
        return;
    }
    let mut failed = Vec::new();
    for (target, check) in TARGETS {
        let inputs = inputs(target);
        assert!(!inputs.is_empty(), "{target} has no seed");
        for input in inputs {
            let bytes = fs::read(&input).expect("a file");
            if catch_unwind(AssertUnwindSafe(|| check(&bytes))).is_err() {
                failed.push(input);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
