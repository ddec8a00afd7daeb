//! The block of an archive's record while it is read, and what it may have swallowed.

use std::io::{self, BufRead, Write};

use tempfile::SpooledTempFile;

use super::device::is_damage;
use super::source::Source;

/// A block with the beginning of a record inside is believed for so many bytes more. A wrong
/// length costs as much space on disk until it is found out.
const BELIEVED_BYTES: u64 = if cfg!(test) { 1 << 24 } else { 1 << 30 };
/// Bytes of such a block that are kept in memory rather than on disk.
const SPOOL_BYTES: usize = 1 << 20;
/// Bytes behind a block that may be blank before the next record.
const BLANK_BYTES: usize = 64;

/// Bytes by which a length may be too small before its record is damaged.
const NEARLY: usize = 8;

/// How the records of a format begin and end.
pub(super) struct Marks {
    /// Where the first record begins inside these bytes, behind a line feed.
    pub find: fn(&[u8]) -> Option<usize>,
    /// Whether a record begins with these bytes.
    pub begins: fn(&[u8]) -> bool,
    /// Whether a block may end before these bytes, whatever follows them. The flag says
    /// whether a record seemed to begin inside the block.
    pub ends: fn(&[u8], bool) -> bool,
    /// Bytes in which the beginning of a record shows.
    pub reach: usize,
}

/// A block that was read.
pub(super) enum Taken {
    /// At most as many bytes as were wanted, and whether the block was longer.
    Whole(Vec<u8>, bool),
    /// What there is of a block that the end of the input cuts, and how it ended.
    CutOff(Vec<u8>, io::Error),
    /// Its length is wrong: the reason.
    Damaged(&'static str),
}

/// Reads blocks. A record's length is believed until it proves wrong: what looks like a record
/// inside a page is part of the page, whoever wrote it there. Where a length was wrong, what it
/// swallowed is read a second time, and there no length is believed over the beginning of
/// another record. So no byte is read more than twice.
pub(super) struct Blocks<'s> {
    pub source: &'s mut Source,
    marks: &'static Marks,
    /// Up to this position the input is read for the second time.
    doubtful: u64,
}

/// How a block ended.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// Where its length says.
    Claimed,
    /// Before, with the input.
    Input,
    /// Before, because another record begins there.
    Record,
    /// Before, because it cannot be believed any longer.
    Unbelieved,
}

