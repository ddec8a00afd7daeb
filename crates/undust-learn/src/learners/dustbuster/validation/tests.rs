use undust_util::op_counter::assert_linear;

use super::*;
use crate::learners::dustbuster::listing::tests::sketched;
use crate::learners::dustbuster::sources::KnownPages;
use crate::learners::dustbuster::{likely, parameters};

fn listing(urls: Vec<(String, u64)>) -> Listing {
    sketched(urls.iter().map(|(url, sketch)| (url.as_str(), *sketch)))
}

/// The verdict on the likely rule {long, short}, inside URLs or at their end.
fn verdict_of(
    listing: &Listing,
    sought: (&str, &str),
    at_end: bool,
) -> (ValidationVerdict, String) {
    let settings = DustbusterConfig::default();
    let cuts = Cuts::new(listing.records().iter().map(|record| record.url.as_ref()));
    let pages = KnownPages::of(listing).expect("sketches");
    let rules = likely::find(listing, &cuts, &settings).rules;
    let is_placed = |r: &Likely<'_>| !r.at_start && r.at_end == at_end;
    let mut rules = rules.iter().filter(|r| is_placed(r) && (r.long, r.short) == sought);
    let rule = *rules.next().expect("a likely rule");
    let validator = Validator::new(listing, &cuts, &pages, &settings, 1);
    let (verdict, text) = validator.directions(&[rule]).remove(0);
    (verdict, text.to_string())
}

fn verdict(listing: &Listing, long: &str, short: &str) -> (ValidationVerdict, String) {
    verdict_of(listing, (long, short), true)
}

fn folders(count: u64) -> Vec<(String, u64)> {
    (0..count).flat_map(|n| [(format!("/{n}/"), n), (format!("/{n}/index.html"), n)]).collect()
}

#[test]
fn a_rule_that_holds_is_valid() {
    let found = verdict(&listing(folders(20)), "/index.html", "/");
    assert_eq!(found, (ValidationVerdict::Valid, "\"/index.html$\" → \"/$\"".into()));
}

#[test]
fn images_that_are_not_in_the_crawl_refute_nothing() {
    let mut urls = folders(10);
    urls.extend((100..400).map(|n| (format!("/{n}/index.html"), n)));
    assert_eq!(verdict(&listing(urls), "/index.html", "/").0, ValidationVerdict::Valid);
}

#[test]
fn fewer_than_the_minimum_of_known_instances_validate_nothing() {
    assert_eq!(verdict(&listing(folders(9)), "/index.html", "/").0, ValidationVerdict::Unknown);
}

#[test]
fn one_refuting_instance_in_twenty_is_too_much() {
    let with_different = |count| {
        let mut urls = folders(100);
        let different = (0..count)
            .flat_map(|n| [(format!("/x{n}/"), 1000 + n), (format!("/x{n}/index.html"), 2000 + n)]);
        urls.extend(different);
        verdict(&listing(urls), "/index.html", "/").0
    };
    assert_eq!(with_different(1), ValidationVerdict::Valid);
    assert_eq!(with_different(40), ValidationVerdict::Refuted);
}

/// `/b` → `/a` leads to other pages where `/a` stands before; `/a` → `/b` does not. The
/// paper's line 13, as printed, would never try it.
#[test]
fn the_other_direction_is_tried() {
    let good = (0..20).flat_map(|n| [(format!("/a/{n}"), n), (format!("/b/{n}"), n)]);
    let bad = (20..40).flat_map(|n| [(format!("/a/a/{n}"), n), (format!("/a/b/{n}"), 100 + n)]);
    let listing = listing(good.chain(bad).collect());
    let settings = DustbusterConfig::default();
    let cuts = Cuts::new(listing.records().iter().map(|record| record.url.as_ref()));
    let pages = KnownPages::of(&listing).expect("sketches");
    let rules = likely::find(&listing, &cuts, &settings).rules;
    let is_sought = |r: &&Likely<'_>| (r.long, r.short, r.at_start) == ("/b", "/a", false);
    let rule = *rules.iter().find(is_sought).expect("a likely rule");
    let validator = Validator::new(&listing, &cuts, &pages, &settings, 1);
    let forth = validator.verdicts(&[Directed::new(&rule, true)]);
    assert_eq!(forth, [ValidationVerdict::Refuted]);
    let (verdict, text) = validator.directions(&[rule]).remove(0);
    assert_eq!((verdict, text.to_string()), (ValidationVerdict::Valid, "\"/a\" → \"/b\"".into()));
}

#[test]
fn of_two_unknown_directions_the_one_that_makes_urls_shorter_stays() {
    let found = verdict(&listing(folders(9)), "/index.html", "/");
    assert_eq!(found, (ValidationVerdict::Unknown, "\"/index.html$\" → \"/$\"".into()));
}

