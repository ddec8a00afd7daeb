//! What became of the tests of hypotheses, by class and by how many members a group had.
//!
//! A group is the fetched URLs that a hypothesis gives one form. A member that is fetched when
//! others were is a test: it shows their page, or another. How many members were there before
//! matters: the second member of a group is wrong more often than the tenth. Forty groups that all
//! show one page, such as an empty list, are hardly more than one effective sample, so the tests of
//! one page count 1, 1/2, 1/3 …
//!
//! Little is known of a narrow class at first, so its rate is drawn to that of the next wider one,
//! and so on to what is expected without any test (shrinkage, as in the gate: empirical Bayes with
//! beta priors).
//!
//! What one folder shows says nothing of another: see [`tallies`].

mod members;
mod probes;
mod tallies;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use undust_edits::shrinkage::shrunk;

pub(super) use self::members::is_settled;
use self::members::own_loss;
use self::probes::{Growth, Probes};
use self::tallies::{DEPTHS, Tallies, Where};
pub(super) use self::tallies::{LearnedTest, Level, Tally};
use super::folder::Folder;
use super::propose::Spread;
use super::shared::Member;
use super::spent::AccountKey;

/// The probability that the next member of a group differs, by depth, where nothing was tested: of
/// what the gate accepted, and of what is only proposed. Chosen, as all numbers here, on half of
/// the crawls in docs/research/LIVE.md.
const ACCEPTED: [f64; DEPTHS] = [0.02, 0.008, 0.004, 0.002, 0.001];
const PROPOSED: [f64; DEPTHS] = [0.3, 0.12, 0.06, 0.03, 0.015];

/// Share of the pages that differ which nobody has seen, where nothing was tested.
const NEW: f64 = 0.5;

/// From this many members on, a group says more of itself than its class does.
pub(super) const LARGE: u32 = 9;

/// A class is probed again when its skips have grown by this factor: that of what the gate accepted,
/// and that of what is only proposed. The first probes find most of what fails, whatever the gate has
/// seen before (docs/research/LIVE.md).
const PROBE_GROWTH: [f64; 2] = [2.0, 1.42];

/// The factor where other sites showed it. Their tests take the place of the first probe.
const PROBE_GROWTH_BY_OTHERS: f64 = 3.0;

/// A class of hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Class {
    /// It, and those that it is part of: hashes from the narrowest to the widest.
    pub chain: [u64; 4],
    /// The folder of the URL.
    pub folder: Folder,
    /// Where URLs of this kind can be: in one folder, the two narrowest know no other.
    pub spread: Spread,
    pub trust: Trust,
    pub origin: Origin,
}

impl Class {
    /// Its levels, from the narrowest to the widest, at this depth.
    fn levels(&self, members: u32) -> [Where; 4] {
        let depth = depth(members) as u8;
        std::array::from_fn(|number| Where {
            level: self.chain[number],
            folder: self.folder,
            depth,
            spread: match (number, self.spread) {
                (0 | 1, spread) | (2, spread @ Spread::Site) => spread,
                _ => Spread::Folders,
            },
        })
    }

    /// Which skips have one price: those of a large group, or of all smaller ones.
    pub(super) fn account(&self, group: u64, members: u32) -> AccountKey {
        AccountKey { class: self.hypothesis(), group: (members >= LARGE).then_some(group) }
    }

    /// Its hypothesis on one kind of URLs of its folder.
    pub(super) fn place(&self) -> (u64, Folder) {
        (self.hypothesis(), self.folder)
    }

    /// Its hypothesis on one kind of URLs.
    pub(super) fn hypothesis(&self) -> u64 {
        self.chain[1]
    }
}

/// Who stands behind a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Trust {
    /// The model applies it: the gate has tested it.
    Accepted,
    /// Somebody proposes it.
    Proposed,
}

/// What a test showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestOutcome {
    /// The page of the group.
    Same,
    /// Another page, which was seen before.
    Other,
    /// Another page, which nobody had seen.
    New,
}

