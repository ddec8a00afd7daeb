//! What the gate decides on a site that has some of everything.

use crate::config::Config;
use crate::edits::editor::Editor;
use crate::gate::learn::{Proposers, learn};
use crate::method::Training;
use crate::training::TrainingSet;
use crate::training::tests::crawl;

fn gated(groups: &[Vec<String>], config: &Config) -> Editor {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    learn(&set, &Proposers::SLOTS, &Training::new(config)).expect("a model")
}

/// The accepted edits: notation, where, URLs tested, clusters lost, fetches saved, exceptions.
fn accepted(editor: &Editor) -> Vec<String> {
    let edits = editor.told().into_iter().map(|edit| {
        let (known, details) = (edit.evidence.expect("evidence"), edit.details.expect("details"));
        format!(
            "{} {}: {}/{}/{} {:.4}, {} exceptions",
            edit.notation,
            details.scope,
            known.tested,
            known.lost,
            known.saved.expect("a number"),
            known.bound,
            details.exceptions
        )
    });
    edits.collect()
}

/// The refused ones: notation, where, URLs, tested, lost, saved, and why.
fn refused(editor: &Editor) -> Vec<String> {
    let edits = editor.refusals().into_iter().map(|edit| {
        let known = edit.evidence;
        format!(
            "{} {} of {}: {}/{}/{} {:.4}, {}",
            edit.notation,
            edit.scope,
            edit.urls,
            known.tested,
            known.lost,
            known.saved.expect("a number"),
            known.bound,
            edit.why
        )
    });
    edits.collect()
}

fn url(rest: &str, n: usize) -> String {
    format!("http://a.test/{}", rest.replace('#', &n.to_string()))
}

/// Pages that show the same with an argument and without it.
fn same(path: &str, argument: &str, pages: std::ops::Range<usize>) -> Vec<Vec<String>> {
    pages.map(|n| vec![url(path, n), url(&format!("{path}?{argument}"), n)]).collect()
}

/// Pages that show another one with it.
fn other(path: &str, argument: &str, pages: std::ops::Range<usize>) -> Vec<Vec<String>> {
    let [without, with] = [path.to_owned(), format!("{path}?{argument}")];
    pages.flat_map(|n| [vec![url(&without, n)], vec![url(&with, n)]]).collect()
}

#[test]
fn what_is_decided_on_a_site_of_everything() {
    let mut groups = same("story/#", "session=1", 100..140);
    for path in ["news/#", "blog/#", "forum/#", "help/#"] {
        groups.extend(same(path, "view=1", 100..130));
    }
    groups.extend(other("list/#.html", "view=1", 100..105));
    groups.extend(other("topic/#", "page=2", 100..120));
    groups.extend(same("rare/#", "few=1", 100..102));
    // What stands behind the wall is fetched as the wall, which can be seen elsewhere.
    groups.extend((100..130).map(|n| vec![url("wiki/#", n)]));
    let wall = (100..130).map(|n| url("wiki/#?wall=1", n));
    groups.push(wall.chain(["http://a.test/login".to_owned()]).collect());
    // One in ten of these loses a page: too few to refute it, too many in all.
    groups.extend(same("shop/#", "ref=1", 1000..1300));
    groups.extend(other("shop/#", "ref=1", 1300..1306));
    let editor = gated(&groups, &Config::default());
    assert_eq!(
        accepted(&editor),
        [
            "drop ?view anywhere: 120/0/120 0.0024, 1 exceptions",
            "drop ?session anywhere: 40/0/40 0.0070, 0 exceptions",
            "drop the path wherever the query has the same names: 30/0/29 0.0091, 0 exceptions",
        ]
    );
    let refused = refused(&editor);
    assert_eq!(refused.len(), 25);
    let is_of_place = |refusal: &&String| refusal.contains("piece");
    let (of_place, others): (Vec<&String>, Vec<&String>) = refused.iter().partition(is_of_place);
    assert_eq!(
        of_place[..3],
        [
            "drop the path's piece 4 on one path, whatever stands in its place and in the query \
             of 678: 352/170/172 0.4797, too many pages would be lost",
            "drop the path's piece 6 on one path, whatever stands in its place and in the query \
             of 306: 306/6/305 0.0204, too many URLs would get the form of another page",
            "drop the path's piece 6 on one path, whatever stands in its place and in the query \
             of 306: 306/6/305 0.0204, too many URLs would get the form of another page",
        ]
    );
    let path = "drop the path wherever the query has the same names";
    assert_eq!(
        others,
        [
            "drop ?ref anywhere of 306: 306/6/306 0.0204, \
             all edits together would lose more than the risk that is taken",
            "drop ?ref=1 anywhere of 306: 306/6/306 0.0204, \
             all edits together would lose more than the risk that is taken",
            &format!(
                "{path} of 306: 306/6/305 0.0204, \
                 too many URLs would get the form of another page"
            ),
            "drop ?page anywhere of 20: 20/20/20 0.8826, too many pages would be lost",
            "drop ?page=2 anywhere of 20: 20/20/20 0.8826, too many pages would be lost",
            &format!("{path} of 20: 20/19/19 0.8391, too many pages would be lost"),
            "drop ?view anywhere of 5: 5/5/5 0.6625, too many pages would be lost",
            "drop ?view=1 anywhere of 5: 5/5/5 0.6625, too many pages would be lost",
            &format!("{path} of 5: 5/4/4 0.5375, too many pages would be lost"),
            &format!("{path} of 2: 2/0/1 0.0600, too few URLs tell whether it holds"),
        ]
    );
}

