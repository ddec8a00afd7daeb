//! What is held of a block while it is read.

use std::io::{self, Write};

use tempfile::SpooledTempFile;

use crate::source::Source;

/// A block with the beginning of a record inside is believed for so many bytes more. A wrong
/// length costs as much space on disk until it is found out.
const BELIEVED_BYTES: u64 = if cfg!(test) { 1 << 24 } else { 1 << 30 };
/// Bytes of such a block that are kept in memory rather than on disk.
const SPOOL_BYTES: usize = 1 << 20;

/// A block, its first bytes held. If a record seems to begin inside, everything behind that
/// is kept, in a file without a name: it is read again if the length was wrong.
pub(super) struct Block {
    /// The first bytes.
    pub held: Vec<u8>,
    hold: usize,
    /// Bytes read.
    pub bytes: u64,
    /// Where the first record begins inside.
    pub record: Option<u64>,
    /// Whether that is kept to be read again.
    keeps: bool,
    swallowed: Option<SpooledTempFile>,
}

impl Block {
    /// A block of which at most `hold` bytes are wanted, and that may go back or not.
    pub(super) fn new(hold: usize, keeps: bool) -> Block {
        Block { held: Vec::new(), hold, bytes: 0, record: None, keeps, swallowed: None }
    }

    /// Whether there is something to be read again.
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

    /// Whether so much follows the beginning of a record that the length cannot be right.
    pub(super) fn is_unbelieved(&self) -> bool {
        self.keeps && self.record.is_some_and(|record| self.bytes - record > BELIEVED_BYTES)
    }

    /// Lets the source read again from the first record that begins inside; false if none does.
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