/// Where a hypothesis comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Origin {
    /// It was there before the pages: all of them test it.
    #[default]
    Given,
    /// It was learned from pages, which it fits whatever holds: only those that came later test it.
    Learned,
}

/// One test, as it was counted.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Test {
    class: Class,
    members: u32,
    page: u32,
    counted: Tally,
}

/// All tests so far.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct Classes {
    given: Tallies,
    /// They outlive the next learning, which may accept the same.
    learned: Tallies,
    pub(super) probes: Probes,
    /// Classes that are believed no more.
    off: FxHashSet<u64>,
}

impl Classes {
    /// Counts a test on a group that had `members` members and showed a page.
    pub(super) fn count(
        &mut self,
        class: &Class,
        members: u32,
        page: u32,
        outcome: TestOutcome,
    ) -> Test {
        let tallies = self.tallies_mut(class.origin);
        let counted = match outcome {
            TestOutcome::Same => {
                tallies.passed(&class.levels(members)[0], class.hypothesis(), page)
            }
            TestOutcome::Other => Tally { tests: 1.0, wrong: 1.0, lost: 0.0 },
            TestOutcome::New => Tally { tests: 1.0, wrong: 1.0, lost: 1.0 },
        };
        class.levels(members).iter().for_each(|at| tallies.add(at, counted));
        Test { class: *class, members, page, counted }
    }

    /// Takes a test back.
    pub(super) fn take_back(&mut self, test: &Test) {
        let Test { class, members, page, counted } = test;
        let tallies = self.tallies_mut(class.origin);
        if counted.wrong == 0.0 {
            tallies.forget_passed(&class.levels(*members)[0], class.hypothesis(), *page);
        }
        class.levels(*members).iter().for_each(|at| tallies.add(at, counted.times(-1.0)));
    }

    fn tallies_mut(&mut self, origin: Origin) -> &mut Tallies {
        match origin {
            Origin::Given => &mut self.given,
            Origin::Learned => &mut self.learned,
        }
    }

    fn tallies(&self, origin: Origin) -> &Tallies {
        match origin {
            Origin::Given => &self.given,
            Origin::Learned => &self.learned,
        }
    }

    /// All tests of what was learned, in the order of the classes.
    pub(super) fn learned_tests(&self) -> Vec<LearnedTest> {
        self.learned.all()
    }

    /// Restores [`Self::learned_tests`].
    pub(super) fn restore(&mut self, tests: &[LearnedTest]) {
        self.learned = Tallies::default();
        self.learned.restore(tests);
    }

    /// Takes over the tests of what was learned before: under the same name they are tests of the
    /// same.
    pub(super) fn inherit(&mut self, mut before: Self) {
        // In their order, as a later process restores them: sums of floats depend on it.
        self.restore(&before.learned.all());
        self.probes = before.probes;
        before.given.leave().into_iter().for_each(|member| self.given.join(member));
    }

    /// From now on other sites know of the tests, and the site of theirs.
    pub(super) fn join(&mut self, member: Member) {
        self.given.join(member);
    }

    /// Goes on among the other sites, who know of the tests.
    pub(super) fn come_back(&mut self, member: Option<Member>) {
        self.given.come_back(member);
    }

    /// Has the site take part among the others, before its first test.
    pub(super) fn take_part(&mut self) {
        self.given.take_part();
    }

    /// The site among the others.
    pub(super) fn member(&self) -> Option<&Member> {
        self.given.member()
    }

