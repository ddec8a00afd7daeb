//! A line of a queue, taken apart.

/// A line taken apart.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    /// Spaces and tabs before the URL, as they came.
    pub before: &'l [u8],
    pub url: &'l [u8],
    /// Spaces and tabs behind it, carriage return and line feed, as they came.
    pub end: &'l [u8],
}

impl<'l> Line<'l> {
    pub(super) fn of(line: &'l [u8]) -> Self {
        let content = line.trim_ascii_end();
        let url = content.trim_ascii_start();
        let before = if url.is_empty() { 0 } else { content.len() - url.len() };
        Self { before: &line[..before], url, end: &line[before + url.len()..] }
    }
}