/// Each of the two loses two clusters of 604, of which three may be lost in all.
#[test]
fn what_edits_lose_adds_up() {
    let mut groups = same("shop/#", "ref=1", 1000..1300);
    groups.extend(same("blog/#", "via=1", 1000..1298));
    for n in 1300..1302 {
        groups.extend(other("shop/#", "ref=1", n..n + 1));
        groups.extend(other("blog/#", "via=1", n..n + 1));
    }
    let editor = gated(&groups, &Config::default());
    assert_eq!(accepted(&editor), ["drop ?ref anywhere: 302/2/302 0.0075, 0 exceptions"]);
    let via = "drop ?via anywhere of 300: 300/2/300 0.0076, \
        all edits together would lose more than the risk that is taken";
    assert!(refused(&editor).contains(&via.to_owned()), "{:?}", refused(&editor));
}

const ANYWHERE: &str = "anywhere: 120/0/120 0.0024, 1";

/// Where a view shows another page: those are lost behind it, or it is mixed up with them.
#[test]
fn what_does_not_hold_is_an_exception_if_it_is_the_smaller_part() {
    let views = || {
        let paths = ["news/#", "blog/#", "forum/#", "help/#"];
        paths.into_iter().flat_map(|path| same(path, "view=1", 100..130)).collect::<Vec<_>>()
    };
    let list = |n: usize| url("list/#.html", n);
    let swamped = (100..110).flat_map(|n| {
        [vec![list(n)], vec![url("list/#.html?view=1", n), url("list/#.html?view=2", n)]]
    });
    let mixed = (100..120).map(|n| vec![list(n)]);
    let wall = (100..120).map(|n| url("list/#.html?view=1", n));
    let wall = wall.chain(["http://a.test/login".to_owned()]).collect();
    let outweighing = other("list/#.html", "view=1", 100..230);
    let narrow =
        "on pages with the same ending and the same names in the query: 120/0/120 0.0073, 0";
    for (name, groups, known) in [
        ("swamped", views().into_iter().chain(swamped).collect::<Vec<_>>(), ANYWHERE),
        ("mixed", views().into_iter().chain(mixed).chain([wall]).collect(), ANYWHERE),
        ("outweighing", views().into_iter().chain(outweighing).collect(), narrow),
    ] {
        let first = accepted(&gated(&groups, &Config::default())).swap_remove(0);
        assert_eq!(first, format!("drop ?view {known} exceptions"), "{name}");
    }
}

#[test]
fn five_urls_must_tell_whether_an_edit_holds() {
    let mut config = Config::default();
    config.gate.rate = 0.1;
    let edits =
        |pages: usize| accepted(&gated(&same("story/#", "session=1", 100..100 + pages), &config));
    assert_eq!(edits(5), ["drop ?session anywhere: 5/0/5 0.0375, 0 exceptions"]);
    assert_eq!(edits(4), Vec::<String>::new());
    let mut groups = same("story/#", "session=1", 100..140);
    groups.extend(other("odd/#", "few=1", 100..103));
    let few = "drop ?few anywhere of 3: 3/3/3 0.5500, too few URLs tell whether it holds";
    let refused = refused(&gated(&groups, &config));
    assert!(refused.contains(&few.to_owned()), "{refused:?}");
}
