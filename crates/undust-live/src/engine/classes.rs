//! What became of the tests of hypotheses, by class and by how many members a group had.
//!
//! A group is the fetched URLs that a hypothesis gives one form. A member that is fetched when
//! others were is a test: it shows their page, or another. How many members were there before
//! matters: the second member of a group is wrong more often than the tenth. Forty groups that all
//! show one page, such as an empty list, are hardly more than one witness, so the tests of one page
//! count 1, 1/2, 1/3 …
//!
//! Little is known of a narrow class at first, so its rate is drawn to that of the next wider one,
//! and so on to what is expected without any test (shrinkage, as in the gate: empirical Bayes with
//! beta priors).

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// How many members a group had: 1, 2, 3 to 4, 5 to 8, 9 or more.
const DEPTHS: usize = 5;

/// The probability that the next member of a group differs, by depth, where nothing was tested: of
/// what the gate accepted, and of what is only proposed. Chosen, as all numbers here, on half of
/// the crawls in docs/research/LIVE.md.
const ACCEPTED: [f32; DEPTHS] = [0.02, 0.008, 0.004, 0.002, 0.001];
const BOLD: [f32; DEPTHS] = [0.3, 0.12, 0.06, 0.03, 0.015];

/// Tests that the wider class counts for.
const STRENGTH: f32 = 3.0;

/// Share of the pages that differ which nobody has seen, where nothing was tested, and the number
/// of such pages that this counts for.
const NEW: f32 = 0.5;
const NEW_STRENGTH: f32 = 2.0;

/// A class is probed again when its skips have grown by this factor.
const PROBE_GROWTH: f64 = 1.5;

/// A class of hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Class {
    /// It, and those that it is part of: hashes from the narrowest to the widest.
    pub chain: [u64; 4],
    pub trust: Trust,
    pub origin: Origin,
}

impl Class {
    /// Its hypothesis on one kind of URLs.
    pub(super) fn hypothesis(&self) -> u64 {
        self.chain[1]
    }
}

/// Who stands behind a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Trust {
    /// The model applies it: the gate has tested it.
    Accepted,
    /// Somebody proposes it.
    Bold,
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// It was there before the pages: all of them test it.
    #[default]
    Given,
    /// It was learned from pages, which it fits whatever holds: only those that came later test it.
    Learned,
}

/// Tests of one class at one depth.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    tests: f32,
    wrong: f32,
    lost: f32,
}

/// Tests by class, and what each page has witnessed.
#[derive(Debug, Default, Clone)]
struct Tallies {
    by_class: FxHashMap<u64, [Tally; DEPTHS]>,
    /// By class and page: tests that it passed.
    witnesses: FxHashMap<u64, u16>,
}

impl Tallies {
    /// What the next witness of a page counts.
    fn weight(&mut self, class: u64, page: u32) -> f32 {
        let key = class ^ u64::from(page).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let before = self.witnesses.entry(key).or_default();
        *before = before.saturating_add(1);
        1.0 / f32::from(*before)
    }
}

/// Tests of one class at one depth, as the journal keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct LearnedTest {
    class: u64,
    depth: u8,
    tests: f32,
    wrong: f32,
    lost: f32,
}

/// All tests so far.
#[derive(Debug, Default, Clone)]
pub(super) struct Classes {
    given: Tallies,
    /// They outlive the next learning, which may accept the same.
    learned: Tallies,
    /// By class: skips so far.
    skips: FxHashMap<u64, u32>,
    /// Classes that are believed no more.
    off: FxHashSet<u64>,
}

impl Classes {
    /// Counts a test on a group with so many members before, which showed a page.
    pub(super) fn count(&mut self, class: &Class, members: u32, page: u32, outcome: TestOutcome) {
        let tallies = match class.origin {
            Origin::Given => &mut self.given,
            Origin::Learned => &mut self.learned,
        };
        let weight = match outcome {
            TestOutcome::Same => tallies.weight(class.chain[0], page),
            TestOutcome::Other | TestOutcome::New => 1.0,
        };
        for key in &class.chain {
            let tally = &mut tallies.by_class.entry(*key).or_default()[depth(members)];
            tally.tests += weight;
            tally.wrong += f32::from(u8::from(outcome != TestOutcome::Same));
            tally.lost += f32::from(u8::from(outcome == TestOutcome::New));
        }
    }

    /// All tests of what was learned, in the order of the classes.
    pub(super) fn learned_tests(&self) -> Vec<LearnedTest> {
        let depths = |(class, tallies): (&u64, &[Tally; DEPTHS])| {
            let (class, tallies) = (*class, *tallies);
            let tested = (0_u8..).zip(tallies).filter(|(_, tally)| tally.tests > 0.0);
            tested.map(move |(depth, Tally { tests, wrong, lost })| LearnedTest {
                class,
                depth,
                tests,
                wrong,
                lost,
            })
        };
        let mut all: Vec<LearnedTest> = self.learned.by_class.iter().flat_map(depths).collect();
        all.sort_unstable_by_key(|test| (test.class, test.depth));
        all
    }

    /// Restores [`Self::learned_tests`].
    pub(super) fn restore(&mut self, tests: &[LearnedTest]) {
        for &LearnedTest { class, depth, tests, wrong, lost } in tests {
            let tallies = self.learned.by_class.entry(class).or_default();
            if let Some(tally) = tallies.get_mut(usize::from(depth)) {
                *tally = Tally { tests, wrong, lost };
            }
        }
    }

