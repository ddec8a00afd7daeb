//! The fetched URLs by the forms that hypotheses give them.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Fetched, Known};
use crate::engine::classes::{Class, LARGE};
use crate::engine::compact::by_hash;
use crate::engine::folder::Folder;
use crate::engine::memory::table;
use crate::engine::propose::Proposal;

/// The class of groups of what is only proposed.
const NO_CLASS: u32 = 0;

/// That of groups of the model whose class has no number.
pub(super) const UNKNOWN: u32 = 1;

/// That of the first class in the table of classes.
pub(super) const FIRST_CLASS: u32 = 2;

/// From so many members on, a group may be one of URLs that look drawn at random.
const MOSTLY_DRAWN: u8 = 8;

/// A group is past its other pages, as a list is after its end, where the last members showed one page: at least so many, and
/// as many as all before them.
const RUN: u32 = 60;

/// So many members, of all groups of a class together, must have come to runs of that length, for each of these that ended and
/// one more: a list with a page in three hundred places has no end yet.
const AFTER_RUNS: u32 = 440;

/// By this power of two more groups are kept of hypotheses that a page has passed.
const PASSED: u32 = 4;

/// The fetched URLs that a hypothesis gives one form.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Group {
    /// The page that they show, by a page of its cluster.
    pub page: u32,
    /// URLs; where they showed two pages, those of the last run of one page.
    members: u32,
    /// URLs before that run; 0 if all showed one page.
    before: u32,
    /// Whether it is past those.
    is_past: bool,
    /// The last crawl in which one was fetched: what another crawl fetched may have changed.
    pub crawl: u16,
    /// Whether several members of another group of the class had shown one page when the last came.
    has_passed: bool,
    /// Of its members, how many more look drawn at random in what they differ in than do not, where one that does not
    /// counts as three.
    drawn: u8,
    /// The class of its last member, from [`FIRST_CLASS`] on.
    pub class: u32,
}

impl Group {
    /// That of a URL which was fetched and is its own form.
    pub(super) fn of_one((page, crawl): (u32, u16)) -> Self {
        Self {
            page,
            members: 1,
            before: 0,
            is_past: false,
            crawl,
            has_passed: false,
            drawn: 0,
            class: UNKNOWN,
        }
    }

    /// Whether its URLs showed two pages, and it is not past those: then none is skipped.
    pub(super) fn is_mixed(&self) -> bool {
        self.before > 0 && !self.is_past
    }

    /// Whether it showed other pages and is past them.
    pub(super) fn is_past(&self) -> bool {
        self.is_past
    }

    /// Members that speak for its page.
    pub(super) fn members(&self) -> u32 {
        self.members
    }

    /// All URLs.
    pub(super) fn fetched(&self) -> u32 {
        self.before.saturating_add(self.members)
    }

    /// Whether its last members are a run of one page, long enough to be past the pages before.
    fn is_in_run(&self) -> bool {
        self.is_past || self.before > 0 && self.members >= RUN.max(self.before)
    }

    /// Begins a run of another page.
    fn begin_run(&mut self, page: u32) {
        (self.page, self.before, self.members) = (page, self.fetched(), 0);
        self.is_past = false;
    }

    /// Goes on as the smallest of the large groups, past all pages before its run.
    fn leave_behind(&mut self) {
        (self.before, self.members) = (self.fetched() - LARGE, LARGE);
        self.is_past = true;
    }

    /// Whether what its URLs differ in looks drawn at random. A few such names say nothing of the others.
    pub(super) fn is_drawn(&self) -> bool {
        self.drawn >= MOSTLY_DRAWN
    }

    fn note_drawn(&mut self, is_drawn: bool) {
        self.drawn =
            if is_drawn { self.drawn.saturating_add(1) } else { self.drawn.saturating_sub(3) };
    }
}

/// Runs of one page in groups that had shown others.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Runs {
    /// Members that came to them.
    members: u32,
    /// Those that another page ended.
    ended: u32,
}

