//! The fetched pages of a site, by number and by URL.

use serde::Serialize;

use super::marks::{Mark, Marks};
use super::url_log::{LoggedPage, UrlLog};
use crate::engine::compact::{Hashes, bits, pages_of};
use crate::engine::index::Index;

/// The fetched pages of a site in their order. A page is its number, from 0.
#[derive(Debug, Default)]
pub(super) struct Pages {
    log: UrlLog,
    marks: Marks,
    /// Hashes of the URLs.
    keys: Vec<u64>,
    /// By hash of the URL: its newest page.
    newest: Index,
}

impl Pages {
    pub(super) fn len(&self) -> usize {
        self.marks.len()
    }

    pub(super) fn log(&self) -> &UrlLog {
        &self.log
    }

    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Changes what is known of a page; what that is now.
    pub(super) fn mark(&mut self, number: u32, change: impl FnOnce(&mut Mark)) -> Mark {
        self.marks.change(number, change)
    }

    pub(super) fn key(&self, number: u32) -> u64 {
        self.keys[number as usize]
    }

    /// The newest page of a URL, by its hash.
    pub(super) fn newest(&self, key: u64) -> Option<u32> {
        self.newest.get(key, |number| self.keys[number as usize])
    }

    /// Makes a page the newest of its URL; the one that was.
    pub(super) fn make_newest(&mut self, number: u32) -> Option<u32> {
        let keys = &self.keys;
        self.newest.insert(keys[number as usize], number, |number| keys[number as usize])
    }

    /// Forgets a page as the newest of its URL; whether it was.
    pub(super) fn forget_newest(&mut self, number: u32) -> bool {
        let is_newest = self.newest(self.key(number)) == Some(number);
        if is_newest {
            let keys = &self.keys;
            self.newest.remove(keys[number as usize], |number| keys[number as usize]);
        }
        is_newest
    }

    /// Appends a page, whose URL has this hash.
    pub(super) fn push(&mut self, key: u64, page: &LoggedPage<'_>, mark: Mark) {
        self.log.push(page);
        self.keys.push(key);
        self.marks.push(mark);
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.log.memory()
            + self.marks.memory()
            + size_of_val(self.keys.as_slice())
            + self.newest.memory()
    }

    /// Forgets the texts of the oldest URLs until they take at most this many bytes. That they were fetched stays.
    pub(super) fn keep_within(&mut self, most: usize) {
        self.log.keep_within(most);
    }

    /// What they can be made of again.
    pub(super) fn kept(&self) -> impl Serialize {
        (&self.log, &self.marks, Hashes(self.keys.as_slice()), bits(self.newest.numbers()))
    }

    /// The pages as they were.
    pub(super) fn from_kept((log, marks, Hashes(keys), newest): KeptPages) -> Self {
        let newest = Index::of(pages_of(&newest).into_iter(), |number| keys[number as usize]);
        Self { log, marks, keys, newest }
    }
}

/// What pages are made of again: URLs, marks, hashes of the URLs, and which are the newest of their URL.
pub(super) type KeptPages = (UrlLog, Marks, Hashes<Vec<u64>>, Vec<u8>);
