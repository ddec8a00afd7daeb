//! The block (content) of an archive's record while it is read, and records that a wrong length put
//! inside it.

mod held;

use std::io::{self, BufRead, Read};

use undust_util::op_counter;

use self::held::Block;
use super::device::is_damage;
use super::lines::{ReadLine, read_line};
use super::source::Source;

/// Largest number of blank bytes after a block and before the next record.
const BLANK_BYTES: usize = 64;

/// Largest distance at which the next member is searched for after damage in a member, whose bytes
/// meanwhile stay in memory.
const SIGHT_BYTES: usize = 8 << 20;
/// Largest number of members that are inspected.
const SIGHT_MEMBERS: usize = 64;

/// Bytes by which a length may be too small before its record counts as damaged.
const NEARLY: usize = 8;

/// How the records of a format begin and end.
pub(super) struct RecordSyntax {
    /// The position at which the first record begins inside these bytes, after a line feed.
    pub find: fn(&[u8]) -> Option<usize>,
    /// Whether a record begins with these bytes.
    pub begins: fn(&[u8]) -> bool,
    /// Whether a block may end before these bytes, whatever follows them. The flag is true if a
    /// record seemed to begin inside the block.
    pub ends: fn(&[u8], bool) -> bool,
    /// Bytes that are enough to recognise the beginning of a record.
    pub reach: usize,
}

/// A block that was read.
pub(super) enum Taken {
    /// At most as many bytes as were wanted, and whether the block was longer.
    Whole(Vec<u8>, bool),
    /// The part of a block before the end of a truncated input, and how it ended.
    CutOff(Vec<u8>, io::Error),
    /// Its length is wrong: the reason.
    Damaged(&'static str),
}

/// Reads blocks. A record's length is trusted until it turns out to be wrong: text inside a page
/// that looks like a record is part of the page. If a length was wrong, the records that it covered
/// are read a second time, and then no length is trusted beyond the beginning of another record. So
/// no byte is read more than twice.
///
/// Most archives write one compressed member per record. Then a damaged record ends with its
/// member, and nothing inside is read a second time. Such a member begins with the record, and
/// either the member before it also held one record, or the next one begins with a record. If a
/// whole file is one member, neither is true.
pub(super) struct RecordBodies<'s> {
    source: &'s mut Source,
    syntax: &'static RecordSyntax,
    /// Up to this position the input is read for the second time.
    suspect_until: u64,
    /// Whether a member began after the last record.
    starts_member: bool,
    /// Whether this record is the first of its member.
    is_first: bool,
    /// Whether the first record of the previous member was also its only one.
    is_packed: bool,
}

/// How a block ended.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// At the position given by its length.
    Claimed,
    /// Earlier, at the end of the input.
    Input,
    /// Earlier, because another record begins there.
    Record,
    /// Earlier, because its length can no longer be trusted.
    Unbelieved,
}

