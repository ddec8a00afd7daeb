//! A buffered reader that can look ahead, put bytes back, and report where compressed members
//! begin.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Seek};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tempfile::SpooledTempFile;

use super::growth::{self, Growth};
use super::member_signals::MemberSignals;

/// Bytes read at once from the inner reader. With fewer at first, a WARC file in gzip took 72 MB
/// instead of 32, because decompression in small steps fragments glibc's heap.
const READ_BYTES: usize = 256 * 1024;

/// A [`BufRead`] with unbounded look-ahead.
pub struct PeekReader<R> {
    inner: R,
    /// Bytes that were read are in `start..end`; the space after them stays initialized.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// An error met while looking ahead. It is reported after the bytes before it are read.
    pending: Option<io::Error>,
    /// Bytes that were put back; they come after the buffer and before those of `inner`.
    again: Option<Again>,
    /// Bytes consumed, minus those put back.
    position: u64,
    /// Bytes consumed, counted each time.
    work: u64,
    signals: Option<Arc<MemberSignals>>,
    /// The input that this one is in.
    whole: Option<Arc<Growth>>,
    /// Whether it became too much, and ends here.
    is_too_much: bool,
    /// The positions at which members begin, from the member that was read last.
    members: VecDeque<u64>,
}

/// A file to be read again, and the bytes after it that were already read ahead.
struct Again {
    file: SpooledTempFile,
    after: Vec<u8>,
}

impl<R: Read> PeekReader<R> {
    pub(super) fn new(inner: R) -> Self {
        PeekReader {
            inner,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            pending: None,
            again: None,
            position: 0,
            work: 0,
            signals: None,
            whole: None,
            is_too_much: false,
            members: VecDeque::new(),
        }
    }

    /// Over the bytes of compressed members; the decoder reports when one begins.
    pub(super) fn of_members(inner: R, signals: Arc<MemberSignals>) -> Self {
        PeekReader { signals: Some(signals), ..PeekReader::new(inner) }
    }

    /// Says that this is a part of another input, whose bytes count.
    pub(super) fn is_part_of(&mut self, whole: Arc<Growth>) {
        let made = self.ahead().len() as u64;
        whole.made.fetch_add(made, Ordering::Relaxed);
        self.whole = Some(whole);
    }

    /// The number of decompressed bytes so far for each byte of the file; 1 if it is not
    /// compressed.
    pub(super) fn swelling(&self) -> u64 {
        if let Some(whole) = &self.whole {
            return whole.times().max(1);
        }
        let made = self.position + self.ahead().len() as u64;
        self.signals
            .as_ref()
            .map_or(1, |signals| made / signals.read.load(Ordering::Relaxed).max(1))
    }

    /// Whether no more became of what was read than may.
    fn check_growth(&self, end: usize) -> io::Result<()> {
        let made = self.position + (end - self.start) as u64;
        match (&self.whole, &self.signals) {
            (Some(whole), _) => {
                let [read, made] =
                    [&*whole.read, &whole.made].map(|one| one.load(Ordering::Relaxed));
                growth::check(read, made)
            }
            (None, Some(signals)) => growth::check(signals.read.load(Ordering::Relaxed), made),
            (None, None) => Ok(()),
        }
    }

    /// At least `bytes` bytes, without consuming them. Fewer only before the end, or before an
    /// error, which a later read reports.
    pub(super) fn peek(&mut self, bytes: usize) -> &[u8] {
        while self.end - self.start < bytes && self.pending.is_none() {
            match self.grow() {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => self.pending = Some(error),
            }
        }
        self.ahead()
    }

