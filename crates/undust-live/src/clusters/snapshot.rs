//! All pages and their groups at one moment.

use std::ops::Range;

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;
use undust_pages::pages::LeftOut;
use undust_util::error::Result;

use super::LiveClusters;
use super::fault::DAMAGED;
use super::guard::guarded;

/// All pages of a state, in the order in which their URLs were first met.
#[derive(Debug, Clone, Default)]
pub struct LivePages {
    /// The pages, as [`Pages`](undust_pages::pages::Pages) has them.
    pub pages: Vec<Page>,
    /// The group of each.
    pub groups: Vec<u32>,
    /// URLs that do not count.
    pub left_out: LeftOut,
}

impl LivePages {
    /// The groups, numbered from 0 in the order of their first pages.
    pub fn clusters(&self) -> Clusters {
        Clusters::from_labels(self.groups.iter().copied())
    }
}

/// Pages of a part of [`LiveClusters::pages_in_parts`].
const PART: u32 = if cfg!(test) { 3 } else { 1000 };

impl LiveClusters {
    /// All pages and their groups. Takes some 150 bytes of memory, and the URL, for each URL.
    ///
    /// # Errors
    ///
    /// A store that cannot be read.
    pub fn pages(&self) -> Result<LivePages> {
        self.pages_of(0..self.meta.pages)
    }

    /// The pages of [`Self::pages`], in parts of which one is in memory.
    pub(crate) fn pages_in_parts(&self) -> impl Iterator<Item = Result<Vec<Page>>> {
        let parts = (0..self.meta.pages).step_by(PART as usize);
        parts.map(|first| Ok(self.pages_of(first..first.saturating_add(PART))?.pages))
    }

    fn pages_of(&self, numbers: Range<u32>) -> Result<LivePages> {
        guarded(&self.store.path, || {
            let mut made = LivePages::default();
            self.store.each_page(numbers, |number, row, content| {
                match row.place {
                    Ok(place) => {
                        let page = content.ok_or(DAMAGED)?.page(place.end);
                        let (url, is_redirect) = (row.url, place.end != number);
                        let importance = row.importance;
                        made.pages.push(Page { url, importance, is_redirect, ..page });
                        made.groups.push(place.group);
                    }
                    Err(reason) => made.left_out.count(reason),
                }
                Ok(())
            })?;
            Ok(made)
        })
    }
}
