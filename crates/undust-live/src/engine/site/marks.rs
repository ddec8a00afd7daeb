//! What is known of the pages of a site beside the pages themselves: a byte each.

use serde::{Deserialize, Serialize};

use crate::engine::evidence::Fetched;

/// What is known of a page beside the page itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub is_new: bool,
    /// Whether it was new in its folder.
    pub is_new_there: bool,
    /// Whether it is the page of a ban, and says nothing.
    pub is_banned: bool,
    /// Whether a later crawl fetched its URL again.
    pub is_old: bool,
    pub crawl: u16,
}

impl Mark {
    /// The page as a test.
    pub(super) fn fetched(&self, number: u32, page: u32) -> Fetched {
        Fetched { number, page, is_new: self.is_new_there, crawl: self.crawl }
    }

    fn bits(self) -> u8 {
        let bits = [self.is_new, self.is_new_there, self.is_banned, self.is_old];
        bits.into_iter().rev().fold(0, |all, bit| all << 1 | u8::from(bit))
    }
}

/// The marks of all pages.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct Marks {
    bits: Vec<u8>,
    /// The first page of each crawl.
    begins: Vec<u32>,
}

impl Marks {
    pub(super) fn len(&self) -> usize {
        self.bits.len()
    }

    /// Appends that of a page, whose crawl is none before that of another.
    pub(super) fn push(&mut self, mark: Mark) {
        self.begins.resize(mark.crawl.into(), self.bits.len() as u32);
        self.bits.push(mark.bits());
    }

    /// The crawl of a page.
    pub(super) fn crawl(&self, number: u32) -> u16 {
        match self.begins.last() {
            Some(begin) if *begin > number => {
                self.begins.partition_point(|begin| *begin <= number) as u16
            }
            _ => self.begins.len() as u16,
        }
    }

    pub(super) fn of(&self, number: u32) -> Mark {
        let bits = self.bits[number as usize];
        let [is_new, is_new_there, is_banned, is_old] =
            [0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1);
        Mark { is_new, is_new_there, is_banned, is_old, crawl: self.crawl(number) }
    }

    /// Changes that of a page, but for its crawl; what it is now.
    pub(super) fn change(&mut self, number: u32, change: impl FnOnce(&mut Mark)) -> Mark {
        let mut mark = self.of(number);
        change(&mut mark);
        self.bits[number as usize] = mark.bits();
        mark
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.bits.as_slice()) + size_of_val(self.begins.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_a_list(
            pages in prop::collection::vec((any::<[bool; 4]>(), 0_u16..3), 1..60),
            banned in any::<prop::sample::Index>(),
        ) {
            let (mut marks, mut list, mut crawl) = (Marks::default(), Vec::new(), 1);
            for ([is_new, is_new_there, is_banned, is_old], begun) in pages {
                crawl += begun;
                let mark = Mark { is_new, is_new_there, is_banned, is_old, crawl };
                marks.push(mark);
                list.push(mark);
            }
            let banned = banned.index(list.len());
            list[banned].is_banned = true;
            prop_assert_eq!(marks.change(banned as u32, |mark| mark.is_banned = true), list[banned]);
            let all: Vec<Mark> = (0..list.len() as u32).map(|number| marks.of(number)).collect();
            prop_assert_eq!(all, list);
        }
    }
}
