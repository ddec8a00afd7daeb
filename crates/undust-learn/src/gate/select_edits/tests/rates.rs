//! What is remembered of candidates, and when it is counted anew.

use undust_model::translation::Rewriter;

use super::*;

/// The rate of a scope as a whole.
fn rate(round: &mut Round<'_>, key: CandidateKey) -> f64 {
    round.count(key);
    let known = round.rates.of(key).expect("a rate").evidence;
    law::rate(&known, round.outside(key, &known))
}

/// What was known of a wider scope before an edit was accepted there is counted anew.
#[test]
fn rates_are_those_of_the_shapes_as_they_are() {
    let mut groups = same("story/#", "session=1", 100..140);
    groups.extend(same("news/#", "view=1&session=1", 100..130));
    groups.extend(same("list/#.html", "view=1", 100..130));
    groups.extend(other("list/#.html", "session=1", 100..120));
    at_a_gate(&groups, slots, |gate| {
        let mut round = gate.round(JOINT);
        assert!(round.run());
        let keys: Vec<_> = round.candidates.iter().filter_map(|(_, one)| one.above).collect();
        let known: Vec<f64> = keys.iter().map(|key| rate(&mut round, *key)).collect();
        for (key, known) in keys.into_iter().zip(known) {
            round.rates.forget_rates();
            assert_eq!(known, rate(&mut round, key));
        }
    });
}

/// The last round accepts nothing, and so what it found out holds in the next one.
#[test]
fn what_is_remembered_is_what_would_be_counted() {
    let mut groups = same("story/#", "session=1", 100..140);
    groups.extend(same("news/#", "view=1&session=1", 100..130));
    groups.extend(other("list/#.html", "session=1", 100..120));
    at_a_gate(&groups, slots, |gate| {
        gate.run(1..=JOINT);
        let mut round = gate.round(JOINT);
        let keys: Vec<_> = round.candidates.iter().map(|(key, _)| key).collect();
        let hopeless = keys.iter().filter(|key| round.rates.is_hopeless(**key)).count();
        let as_wide =
            keys.iter().filter(|key| round.candidates.as_wide_as(**key).is_some()).count();
        assert!(hopeless > 10 && as_wide > 10, "{hopeless}, {as_wide} of {}", keys.len());
        for key in keys {
            let is_hopeless = round.rates.is_hopeless(key);
            let known = rate(&mut round, key);
            round.rates.forget_rates();
            let accepted = round.test(key, TestMode::Alone).verdict.ok();
            assert!(!(is_hopeless && accepted.is_some()));
            assert_eq!(rate(&mut round, key), known);
        }
        round.rates.note_changed(1);
        let round = gate.round(JOINT);
        assert!(!round.candidates.iter().any(|(key, _)| round.rates.is_hopeless(key)));
    });
}

/// Talks of meetings are shown with their meeting, those of a conference each by itself.
fn meetings(meetings: Range<usize>, talks: usize) -> Vec<Vec<String>> {
    let talk = |meeting: usize, n: usize| format!("http://a.test/event/{meeting}/talks/{n}/");
    let shown_with = |meeting: usize| {
        let page = format!("http://a.test/event/{meeting}/");
        (0..talks).map(|n| talk(meeting, meeting + n)).chain([page]).collect()
    };
    let conference = (1000..1064).map(|n| vec![talk(900, n)]);
    meetings.map(shown_with).chain(conference).collect()
}

/// The talks of one conference have numbers of four digits; that is no evidence for the next conference.
#[test]
fn what_few_forms_of_one_shape_tell_is_chance_where_the_wider_scope_loses_much() {
    let next = "http://a.test/event/888/talks/777/";
    // Thirty-two URLs of eight meetings, and 800 of 200.
    for (known, form) in [(100..108, next), (100..300, "http://a.test/event/888/talks/*/")] {
        let editor = gated(&meetings(known, 4), &Config::default());
        assert_eq!(editor.rewritten(next), form);
    }
}
