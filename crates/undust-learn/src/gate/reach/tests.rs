use proptest::prelude::*;
use undust_model::translation::Rewriter;
use undust_testing::crawl;

use super::*;
use crate::config::Config;
use crate::gate::learn::{Proposers, learn};
use crate::training::TrainingSet;

/// Learns groups of URLs, each of which show one page.
fn learned(groups: &[Vec<String>]) -> Editor {
    let (pages, clusters) = crawl(groups);
    let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
    learn(&set, &Proposers::SLOTS, &config, &()).expect("a model")
}

fn url(rest: &str) -> String {
    format!("http://a.test/{rest}")
}

/// Which URLs lose their query.
fn dropped<const N: usize>(editor: &Editor, urls: [&str; N]) -> [bool; N] {
    urls.map(|rest| !editor.rewritten(&url(rest)).contains('?'))
}

fn scopes(editor: &Editor) -> Vec<String> {
    editor.rules().map(|rule| rule.scope.clone().into_owned()).collect()
}

/// The order changes nothing on forty pages of each folder; pages elsewhere have none.
fn sorted(folders: &[&str], end: &str) -> Editor {
    let mut groups: Vec<Vec<String>> = Vec::new();
    for folder in folders {
        groups.extend((700..740).map(|n| {
            ["", "?sort=new", "?sort=old"]
                .map(|order| url(&format!("{folder}/{n}{end}{order}")))
                .into()
        }));
    }
    groups.extend((700..740).map(|n| vec![url(&format!("users/{n}"))]));
    learned(&groups)
}

const SORTED: [&str; 3] = ["question/777?sort=new", "story/777?sort=new", "users/777?sort=new"];

#[test]
fn an_edit_holds_on_the_kinds_of_pages_on_which_it_was_tested() {
    let editor = sorted(&["question"], "");
    assert_eq!(dropped(&editor, SORTED), [true, false, false]);
    let one = "anywhere, only on one kind of path, only with the same names in the query";
    assert_eq!(scopes(&editor), [one]);
    let refused = editor.refusals_of(&url(SORTED[2]));
    assert_eq!(refused[0].why, "accepted elsewhere; not tested on pages like this one");
    assert_eq!(dropped(&sorted(&["question", "story"], ""), SORTED), [true, true, false]);
}

#[test]
fn what_several_kinds_of_pages_tell_holds_on_others() {
    let editor = sorted(&["question", "story", "comment"], "");
    assert_eq!(dropped(&editor, SORTED), [true; 3]);
}

#[test]
fn what_all_kinds_have_in_common_is_asked_for() {
    let editor = sorted(&["question", "story", "comment"], "/answers");
    let urls = ["users/777/answers?sort=new", "users/777/votes?sort=new"];
    assert_eq!(dropped(&editor, urls), [true, false]);
    assert!(scopes(&editor)[0].contains("where the path ends in /answers"));
    let json = editor.to_json().expect("JSON");
    let again = Editor::from_json(&json).expect("an editor");
    assert_eq!(scopes(&again), scopes(&editor));
}

#[test]
fn names_in_the_query_are_a_part_of_the_kind() {
    let editor = sorted(&["question"], "");
    let urls = ["question/777?sort=new", "question/777?sort=new&page=2"];
    assert_eq!(dropped(&editor, urls), [true, false]);
}

/// A site of 900 news, 300 of them with session ids, and a folder of one author.
fn with_folder(
    folder: &str,
    urls: usize,
    pages: usize,
    page: &dyn Fn(usize, usize) -> String,
) -> Editor {
    let mut groups: Vec<Vec<String>> = (1..900)
        .map(|n| match n {
            ..100 => vec![url(&format!("news/{n}")), url(&format!("news/{n}?sid={}", 7 * n))],
            _ => vec![url(&format!("news/{n}"))],
        })
        .collect();
    let mut of_folder = vec![Vec::new(); pages];
    (0..urls)
        .for_each(|n| of_folder[n % pages].push(url(&format!("{folder}/{}", page(n % pages, n)))));
    groups.extend(of_folder.into_iter().filter(|group| !group.is_empty()));
    learned(&groups)
}

/// Twenty pages in a folder whose name is no function word are known in this folder.
#[test]
fn a_folder_with_a_rare_name_is_a_kind_of_its_own() {
    let editor = with_folder("alice", 8, 4, &|page, n| format!("p{page}x?ref={n}"));
    assert!(editor.lexicon().word("alice").is_none(), "it is rare");
    assert_eq!(dropped(&editor, ["alice/p9x?ref=9", "bob/p9x?ref=9"]), [true, false]);
    assert_eq!(dropped(&editor, ["news/777?sid=9"]), [true]);
    let json = editor.to_json().expect("JSON");
    let again = Editor::from_json(&json).expect("an editor");
    assert_eq!(dropped(&again, ["alice/p9x?ref=9", "bob/p9x?ref=9"]), [true, false]);
}

#[test]
fn what_is_dropped_is_of_the_format_that_was_dropped() {
    let session = |n: usize| format!("(S({:x}c17b))", 0x5e2d_41f0_u64 * (n as u64 + 3));
    let groups = (100..160).map(|n| {
        [format!("shop/item{n}x.aspx"), format!("{}/shop/item{n}x.aspx", session(n))]
            .map(|rest| url(&rest))
            .into()
    });
    let (pages, clusters) = crawl(&groups.collect::<Vec<_>>());
    let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
    let editor = learn(&set, &Proposers::ALL, &config, &()).expect("a model");
    let form = |rest: &str| editor.rewritten(&url(rest)).into_owned();
    assert_eq!(form(&format!("{}/shop/item777x.aspx", session(999))), url("shop/item777x.aspx"));
    for other in ["eu/shop/item777x.aspx", "2024/shop/item777x.aspx"] {
        assert_eq!(form(other), url(other));
    }
}

/// What an author writes at the end of the URLs of their pages.
const ENDS: [fn(usize, usize) -> String; 4] = [
    |page, n| format!("p{page}x?ref={n}"),
    |page, n| format!("p{page}x?ref=abc{n}&id={page}"),
    |page, n| format!("p{page}x/v{n}x"),
    |page, n| format!("{page}/{n}"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However few or many URLs of one folder tell something: nothing changes in another.
    #[test]
    fn one_folder_tells_nothing_of_another(
        per_mille in prop::sample::select(vec![5_usize, 15, 50]),
        pages in 1..40_usize,
        end in 0..ENDS.len(),
    ) {
        let editor = with_folder("alice", per_mille, pages, &ENDS[end]);
        for n in [3, 77, 1234] {
            let of_bob = url(&format!("bob/{}", ENDS[end](n, n)));
            prop_assert_eq!(editor.rewritten(&of_bob), of_bob.as_str());
        }
    }
}
