//! What the gate finds in forms, and what it asks of one value that stands for another.

use super::*;

/// Agendas in three views, of which two are the same; `other` of them in all three.
fn agendas(same: std::ops::Range<usize>, other: std::ops::Range<usize>) -> Vec<Vec<String>> {
    let view = |n: usize, view: &str| format!("http://a.test/event/{n}?view={view}");
    let mut groups: Vec<Vec<String>> = same
        .flat_map(|n| [vec![view(n, "plain"), view(n, "minutes")], vec![view(n, "days")]])
        .collect();
    groups.extend(other.flat_map(|n| ["plain", "minutes", "days"].map(|one| vec![view(n, one)])));
    groups
}

fn is_one(gated: &Gated, views: [&str; 2]) -> bool {
    let [a, b] = views.map(|view| gated.form(&format!("http://a.test/event/4711?view={view}")));
    a == b
}

#[test]
fn one_value_stands_for_another_where_nothing_speaks_against_it() {
    let gated = gated(&agendas(100..200, 0..0));
    assert!(is_one(&gated, ["plain", "minutes"]));
    assert!(!is_one(&gated, ["plain", "days"]));
    let notation = &gated.editor.rules().next().expect("a rule").notation;
    assert_eq!(notation, "view=plain → view=minutes");
}

/// One in a hundred is less than any other edit may put wrong.
#[test]
fn one_page_is_enough_to_refute_that_one_value_stands_for_another() {
    let gated = gated(&agendas(100..200, 200..201));
    assert!(!is_one(&gated, ["plain", "minutes"]));
    let refusals = gated.editor.refusals();
    let why = refusals.iter().find(|one| one.notation == "view=plain → view=minutes");
    assert_eq!(
        why.expect("a refusal").why,
        "there are pages that show that one value does not stand for the other"
    );
}

/// Any number behind `diff/` may go, and so may any two of them: `*` stands there first, which saves more than
/// what drops one number.
#[test]
fn what_an_edit_leaves_of_a_page_is_one_form_in_the_end() {
    let request = |n: usize, rest: &str| format!("http://a.test/r/{n}/diff/{rest}");
    let one = |n: usize| {
        ["", "2/", "3/", "4/", "5/", "1-2/", "2-3/", "3-4/"].map(|rest| request(n, rest)).to_vec()
    };
    // Elsewhere the number decides which page it is.
    let others = (100..200).map(|n| vec![format!("http://a.test/list/{n}/")]);
    let gated = gated(&(100..160).map(one).chain(others).collect::<Vec<_>>());
    for rest in ["7/", "2-3/"] {
        assert_eq!(gated.form(&request(4711, rest)), request(4711, ""), "{rest}");
    }
    assert_eq!(gated.form("http://a.test/list/4711/"), "http://a.test/list/4711/");
    assert_eq!(gated.lost(), 0);
}
