//! All pages and their groups at one moment.

use undust_cluster::clusters::Clusters;
use undust_pages::page::Page;
use undust_pages::pages::LeftOut;
use undust_util::error::Result;

use super::LiveClusters;
use super::fault::DAMAGED;
use super::guard::guarded;
use super::record::{Content, PageRecord};

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

impl LiveClusters {
    /// All pages and their groups. Takes some 150 bytes of memory, and the URL, for each URL.
    ///
    /// # Errors
    ///
    /// A store that cannot be read.
    pub fn pages(&self) -> Result<LivePages> {
        guarded(&self.store.path, || {
            let (mut placed, mut contents) = (Vec::new(), Vec::new());
            let mut made = LivePages::default();
            self.store.each_page(|number, row| {
                let page = PageRecord::read(row).ok_or(DAMAGED)?;
                // Of a page that was never given a number there may be four thousand million others.
                if number >= self.meta.pages {
                    return Err(DAMAGED);
                }
                contents.resize(number as usize, None);
                contents.push(Content::of(&page.outcome));
                match page.place {
                    Ok(place) => placed.push((number, page.url, place, page.importance)),
                    Err(reason) => made.left_out.count(reason),
                }
                Ok(())
            })?;
            made.pages.reserve_exact(placed.len());
            made.groups.reserve_exact(placed.len());
            for (number, url, place, importance) in placed {
                let content = contents.get(place.end as usize).copied().flatten();
                let page = content.ok_or(DAMAGED)?.page(place.end);
                made.pages.push(Page { url, importance, is_redirect: place.end != number, ..page });
                made.groups.push(place.group);
            }
            Ok(made)
        })
    }
}
