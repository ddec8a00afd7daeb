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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::EngineOptions;
    use crate::engine::secret::Secret;
    use crate::engine::shared::Shared;

    const CLASS: Class = Class {
        chain: [1, 2, 3, 4],
        folder: Folder::of_number(0),
        spread: Spread::Folder,
        trust: Trust::Proposed,
        origin: Origin::Given,
    };

    const ACCOUNT: AccountKey = AccountKey { class: 7, group: None };

    fn tested(class: &Class, outcomes: impl IntoIterator<Item = (u32, TestOutcome)>) -> Classes {
        let mut classes = Classes::default();
        for (page, outcome) in outcomes {
            classes.count(class, 1, page, outcome);
        }
        classes
    }

    fn loss(outcomes: impl IntoIterator<Item = (u32, TestOutcome)>) -> f32 {
        tested(&CLASS, outcomes).loss(&CLASS, 1, false)
    }

    #[test]
    fn tests_that_pass_make_a_class_trusted_and_one_that_fails_takes_it_back() {
        let passed = |count| (0..count).map(|page| (page, TestOutcome::Same));
        let losses = [0, 5, 50].map(|count| loss(passed(count)));
        assert!(losses[0] > 0.1 && losses[1] < 0.06 && losses[2] < 0.01, "{losses:?}");
        let failed = loss(passed(50).chain([(99, TestOutcome::New)]));
        assert!(failed > 2.5 * losses[2], "{failed}");
    }

    /// What was tested on one kind of URLs is known at every wider level, too, and counts once.
    #[test]
    fn a_test_counts_once_however_many_classes_know_it() {
        for tests in [1, 6, 40] {
            let expected = PROPOSED[0] * NEW * 3.0 / f64::from(tests + 3);
            let passed = (0..tests).map(|page| (page, TestOutcome::Same));
            let found = f64::from(tested(&CLASS, passed).loss_by_class(&CLASS, 1));
            assert!((found / expected - 1.0).abs() < 1e-3, "{tests}: {found} {expected}");
        }
    }

    /// Forty URLs of one page are one effective sample.
    #[test]
    fn one_page_is_hardly_more_than_one_sample() {
        let one = loss((0..40).map(|_| (7, TestOutcome::Same)));
        let five = loss((0..5).map(|page| (page, TestOutcome::Same)));
        assert!(one > five, "{one} {five}");
    }

    /// However often one page passes, a class that no other has passed is believed no more than the
    /// members of a group.
    #[test]
    fn one_endless_page_is_no_reason_to_skip_until_it_is_endless() {
        let classes = tested(&CLASS, (0..400).map(|_| (7, TestOutcome::Same)));
        let losses = [9, 90, 400].map(|members| classes.loss(&CLASS, members, false));
        assert!(losses[0] > 0.1 && losses[1] > 0.02 && losses[2] < 1e-4, "{losses:?}");
        // Sessions are left sooner.
        let losses_of_drawn = [9, 24, 60].map(|members| classes.loss(&CLASS, members, true));
        assert!(
            losses_of_drawn[0] == losses[0]
                && losses_of_drawn[1] > 0.02
                && losses_of_drawn[2] < 1e-4
        );
        let several = tested(&CLASS, (0..400).map(|test| (test % 2, TestOutcome::Same)));
        assert!(several.loss(&CLASS, 90, false) < 0.1 * losses[1]);
    }

    #[test]
    fn another_page_that_was_seen_is_no_loss_yet() {
        let loss = |outcome| {
            let tests = (0..9).map(|page| (page, outcome));
            tested(&CLASS, tests).loss_by_class(&CLASS, 1)
        };
        let [other, new] = [TestOutcome::Other, TestOutcome::New].map(loss);
        assert!(other < 0.3 && new > 0.7, "{other} {new}");
    }

    #[test]
    fn larger_groups_and_what_the_gate_tested_lose_less() {
        let classes = Classes::default();
        let of = |trust, members| classes.loss(&Class { trust, ..CLASS }, members, false);
        assert!((1..20).all(|n| of(Trust::Proposed, n) >= of(Trust::Proposed, n + 1)));
        assert!((1..20).all(|n| of(Trust::Accepted, n) < of(Trust::Proposed, n)));
    }

    #[test]
    fn a_class_that_is_switched_off_is_certain_to_lose() {
        let mut classes = tested(&CLASS, (0..50).map(|page| (page, TestOutcome::Same)));
        classes.switch_off(CLASS.chain[1]);
        assert_eq!((classes.loss(&CLASS, 1, false), classes.switched_off()), (1.0, 1));
        assert!(classes.loss_by_class(&Class { chain: [9, 8, 3, 4], ..CLASS }, 1) < 0.1);
    }

    /// What other sites showed is believed from the first skip on, and probed by the eighth.
    #[test]
    fn what_other_sites_showed_is_probed_later_but_soon() {
        let shared = std::sync::Arc::new(Shared::of_seed(&EngineOptions::default(), 1));
        for site in ["a.test", "b.test", "c.test"] {
            let mut classes = Classes::default();
            classes.join(shared.member(site));
            for page in 0..9 {
                classes.count(&CLASS, 1, page, TestOutcome::Same);
            }
        }
        let mut first = FxHashSet::default();
        for seed in 0..300 {
            let mut classes = Classes::default();
            assert!(classes.loss(&CLASS, 1, false) > 0.1);
            classes.join(shared.member(&format!("s{seed}.test")));
            assert!(classes.loss(&CLASS, 1, false) < 0.05);
            let secret = Secret::of_seed(seed);
            let due = (1..).find(|_| {
                let growth = classes.growth(&CLASS, ACCOUNT, false, 0);
                let is_due = classes.probes.is_due(ACCOUNT, growth, &secret);
                classes.probes.skip(ACCOUNT);
                is_due
            });
            first.extend(due);
        }
        assert!((3..=8).all(|skip| first.contains(&skip)) && first.len() == 6, "{first:?}");
    }

    /// What other sites refute of one argument says little of another that they show.
    #[test]
    fn arguments_that_differ_on_every_site_are_told_apart() {
        let shared = std::sync::Arc::new(Shared::of_seed(&EngineOptions::default(), 1));
        let matters = Class { chain: [5, 6, 7, 4], ..CLASS };
        for site in 0..20 {
            let mut classes = Classes::default();
            classes.join(shared.member(&format!("s{site}.test")));
            for page in 0..9 {
                classes.count(&CLASS, 1, page, TestOutcome::Same);
                classes.count(&matters, 1, page, TestOutcome::New);
            }
        }
        let mut next = Classes::default();
        next.join(shared.member("next.test"));
        let [none, other] = [CLASS, matters].map(|class| next.loss(&class, 1, false));
        assert!(none < 0.01 && other > 0.9, "{none} {other}");
    }

    /// What is learned anew is tested anew, but by what came after it was first learned.
    #[test]
    fn tests_of_what_was_learned_outlive_the_next_learning() {
        let learned = Class { origin: Origin::Learned, ..CLASS };
        let passed = || (0..50).map(|page| (page, TestOutcome::Same));
        let mut next = tested(&CLASS, passed());
        let before = next.loss(&learned, 1, false);
        next.inherit(tested(&learned, passed()));
        assert!(next.loss(&learned, 1, false) < 0.1 * before);
    }
}
