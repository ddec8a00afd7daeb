//! Tier 1 and tier 2 (Zhu et al., section 3): which changed pages stay where they are without any
//! search, and what the others are equal to.

use rustc_hash::FxHashMap;

use super::fault::Stored;
use super::index::Index;
use super::record::{Content, GroupPlace};
use super::regroup::Component;
use super::same::is_same;
use super::update::{UNDECIDED, Update};

/// What became of the changed pages in tier 1.
#[derive(Debug, Default)]
pub(super) struct Tiers {
    /// Stay in their groups.
    pub kept: Vec<u32>,
    /// Have to be looked at again, with all URLs that redirect to them.
    pub moved: Vec<u32>,
    /// Those of them that are pages: tier 2 compares them.
    pub compared: Vec<u32>,
}

impl Update<'_> {
    /// A page whose new content is near the signature of its group stays there. Linear; one row a
    /// group.
    pub(super) fn tier_one(&mut self, changed: &[u32]) -> Stored<Tiers> {
        let mut tiers = Tiers::default();
        for &number in changed {
            let row = self.row(number)?;
            let (was, content) = (row.was, Content::of(&row.page.outcome));
            let Some(content) = content else {
                self.report.dead += u64::from(was.content.is_some());
                tiers.moved.push(number);
                continue;
            };
            if let (Some(_), Some(GroupPlace { group, .. })) = (was.content, was.place) {
                let options = self.meta.options.clusters;
                let work = self.group(group)?;
                let signature = work.record.map(|record| record.signature);
                if signature.is_some_and(|signature| is_same(content, signature, &options)) {
                    work.is_loose = true;
                    tiers.kept.push(number);
                    continue;
                }
            }
            self.row(number)?.is_compared = true;
            tiers.moved.push(number);
            tiers.compared.push(number);
        }
        self.report.kept_by_signature = tiers.kept.len() as u64;
        self.report.compared = tiers.compared.len() as u64;
        Ok(tiers)
    }

    /// Compares the pages that tier 1 did not settle with all others, and puts them, and the URLs
    /// that redirect to them, into groups: one that is there, where one or more are (these are
    /// merged), else a new one.
    pub(super) fn tier_two(&mut self, tiers: &Tiers, moved: &[u32]) -> Stored<()> {
        let index = self.index(tiers)?;
        let components = self.components(&tiers.compared, &index)?;
        self.regroup(components, moved)
    }

    /// What the index must forget and know in addition to its tables.
    fn index(&mut self, tiers: &Tiers) -> Stored<Index> {
        let mut index = Index::new(self.meta.options.clusters);
        let leaving = self.rows.values().filter_map(|row| {
            let (content, place) = row.was.content.zip(row.was.place)?;
            let leaves = row.page.place.map_or(true, |place| place.group == UNDECIDED);
            leaves.then_some((content, place.group))
        });
        leaving.for_each(|(content, group)| index.forget(content, group));
        for &number in &tiers.kept {
            let row = self.row(number)?;
            if let (Some(old), Some(place)) = (row.was.content, row.was.place) {
                index.forget(old, place.group);
                index.note(Content::of(&row.page.outcome).unwrap_or_default(), place.group);
            }
        }
        Ok(index)
    }

    /// Which of the compared pages are the same, and as which groups.
    fn components(&mut self, compared: &[u32], index: &Index) -> Stored<Vec<Component>> {
        let mut contents = Vec::with_capacity(compared.len());
        for &number in compared {
            contents.push(Content::of(&self.row(number)?.page.outcome).unwrap_or_default());
        }
        let (mut sets, groups) = index.join(&self.tables, &contents)?;
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        let mut components: Vec<Component> = Vec::new();
        for (node, &page) in (0..).zip(compared) {
            let next = components.len();
            let at = *places.entry(sets.root(node)).or_insert(next);
            if at == next {
                components.push(Component::default());
            }
            components[at].pages.push(page);
        }
        for (node, &group) in (compared.len() as u32..).zip(&groups) {
            // A group that is near none of the pages is of no interest.
            if let Some(&at) = places.get(&sets.root(node)) {
                components[at].groups.push(group);
            }
        }
        Ok(components)
    }
}
