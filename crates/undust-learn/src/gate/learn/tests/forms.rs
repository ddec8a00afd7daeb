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

/// A default is dropped, of however many pieces it is, where enough says so; other values are not.
#[test]
fn a_value_of_several_pieces_is_dropped_where_it_is_the_default() {
    let page = |n: usize| format!("http://a.test/search/{n}x");
    let near = |n: usize, near: &str| format!("{}?near={near}", page(n));
    let site = |defaults: std::ops::Range<usize>| {
        let pages = (100..180).flat_map(|n| {
            let others = ["0.5", "5.0"].map(|other| vec![near(n, other)]);
            let default = defaults.contains(&n).then(|| near(n, "0.0"));
            [vec![page(n)].into_iter().chain(default).collect()].into_iter().chain(others)
        });
        gated(&pages.collect::<Vec<_>>())
    };
    let many = site(100..150);
    assert_eq!(many.form(&near(777, "0.0")), page(777));
    let few = site(100..108);
    for (site, value) in [(&many, "0.5"), (&many, "5.0"), (&many, "0.0.0"), (&few, "0.0")] {
        assert_eq!(site.form(&near(777, value)), near(777, value));
    }
}
