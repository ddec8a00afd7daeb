//! What an input is, by its content: names of files are not trusted.

use std::io::BufRead;
use std::path::Path;

use super::source::{Source, fault};
use super::{access_log, manifest, url_list, warc};
use crate::error::{Error, Result};

/// Bytes in which the kind of an input shows.
const SNIFF_BYTES: usize = 64 * 1024;

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputKind {
    /// Nothing, or blank lines only.
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

impl InputKind {
    /// The kind of an input, which stays unread.
    ///
    /// # Errors
    ///
    /// An input that cannot be read, or is of none of these kinds.
    pub(super) fn of(source: &mut Source, path: &Path) -> Result<InputKind> {
        match sniff(source.peek(SNIFF_BYTES)) {
            Some(InputKind::Empty) if source.has_failed() => {
                let error = source.fill_buf().err();
                Err(error.map_or_else(|| unknown(path), |error| fault(path, error)))
            }
            Some(kind) => Ok(kind),
            None => Err(unknown(path)),
        }
    }
}

fn unknown(path: &Path) -> Error {
    let reason = "is neither a WARC file, nor a crawl manifest (JSON lines), nor an access log";
    Error::Crawl { path: path.into(), reason: reason.into(), remedy: None }
}

/// The first line that looks like one of a kind decides: damage may come before it.
fn sniff(head: &[u8]) -> Option<InputKind> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let kind = lines.clone().find_map(line_kind);
    kind.or_else(|| lines.all(<[u8]>::is_empty).then_some(InputKind::Empty))
}

fn line_kind(line: &[u8]) -> Option<InputKind> {
    type LooksLike = fn(&[u8]) -> bool;
    let kinds: [(LooksLike, InputKind); 4] = [
        (warc::looks_like, InputKind::Warc),
        (manifest::looks_like, InputKind::Manifest),
        (access_log::looks_like, InputKind::AccessLog),
        (url_list::looks_like, InputKind::UrlList),
    ];
    kinds.into_iter().find_map(|(looks_like, kind)| looks_like(line).then_some(kind))
}

#[cfg(test)]
mod tests {
    use super::super::source::open;
    use super::*;

    #[test]
    fn the_content_decides_the_kind() {
        assert_eq!(sniff(b""), Some(InputKind::Empty));
        assert_eq!(sniff(b" \r\n\r\n"), Some(InputKind::Empty));
        assert_eq!(sniff(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n"), Some(InputKind::Warc));
        assert_eq!(sniff(b"\xef\xbb\xbf\n{\"url\":"), Some(InputKind::Manifest));
        assert_eq!(
            sniff(b"1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5"),
            Some(InputKind::AccessLog)
        );
        assert_eq!(sniff(b"garbage\nWARC/1.0\r\n"), Some(InputKind::Warc));
        assert_eq!(sniff(b"\nhttp://www.example.org/\n"), Some(InputKind::UrlList));
        assert_eq!(sniff(b"http://www.example.org/ x\n"), None);
        assert_eq!(sniff(b"\x7fELF\0\0"), None);
    }

    #[test]
    fn an_input_that_cannot_be_read_is_an_error_with_its_path() {
        let message = |path: &str| {
            let path = Path::new(path);
            let kind = open(path, None).and_then(|mut source| InputKind::of(&mut source, path));
            kind.unwrap_err().to_string()
        };
        assert!(message("/nowhere/x.warc").starts_with("cannot read /nowhere/x.warc: "));
        assert!(message("/").starts_with("cannot read /"), "{}", message("/"));
    }
}