impl Runs {
    /// Whether hardly any ends.
    fn go_on(self) -> bool {
        self.members / AFTER_RUNS > self.ended
    }
}

/// All groups, by hash. What is only proposed is evidence, so that a sample of its forms will do where memory is short;
/// the forms of the model are never forgotten.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Groups {
    #[serde(with = "by_hash")]
    all: FxHashMap<u64, Group>,
    /// Of proposals that no page has passed, one form in this power of two is kept.
    thinned: u32,
    /// By hypothesis on a kind of URLs, and folder.
    runs: FxHashMap<(u64, Folder), Runs>,
}

impl Groups {
    pub(super) fn get(&self, key: u64) -> Option<&Group> {
        self.all.get(&key)
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.all.contains_key(&key)
    }

    /// Puts a group there, if there is none.
    pub(super) fn begin(&mut self, key: u64, group: Group) {
        self.all.entry(key).or_insert(group);
    }

    /// Takes a page into the group of a proposal, whose class a page has passed or not.
    pub(super) fn join_proposed(
        &mut self,
        proposal: &Proposal,
        fetched: Fetched,
        has_passed: bool,
        known: &mut impl Known,
    ) {
        let key = proposal.group;
        if self.thinned == 0 || is_sampled(key, self.thinned, has_passed) || self.contains(key) {
            self.join(key, fetched, (&proposal.class, NO_CLASS), known);
            if let Some(group) = self.all.get_mut(&key) {
                group.has_passed |= has_passed;
                group.note_drawn(proposal.is_drawn);
            }
        }
    }

    /// Takes a page into a group of a class, which has this number.
    pub(super) fn join(
        &mut self,
        key: u64,
        fetched: Fetched,
        (class, number): (&Class, u32),
        known: &mut impl Known,
    ) {
        let Fetched { page, crawl, .. } = fetched;
        let first = Group { members: 0, ..Group::of_one((page, crawl)) };
        let group = self.all.entry(key).or_insert(first);
        if group.crawl != crawl {
            // What was one page in another crawl may be many by now.
            let members = group.members.min(LARGE - 1);
            (group.page, group.crawl, group.members) = (page, crawl, members);
            group.is_past = false;
        }
        if group.is_in_run() {
            let runs = self.runs.entry(class.place()).or_default();
            runs.members = runs.members.saturating_add(1);
            if known.cluster(group.page) != page {
                runs.ended += 1;
            } else if !group.is_past && runs.go_on() {
                group.leave_behind();
            }
        }
        if known.cluster(group.page) != page {
            group.begin_run(page);
        }
        group.members += 1;
        group.class = number;
    }

    /// Takes a page out of a group.
    pub(super) fn leave(&mut self, key: u64, page: u32, known: &mut impl Known) {
        let Some(group) = self.all.get_mut(&key) else { return };
        if known.cluster(group.page) == page {
            group.members = group.members.saturating_sub(1);
            if group.fetched() == 0 {
                self.all.remove(&key);
            }
        }
    }

    /// Forgets half of the forms of proposals, or more; whether there is more to forget.
    pub(super) fn thin(&mut self) -> bool {
        self.thinned += 1;
        let thinned = self.thinned;
        self.all.retain(|key, group| {
            group.class != NO_CLASS
                || group.fetched() >= LARGE
                || is_sampled(*key, thinned, group.has_passed)
        });
        self.all.shrink_to_fit();
        thinned < u64::BITS
    }

    /// As far thinned as others.
    pub(super) fn thinned_as(&self) -> Self {
        Self { thinned: self.thinned, ..Self::default() }
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        table(&self.all) + table(&self.runs)
    }
}

/// Whether a form is in the sample.
fn is_sampled(key: u64, thinned: u32, has_passed: bool) -> bool {
    let thinned = if has_passed { thinned.saturating_sub(PASSED) } else { thinned };
    // Tables take the bits of the other end.
    key.leading_zeros() >= thinned
}