impl<'s> Blocks<'s> {
    pub(super) fn new(source: &'s mut Source, marks: &'static Marks) -> Blocks<'s> {
        Blocks { source, marks, doubtful: 0 }
    }

    /// Reads the block that begins here; at most `hold` bytes of it are kept.
    pub(super) fn take(&mut self, length: u64, hold: usize) -> io::Result<Taken> {
        let mut block = Block::new(hold);
        let end = match self.read(&mut block, length) {
            Ok(end) => end,
            Err(error) => return self.broken(block, error),
        };
        if end == End::Claimed && self.at_boundary(block.record.is_some()) {
            return Ok(Taken::Whole(block.held, length > hold as u64));
        }
        if end == End::Claimed && block.record.is_none() && self.is_nearly_at_boundary() {
            return Ok(Taken::Whole(block.held, true));
        }
        // At the border of a member the next record stands already.
        if end == End::Input && block.record.is_none() {
            return Ok(Taken::CutOff(block.held, cut()));
        }
        if end != End::Record {
            self.take_back(block)?;
        }
        Ok(Taken::Damaged(match end {
            End::Claimed => "does not end where its length says",
            _ => "is shorter than its length",
        }))
    }

    /// What was swallowed before damage may be good.
    fn broken(&mut self, block: Block, error: io::Error) -> io::Result<Taken> {
        if !is_damage(&error) {
            return Err(error);
        }
        if block.record.is_some() {
            self.take_back(block)?;
            return Ok(Taken::Damaged("is shorter than its length"));
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Ok(Taken::CutOff(block.held, error)),
            _ => Err(error),
        }
    }

    /// Reads a block, to its claimed length if that is believed so far.
    fn read(&mut self, block: &mut Block, length: u64) -> io::Result<End> {
        let reach = self.marks.reach;
        let is_doubtful = self.source.position() < self.doubtful;
        // Nothing between this record and the next.
        if length > 0 && (self.marks.begins)(self.source.peek(reach)) {
            if is_doubtful {
                return Ok(End::Record);
            }
            block.record_begins();
        }
        while block.bytes < length {
            if self.source.begins_member() && (self.marks.begins)(self.source.peek(reach)) {
                return Ok(End::Record);
            }
            if block.is_unbelieved() {
                return Ok(End::Unbelieved);
            }
            let to_member = self.source.bytes_to_member();
            let ahead = self.source.peek(reach);
            if ahead.is_empty() && self.source.fill_buf()?.is_empty() {
                return Ok(End::Input);
            }
            let ahead = self.source.peek(0);
            let left = usize::try_from(length - block.bytes).unwrap_or(usize::MAX);
            let step = ahead.len().min(left).min(to_member.unwrap_or(usize::MAX));
            let found = (self.marks.find)(&ahead[..step]);
            // The beginning of a record may stand across the end of what is in sight.
            let step = match found {
                Some(at) => at,
                None if step >= reach => step - (reach - 1),
                None => step,
            };
            block.take(&ahead[..step])?;
            self.source.consume(step);
            if found.is_some() {
                if is_doubtful {
                    return Ok(End::Record);
                }
                block.record_begins();
            }
        }
        Ok(End::Claimed)
    }

    /// Whether the source is where a record may end.
    fn at_boundary(&mut self, holds_record: bool) -> bool {
        let marks = self.marks;
        let ahead = self.behind();
        let next = ahead.trim_ascii_start();
        (marks.ends)(ahead, holds_record) || next.is_empty() || (marks.begins)(next)
    }

    /// What stands behind a block, as far as it tells whether a record may end there: no more, though
    /// more may be in sight.
    fn behind(&mut self) -> &[u8] {
        let wanted = self.marks.reach + BLANK_BYTES;
        let ahead = self.source.peek(wanted);
        &ahead[..ahead.len().min(wanted)]
    }

    /// Whether the next record begins so soon that the length is wrong by a few bytes only: of the
    /// page hardly anything is missing. These bytes are passed over.
    fn is_nearly_at_boundary(&mut self) -> bool {
        let marks = self.marks;
        let ahead = self.behind();
        let begins = |skipped: &usize| {
            let rest = ahead.get(*skipped..).unwrap_or_default();
            rest.first().is_some_and(u8::is_ascii_whitespace)
                && (marks.begins)(rest.trim_ascii_start())
        };
        let found = (1..=NEARLY).find(begins);
        if let Some(skipped) = found {
            self.source.consume(skipped);
        }
        found.is_some()
    }

    /// Lets everything be read again from the first record that a block of wrong length
    /// swallowed.
    fn take_back(&mut self, block: Block) -> io::Result<()> {
        let end = self.source.position();
        if block.take_back(self.source)? {
            self.doubtful = self.doubtful.max(end);
        }
        Ok(())
    }
}

/// The error for an input that ends inside a record.
pub(super) fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends too early")
}

/// A block, its first bytes held. If a record seems to begin inside, everything behind that
/// is kept, in a file without a name: it is read again if the length was wrong.
struct Block {
    held: Vec<u8>,
    hold: usize,
    /// Bytes read.
    bytes: u64,
    /// Where the first record begins inside.
    record: Option<u64>,
    swallowed: Option<SpooledTempFile>,
}

impl Block {
    /// A block of which at most `hold` bytes are wanted.
    fn new(hold: usize) -> Block {
        Block { held: Vec::new(), hold, bytes: 0, record: None, swallowed: None }
    }

    /// Takes the next bytes.
    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = (self.hold - self.held.len()).min(bytes.len());
        self.held.extend_from_slice(&bytes[..room]);
        self.bytes += bytes.len() as u64;
        if self.record.is_some() && room < bytes.len() {
            let new = || SpooledTempFile::new(SPOOL_BYTES);
            self.swallowed.get_or_insert_with(new).write_all(&bytes[room..])?;
        }
        Ok(())
    }

    /// A record seems to begin with the next byte.
    fn record_begins(&mut self) {
        self.record.get_or_insert(self.bytes);
    }

    /// Whether so much follows the beginning of a record that the length cannot be right.
    fn is_unbelieved(&self) -> bool {
        self.record.is_some_and(|record| self.bytes - record > BELIEVED_BYTES)
    }

    /// Lets the source read again from the first record that begins inside; false if none does.
    fn take_back(self, source: &mut Source) -> io::Result<bool> {
        let Some(record) = self.record else { return Ok(false) };
        let start = usize::try_from(record).unwrap_or(usize::MAX).min(self.held.len());
        match self.swallowed {
            Some(file) => source.unread_file(&self.held[start..], file)?,
            None => source.unread(&self.held[start..]),
        }
        Ok(true)
    }
}
