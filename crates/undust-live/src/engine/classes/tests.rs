//! What classes of hypotheses are believed for.

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
        losses_of_drawn[0] == losses[0] && losses_of_drawn[1] > 0.02 && losses_of_drawn[2] < 1e-4
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
