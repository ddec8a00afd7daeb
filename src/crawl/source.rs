//! Opening an input: a file or standard input, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::device::{Device, is_damage};
use super::members::Members;
use super::window::Window;
use crate::error::{Error, Result};

/// Decompressed bytes of an input.
pub(super) type Source = Window<Box<dyn Read + Send>>;

/// Opens a text (`-`: standard input), plain, gzip or zstd, behind its byte-order mark if it has
/// one. `read` counts its bytes, before decompression.
pub(crate) fn open_text(path: &Path, read: Arc<AtomicU64>) -> Result<impl BufRead + use<>> {
    let mut source = open(path, Some(read))?;
    skip_mark(&mut source);
    Ok(source)
}

/// Asks for no more bytes than tell that there is no mark: whoever wrote one line may wait for its
/// answer.
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

/// The decompressed bytes of a stream, which errors call `path`.
pub(super) fn of_stream(path: &Path, device: Device) -> Result<Source> {
    let raw = Window::new(device);
    Ok(match Members::new(raw).map_err(|error| fault(path, error))? {
        Ok(members) => {
            let told = members.told();
            Window::of_members(Box::new(members), told)
        }
        Err(plain) => Window::new(Box::new(plain)),
    })
}

/// Damage becomes an error of the crawl, anything else one of the system.
pub(super) fn fault(path: &Path, error: io::Error) -> Error {
    if is_damage(&error) {
        Error::Crawl { path: path.into(), reason: error.to_string(), remedy: None }
    } else {
        Error::Io { action: "read", path: path.into(), source: error }
    }
}
