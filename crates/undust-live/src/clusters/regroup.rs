//! From components to groups. Ids are stable: a component takes the largest group that it touches;
//! without one, the id of a group that nobody is left in, if most pages come from there; else a new
//! id, in the order of the first pages.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fault::Stored;
use super::record::GroupPlace;
use super::update::{UNDECIDED, Update};

impl Update<'_> {
    /// Gives every page in `moved` its group, and merges groups that a page of theirs turned out to
    /// share. Of merged groups the largest keeps its pages in place, so that a page is moved at most
    /// log n times.
    pub(super) fn regroup(&mut self, components: Vec<Component>, moved: &[u32]) -> Stored<()> {
        let mut group_of = vec![UNDECIDED; components.len()];
        for (target, component) in group_of.iter_mut().zip(&components) {
            *target = self.merge(&component.groups)?;
        }
        let of_page: FxHashMap<u32, u32> = (0..)
            .zip(&components)
            .flat_map(|(at, component)| component.pages.iter().map(move |&page| (page, at)))
            .collect();
        self.claim(&mut group_of, &of_page, moved);
        self.found(&mut group_of, &of_page, moved)?;
        for &number in moved {
            let Ok(GroupPlace { end, .. }) = self.row(number)?.page.place else { continue };
            let group = match of_page.get(&end) {
                Some(&component) => group_of[component as usize],
                None => self.row(end)?.page.place.map_or(UNDECIDED, |place| place.group),
            };
            self.row(number)?.page.place = Ok(GroupPlace { end, group });
            self.count();
        }
        Ok(())
    }

    /// Merges groups into the largest, of equal ones the oldest; returns it.
    fn merge(&mut self, groups: &[u32]) -> Stored<u32> {
        let mut largest = (Reverse(0), UNDECIDED);
        for &group in groups {
            let work = self.group(group)?;
            largest = largest.min((Reverse(work.size - work.leaving), group));
        }
        let target = largest.1;
        for &group in groups.iter().filter(|&&group| group != target) {
            self.report.merged += 1;
            for member in self.members(group)? {
                let place = &mut self.row(member)?.page.place;
                if let Ok(place) = place
                    && place.group == group
                {
                    place.group = target;
                }
            }
            if self.group(group)?.is_loose {
                self.group(target)?.is_loose = true;
            }
        }
        Ok(target)
    }

    /// Lets components without a group take the ids of groups that all have left: each id goes to
    /// the component that most of its pages are in.
    fn claim(&self, group_of: &mut [u32], of_page: &FxHashMap<u32, u32>, moved: &[u32]) {
        let mut votes: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for number in moved {
            let Some(row) = self.rows.get(number) else { continue };
            if let (Some(was), Ok(place)) = (row.was.place, row.page.place)
                && let Some(&component) = of_page.get(&place.end)
                && group_of[component as usize] == UNDECIDED
                && self.groups.get(&was.group).is_some_and(|work| work.size == work.leaving)
            {
                *votes.entry((was.group, component)).or_default() += 1;
            }
        }
        let mut votes: Vec<_> =
            votes.into_iter().map(|(pair, count)| (Reverse(count), pair)).collect();
        votes.sort_unstable();
        let mut taken = FxHashSet::default();
        for (_, (group, component)) in votes {
            let target = &mut group_of[component as usize];
            if *target == UNDECIDED && taken.insert(group) {
                *target = group;
            }
        }
    }

    /// Gives the other components new ids.
    fn found(
        &mut self,
        group_of: &mut [u32],
        of_page: &FxHashMap<u32, u32>,
        moved: &[u32],
    ) -> Stored<()> {
        let mut firsts = vec![u32::MAX; group_of.len()];
        for number in moved {
            let place = self.rows.get(number).and_then(|row| row.page.place.ok());
            if let Some(&component) = place.and_then(|place| of_page.get(&place.end)) {
                let first = &mut firsts[component as usize];
                *first = (*first).min(*number);
            }
        }
        let without_group = |(component, target): (usize, &u32)| {
            (*target == UNDECIDED).then_some((firsts[component], component))
        };
        let mut order: Vec<_> = group_of.iter().enumerate().filter_map(without_group).collect();
        order.sort_unstable();
        for (_, component) in order {
            group_of[component] = self.new_group()?;
        }
        Ok(())
    }
}

/// Pages that are the same, and the groups that they belong to.
#[derive(Debug, Default)]
pub(super) struct Component {
    pub pages: Vec<u32>,
    pub groups: Vec<u32>,
}
