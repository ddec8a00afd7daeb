//! What must hold between the tables, for tests.

use std::collections::BTreeMap;

use redb::ReadableTable;

use crate::clusters::record::{Content, GroupRecord, PageRecord};
use crate::clusters::same::near_key;
use crate::clusters::update::Update;

impl Update<'_> {
    /// Panics unless the tables say what the pages say.
    pub(super) fn check_tables(&mut self) {
        let mut pages = BTreeMap::new();
        for row in self.tables.pages.iter().unwrap() {
            let (number, row) = row.unwrap();
            pages.insert(number.value(), PageRecord::read(row.value()).unwrap());
        }
        assert_eq!(pages.len(), self.meta.pages as usize);
        let numbers: Vec<u32> = pages.keys().copied().collect();
        let mut sizes = BTreeMap::<u32, u32>::new();
        let (mut digests, mut near) = (BTreeMap::new(), BTreeMap::new());
        for &number in &numbers {
            let page = &pages[&number];
            let end = self.end_of(number).unwrap();
            assert_eq!(page.place.map(|place| place.end), end, "{page:?}");
            let Ok(place) = page.place else { continue };
            assert_eq!(pages[&place.end].place.unwrap().group, place.group, "{page:?}");
            assert!(self.tables.members.get((place.group, number)).unwrap().is_some());
            *sizes.entry(place.group).or_default() += 1;
            let Some(content) = Content::of(&page.outcome) else { continue };
            if let Some(digest) = content.digest {
                *digests.entry((digest, place.group)).or_insert(0) += 1;
            }
            if let Some((key, simhash)) = near_key(content, &self.meta.options.clusters) {
                *near.entry((key, simhash, place.group)).or_insert(0) += 1;
            }
        }
        let members = self.tables.members.iter().unwrap().count();
        assert_eq!(members, sizes.values().map(|&size| size as usize).sum::<usize>());
        let stored = self.tables.digests.iter().unwrap().map(Result::unwrap);
        assert!(stored.map(|(key, count)| (key.value(), count.value())).eq(digests));
        let stored = self.tables.near.iter().unwrap().map(Result::unwrap);
        assert!(stored.map(|(key, count)| (key.value(), count.value())).eq(near));
        self.check_groups(&pages, &sizes);
    }

    fn check_groups(&self, pages: &BTreeMap<u32, PageRecord>, sizes: &BTreeMap<u32, u32>) {
        let mut groups = 0;
        for row in self.tables.groups.iter().unwrap() {
            let (group, row) = row.unwrap();
            let record = GroupRecord::read(row.value()).unwrap();
            assert_eq!(sizes.get(&group.value()), Some(&record.size), "{record:?}");
            let place = pages[&record.canonical].place.unwrap();
            assert_eq!(place.group, group.value(), "{record:?}");
            assert_eq!(Content::of(&pages[&place.end].outcome), Some(record.signature));
            groups += 1;
        }
        assert_eq!(groups, sizes.len());
    }
}
