//! A buffered reader that can look ahead, and take bytes back.

use std::io::{self, BufRead, Read};

/// Bytes read at once from the reader below.
const READ_BYTES: usize = 256 * 1024;

/// A [`BufRead`] with unbounded look-ahead.
pub(super) struct Window<R> {
    inner: R,
    buffer: Vec<u8>,
    start: usize,
    /// An error met while looking ahead. It is reported after the bytes before it are read.
    pending: Option<io::Error>,
}

impl<R: Read> Window<R> {
    pub(super) fn new(inner: R) -> Self {
        Window { inner, buffer: Vec::new(), start: 0, pending: None }
    }

    /// At least `bytes` bytes, without consuming them. Fewer only before the end, or before an
    /// error, which a later read reports.
    pub(super) fn peek(&mut self, bytes: usize) -> &[u8] {
        while self.buffer.len() - self.start < bytes && self.pending.is_none() {
            match self.grow() {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => self.pending = Some(error),
            }
        }
        &self.buffer[self.start..]
    }

    /// Whether looking ahead met an error that no read has reported yet.
    pub(super) fn has_failed(&self) -> bool {
        self.pending.is_some()
    }

    /// Puts bytes back: they are read again, next.
    pub(super) fn unread(&mut self, bytes: &[u8]) {
        self.buffer.splice(..self.start, bytes.iter().copied());
        self.start = 0;
    }

    /// Reads more into the buffer; 0 at the end.
    fn grow(&mut self) -> io::Result<usize> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let end = self.buffer.len();
        self.buffer.resize(end + READ_BYTES, 0);
        let read = loop {
            match self.inner.read(&mut self.buffer[end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(end + read.as_ref().map_or(0, |read| *read));
        read
    }
}

impl<R: Read> BufRead for Window<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.buffer.len() {
            match self.pending.take() {
                Some(error) => return Err(error),
                None => self.grow()?,
            };
        }
        Ok(&self.buffer[self.start..])
    }

    fn consume(&mut self, bytes: usize) {
        self.start = (self.start + bytes).min(self.buffer.len());
    }
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let read = available.len().min(out.len());
        out[..read].copy_from_slice(&available[..read]);
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_ahead_and_takes_back() {
        let mut window = Window::new(&b"hello world"[..]);
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
        let mut window = Window::new((&b"ok"[..]).chain(Fails));
        assert_eq!(window.peek(9), b"ok");
        assert_eq!(window.fill_buf().unwrap(), b"ok");
        window.consume(2);
        assert!(window.fill_buf().is_err());
    }
}
