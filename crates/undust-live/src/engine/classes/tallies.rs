//! Tests by level and folder, and what a folder may believe of them.
//!
//! One folder may be one author's, who shows what he likes. A level of a class is therefore counted
//! by folder, and a folder believes its own tests as they are. Of the others it believes as much
//! as the third of them showed: the two with the most tests count as if they had no more than the
//! third, so that no author counts for more than another one does who has a folder of his own. With
//! fewer than three others it believes none. This is what the gate asks of an edit before it holds
//! elsewhere (docs/evidence.md, section 5).

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::engine::folder::Folder;
use crate::engine::memory::{keep_most, table};
use crate::engine::propose::Spread;
use crate::engine::shared::Member;

/// How many members a group had: 1, 2, 3 to 4, 5 to 8, 9 or more.
pub(super) const DEPTHS: usize = 5;

/// Folders that must have shown it, besides the one that is to believe it.
const SEVERAL: usize = 3;

/// Pages that must have passed a test of a hypothesis in a folder, for it to say more of a group than the members do.
const LEAST_PAGES: usize = 2;

/// What tests showed. Those of one page count 1, 1/2, 1/3 …
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::engine) struct Tally {
    pub tests: f32,
    pub wrong: f32,
    pub lost: f32,
}

impl Tally {
    pub(in crate::engine) fn times(self, factor: f32) -> Self {
        let Self { tests, wrong, lost } = self;
        Self { tests: tests * factor, wrong: wrong * factor, lost: lost * factor }
    }

    /// What these show beyond some of them. The tests of other folders and sites are capped at each
    /// level by itself, so what is left of them may have more that failed than were made.
    pub(super) fn beyond(self, inner: Self) -> Self {
        let Self { tests, wrong, lost } = self.and(inner.times(-1.0));
        let wrong = wrong.min(tests);
        Self { tests, wrong, lost: lost.min(wrong) }
    }

    /// Both; what rounding leaves below nothing is nothing.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            tests: (self.tests + other.tests).max(0.0),
            wrong: (self.wrong + other.wrong).max(0.0),
            lost: (self.lost + other.lost).max(0.0),
        }
    }
}

/// A level of a class, and a depth.
pub(in crate::engine) type Level = (u64, u8);

/// Where a test counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Where {
    pub level: u64,
    pub folder: Folder,
    pub depth: u8,
    /// Where URLs of this level can be.
    pub spread: Spread,
}

/// The tests of a folder as the journal keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::engine) struct LearnedTest {
    class: u64,
    #[serde(default)]
    folder: Folder,
    depth: u8,
    #[serde(default)]
    shared: bool,
    tests: f32,
    wrong: f32,
    lost: f32,
}

/// All folders of one level at one depth.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Folders {
    all: Tally,
    /// Those with the most tests, most first: one more than [`SEVERAL`], since the one that asks may
    /// be among them.
    most: [(Folder, Tally); SEVERAL + 1],
}

/// Pages that passed tests, with their folders: at most [`LEAST_PAGES`] of each, and seven folders, which are more than
/// the [`SEVERAL`] that show something to any other, or eight so that not all have the same page.
type FirstPassed = SmallVec<[(Folder, u32); 2]>;

/// The key of a folder's tests.
type Own = (u64, Folder, u8);

/// Tests of the hypotheses of one origin.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct Tallies {
    own: FxHashMap<Own, (Tally, Spread)>,
    folders: FxHashMap<Level, Folders>,
    /// By level, folder and page: tests that it passed.
    passed: FxHashMap<(u64, Folder, u32), u16>,
    /// By hypothesis on a kind of URLs: the first pages that passed a test of it, with their folders.
    first_passed: FxHashMap<u64, FirstPassed>,
    /// The site among others, if these tests concern them.
    #[serde(skip)]
    member: Option<Member>,
}

/// How many pages of a folder are among them.
fn pages_of(passed: &FirstPassed, folder: Folder) -> usize {
    passed.iter().filter(|(other, _)| *other == folder).count()
}

/// Whether all of them are one page.
fn has_one_page(passed: &FirstPassed) -> bool {
    passed.windows(2).all(|two| two[0].1 == two[1].1)
}

/// Notes that a page of a folder passed a test, as far as there is room for it.
fn note_passed(passed: &mut FirstPassed, folder: Folder, page: u32) {
    let has_room = match pages_of(passed, folder) {
        0 => passed.len() <= LEAST_PAGES * SEVERAL || has_one_page(passed) && passed[0].1 != page,
        own => own < LEAST_PAGES,
    };
    if has_room && !passed.contains(&(folder, page)) {
        passed.push((folder, page));
    }
}

impl Folders {
    fn add(&mut self, counted: Tally, folder: Folder, own: Tally) {
        self.all = self.all.and(counted);
        let known =
            self.most.iter().position(|(other, tally)| *other == folder && tally.tests > 0.0);
        let place = known.unwrap_or(SEVERAL);
        if known.is_some() || own.tests > self.most[SEVERAL].1.tests {
            self.most[place] = (folder, own);
            self.most.sort_by(|(_, one), (_, other)| other.tests.total_cmp(&one.tests));
        }
    }