    /// Takes over the tests of what was learned before: under the same name they are tests of the
    /// same.
    pub(super) fn inherit(&mut self, before: Self) {
        self.learned.by_class = before.learned.by_class;
        self.skips = before.skips;
    }

    /// Whether the next skip of a class is to be a probe instead: its tests may be of another time,
    /// or of other places, than what it is believed for. That is so often at first and more and
    /// more seldom.
    pub(super) fn is_probe_due(&self, class: u64) -> bool {
        let skips = f64::from(self.skips.get(&class).copied().unwrap_or_default() + 1);
        let step = |skips: f64| (skips.ln() / PROBE_GROWTH.ln()) as u32;
        step(skips + 1.0) > step(skips)
    }

    /// Counts a skip of a class, or a probe in its place.
    pub(super) fn skip(&mut self, class: u64) {
        *self.skips.entry(class).or_default() += 1;
    }

    /// The probability that the next member of a pure group with so many members shows a page that
    /// nobody has seen.
    pub(super) fn loss(&self, class: &Class, members: u32) -> f32 {
        if class.chain.iter().any(|class| self.off.contains(class)) {
            return 1.0;
        }
        let depth = depth(members);
        let (mut wrong, mut new) = match class.trust {
            Trust::Accepted => (ACCEPTED[depth], NEW),
            Trust::Bold => (BOLD[depth], NEW),
        };
        let tallies = match class.origin {
            Origin::Given => &self.given,
            Origin::Learned => &self.learned,
        };
        for tally in class.chain.iter().rev().filter_map(|key| tallies.by_class.get(key)) {
            let tally = tally[depth];
            wrong = (tally.wrong + STRENGTH * wrong) / (tally.tests + STRENGTH);
            new = (tally.lost + NEW_STRENGTH * new) / (tally.wrong + NEW_STRENGTH);
        }
        wrong * new
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

    const CLASS: Class = Class { chain: [1, 2, 3, 4], trust: Trust::Bold, origin: Origin::Given };

    fn tested(class: &Class, outcomes: impl IntoIterator<Item = (u32, TestOutcome)>) -> Classes {
        let mut classes = Classes::default();
        for (page, outcome) in outcomes {
            classes.count(class, 1, page, outcome);
        }
        classes
    }

    fn loss(outcomes: impl IntoIterator<Item = (u32, TestOutcome)>) -> f32 {
        tested(&CLASS, outcomes).loss(&CLASS, 1)
    }

    #[test]
    fn tests_that_pass_make_a_class_trusted_and_one_that_fails_takes_it_back() {
        let passed = |count| (0..count).map(|page| (page, TestOutcome::Same));
        let losses = [0, 5, 50].map(|count| loss(passed(count)));
        assert!(losses[0] > 0.1 && losses[1] < 0.05 && losses[2] < 0.005, "{losses:?}");
        let failed = loss(passed(50).chain([(99, TestOutcome::New)]));
        assert!(failed > 3.0 * losses[2], "{failed}");
    }

    /// Forty URLs of one page are one witness.
    #[test]
    fn one_page_is_hardly_more_than_one_witness() {
        let one = loss((0..40).map(|_| (7, TestOutcome::Same)));
        let five = loss((0..5).map(|page| (page, TestOutcome::Same)));
        assert!(one > five, "{one} {five}");
    }

    #[test]
    fn another_page_that_was_seen_is_no_loss_yet() {
        let other = loss((0..9).map(|page| (page, TestOutcome::Other)));
        let new = loss((0..9).map(|page| (page, TestOutcome::New)));
        assert!(other < 0.3 && new > 0.8, "{other} {new}");
    }

    #[test]
    fn larger_groups_and_what_the_gate_tested_lose_less() {
        let classes = Classes::default();
        let of = |trust, members| classes.loss(&Class { trust, ..CLASS }, members);
        assert!((1..20).all(|n| of(Trust::Bold, n) >= of(Trust::Bold, n + 1)));
        assert!((1..20).all(|n| of(Trust::Accepted, n) < of(Trust::Bold, n)));
    }

    #[test]
    fn a_class_that_is_switched_off_is_certain_to_lose() {
        let mut classes = tested(&CLASS, (0..50).map(|page| (page, TestOutcome::Same)));
        classes.switch_off(CLASS.chain[1]);
        assert_eq!((classes.loss(&CLASS, 1), classes.switched_off()), (1.0, 1));
        assert!(classes.loss(&Class { chain: [9, 8, 3, 4], ..CLASS }, 1) < 0.1);
    }

    #[test]
    fn probes_in_the_place_of_skips_grow_seldom() {
        let mut classes = Classes::default();
        let mut due = Vec::new();
        for skip in 0..2000 {
            if classes.is_probe_due(7) {
                due.push(skip);
            }
            classes.skip(7);
        }
        assert!((12..20).contains(&due.len()) && due[0] < 3, "{due:?}");
        assert!(
            due.windows(2).skip(8).all(|two| two[1] < 2 * two[0] && 4 * two[1] > 5 * two[0]),
            "{due:?}"
        );
    }

    /// What is learned anew is tested anew, but by what came after it was first learned.
    #[test]
    fn tests_of_what_was_learned_outlive_the_next_learning() {
        let learned = Class { origin: Origin::Learned, ..CLASS };
        let passed = || (0..50).map(|page| (page, TestOutcome::Same));
        let mut next = tested(&CLASS, passed());
        let before = next.loss(&learned, 1);
        next.inherit(tested(&learned, passed()));
        assert!(next.loss(&learned, 1) < 0.1 * before);
    }
}
