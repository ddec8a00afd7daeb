//! The URLs of the pages of a site, in their order: what it is learned from. URLs of one site are much alike, and
//! compress to a fifth.

use serde::{Deserialize, Serialize};

use std::sync::Arc;

use undust_pages::page::Page;

/// Bytes of URLs that are compressed together.
const CHUNK: usize = 1 << 16;

/// Higher levels take several times as long for a few percent.
const LEVEL: i32 = 1;

/// What a site is learned from, page by page. A copy shares all but the last few.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct UrlLog {
    chunks: Vec<Chunk>,
    /// Those after the last chunk, as they are.
    open: Vec<u8>,
    /// Pages in all.
    len: u32,
    /// The first of them, which are forgotten.
    forgotten: u32,
    /// Pages in chunks, and the bytes of these.
    closed: u32,
    bytes: usize,
}

/// Pages that were compressed together.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Chunk {
    /// The first page after it.
    end: u32,
    /// Bytes before they were compressed.
    len: usize,
    bytes: Arc<[u8]>,
}

/// What is kept of a page to learn from.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LoggedPage<'l> {
    pub url: &'l str,
    pub title: Option<u64>,
    pub is_redirect: bool,
}

impl LoggedPage<'_> {
    /// The page as learners have it. What it shows is in its cluster.
    pub(super) fn page(&self) -> Page {
        let &Self { url, title, is_redirect } = self;
        Page { url: url.into(), title, is_redirect, ..Page::default() }
    }
}

impl UrlLog {
    /// The first page that is not forgotten.
    pub(super) fn first(&self) -> u32 {
        self.forgotten
    }

    /// Appends a page.
    pub(super) fn push(&mut self, page: &LoggedPage<'_>) {
        let flags = u8::from(page.title.is_some()) | u8::from(page.is_redirect) << 1;
        self.open.extend((page.url.len() as u32).to_le_bytes());
        self.open.push(flags);
        self.open.extend(page.title.unwrap_or_default().to_le_bytes());
        self.open.extend(page.url.as_bytes());
        self.len += 1;
        if self.open.len() >= CHUNK {
            self.close();
        }
    }

    /// Compresses what is open. Where that fails it stays as it is.
    fn close(&mut self) {
        if self.open.is_empty() {
            return;
        }
        if let Ok(bytes) = zstd::bulk::compress(&self.open, LEVEL) {
            self.bytes += bytes.len() + size_of::<Chunk>();
            self.chunks.push(Chunk { end: self.len, len: self.open.len(), bytes: bytes.into() });
            self.closed = self.len;
            self.open = Vec::new();
        }
    }

    /// Calls for each page from this one on, in their order, with its number.
    pub(super) fn each_from(&self, first: u32, mut take: impl FnMut(u32, LoggedPage<'_>)) {
        let mut begin = self.forgotten;
        for Chunk { end, len, bytes } in &self.chunks {
            if *end > first {
                // They were compressed here, so this does not fail; if it did, these pages would teach nothing.
                let bytes = zstd::bulk::decompress(bytes, *len).unwrap_or_default();
                each(&bytes, begin, first, &mut take);
            }
            begin = *end;
        }
        each(&self.open, self.closed, first, &mut take);
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.bytes + self.open.len()
    }

    /// Forgets the oldest URLs until it takes at most this many bytes.
    pub(super) fn keep_within(&mut self, most: usize) {
        while self.memory() > most && !self.chunks.is_empty() {
            let Chunk { end, bytes, .. } = self.chunks.remove(0);
            self.forgotten = end;
            self.bytes -= bytes.len() + size_of::<Chunk>();
        }
    }
}

/// Calls for each page of these bytes, which begin with page `begin`, from page `first` on.
fn each(mut bytes: &[u8], begin: u32, first: u32, take: &mut impl FnMut(u32, LoggedPage<'_>)) {
    for number in begin.. {
        let Some((page, rest)) = read(bytes) else { return };
        if number >= first {
            take(number, page);
        }
        bytes = rest;
    }
}

fn read(bytes: &[u8]) -> Option<(LoggedPage<'_>, &[u8])> {
    let (len, bytes) = bytes.split_first_chunk::<4>()?;
    let (flags, bytes) = bytes.split_first()?;
    let (title, bytes) = bytes.split_first_chunk::<8>()?;
    let (url, bytes) = bytes.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    let title = (flags & 1 == 1).then(|| u64::from_le_bytes(*title));
    let page = LoggedPage { url: str::from_utf8(url).ok()?, title, is_redirect: flags & 2 == 2 };
    Some((page, bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever the URLs, and wherever they are cut into chunks.
        #[test]
        fn what_was_logged_is_read(
            pages in prop::collection::vec((".{0,40}|[a-z]{9000}", any::<Option<u64>>(), any::<bool>()), 0..40),
            close in any::<u64>(),
            first in 0_u32..50,
        ) {
            let mut log = UrlLog::default();
            for (number, (url, title, is_redirect)) in pages.iter().enumerate() {
                log.push(&LoggedPage { url, title: *title, is_redirect: *is_redirect });
                if close >> number & 1 == 1 {
                    log.close();
                }
            }
            let mut read = Vec::new();
            log.clone().each_from(first, |number, page| {
                read.push((number, (page.url.to_owned(), page.title, page.is_redirect)));
            });
            let expected: Vec<_> = (0_u32..).zip(pages).skip(first as usize).collect();
            prop_assert_eq!(read, expected);
        }
    }
}