    /// What a folder believes of the others.
    fn besides(&self, folder: Folder, own: Tally) -> Tally {
        let mut others =
            self.most.iter().filter(|(other, _)| *other != folder).map(|(_, tally)| *tally);
        let most: [Tally; SEVERAL] = std::array::from_fn(|_| others.next().unwrap_or_default());
        let enough = most[SEVERAL - 1].tests;
        if enough <= 0.0 {
            return Tally::default();
        }
        let rest = most[..SEVERAL - 1]
            .iter()
            .fold(self.all.and(own.times(-1.0)), |rest, tally| rest.and(tally.times(-1.0)));
        most[..SEVERAL - 1]
            .iter()
            .fold(rest, |sum, tally| sum.and(tally.times(enough / tally.tests)))
    }
}

impl Tallies {
    /// From now on other sites know of these tests, and the site of theirs.
    pub(super) fn join(&mut self, member: Member) {
        self.each_level(|level, tests| member.change(level, Tally::default(), tests));
        self.member = Some(member);
    }

    /// Takes back what other sites know.
    pub(super) fn leave(&mut self) -> Option<Member> {
        let member = self.member.take()?;
        self.each_level(|level, tests| member.change(level, tests, Tally::default()));
        Some(member)
    }

    /// Calls with what the whole site showed at each level.
    fn each_level(&self, mut call: impl FnMut(Level, Tally)) {
        let own = self.own.iter().filter(|(_, (_, spread))| *spread == Spread::Folder);
        own.for_each(|(&(level, _, depth), &(tests, _))| call((level, depth), tests));
        self.folders.iter().for_each(|(&level, folders)| call(level, folders.all));
    }

    /// Goes on among the others, who know of these tests.
    pub(super) fn come_back(&mut self, member: Option<Member>) {
        self.member = member;
    }

    /// The site among others that can have URLs of this level.
    fn member_at(&self, at: &Where) -> Option<&Member> {
        self.member.as_ref().filter(|_| at.spread != Spread::Site)
    }

    /// Has the site take part among the others, before its first test.
    pub(super) fn take_part(&mut self) {
        self.member.iter_mut().for_each(Member::take_part);
    }

    /// The site among others.
    pub(super) fn member(&self) -> Option<&Member> {
        self.member.as_ref()
    }

    /// What the next test that shows a page counts at the narrowest level.
    pub(super) fn passed(&mut self, at: &Where, hypothesis: u64, page: u32) -> Tally {
        note_passed(self.first_passed.entry(hypothesis).or_default(), at.folder, page);
        let before = self.passed.entry((at.level, at.folder, page)).or_default();
        *before = before.saturating_add(1);
        Tally { tests: 1.0 / f32::from(*before), wrong: 0.0, lost: 0.0 }
    }

    /// Whether a page has passed a test of a hypothesis on a kind of URLs.
    pub(super) fn has_passed(&self, hypothesis: u64) -> bool {
        self.first_passed.get(&hypothesis).is_some_and(|passed| !passed.is_empty())
    }

    /// Whether several pages of a folder have, or several pages of several other folders.
    pub(super) fn is_shown(&self, hypothesis: u64, folder: Folder) -> bool {
        let Some(passed) = self.first_passed.get(&hypothesis) else { return false };
        // No more than a few, and asked for each form of each URL: nothing is allocated.
        let is_first =
            |at: &usize| passed[..*at].iter().all(|(before, _)| *before != passed[*at].0);
        let folders = (0..passed.len()).filter(is_first).filter(|at| passed[*at].0 != folder);
        // One page may be under the names of many folders, such as that of dead links.
        pages_of(passed, folder) >= LEAST_PAGES
            || !has_one_page(passed) && folders.count() >= SEVERAL
    }

    /// Takes back what [`Self::passed`] counted.
    pub(super) fn forget_passed(&mut self, at: &Where, hypothesis: u64, page: u32) {
        let Some(before) = self.passed.get_mut(&(at.level, at.folder, page)) else { return };
        *before = before.saturating_sub(1);
        if *before == 0
            && let Some(passed) = self.first_passed.get_mut(&hypothesis)
        {
            passed.retain(|passed| *passed != (at.folder, page));
        }
    }

    pub(super) fn add(&mut self, at: &Where, counted: Tally) {
        let (own, _) = self
            .own
            .entry((at.level, at.folder, at.depth))
            .or_insert((Tally::default(), at.spread));
        let mut before = *own;
        *own = own.and(counted);
        let mut now = *own;
        if at.spread == Spread::Folders {
            let folders = self.folders.entry((at.level, at.depth)).or_default();
            before = folders.all;
            folders.add(counted, at.folder, now);
            now = folders.all;
        }
        if let Some(member) = self.member_at(at) {
            member.change((at.level, at.depth), before, now);
        }
    }

