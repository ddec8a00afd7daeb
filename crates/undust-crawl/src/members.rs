//! Decompression, member by member (gzip, RFC 1952) or frame by frame (zstd, RFC 8878), that
//! continues after damage.
//!
//! Archives write one member per record, so that damage affects only one record. The usual decoders
//! stop at the first damage.

mod codec;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use memchr::memmem;

use self::codec::{Codec, DecoderCall, damaged};
use super::member_signals::MemberSignals;
use super::peek_reader::PeekReader;

/// A decoder may read beyond a damaged member before the damage shows. The next members are
/// searched for again in this many bytes.
const LOOK_BACK: usize = 64 * 1024;

/// Decompressed bytes of all members.
///
/// Damage is an error of kind `InvalidData`, reported once. The next read continues with the next
/// member that can be found. An input that ends inside a member is an error of kind
/// `UnexpectedEof`, reported once. The bytes that could be decoded come before the error. In gzip
/// they do not depend on how the input is split into reads, except for the last symbol of a
/// truncated member.
pub(super) struct MultiMemberDecoder<R> {
    raw: PeekReader<R>,
    codec: Codec,
    state: State,
    /// Damage after the bytes of the last read.
    fault: Option<io::Error>,
    /// The last compressed bytes of the member so far.
    member: Vec<u8>,
    /// Up to this position the input is read for the second time.
    suspect_until: u64,
    /// The signals of each read.
    pub signals: Arc<MemberSignals>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Between,
    Inside,
    Lost,
}

impl<R: Read> MultiMemberDecoder<R> {
    /// The decoder of an input whose first bytes begin a member; else the input itself, from its first byte on.
    pub(super) fn of(mut raw: PeekReader<R>) -> io::Result<Result<Self, PeekReader<R>>> {
        let Some(codec) = Codec::of(&mut raw)? else { return Ok(Err(raw)) };
        let (state, fault, member) = (State::Between, None, Vec::new());
        let signals = Arc::default();
        Ok(Ok(Self { raw, codec, state, fault, member, suspect_until: 0, signals }))
    }

    /// Moves to the start of a member; false at the end.
    fn find_member(&mut self) -> io::Result<bool> {
        if self.state == State::Lost {
            return self.resync();
        }
        loop {
            let start = self.raw.peek(4);
            if self.codec.starts_member(start) {
                return Ok(true);
            }
            // Some writers pad with zeros between members.
            match start.first() {
                Some(0) => self.raw.consume(1),
                Some(_) => {
                    break Err(damaged("the data after a compressed member is not compressed"));
                }
                None => break self.raw.fill_buf().map(|_| false),
            }
        }
    }

    /// Searches for the next member after damage.
    fn resync(&mut self) -> io::Result<bool> {
        loop {
            let magic = self.codec.magic();
            let ahead = self.raw.peek(64 * 1024);
            if let Some(found) = memmem::find(ahead, magic) {
                self.raw.consume(found);
                return Ok(true);
            }
            if ahead.len() < magic.len() {
                return self.raw.fill_buf().map(|_| false);
            }
            let passed = ahead.len() - (magic.len() - 1);
            self.raw.consume(passed);
        }
    }

    fn decode(&mut self, out: &mut [u8]) -> io::Result<DecoderCall> {
        let input = self.raw.fill_buf()?;
        if input.is_empty() {
            self.state = State::Lost;
            let early = "the compressed data ends early";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, early));
        }
        let mut step = self.codec.step(input, out);
        if step.read == 0 && step.written == 0 && !step.ended {
            let stuck = "the compressed data is corrupt: the decoder makes no progress";
            step.fault.get_or_insert_with(|| damaged(stuck));
        }
        // Otherwise `resync` would find the magic of the lost member again.
        let read = step.read.max(usize::from(step.fault.is_some()));
        if self.member.len() > 2 * LOOK_BACK {
            self.member.drain(..self.member.len() - LOOK_BACK);
        }
        self.member.extend_from_slice(&input[..read]);
        self.raw.consume(read);
        self.signals.read.store(self.raw.position(), Ordering::Relaxed);
        Ok(step)
    }

    /// After damage: the next member begins after the beginning of this one. No byte is put back
    /// twice, however false members are nested.
    fn lose(&mut self, error: io::Error) -> io::Error {
        if error.kind() == io::ErrorKind::InvalidData {
            self.state = State::Lost;
            let end = self.raw.position();
            let known = end.saturating_sub(self.suspect_until).min(LOOK_BACK as u64) as usize;
            let from = self.member.len().saturating_sub(known).max(1);
            self.raw.unread(self.member.get(from..).unwrap_or_default());
            self.suspect_until = self.suspect_until.max(end);
        }
        error
    }
}

impl<R: Read> Read for MultiMemberDecoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            if let Some(fault) = self.fault.take() {
                return Err(self.lose(fault));
            }
            if self.state != State::Inside {
                self.member.clear();
                match self.find_member() {
                    Ok(true) => self.codec.restart()?,
                    Ok(false) => return Ok(0),
                    Err(error) => return Err(self.lose(error)),
                }
                self.state = State::Inside;
                self.signals.began.store(true, Ordering::Relaxed);
            }
            let step = self.decode(out)?;
            self.fault = step.fault;
            if step.ended {
                self.state = State::Between;
            }
            if step.written > 0 {
                return Ok(step.written);
            }
        }
        Ok(0)
    }
}
