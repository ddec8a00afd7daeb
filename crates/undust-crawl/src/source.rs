//! Opening an input: a file or standard input, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::device::{Device, is_damage};
use super::lines::{MAX_LINE_BYTES, line_feeds};
use super::members::MultiMemberDecoder;
use super::peek_reader::PeekReader;
use super::utf16::{self, Utf16Reader};
use crate::error::{CrawlReason, Error, Result};

/// Decompressed bytes of an input.
pub type Source = PeekReader<Box<dyn Read + Send>>;

/// Opens a text (`-`: standard input), plain, gzip or zstd, and skips a byte-order mark. `read`
/// counts its bytes before decompression.
pub fn open_text(path: &Path, read: Arc<AtomicU64>) -> Result<Source> {
    let mut source = open(path, Some(read))?;
    skip_mark(&mut source);
    Ok(source)
}

/// The first line with content, and its number. It stays unread, with everything before it. Empty
/// if there is none. A line that is too long for the readers of lines is cut.
pub fn first_line(source: &mut Source) -> (u64, &[u8]) {
    // No byte is looked at twice, though they come one by one.
    let (mut seen, mut start) = (0, 0);
    let line = loop {
        let ahead = source.peek(seen + 1);
        let is_all = ahead.len() <= seen || ahead.len() > MAX_LINE_BYTES;
        let news = &ahead[seen..];
        if start == seen {
            start += news.len() - news.trim_ascii_start().len();
        }
        let from = start.max(seen);
        seen = ahead.len();
        match memchr::memchr(b'\n', &ahead[from..]) {
            Some(length) => break start..from + length,
            None if is_all => break start..seen,
            None => {}
        }
    };
    let ahead = source.peek(0);
    let number = 1 + line_feeds(&ahead[..line.start]);
    (number, ahead[line].trim_ascii_end())
}

/// Asks for no more bytes than are needed to see that there is no mark, because the writer of one
/// line may wait for its answer.
fn skip_mark(source: &mut Source) {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let is_there = (1..=MARK.len()).all(|bytes| source.peek(bytes).starts_with(&MARK[..bytes]));
    if is_there {
        source.consume(MARK.len());
    }
}

/// Opens an input (`-`: standard input), plain, gzip or zstd. `progress` counts the bytes
/// read, before decompression.
pub(super) fn open(path: &Path, progress: Option<Arc<AtomicU64>>) -> Result<Source> {
    let inner: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(Error::io("read", path))?)
    };
    of_stream(path, Device::new(inner, progress))
}

/// The decompressed bytes of a stream, which errors call `path`. A text in UTF-16 comes in UTF-8.
pub(super) fn of_stream(path: &Path, device: Device) -> Result<Source> {
    let raw = PeekReader::new(device);
    let begun = MultiMemberDecoder::of(raw).map_err(|error| fault(path, error))?;
    let mut source: Source = match begun {
        Ok(members) => {
            let signals = Arc::clone(&members.signals);
            PeekReader::of_members(Box::new(members), signals)
        }
        Err(plain) => PeekReader::new(Box::new(plain)),
    };
    // One byte decides whether there may be a mark: the writer of a line may wait for its answer.
    let may_be_marked = matches!(source.peek(1).first(), Some(0xfe | 0xff));
    match utf16::marked(source.peek(if may_be_marked { 2 } else { 0 })) {
        Some(encoding) => Ok(PeekReader::new(Box::new(Utf16Reader::new(source, encoding)))),
        None => Ok(source),
    }
}

/// Damage becomes an error of the crawl, anything else one of the system.
pub(super) fn fault(path: &Path, error: io::Error) -> Error {
    if is_damage(&error) {
        Error::at(path, CrawlReason::Damaged { source: error })
    } else {
        Error::Io { action: "read", path: path.into(), source: error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_with_content_stays_unread() {
        for (text, number, line) in [
            ("a b \r\nc", 1, "a b"),
            ("\n \r\n  x", 3, "x"),
            ("x\n", 1, "x"),
            ("\n\n", 3, ""),
            ("", 1, ""),
        ] {
            let device = Device::new(Box::new(text.as_bytes()), None);
            let mut source = of_stream(Path::new("text"), device).expect("a text");
            assert_eq!(first_line(&mut source), (number, line.as_bytes()), "{text:?}");
            let mut whole = String::new();
            source.read_to_string(&mut whole).expect("text");
            assert_eq!(whole, text);
        }
        let long = "x".repeat(MAX_LINE_BYTES + 9);
        let device = Device::new(Box::new(io::Cursor::new(long.into_bytes())), None);
        let mut source = of_stream(Path::new("text"), device).expect("a text");
        assert!(first_line(&mut source).1.len() > MAX_LINE_BYTES);
    }
}