    /// What is believed there.
    pub(super) fn of(&self, at: &Where) -> Tally {
        let own = self.own.get(&(at.level, at.folder, at.depth)).map(|(own, _)| *own);
        let own = own.unwrap_or_default();
        let is_shared = at.spread == Spread::Folders;
        let folders = is_shared.then(|| self.folders.get(&(at.level, at.depth))).flatten();
        let folders = folders.map(|folders| folders.besides(at.folder, own)).unwrap_or_default();
        own.and(folders).and(self.of_other_sites(at))
    }

    /// What other sites showed there.
    pub(super) fn of_other_sites(&self, at: &Where) -> Tally {
        let Some(member) = self.member_at(at) else {
            return Tally::default();
        };
        let level = (at.level, at.depth);
        let own = if at.spread == Spread::Folders {
            self.folders.get(&level).map(|folders| folders.all)
        } else {
            self.own.get(&(at.level, at.folder, at.depth)).map(|(own, _)| *own)
        };
        member.others(level, own.unwrap_or_default())
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        table(&self.own) + table(&self.folders) + table(&self.passed) + table(&self.first_passed)
    }

    /// Forgets what the fewest tests say until all takes at most this many bytes. A class that is
    /// forgotten is one that nobody has tested.
    pub(super) fn keep_within(&mut self, most: usize) {
        let entries = |entry: usize| most / 4 / (2 * entry);
        let most_own = entries(size_of::<(Own, (Tally, Spread))>());
        let most_folders = entries(size_of::<(Level, Folders)>());
        if self.own.len() > most_own || self.folders.len() > most_folders {
            // What is forgotten is no vote.
            let member = self.leave();
            keep_most(&mut self.own, most_own, |(tally, _)| tally.tests);
            keep_most(&mut self.folders, most_folders, |folders| folders.all.tests);
            member.into_iter().for_each(|member| self.join(member));
        }
        let entry = size_of::<((u64, Folder, u32), u16)>();
        keep_most(&mut self.passed, entries(entry), |tests| (*tests).into());
        let entry = size_of::<(u64, FirstPassed)>();
        keep_most(&mut self.first_passed, entries(entry), |pages| pages.len() as f32);
    }

    /// All of them, in the order of levels, folders and depths.
    pub(super) fn all(&self) -> Vec<LearnedTest> {
        let mut all: Vec<LearnedTest> = self
            .own
            .iter()
            .map(|(&(class, folder, depth), &(Tally { tests, wrong, lost }, spread))| {
                let shared = spread == Spread::Folders;
                LearnedTest { class, folder, depth, shared, tests, wrong, lost }
            })
            .collect();
        all.sort_unstable_by_key(|test| (test.class, test.folder, test.depth));
        all
    }

    /// Restores [`Self::all`].
    pub(super) fn restore(&mut self, tests: &[LearnedTest]) {
        for &LearnedTest { class, folder, depth, shared, tests, wrong, lost } in tests {
            let spread = if shared { Spread::Folders } else { Spread::Folder };
            let at = Where { level: class, folder, depth, spread };
            self.add(&at, Tally { tests, wrong, lost });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(tests: &[(u16, u32)]) -> Tallies {
        let mut tallies = Tallies::default();
        for (folder, page) in tests {
            tallies.passed(&at(*folder), 7, *page);
        }
        tallies
    }

    fn at(folder: u16) -> Where {
        let folder = Folder::of_number(folder);
        Where { level: 3, folder, depth: 0, spread: Spread::Folders }
    }

    #[test]
    fn pages_of_one_other_folder_show_nothing() {
        let is_shown = |tests: &[(u16, u32)]| passed(tests).is_shown(7, Folder::of_number(1));
        assert!(!is_shown(&[]) && !is_shown(&[(1, 5), (1, 5)]) && is_shown(&[(1, 5), (1, 6)]));
        assert!(!is_shown(&[(2, 5), (2, 6), (2, 7), (1, 5)]));
        assert!(!is_shown(&[(2, 5), (3, 6), (2, 7)]) && is_shown(&[(2, 5), (3, 6), (4, 7)]));
        let mut many: Vec<(u16, u32)> = (2..900).map(|folder| (folder, 5)).collect();
        assert!(passed(&many).first_passed[&7].len() <= 8 && !is_shown(&many));
        many.extend((900..999).map(|folder| (folder, 6)));
        assert!(passed(&many).first_passed[&7].len() <= 8 && is_shown(&many));
    }

    #[test]
    fn what_is_taken_back_shows_nothing() {
        let mut tallies = passed(&[(1, 5), (1, 6), (1, 6)]);
        tallies.forget_passed(&at(1), 7, 6);
        assert!(tallies.is_shown(7, Folder::of_number(1)));
        tallies.forget_passed(&at(1), 7, 6);
        assert!(!tallies.is_shown(7, Folder::of_number(1)) && tallies.has_passed(7));
    }
}