#[cfg(test)]
mod tests {
    use std::iter::repeat_n;

    use super::*;
    use crate::engine::classes::{Origin, Trust};
    use crate::engine::propose::Spread;

    /// Each page is its own cluster, and no URL is known.
    struct Alone;

    impl Known for Alone {
        fn cluster(&mut self, page: u32) -> u32 {
            page
        }

        fn newest(&self, _: u64) -> Option<(u32, u16)> {
            None
        }
    }

    fn class() -> Class {
        let (folder, spread) = (Folder::default(), Spread::Folders);
        let (trust, origin) = (Trust::Proposed, Origin::Given);
        Class { chain: [1, 2, 3, 4], folder, spread, trust, origin }
    }

    fn join(groups: &mut Groups, key: u64, pages: impl Iterator<Item = u32>) {
        for page in pages {
            let fetched = Fetched { number: page, page, is_new: true, crawl: 1 };
            groups.join(key, fetched, (&class(), NO_CLASS), &mut Alone);
        }
    }

    /// How many members with one page each group gets, in turns, until all are past the two pages before.
    fn run_of(groups: &mut Groups, keys: std::ops::Range<u64>) -> usize {
        keys.clone().for_each(|key| join(groups, key, 0..2));
        let is_mixed = |groups: &Groups, key| groups.get(key).is_some_and(Group::is_mixed);
        let mut run = 0;
        while keys.clone().any(|key| is_mixed(groups, key)) {
            keys.clone().for_each(|key| join(groups, key, [9000].into_iter()));
            run += 1;
        }
        run
    }

    #[test]
    fn a_group_is_past_its_other_pages_after_a_run_as_long_as_all_before() {
        for before in [2, 30, 800] {
            let mut groups = Groups::default();
            join(&mut groups, 1, 0..before);
            let run = RUN.max(before) + AFTER_RUNS;
            join(&mut groups, 1, repeat_n(9000, run as usize - 1));
            assert!(groups.get(1).expect("a group").is_mixed());
            join(&mut groups, 1, [9000].into_iter());
            let group = groups.get(1).expect("a group");
            assert!(!group.is_mixed());
            assert_eq!((group.members(), group.fetched()), (LARGE + 1, before + run));
            join(&mut groups, 1, [0].into_iter());
            assert!(groups.get(1).expect("a group").is_mixed());
        }
    }

    /// Lists of one kind have one end, whether they come in turns or one after another, until one goes on after it.
    #[test]
    fn groups_of_a_class_share_their_runs() {
        let mut groups = Groups::default();
        assert_eq!(run_of(&mut groups, 0..1), 500);
        assert_eq!((1..9).map(|key| run_of(&mut groups, key..key + 1)).max(), Some(61));
        let mut others = Groups::default();
        assert_eq!(run_of(&mut others, 0..44), 71);
        join(&mut groups, 4, [1].into_iter());
        assert_eq!(
            groups.get(4).map(|group| (group.is_mixed(), group.fetched())),
            Some((true, 64))
        );
        assert!(run_of(&mut groups, 9..10) > 400);
    }

    /// Lists with a page in many places, and not at equal distances, have no end yet.
    #[test]
    fn runs_that_end_are_no_end() {
        let mut groups = Groups::default();
        for place in 0..60_000_u32 {
            let (list, hash) = (u64::from(place) % 30, place.wrapping_mul(0x9E37_79B9) >> 8);
            let page = if hash.is_multiple_of(200) { place } else { 90_000 };
            join(&mut groups, list, [page].into_iter());
        }
        assert!((0..30).all(|list| groups.get(list).expect("a group").is_mixed()));
    }

    #[test]
    fn a_large_group_of_two_pages_is_not_forgotten() {
        let mut groups = Groups::default();
        join(&mut groups, 1, 0..20);
        while groups.thin() {}
        assert!(groups.get(1).expect("a group").is_mixed());
    }
}
