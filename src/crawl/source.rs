//! Opening an input: a file or standard input, compressed or not, of any kind.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::members::Members;
use super::window::Window;
use super::{access_log, manifest, url_list};
use crate::{Error, Result};

/// Bytes in which the kind of an input shows.
const SNIFF_BYTES: usize = 64 * 1024;

/// Decompressed bytes of an input.
pub type Source = Window<Box<dyn Read + Send>>;

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing in it at all.
    Empty,
    /// ISO 28500, versions 1.0 and 1.1.
    Warc,
    /// JSON lines.
    Manifest,
    /// Apache's and nginx's common and combined formats.
    AccessLog,
    /// One URL a line.
    UrlList,
}

/// Opens an input (`-`: standard input) and sees what it is. `progress` is told of
/// the bytes read, as stored.
pub fn open(path: &Path, progress: Option<Arc<AtomicU64>>) -> Result<(Source, Kind)> {
    let mut source = decompressed(path, progress)?;
    let kind = sniff(source.peek(SNIFF_BYTES));
    match kind {
        Some(Kind::Empty) if source.has_failed() => {
            Err(source.fill_buf().err().map_or_else(|| unknown(path), |error| fault(path, error)))
        }
        Some(kind) => Ok((source, kind)),
        None => Err(unknown(path)),
    }
}

/// Opens a text (`-`: standard input), plain, gzip or zstd.
pub fn open_text(path: &Path) -> Result<impl BufRead + use<>> {
    decompressed(path, None)
}

fn decompressed(path: &Path, progress: Option<Arc<AtomicU64>>) -> Result<Source> {
    let inner: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(Error::io("read", path))?)
    };
    let raw = Window::new(Device { inner, progress });
    Ok(match Members::new(raw).map_err(|error| fault(path, error))? {
        Ok(members) => Window::new(Box::new(members)),
        Err(plain) => Window::new(Box::new(plain)),
    })
}

fn unknown(path: &Path) -> Error {
    let reason = "is neither a WARC file, nor a crawl manifest (JSON lines), nor an access log";
    Error::Crawl { path: path.into(), reason: reason.into(), remedy: None }
}

/// Damage that [`Members`] tells, as an error of the crawl; anything else is the system's.
fn fault(path: &Path, error: io::Error) -> Error {
    if is_damage(&error) {
        Error::Crawl { path: path.into(), reason: error.to_string(), remedy: None }
    } else {
        Error::Io { action: "read", path: path.into(), source: error }
    }
}

/// Whether it is the data that is bad, and not the device it is read from.
pub fn is_damage(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof];
    kinds.contains(&error.kind()) && !error.get_ref().is_some_and(|inner| inner.is::<DeviceError>())
}

/// The kind by the first line that looks like one of them.
fn sniff(head: &[u8]) -> Option<Kind> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.clone().find_map(line_kind).or_else(|| lines.all(<[u8]>::is_empty).then_some(Kind::Empty))
}

fn line_kind(line: &[u8]) -> Option<Kind> {
    if line.starts_with(b"WARC/") {
        Some(Kind::Warc)
    } else if manifest::looks_like(line) {
        Some(Kind::Manifest)
    } else {
        let is_list = || url_list::looks_like(line).then_some(Kind::UrlList);
        access_log::looks_like(line).then_some(Kind::AccessLog).or_else(is_list)
    }
}

/// A file or pipe whose errors can be told from damage, and whose bytes are counted.
struct Device {
    inner: Box<dyn Read + Send>,
    progress: Option<Arc<AtomicU64>>,
}

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct DeviceError(io::Error);

impl Read for Device {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self
            .inner
            .read(out)
            .map_err(|error| io::Error::new(error.kind(), DeviceError(error)))?;
        if let Some(progress) = &self.progress {
            progress.fetch_add(read as u64, Ordering::Relaxed);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_content() {
        assert_eq!(sniff(b""), Some(Kind::Empty));
        assert_eq!(sniff(b" \r\n\r\n"), Some(Kind::Empty));
        assert_eq!(sniff(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n"), Some(Kind::Warc));
        assert_eq!(sniff(b"\xef\xbb\xbf\n{\"url\":"), Some(Kind::Manifest));
        assert_eq!(
            sniff(b"1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5"),
            Some(Kind::AccessLog)
        );
        assert_eq!(sniff(b"garbage\nWARC/1.0\r\n"), Some(Kind::Warc));
        assert_eq!(sniff(b"\nhttp://www.example.org/\n"), Some(Kind::UrlList));
        assert_eq!(sniff(b"http://www.example.org/ x\n"), None);
        assert_eq!(sniff(b"\x7fELF\0\0"), None);
    }

    #[test]
    fn what_cannot_be_read_is_an_error_with_its_path() {
        let told = |path: &str| open(Path::new(path), None).err().unwrap().to_string();
        assert!(told("/nowhere/x.warc").starts_with("cannot read /nowhere/x.warc: "));
        assert!(told("/").starts_with("cannot read /"), "{}", told("/"));
    }
}
