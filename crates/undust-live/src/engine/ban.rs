//! A ban, or an outage: a site, or a folder of it, that answers all URLs with one page and status
//! 200. Nothing may be learned from it.
//!
//! A log-in page is one page, too, and comes often at times. It differs in where it comes: under a
//! kind of URLs that hardly ever shows anything else. A ban comes under kinds of URLs that showed a
//! page each before.
//!
//! A ban is of the folder that shows it, and of folders about which too little is known to tell. Where
//! several folders show it, it is of the site.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::folder::Folder;
use super::memory::{keep_most, table};

/// Pages that are looked back upon; the bits of [`Ban::recent`].
pub(super) const WINDOW: usize = u64::BITS as usize;

/// Pages in the window that show one page where it is a ban: URLs of kinds that showed many pages
/// before.
const ENOUGH: usize = 40;

/// Of these, how many must be of other folders than the one that shows most, for a ban of the site.
const ELSEWHERE: usize = 10;

/// Kinds of URLs that it must come under, or all that showed many pages if there are fewer; and
/// folders, for a ban of the site.
const SEVERAL: usize = 3;

/// A ban ends when fewer of the last pages than this are its page.
const LEFT: u32 = 8;

/// Bans that are remembered; the oldest ends where more begin.
const MOST_BANS: usize = 16;

/// A kind or a folder showed many pages if it showed at least this many new ones, and these are a
/// third of its pages.
const DIVERSE: u32 = 8;

/// What became of pages lately.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct BanGuard {
    kinds: Counts<u64>,
    folders: Counts<Folder>,
    /// The last pages, but those of bans.
    window: VecDeque<Answer>,
    bans: SmallVec<[Ban; 2]>,
}

/// How many pages came, and how many of them were new.
#[derive(Debug, Serialize, Deserialize)]
struct Counts<K: std::hash::Hash + Eq> {
    counts: FxHashMap<K, (u32, u32)>,
    /// How many of these showed many pages.
    diverse: usize,
}

impl<K: std::hash::Hash + Eq> Default for Counts<K> {
    fn default() -> Self {
        Self { counts: FxHashMap::default(), diverse: 0 }
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Answer {
    number: u32,
    page: u32,
    kind: u64,
    folder: Folder,
    is_unexpected: bool,
}

/// A ban that goes on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Ban {
    page: u32,
    /// None where it is of the site.
    folder: Option<Folder>,
    /// Of the last pages there, the latest in the lowest bit: whether they were its page.
    recent: u64,
}

/// What a page means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is a page like others.
    Genuine,
    /// It is the page of a ban, and says nothing.
    Banned,
    /// A ban begins: so did these pages before it, by their numbers.
    Begins(Vec<u32>),
}

impl<K: std::hash::Hash + Eq> Counts<K> {
    fn add(&mut self, key: K, is_new: bool) {
        let (pages, new) = self.counts.entry(key).or_default();
        *pages += 1;
        *new += u32::from(is_new);
        self.diverse += usize::from(is_new && *new == DIVERSE);
    }

    fn is_diverse(&self, key: &K) -> bool {
        self.counts.get(key).is_some_and(|(pages, new)| *new >= DIVERSE && 3 * new >= *pages)
    }

    /// Forgets the keys with the fewest pages until all take at most this many bytes.
    fn keep_within(&mut self, most: usize) {
        let entry = 2 * size_of::<(K, (u32, u32))>();
        keep_most(&mut self.counts, most / entry, |(pages, _)| *pages as f32);
        self.diverse = self.counts.values().filter(|(_, new)| *new >= DIVERSE).count();
    }
}

