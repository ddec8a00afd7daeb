//! Places in a journal.

use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// A place in a journal, after a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::engine) struct Position {
    pub(super) part: u32,
    /// Lines, and bytes, of that part.
    pub(super) lines: u64,
    pub(super) bytes: u64,
    /// Hash of these bytes.
    hash: u64,
}

impl Position {
    /// Before the first line.
    pub(in crate::engine) fn begin() -> Self {
        Self { part: 1, lines: 0, bytes: 0, hash: Xxh3Default::new().digest() }
    }

    /// After so many bytes of a part.
    pub(super) fn of(part: u32, lines: impl BufRead, bytes: u64) -> io::Result<Self> {
        let (mut hash, mut count) = (Xxh3Default::new(), 0);
        let mut lines = lines.take(bytes);
        loop {
            let read = lines.fill_buf()?;
            if read.is_empty() {
                break;
            }
            hash.update(read);
            count += read.iter().filter(|byte| **byte == b'\n').count() as u64;
            let len = read.len();
            lines.consume(len);
        }
        Ok(Self { part, lines: count, bytes: bytes - lines.limit(), hash: hash.digest() })
    }
}