    /// Bytes that were read but not consumed.
    fn ahead(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Whether looking ahead met an error that no read has reported yet.
    pub(super) fn has_failed(&self) -> bool {
        self.pending.is_some()
    }

    /// Bytes from the beginning to the one that is read next.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Bytes consumed so far; bytes that were put back count each time.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Whether a compressed member begins with the byte that is read next.
    pub(super) fn begins_member(&self) -> bool {
        self.members.binary_search(&self.position).is_ok()
    }

    /// Bytes to the beginning of the next member, or of a later one, if it is in the buffer.
    pub(super) fn bytes_to_member(&self, passed: usize) -> Option<usize> {
        let ahead = self.members.partition_point(|&member| member <= self.position);
        let member = self.members.get(ahead + passed)?;
        Some((member - self.position) as usize)
    }

    /// Puts back bytes that were read. They are the next to be read.
    pub(super) fn unread(&mut self, bytes: &[u8]) {
        self.position = self.position.saturating_sub(bytes.len() as u64);
        if bytes.len() <= self.start {
            // There is room where they were read from, and nothing has to be moved.
            self.start -= bytes.len();
            self.buffer[self.start..][..bytes.len()].copy_from_slice(bytes);
        } else {
            let end = bytes.len() + self.ahead().len();
            // The room behind what was read is used before more is made: else each time would make
            // as much again.
            if self.buffer.len() < end {
                self.buffer.resize(end, 0);
            }
            self.buffer.copy_within(self.start..self.end, bytes.len());
            self.buffer[..bytes.len()].copy_from_slice(bytes);
            (self.start, self.end) = (0, end);
        }
    }

    /// Puts back bytes that were read: first `bytes`, then those that were written to `file`.
    pub(super) fn unread_file(
        &mut self,
        bytes: &[u8],
        mut file: SpooledTempFile,
    ) -> io::Result<()> {
        while self.again.is_some() {
            self.grow()?;
        }
        let written = file.stream_position()?;
        file.rewind()?;
        let after = self.ahead().to_vec();
        self.hold(bytes);
        self.position = self.position.saturating_sub(bytes.len() as u64 + written);
        self.again = Some(Again { file, after });
        Ok(())
    }

    /// Replaces the bytes that were read but not consumed.
    fn hold(&mut self, bytes: &[u8]) {
        self.buffer.clear();
        self.buffer.extend_from_slice(bytes);
        (self.start, self.end) = (0, bytes.len());
    }

    /// Reads more into the buffer; 0 at the end.
    fn grow(&mut self) -> io::Result<usize> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.buffer.len() < self.end + READ_BYTES {
            self.buffer.resize(self.end + READ_BYTES, 0);
        }
        let read = self.fill()?;
        if read == 0
            && let Some(again) = self.again.take()
        {
            self.buffer.truncate(self.end);
            self.buffer.extend_from_slice(&again.after);
            self.end = self.buffer.len();
            return if again.after.is_empty() { self.grow() } else { Ok(again.after.len()) };
        }
        self.end += read;
        Ok(read)
    }

    /// Reads after the bytes already in the buffer.
    fn fill(&mut self) -> io::Result<usize> {
        let end = self.end;
        if self.is_too_much {
            return Ok(0);
        }
        let out = &mut self.buffer[end..end + READ_BYTES];
        let read = loop {
            let read = match &mut self.again {
                Some(again) => again.file.read(out),
                None => self.inner.read(out),
            };
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let has_begun = |signals: &Arc<MemberSignals>| signals.began.swap(false, Ordering::Relaxed);
        if matches!(read, Ok(1..))
            && self.again.is_none()
            && self.signals.as_ref().is_some_and(has_begun)
        {
            while self.members.front().is_some_and(|&member| member < self.position) {
                self.members.pop_front();
            }
            self.members.push_back(self.position + end as u64);
        }
        let read = read?;
        if self.again.is_none() {
            self.whole.iter().for_each(|whole| {
                whole.made.fetch_add(read as u64, Ordering::Relaxed);
            });
            let checked = self.check_growth(end + read);
            self.is_too_much = checked.is_err();
            checked?;
        }
        Ok(read)
    }
}

impl<R: Read> BufRead for PeekReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            match self.pending.take() {
                Some(error) => return Err(error),
                None => self.grow()?,
            };
        }
        Ok(self.ahead())
    }

    fn consume(&mut self, bytes: usize) {
        let consumed = bytes.min(self.end - self.start);
        self.start += consumed;
        self.position += consumed as u64;
        self.work += consumed as u64;
    }
}

impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_ahead_and_takes_back() {
        let mut window = PeekReader::new(&b"hello world"[..]);
        assert_eq!(window.peek(3), b"hello world");
        window.consume(6);
        window.unread(b"big ");
        let mut rest = String::new();
        window.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "big world");
        assert_eq!(window.peek(1), b"");
    }

    #[test]
    fn reports_an_error_after_the_bytes_before_it() {
        struct Fails;
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut window = PeekReader::new((&b"ok"[..]).chain(Fails));
        assert_eq!(window.peek(9), b"ok");
        assert_eq!(window.fill_buf().unwrap(), b"ok");
        window.consume(2);
        assert!(window.fill_buf().is_err());
    }

    #[test]
    fn what_is_taken_back_again_and_again_takes_its_room_once() {
        const TAKEN: usize = 4 * READ_BYTES;
        let data: Vec<u8> = (0..10 * TAKEN).map(|n| (n % 251) as u8).collect();
        let mut window = PeekReader::new(&data[..]);
        let mut taken = vec![0; TAKEN];
        for expected in data.chunks(TAKEN) {
            for _ in 0..2 {
                window.read_exact(&mut taken).unwrap();
                assert!(taken == expected);
                window.unread(&taken);
            }
            window.read_exact(&mut taken).unwrap();
        }
        let room = window.buffer.len();
        assert!(room <= TAKEN + 2 * READ_BYTES, "{room} bytes of room");
    }
}