impl<'s> RecordBodies<'s> {
    pub(super) fn new(source: &'s mut Source, syntax: &'static RecordSyntax) -> RecordBodies<'s> {
        RecordBodies {
            source,
            syntax,
            suspect_until: 0,
            starts_member: false,
            is_first: false,
            is_packed: false,
        }
    }

    /// The number of decompressed bytes so far for each byte of the file.
    pub(super) fn swelling(&self) -> u64 {
        self.source.swelling()
    }

    /// Reads a line. It ends at the latest at a member that begins with a record.
    pub(super) fn line(&mut self, line: &mut Vec<u8>) -> io::Result<ReadLine> {
        self.source.peek(1);
        self.starts_member |= self.source.begins_member();
        let start = self.source.position();
        read_line(&mut UpToMember { source: self.source, syntax: self.syntax, start }, line)
    }

    /// Puts a line back to be read again.
    pub(super) fn unread_line(&mut self, line: &[u8]) {
        self.source.unread(&[line, b"\n"].concat());
    }

    /// A record begins with the line that was read.
    pub(super) fn begin(&mut self) {
        self.is_packed = self.starts_member && self.is_first;
        self.is_first = self.starts_member;
        self.starts_member = false;
    }

    /// The line that was read should have begun a record. If it does not begin a member, it belongs
    /// to the previous record.
    pub(super) fn stray(&mut self) {
        if self.starts_member {
            self.begin();
        }
    }

    /// Whether a member begins here, and a record with it.
    pub(super) fn record_begins_member(&mut self) -> bool {
        begins_member(self.source, self.syntax)
    }

    /// After damage: skips the rest of a member that holds one record.
    pub(super) fn pass(&mut self) -> io::Result<()> {
        if self.owns_member() {
            self.read(&mut Block::new(0, false), u64::MAX)?;
        }
        Ok(())
    }

    /// Whether the whole rest of the member belongs to the record.
    fn owns_member(&mut self) -> bool {
        self.is_first && (self.is_packed || self.record_member_follows())
    }

    /// Whether a member in the buffer begins with a record.
    fn record_member_follows(&mut self) -> bool {
        if self.record_begins_member() {
            return true;
        }
        let mut passed = 0;
        while passed < SIGHT_MEMBERS {
            op_counter::count(1);
            if let Some(at) = self.source.bytes_to_member(passed) {
                if (self.syntax.begins)(&self.source.peek(at + self.syntax.reach)[at..]) {
                    return true;
                }
                passed += 1;
                continue;
            }
            let sight = self.source.peek(0).len();
            if sight > SIGHT_BYTES || self.source.peek(sight + 1).len() == sight {
                return false;
            }
        }
        false
    }

    fn is_suspect(&self) -> bool {
        self.source.position() < self.suspect_until
    }

    /// Reads the block that begins here; at most `hold` bytes of it are kept. `is_part` returns
    /// whether a block is known to differ from the one that was written.
    pub(super) fn take(
        &mut self,
        length: u64,
        hold: usize,
        is_part: impl FnOnce(&[u8]) -> bool,
    ) -> io::Result<Taken> {
        let mut block = Block::new(hold, !self.is_packed);
        let end = match self.read(&mut block, length) {
            Ok(end) => end,
            Err(error) => return self.broken(block, error),
        };
        let is_held = length <= hold as u64;
        if end == End::Claimed && is_held && self.member_goes_on() && is_part(&block.held) {
            return Ok(Taken::Damaged("is longer than its length"));
        }
        if end == End::Claimed && self.at_boundary(block.record.is_some()) {
            return Ok(Taken::Whole(block.held, length > hold as u64));
        }
        if end == End::Claimed && block.record.is_none() && self.is_nearly_at_boundary() {
            return Ok(Taken::Whole(block.held, true));
        }
        if end == End::Input && !block.may_go_back() {
            return Ok(Taken::CutOff(block.held, cut()));
        }
        match end {
            // The next record stands there already, or where the member ends.
            End::Record => {}
            End::Claimed if self.owns_member() => {}
            _ => self.take_back(block)?,
        }
        Ok(Taken::Damaged(match end {
            End::Claimed => "does not end where its length says",
            _ => "is shorter than its length",
        }))
    }

    /// Records that a wrong length covered before damage may be valid.
    fn broken(&mut self, block: Block, error: io::Error) -> io::Result<Taken> {
        if !is_damage(&error) {
            return Err(error);
        }
        if block.may_go_back() && !(self.is_first && self.record_begins_member()) {
            self.take_back(block)?;
            return Ok(Taken::Damaged("is shorter than its length"));
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Ok(Taken::CutOff(block.held, error)),
            _ => Err(error),
        }
    }

    /// Reads a block up to its claimed length, while that is trusted.
    fn read(&mut self, block: &mut Block, length: u64) -> io::Result<End> {
        let reach = self.syntax.reach;
        let is_suspect = self.is_suspect();
        // Nothing between this record and the next.
        if length > 0 && (self.syntax.begins)(self.source.peek(reach)) {
            if is_suspect {
                return Ok(End::Record);
            }
            block.record_begins();
        }
        while block.bytes < length {
            if self.record_begins_member() {
                return Ok(End::Record);
            }
            if block.is_unbelieved() {
                return Ok(End::Unbelieved);
            }
            if self.source.peek(reach).is_empty() && self.source.fill_buf()?.is_empty() {
                return Ok(End::Input);
            }
            if self.step(block, length)? {
                if is_suspect {
                    return Ok(End::Record);
                }
                block.record_begins();
            }
        }
        Ok(End::Claimed)
    }

    /// Takes the part of a block that is in the buffer, up to a position where a record seems to
    /// begin; returns whether one does.
    fn step(&mut self, block: &mut Block, length: u64) -> io::Result<bool> {
        let reach = self.syntax.reach;
        // Looking ahead may have found a member.
        let to_member = self.source.bytes_to_member(0).unwrap_or(usize::MAX);
        let ahead = self.source.peek(0);
        let left = usize::try_from(length - block.bytes).unwrap_or(usize::MAX);
        let within = ahead.len().min(left);
        let step = within.min(to_member);
        // A mark may stand across the beginning of a member that means nothing.
        let found = (self.syntax.find)(&ahead[..within.min(step + reach - 1)]);
        let found = found.filter(|&at| at < step);
        // The beginning of a record may stand across the end of what is in sight.
        let step = match found {
            Some(at) => at,
            None if step >= reach => step - (reach - 1),
            None => step,
        };
        block.take(&ahead[..step])?;
        self.source.consume(step);
        Ok(found.is_some())
    }

    /// Whether a record may end at the current position of the source.
    fn at_boundary(&mut self, holds_record: bool) -> bool {
        let syntax = self.syntax;
        let ahead = self.behind();
        let next = ahead.trim_ascii_start();
        (syntax.ends)(ahead, holds_record) || next.is_empty() || (syntax.begins)(next)
    }

    /// Whether a member that should end with this record continues with enough bytes for another
    /// record. These may be a record, or a page that imitates one after a length that is too short.
    fn member_goes_on(&mut self) -> bool {
        let rest = self.wanted_behind();
        self.is_packed
            && self.behind().len() == rest
            && self.source.bytes_to_member(0).is_none_or(|bytes| bytes >= rest)
    }

    /// Bytes that show whether a record may end before them.
    fn wanted_behind(&self) -> usize {
        self.syntax.reach + BLANK_BYTES
    }

    /// The bytes after a block that show whether a record may end there; no more of them, although
    /// more may be in the buffer.
    fn behind(&mut self) -> &[u8] {
        let wanted = self.wanted_behind();
        let ahead = self.source.peek(wanted);
        &ahead[..ahead.len().min(wanted)]
    }

    /// Whether the next record begins so soon that the length is wrong by a few bytes only, and
    /// hardly anything of the page is missing. These bytes are skipped.
    fn is_nearly_at_boundary(&mut self) -> bool {
        let syntax = self.syntax;
        let ahead = self.behind();
        let begins = |skipped: &usize| {
            let rest = ahead.get(*skipped..).unwrap_or_default();
            rest.first().is_some_and(u8::is_ascii_whitespace)
                && (syntax.begins)(rest.trim_ascii_start())
        };
        let found = (1..=NEARLY).find(begins);
        if let Some(skipped) = found {
            self.source.consume(skipped);
        }
        found.is_some()
    }

    /// Goes back to the first record inside a block of wrong length, so that everything from there
    /// is read again.
    fn take_back(&mut self, block: Block) -> io::Result<()> {
        let end = self.source.position();
        if block.take_back(self.source)? {
            self.suspect_until = self.suspect_until.max(end);
        }
        Ok(())
    }
}

/// Whether a member begins here, and a record with it.
fn begins_member(source: &mut Source, syntax: &RecordSyntax) -> bool {
    source.peek(1);
    source.begins_member() && (syntax.begins)(source.peek(syntax.reach))
}

/// The bytes before the next member that begins with a record. If a member begins inside a line,
/// the line has lost its end, and the following bytes do not belong to it.
struct UpToMember<'s> {
    source: &'s mut Source,
    syntax: &'static RecordSyntax,
    /// The position where reading began. The beginning of a member there does not count as an end.
    start: u64,
}

impl BufRead for UpToMember<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.source.position() > self.start && begins_member(self.source, self.syntax) {
            return Ok(&[]);
        }
        self.source.fill_buf()?;
        let to_member = self.source.bytes_to_member(0).unwrap_or(usize::MAX);
        let ahead = self.source.peek(0);
        Ok(&ahead[..ahead.len().min(to_member)])
    }

    fn consume(&mut self, bytes: usize) {
        self.source.consume(bytes);
    }
}

impl Read for UpToMember<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// The error for an input that ends inside a record.
pub(super) fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends early")
}