impl BanGuard {
    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        table(&self.kinds.counts) + table(&self.folders.counts)
    }

    /// Forgets the kinds with the fewest pages until all take at most this many bytes.
    pub(super) fn keep_within(&mut self, most: usize) {
        if self.memory() > most {
            self.kinds.keep_within(most / 2);
        }
    }

    /// Whether there is a ban.
    pub(super) fn is_banned(&self) -> bool {
        !self.bans.is_empty()
    }

    /// Looks at a page by its number, the cluster it belongs to, whether that is new, and the kind
    /// and the folder of its URL.
    pub(super) fn look(
        &mut self,
        number: u32,
        page: u32,
        is_new: bool,
        (kind, folder): (u64, Folder),
    ) -> Verdict {
        if self.is_of_ban(page, folder) {
            return Verdict::Banned;
        }
        let is_unexpected = self.kinds.is_diverse(&kind);
        if self.window.len() == WINDOW {
            self.window.pop_front();
        }
        self.window.push_back(Answer { number, page, kind, folder, is_unexpected });
        if let Some(folder) = self.begins(page) {
            return Verdict::Begins(self.begin(page, folder));
        }
        self.kinds.add(kind, is_new);
        self.folders.add(folder, is_new);
        Verdict::Genuine
    }

    /// Whether a page says nothing because of a ban. Ends those that are over.
    fn is_of_ban(&mut self, page: u32, folder: Folder) -> bool {
        let is_unknown = !self.folders.is_diverse(&folder);
        let mut is_banned = false;
        self.bans.retain(|ban| {
            let is_there = ban.folder.is_none_or(|banned| banned == folder);
            if is_there {
                ban.recent = ban.recent << 1 | u64::from(page == ban.page);
            }
            let goes_on = ban.recent.count_ones() >= LEFT;
            is_banned |= goes_on && page == ban.page && (is_there || is_unknown);
            goes_on
        });
        is_banned
    }

    /// Where a ban begins with this page: in a folder or, if there is none, in the site.
    fn begins(&self, page: u32) -> Option<Option<Folder>> {
        let same =
            || self.window.iter().filter(|answer| answer.page == page && answer.is_unexpected);
        if same().count() < ENOUGH {
            return None;
        }
        let mut folders: SmallVec<[(usize, Folder); 8]> = SmallVec::new();
        for answer in same() {
            match folders.iter_mut().find(|(_, folder)| *folder == answer.folder) {
                Some((count, _)) => *count += 1,
                None => folders.push((1, answer.folder)),
            }
        }
        let (most, largest) = folders.iter().copied().max()?;
        let several = SEVERAL.min(self.folders.diverse).max(2);
        let elsewhere = folders.iter().map(|(count, _)| count).sum::<usize>() - most;
        let place = if folders.len() >= several && elsewhere >= ELSEWHERE {
            None
        } else if most >= ENOUGH {
            Some(largest)
        } else {
            return None;
        };
        let there = same().filter(|answer| place.is_none_or(|folder| folder == answer.folder));
        let mut kinds: SmallVec<[u64; WINDOW]> = there.map(|answer| answer.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        (kinds.len() >= SEVERAL.min(self.kinds.diverse)).then_some(place)
    }

    /// Begins a ban; the numbers of its pages so far, which leave the window.
    fn begin(&mut self, page: u32, folder: Option<Folder>) -> Vec<u32> {
        let is_there = |answer: &Answer| folder.is_none_or(|folder| folder == answer.folder);
        let there = self.window.iter().filter(|answer| is_there(answer));
        let recent = there.fold(0, |bits, answer| bits << 1 | u64::from(answer.page == page));
        let folders = &self.folders;
        let mut numbers = Vec::new();
        self.window.retain(|answer| {
            let is_its =
                answer.page == page && (is_there(answer) || !folders.is_diverse(&answer.folder));
            if is_its {
                numbers.push(answer.number);
            }
            !is_its
        });
        self.bans.retain(|ban| folder.is_some() && ban.folder != folder);
        if self.bans.len() == MOST_BANS {
            self.bans.remove(0);
        }
        self.bans.push(Ban { page, folder, recent });
        numbers
    }
}

#[cfg(test)]
mod tests;
