//! The part of a block that is kept while it is read.

use std::io::{self, Write};

use tempfile::SpooledTempFile;

use crate::source::Source;

/// The length of a block with the beginning of a record inside is trusted for this many more bytes.
/// A wrong length takes as much space on disk until it is detected.
const BELIEVED_BYTES: u64 = if cfg!(test) { 1 << 24 } else { 1 << 30 };
/// Bytes of such a block that are kept in memory rather than on disk.
const SPOOL_BYTES: usize = 1 << 20;

/// A block whose first bytes are kept. If a record seems to begin inside, everything after that
/// point is also kept, in an unnamed file; it is read again if the length was wrong.
pub(super) struct Block {
    /// The first bytes.
    pub held: Vec<u8>,
    hold: usize,
    /// Bytes read.
    pub bytes: u64,
    /// The position of the first record that begins inside.
    pub record: Option<u64>,
    /// Whether the bytes from there on are kept to be read again.
    keeps: bool,
    swallowed: Option<SpooledTempFile>,
}

impl Block {
    /// A block; at most `hold` bytes of it are wanted. The flag says whether it may be read again.
    pub(super) fn new(hold: usize, keeps: bool) -> Block {
        Block { held: Vec::new(), hold, bytes: 0, record: None, keeps, swallowed: None }
    }

    /// Whether there are bytes to be read again.
    pub(super) fn may_go_back(&self) -> bool {
        self.keeps && self.record.is_some()
    }

    /// Takes the next bytes.
    pub(super) fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = (self.hold - self.held.len()).min(bytes.len());
        self.held.extend_from_slice(&bytes[..room]);
        self.bytes += bytes.len() as u64;
        if self.may_go_back() && room < bytes.len() {
            let new = || SpooledTempFile::new(SPOOL_BYTES);
            self.swallowed.get_or_insert_with(new).write_all(&bytes[room..])?;
        }
        Ok(())
    }

    /// A record seems to begin with the next byte.
    pub(super) fn record_begins(&mut self) {
        self.record.get_or_insert(self.bytes);
    }

    /// Whether too many bytes follow the beginning of a record for its length to be right.
    pub(super) fn is_unbelieved(&self) -> bool {
        self.keeps && self.record.is_some_and(|record| self.bytes - record > BELIEVED_BYTES)
    }

    /// Makes the source read again from the first record that begins inside; false if none does.
    pub(super) fn take_back(self, source: &mut Source) -> io::Result<bool> {
        let Some(record) = self.record.filter(|_| self.keeps) else { return Ok(false) };
        let start = usize::try_from(record).unwrap_or(usize::MAX).min(self.held.len());
        match self.swallowed {
            Some(file) => source.unread_file(&self.held[start..], file)?,
            None => source.unread(&self.held[start..]),
        }
        Ok(true)
    }
}