/// `/a` → `/b` leads to other pages where `/b` stands before; too few pages test `/b` → `/a`.
#[test]
fn a_rule_of_which_too_little_is_known_is_not_turned_into_a_refuted_one() {
    let good = (0..5).flat_map(|n| [(format!("/a/{n}"), n), (format!("/b/{n}"), n)]);
    let bad = (5..40).flat_map(|n| [(format!("/b/a/{n}"), n), (format!("/b/b/{n}"), 100 + n)]);
    let found = verdict_of(&listing(good.chain(bad).collect()), ("/b", "/a"), false);
    assert_eq!(found, (ValidationVerdict::Unknown, "\"/b\" → \"/a\"".into()));
}

/// Leaving out `/x` leads to other pages; to write it where nothing stands would be no rule.
#[test]
fn a_refuted_rule_is_not_turned_round_where_the_other_direction_means_nothing() {
    let good = (0..5).flat_map(|n| [(format!("/p/{n}"), n), (format!("/p/x/{n}"), n)]);
    let bad = (5..40).flat_map(|n| [(format!("/q/{n}"), n), (format!("/q/x/{n}"), 100 + n)]);
    let found = verdict_of(&listing(good.chain(bad).collect()), ("/x", ""), false);
    assert_eq!(found, (ValidationVerdict::Refuted, "\"/x\" → \"\"".into()));
}

#[test]
fn a_rule_that_refines_a_valid_one_is_left_out() {
    let sides = [("index.html", ""), ("/index.html", "/"), ("/b", "/a")];
    let rule = |(long, short)| {
        let places = [Substring { url: 0, start: 0, end: 0 }; 2];
        Likely { long, short, at_start: false, at_end: false, support: 9, places }
    };
    let (rules, all) = (sides.map(rule), [true; 3]);
    assert_eq!(without_refinements(&rules, &[ValidationVerdict::Valid; 3], &all), [0, 2]);
    assert_eq!(without_refinements(&rules, &[ValidationVerdict::Unknown; 3], &all), [0, 1, 2]);
}

/// Rules that make the same change, each in a folder of its own.
#[test]
fn rules_of_one_change_cost_their_share() {
    assert_linear(500, "rules of one change", |count| {
        let sides = |n: usize| [format!("/folder{n}/index.html"), format!("/folder{n}/")];
        let sides: Vec<[String; 2]> = (0..count).map(sides).collect();
        let places = [Substring { url: 0, start: 0, end: 0 }; 2];
        let mut likely = Vec::new();
        for [long, short] in &sides {
            likely.push(Likely { long, short, at_start: false, at_end: true, support: 9, places });
        }
        let kept = without_refinements(
            &likely,
            &vec![ValidationVerdict::Valid; count],
            &vec![true; count],
        );
        assert_eq!(kept.len(), count);
    });
}

#[test]
fn sessions_are_dropped_though_no_image_is_known() {
    let urls = (0..60).map(|n| (format!("/a?sid={n:x}&id={}", n % 20), n % 20)).collect();
    let listing = listing(urls);
    let settings = DustbusterConfig::default();
    let cuts = Cuts::new(listing.records().iter().map(|record| record.url.as_ref()));
    let pages = KnownPages::of(&listing).expect("sketches");
    let validator = Validator::new(&listing, &cuts, &pages, &settings, 1);
    let name = parameters::find(&listing, &settings).remove(0);
    let verdicts = name.rules().map(|rule| validator.parameter(&name, &rule));
    assert_eq!(verdicts, [ValidationVerdict::Valid, ValidationVerdict::Valid]);
}

#[test]
fn verdicts_of_tallies() {
    let settings = DustbusterConfig::default();
    let verdict = |same, different| InstanceTally { same, different }.verdict(&settings);
    assert_eq!(verdict(9, 0), ValidationVerdict::Unknown);
    assert_eq!(verdict(10, 0), ValidationVerdict::Valid);
    assert_eq!(verdict(4, 5), ValidationVerdict::Refuted);
    assert_eq!(verdict(19, 1), ValidationVerdict::Refuted);
    assert_eq!(verdict(20, 1), ValidationVerdict::Valid);
    assert_eq!(verdict(95, 4), ValidationVerdict::Valid);
    let none = DustbusterConfig { refutation: 0.0, ..settings };
    assert_eq!(InstanceTally { same: 99, different: 0 }.verdict(&none), ValidationVerdict::Valid);
    assert_eq!(InstanceTally { same: 99, different: 1 }.verdict(&none), ValidationVerdict::Refuted);
}

#[test]
fn a_rule_is_decided_once_nothing_can_change_its_verdict() {
    let settings = DustbusterConfig { validations: 100, refutation: 0.05, ..Default::default() };
    let is_decided = |same, different| InstanceTally { same, different }.is_decided(&settings);
    assert!(is_decided(95, 0) && is_decided(0, 5));
    assert!(!is_decided(94, 4) && !is_decided(0, 0));
}
