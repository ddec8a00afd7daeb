//! Topics of one page and of several, with links to their posts.

use std::collections::BTreeSet;

use undust_edits::editor::Editor;
use undust_model::translation::Rewriter;
use undust_testing::crawl;
use undust_url::lexicon::{FrequencyThresholds, Lexicon};

use super::{MOST_ARGUMENTS, tables};
use crate::config::Config;
use crate::gate::learn::{Proposers, learn};
use crate::gate::rows::{Rows, Texts};
use crate::training::TrainingSet;

/// How a forum writes the address of a topic, and of a post in it.
type Writing = (fn(usize) -> String, fn(usize, usize) -> String);

const ARGUMENTS: Writing = (
    |topic| format!("http://a.test/view.php?t={topic}"),
    |topic, post| format!("http://a.test/view.php?t={topic}&p={topic}{post}"),
);

const PATHS: Writing = (
    |topic| format!("http://a.test/topic/{topic}/"),
    |topic, post| format!("http://a.test/topic/{topic}/?p={topic}{post}"),
);

const ONE_PAGE: std::ops::Range<usize> = 100..160;
const SEVERAL: std::ops::Range<usize> = 160..200;

/// Every topic has four posts: on its one page, or each on a page of its own.
fn forum((topic, post): Writing) -> Vec<Vec<String>> {
    let posts = |n: usize| (0..4).map(move |p| post(n, p));
    let one = ONE_PAGE.map(|n| [topic(n)].into_iter().chain(posts(n)).collect());
    let several = SEVERAL.flat_map(|n| [topic(n)].into_iter().chain(posts(n)).map(|url| vec![url]));
    one.chain(several).collect()
}

fn learned(groups: &[Vec<String>]) -> Editor {
    let (pages, clusters) = crawl(groups);
    let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
    learn(&set, &Proposers::SLOTS, &config, &()).expect("a model")
}

#[test]
fn an_argument_is_dropped_where_the_crawl_knows_that_it_says_nothing() {
    for (writing, attribute) in [(ARGUMENTS, "t"), (PATHS, "the path")] {
        let (topic, post) = writing;
        let editor = learned(&forum(writing));
        let scopes: Vec<_> =
            editor.describe().into_iter().filter_map(|edit| edit.details).collect();
        let scopes: Vec<_> = scopes.iter().map(|details| &*details.scope).collect();
        let known = format!(
            "where {attribute} is one of 60 values known to name one page, with the same names in the query, only on one kind of path"
        );
        assert_eq!(scopes, [known]);
        let json = editor.to_json().expect("JSON");
        let read = Editor::from_json(&json).expect("an editor");
        for editor in [&editor, &read] {
            let form = |url: &str| editor.rewritten(url).into_owned();
            for n in ONE_PAGE {
                // Also for a post that nobody has seen.
                assert_eq!(form(&post(n, 7777)), topic(n));
                assert_eq!(form(&topic(n)), topic(n));
            }
            for n in SEVERAL.chain([200, 7]) {
                assert_eq!(form(&post(n, 0)), post(n, 0), "several pages, or unknown");
            }
        }
        assert_eq!(read.to_json().expect("JSON"), json);
    }
}

/// Two forums of one site number their topics alike: what is known of one says nothing of the other.
#[test]
fn a_value_is_known_where_it_was_seen() {
    let (topic, post) = ARGUMENTS;
    let other = |url: String| url.replace("view.php", "other.php");
    let mut groups = forum(ARGUMENTS);
    groups.extend(ONE_PAGE.map(|n| vec![other(topic(n))]));
    let editor = learned(&groups);
    assert_eq!(editor.rewritten(&post(100, 7)), topic(100));
    let unknown = other(post(100, 7));
    assert_eq!(editor.rewritten(&unknown), unknown);
}

/// A list goes with the last edit that asks for it.
#[test]
fn a_model_without_the_edit_has_no_list() {
    let editor = learned(&forum(ARGUMENTS));
    let holds = |editor: &Editor| {
        let json = editor.to_json().expect("JSON");
        String::from_utf8(json).expect("a text").contains("known_values")
    };
    assert!(holds(&editor));
    assert!(!holds(&editor.without(&rustc_hash::FxHashSet::from_iter([0]))));
}

/// A crawl in which ten topics more seem to have one page, for so many posts, and then get a second one.
fn deceived((topic, post): Writing, posts: usize) -> Vec<Vec<String>> {
    let mut groups = forum((topic, post));
    for n in 300..310 {
        groups.push([topic(n)].into_iter().chain((0..posts).map(|p| post(n, p))).collect());
        groups.push(vec![post(n, posts)]);
    }
    groups
}

