//! What is reported of the edits that were refused.

use super::*;

#[test]
fn what_loses_pages_in_a_narrower_scope_is_told_of_that_too() {
    let mut groups = same("story/#", "session=1", 100..140);
    groups.extend(other("list/#.html", "page=2", 100..120));
    groups.extend(other("topic/#", "page=2", 100..130));
    let refused = refused(&gated(&groups, &Config::default()));
    for described in [
        "drop ?page anywhere of 50: 50/50/50 0.9738, too many pages would be lost",
        "drop ?page on pages with the same ending and the same names in the query \
         of 20: 20/20/20 0.9442, too many pages would be lost",
        "drop ?page on pages with the same ending and the same names in the query \
         of 30: 30/30/30 0.9619, too many pages would be lost",
    ] {
        assert!(refused.contains(&described.to_owned()), "{refused:#?}");
    }
}

/// Ten sessions: each reference saves one fetch, and one reference loses a page, which costs eight.
#[test]
fn what_saves_less_than_it_costs_is_told_as_that() {
    let sessions = |n: usize, query: &str| -> Vec<String> {
        (0..10).map(|k| url(&format!("story/#?{query}sid=#{k}"), n)).collect()
    };
    let page = |n| [vec![url("story/#", n)], sessions(n, ""), sessions(n, "ref=1&")].concat();
    let mut groups: Vec<_> = (100..105).map(page).collect();
    // So many pages that no number is a function word.
    groups.extend((1000..1200).map(|n| [vec![url("story/#", n)], sessions(n, "")].concat()));
    groups.extend(["story/#", "story/#?ref=1&sid=2007"].map(|rest| vec![url(rest, 200)]));
    let mut config = Config::default();
    config.gate.max_lost_share = 0.2;
    let refused = refused(&gated(&groups, &config));
    let described = "drop ?ref anywhere of 51: 51/1/6 0.0464, it saves less than it costs";
    assert!(refused.contains(&described.to_owned()), "{refused:#?}");
}