    /// How the stretches grow of which each has a probe, on a site of so many pages. A large group that one page alone
    /// speaks for may be what a site answers to dead links (soft 404), of which hundreds may come before the first page of
    /// their folder: it is probed more often.
    pub(super) fn growth(
        &self,
        class: &Class,
        account: AccountKey,
        is_drawn: bool,
        pages: u64,
    ) -> Growth {
        let skips_first = self.is_shown_by_others(class);
        let factor =
            if skips_first { PROBE_GROWTH_BY_OTHERS } else { PROBE_GROWTH[class.trust as usize] };
        let has_squares = account.group.is_some()
            && !is_drawn
            && !self.tallies(class.origin).is_shown(class.hypothesis(), class.folder)
            && self.probes.has_room(pages);
        Growth { factor, has_squares, skips_first }
    }

    /// The probability that the next member of a pure group with `members` members shows a page
    /// that nobody has seen. A class that one page alone has passed knows no more than the members
    /// of the group say, which is more if what they differ in looks drawn at random.
    pub(super) fn loss(&self, class: &Class, members: u32, is_drawn: bool) -> f32 {
        let by_class = self.loss_by_class(class, members);
        let by_members = if members < LARGE {
            1.0
        } else {
            own_loss(members, is_drawn) / own_loss(LARGE, is_drawn)
        };
        let loss = by_class * by_members;
        if self.is_shown_by_pages(class) || self.is_shown_by_others(class) {
            loss
        } else {
            loss.max(own_loss(members, is_drawn))
        }
    }

    /// Whether several pages have passed a test of a class on this kind of URLs. What was learned
    /// was shown to the gate.
    fn is_shown_by_pages(&self, class: &Class) -> bool {
        let is_learned = class.trust == Trust::Accepted || class.origin == Origin::Learned;
        is_learned || self.given.is_shown(class.hypothesis(), class.folder)
    }

    /// Whether a class is known by other sites, and hardly by this one.
    fn is_shown_by_others(&self, class: &Class) -> bool {
        let kinds = &class.levels(1)[1..3];
        !self.is_shown_by_pages(class)
            && kinds.iter().any(|at| self.given.of_other_sites(at).tests > 0.0)
    }

    /// Whether a page has passed a test of a class on this kind of URLs.
    pub(super) fn has_passed(&self, class: &Class) -> bool {
        self.tallies(class.origin).has_passed(class.hypothesis())
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.given.memory() + self.learned.memory() + self.probes.memory()
    }

    /// Forgets the classes with the fewest tests until all take at most this many bytes.
    pub(super) fn keep_within(&mut self, most: usize) {
        if self.memory() > most {
            [&mut self.given, &mut self.learned]
                .into_iter()
                .for_each(|tallies| tallies.keep_within(most / 3));
            self.probes.keep_within(most / 6);
        }
    }

    fn loss_by_class(&self, class: &Class, members: u32) -> f32 {
        if class.chain.iter().any(|class| self.off.contains(class)) {
            return 1.0;
        }
        let depth = depth(members);
        let mut wrong = match class.trust {
            Trust::Accepted => ACCEPTED[depth],
            Trust::Proposed => PROPOSED[depth],
        };
        let mut new = NEW;
        let tallies = self.tallies(class.origin);
        // What a wider class knows from a narrower one does not count twice (docs/evidence.md, section 2).
        let known = class.levels(members).map(|at| tallies.of(&at));
        for (level, tally) in known.iter().enumerate().rev() {
            let inner = level.checked_sub(1).map(|inner| known[inner]).unwrap_or_default();
            let Tally { tests, wrong: differed, lost } = tally.beyond(inner);
            wrong = shrunk(differed.into(), tests.into(), wrong);
            new = shrunk(lost.into(), differed.into(), new);
        }
        (wrong * new) as f32
    }

    /// Believes a class no more, nor what is part of it, until somebody learns anew.
    pub(super) fn switch_off(&mut self, class: u64) {
        self.off.insert(class);
    }

    /// Classes that are believed no more.
    pub(super) fn switched_off(&self) -> usize {
        self.off.len()
    }
}

fn depth(members: u32) -> usize {
    match members {
        0 | 1 => 0,
        2 => 1,
        3 | 4 => 2,
        5..=8 => 3,
        _ => 4,
    }
}
