//! A line of a queue, taken apart.

/// Longest line, in bytes, that is translated; a longer one is passed on as it comes.
pub const LONGEST: usize = 1 << 16;

/// A line taken apart.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    pub url: &'l [u8],
    /// Carriage return and line feed, as they came.
    pub end: &'l [u8],
}

impl<'l> Line<'l> {
    pub(super) fn of(line: &'l [u8]) -> Self {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let url = content.strip_suffix(b"\r").unwrap_or(content);
        Self { url, end: &line[url.len()..] }
    }
}