/// Asserts that topics of one page are known, and the topic `unsure` is not.
fn assert_knows(groups: &[Vec<String>], (topic, post): Writing, unsure: usize) {
    let editor = learned(groups);
    assert_eq!(editor.rewritten(&post(ONE_PAGE.start, 7777)), topic(ONE_PAGE.start));
    let unsure = post(unsure, 7777);
    assert_eq!(editor.rewritten(&unsure), unsure);
}

/// What a value named yesterday it does not name for ever: where values that seemed to be known
/// turned out to name several pages, nothing is learned of any.
#[test]
fn what_seemed_to_be_known_too_often_is_not_believed() {
    for writing in [ARGUMENTS, PATHS] {
        assert!(learned(&deceived(writing, 10)).describe().is_empty());
    }
}

/// Where two or three URLs are too little evidence, four may be enough.
#[test]
fn more_is_asked_of_a_value_where_little_deceives() {
    for (topic, post) in [ARGUMENTS, PATHS] {
        let mut groups = deceived((topic, post), 2);
        groups.extend((400..500).map(|n| vec![topic(n), post(n, 0)]));
        assert_knows(&groups, (topic, post), 400);
    }
}

/// A second page of the same value speaks against it, whatever the names of its URL are.
#[test]
fn a_second_page_that_is_asked_for_otherwise_counts() {
    for (topic, post) in [ARGUMENTS, PATHS] {
        let mark = if topic(0).contains('?') { '&' } else { '?' };
        let second = |n: usize| format!("{}{mark}page=2", topic(n));
        let mut groups: Vec<_> = (300..310).map(|n| vec![second(n)]).collect();
        groups.extend(deceived((topic, post), 10));
        groups.push(vec![second(320)]);
        groups.push(vec![topic(320), post(320, 0), post(320, 1)]);
        assert_knows(&groups, (topic, post), 320);
    }
}

/// Half of the pages are translated. `hl=de` stands before `hl=en`, and so is never the one that comes to a page that
/// seemed to be known.
#[test]
fn a_word_is_tested_as_if_it_came_last() {
    let page = |n: usize, lang: &str| format!("http://a.test/view.php?t={n}&hl={lang}");
    let learned_with = |translated: std::ops::Range<usize>| {
        let groups = (100..200).flat_map(|n| {
            let mut same = vec![format!("http://a.test/view.php?t={n}"), page(n, "en")];
            match n {
                // A third was not seen in German.
                _ if n % 3 == 0 => vec![same],
                _ if translated.contains(&n) => vec![same, vec![page(n, "de")]],
                _ => {
                    same.push(page(n, "de"));
                    vec![same]
                }
            }
        });
        learned(&groups.collect::<Vec<_>>())
    };
    let unseen = page(102, "de");
    assert_eq!(learned_with(100..150).rewritten(&unseen), unseen);
    assert_eq!(learned_with(100..100).rewritten(&unseen), "http://a.test/view.php?t=102");
}

#[test]
fn without_duplicates_nothing_is_known() {
    let single = forum(ARGUMENTS).into_iter().flatten().map(|url| vec![url]).collect::<Vec<_>>();
    assert!(learned(&single).describe().is_empty());
}

/// An argument that stands twice has no value, and neither have very many arguments.
#[test]
fn shapes_of_many_arguments_or_of_two_with_one_name_are_left_out() {
    let arguments =
        |count: usize| (0..count).map(|n| format!("k{n}=1")).collect::<Vec<_>>().join("&");
    let queries = [
        arguments(2),
        arguments(MOST_ARGUMENTS),
        arguments(MOST_ARGUMENTS + 1),
        "k0=1&k0=2".into(),
    ];
    let urls: Vec<String> =
        queries.iter().map(|query| format!("http://a.test/view?{query}")).collect();
    let urls = || urls.iter().map(String::as_str);
    let lexicon = Lexicon::learn(urls().chain(urls()), FrequencyThresholds { word: 0.0, key: 0.0 });
    let rows = Rows::new(urls().zip(0..), &lexicon, &mut Texts::default());
    let known: Vec<usize> = tables(&rows).into_values().flatten().collect();
    let known: BTreeSet<usize> = known.into_iter().collect();
    assert!(known.into_iter().eq([0, 1]));
}
