//! A ban, or an outage: a site that answers all URLs with one page and status 200. Nothing may be
//! learned from it.
//!
//! A log-in page is one page, too, and comes often at times. It differs in where it comes: under a
//! kind of URLs that hardly ever shows anything else. A ban comes under kinds of URLs that showed a
//! page each before.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// Pages that are looked back upon.
const WINDOW: usize = 64;

/// Pages in the window that show one page where it is a ban: URLs of kinds that showed many pages
/// before.
const ENOUGH: usize = 40;

/// Kinds of URLs that it must come under, or all that showed many pages if there are fewer.
const KINDS: usize = 3;

/// A kind showed many pages if it showed so many that were new, and these are a third of its pages.
const DIVERSE: u32 = 8;

/// What became of pages lately.
#[derive(Debug, Default)]
pub(super) struct BanGuard {
    kinds: FxHashMap<u64, Kind>,
    /// Kinds that showed many pages.
    diverse: usize,
    window: VecDeque<Answer>,
    /// The page of the ban, while there is one.
    banned: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    pages: u32,
    new: u32,
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    number: u32,
    page: u32,
    kind: u64,
    is_unexpected: bool,
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
    /// Other pages come again.
    Ends,
}

impl BanGuard {
    /// The page of the ban, while there is one.
    pub(super) fn banned(&self) -> Option<u32> {
        self.banned
    }

    /// Looks at a page by its number, the cluster it belongs to, whether that is new, and the kind
    /// of its URL.
    pub(super) fn look(&mut self, number: u32, page: u32, is_new: bool, kind: u64) -> Verdict {
        let known = self.kinds.get(&kind).copied().unwrap_or_default();
        let is_unexpected = known.new >= DIVERSE && 3 * known.new >= known.pages;
        if self.window.len() == WINDOW {
            self.window.pop_front();
        }
        self.window.push_back(Answer { number, page, kind, is_unexpected });
        if let Some(banned) = self.banned {
            let left = self.window.iter().filter(|answer| answer.page == banned).count();
            if left * 8 < WINDOW {
                self.banned = None;
                return Verdict::Ends;
            }
            if page == banned {
                return Verdict::Banned;
            }
        } else if let Some(numbers) = self.begins(page) {
            self.banned = Some(page);
            return Verdict::Begins(numbers);
        }
        self.count(kind, is_new);
        Verdict::Genuine
    }

    fn count(&mut self, kind: u64, is_new: bool) {
        let known = self.kinds.entry(kind).or_default();
        known.pages += 1;
        known.new += u32::from(is_new);
        self.diverse += usize::from(is_new && known.new == DIVERSE);
    }

    /// The pages of a ban that begins with this page.
    fn begins(&self, page: u32) -> Option<Vec<u32>> {
        let same = || self.window.iter().filter(|answer| answer.page == page);
        let unexpected = same().filter(|answer| answer.is_unexpected);
        let mut kinds: Vec<u64> = unexpected.map(|answer| answer.kind).collect();
        if kinds.len() < ENOUGH {
            return None;
        }
        kinds.sort_unstable();
        kinds.dedup();
        let is_ban = kinds.len() >= KINDS.min(self.diverse);
        is_ban.then(|| same().map(|answer| answer.number).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages of four kinds, each new.
    fn crawled(guard: &mut BanGuard, numbers: std::ops::Range<u32>) -> Vec<Verdict> {
        let look = |number| guard.look(number, number, true, u64::from(number % 4));
        numbers.map(look).collect()
    }

    #[test]
    fn one_page_under_all_kinds_is_a_ban_until_others_come() {
        let mut guard = BanGuard::default();
        assert!(crawled(&mut guard, 0..100).iter().all(|verdict| *verdict == Verdict::Genuine));
        let banned: Vec<Verdict> = (100..150)
            .map(|number| guard.look(number, 100, number == 100, u64::from(number % 4)))
            .collect();
        let begin = banned.iter().position(|verdict| matches!(verdict, Verdict::Begins(_)));
        let Some(Verdict::Begins(numbers)) = begin.map(|begin| &banned[begin]) else {
            panic!("{banned:?}")
        };
        assert_eq!(*numbers, (100..140).collect::<Vec<_>>());
        assert_eq!(guard.banned(), Some(100));
        assert!(banned[40..].iter().all(|verdict| *verdict == Verdict::Banned));
        let after = crawled(&mut guard, 150..250);
        assert_eq!(after.iter().filter(|verdict| **verdict == Verdict::Ends).count(), 1);
        assert_eq!(guard.banned(), None);
    }

    /// A crawler comes to the links to a log-in page, one after the other.
    #[test]
    fn a_log_in_page_is_none() {
        let mut guard = BanGuard::default();
        crawled(&mut guard, 0..100);
        let verdicts = (100..400).map(|number| guard.look(number, 100, number == 100, 9));
        assert!(verdicts.into_iter().all(|verdict| verdict == Verdict::Genuine));
    }
}
