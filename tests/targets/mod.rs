//! What holds for every input: one file a target, each with one function that takes any bytes.
//! The fuzzer (`fuzz/`) asks them millions of times; `tests/corpus.rs` asks them on the seeds and
//! on all that was ever found.

pub mod access_log;
pub mod entries;
pub mod folder;
pub mod gate;
pub mod http;
pub mod manifest;
pub mod pack;
pub mod page;
pub mod queue;
pub mod reading;
pub mod rules;
pub mod serving;
pub mod url;
pub mod warc;

use std::path::{Path, PathBuf};

/// A target: the name of its folders in `fuzz/`, and what it asserts of bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 12] = [
    ("access_log", access_log::check),
    ("entries", entries::check),
    ("folder", folder::check),
    ("gate", gate::check),
    ("http", http::check),
    ("manifest", manifest::check),
    ("pack", pack::check),
    ("page", page::check),
    ("queue", queue::check),
    ("rules", rules::check),
    ("url", url::check),
    ("warc", warc::check),
];

/// The folder of the crate; the fuzzer's package is a part of it.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = if here.ends_with("fuzz") { here.parent().unwrap_or(here) } else { here };
    root.to_path_buf()
}

/// Bytes as text, whatever they are.
pub fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Two inputs in one: the bytes before the first zero, and those behind it.
pub fn halves(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|&byte| byte == 0) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[]),
    }
}
