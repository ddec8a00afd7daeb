//! Which pages were found in which crawl, in the site and in a folder.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::engine::folder::Folder;
use crate::engine::memory::table;

/// By cluster: where it was found last.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Found {
    /// A cluster is the number of a page.
    all: Vec<Last>,
    /// In other folders than the first. Most clusters have one.
    elsewhere: FxHashMap<(u32, Folder), u16>,
}

/// The last crawls that found a cluster; 0 is none.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Last {
    crawl: u16,
    folder: Folder,
    /// In that folder.
    there: u16,
}

impl Found {
    /// Notes that a crawl found a cluster in a folder; whether it had not done so before, in the site and there.
    pub(super) fn note(&mut self, cluster: u32, folder: Folder, crawl: u16) -> (bool, bool) {
        let cluster_at = cluster as usize;
        if self.all.len() <= cluster_at {
            self.all.resize(cluster_at + 1, Last::default());
        }
        let last = &mut self.all[cluster_at];
        if last.there == 0 {
            last.folder = folder;
        }
        let there = if last.folder == folder {
            &mut last.there
        } else {
            self.elsewhere.entry((cluster, folder)).or_default()
        };
        let before = (std::mem::replace(&mut last.crawl, crawl), std::mem::replace(there, crawl));
        (before.0 != crawl, before.1 != crawl)
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.all.as_slice()) + table(&self.elsewhere)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_two_tables(notes in prop::collection::vec((0_u32..5, 0_u16..4, 0_u16..2), 0..60)) {
            let (mut found, mut crawl) = (Found::default(), 1);
            let (mut all, mut there) = (HashMap::new(), HashMap::new());
            for (cluster, folder, begins) in notes {
                crawl += begins;
                let folder = Folder::of_number(folder);
                let is_new = all.insert(cluster, crawl) != Some(crawl);
                let is_new_there = there.insert((cluster, folder), crawl) != Some(crawl);
                prop_assert_eq!(found.note(cluster, folder, crawl), (is_new, is_new_there));
            }
        }
    }
}
