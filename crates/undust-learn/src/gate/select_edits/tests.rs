//! What the gate decides on a site that has some of everything.

mod folders;
mod rates;
mod refused;

use std::collections::BTreeSet;
use std::ops::Range;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::{Edit, JOINT};
use undust_edits::edit_evidence::EditEvidence;
use undust_edits::editor::Editor;
use undust_edits::literals::Literals;
use undust_edits::program::{MOST_PIECES, Program};
use undust_edits::replacement::ReplacementPiece;
use undust_edits::scope::{LEVELS, Scope, scopes};
use undust_edits::shrinkage::UNKNOWN;
use undust_model::translation::Rewriter;
use undust_testing::crawl;
use undust_url::lexicon::{FrequencyThresholds, Lexicon, Symbol};
use undust_url::pieces::pieces;

use super::*;
use crate::config::{Config, GateConfig};
use crate::gate::learn::{Proposers, learn};
use crate::gate::propose::Proposals;
use crate::gate::rows::{Rows, Texts};
use crate::training::TrainingSet;

fn gated(groups: &[Vec<String>], config: &Config) -> Editor {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    learn(&set, &Proposers::SLOTS, config, &()).expect("a model")
}

/// The accepted edits: notation, where, URLs tested, clusters lost, fetches saved, exceptions.
fn accepted(editor: &Editor) -> Vec<String> {
    let edits = editor.describe().into_iter().map(|edit| {
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
            edit.urls.expect("a count"),
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
fn same(path: &str, argument: &str, pages: Range<usize>) -> Vec<Vec<String>> {
    pages.map(|n| vec![url(path, n), url(&format!("{path}?{argument}"), n)]).collect()
}

/// Pages that show another one with it.
fn other(path: &str, argument: &str, pages: Range<usize>) -> Vec<Vec<String>> {
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
            "drop ?view anywhere, only with the same names in the query, where ?view=1: \
             120/0/120 0.0024, 1 exceptions",
            "drop ?session anywhere, only on one kind of path, only with the same names in the query, where ?session=1: 40/0/40 0.0070, 0 exceptions",
            "drop the path wherever the query has the same names, only on one kind of path, where ?wall=1: \
             30/0/29 0.0091, 0 exceptions",
        ]
    );
    let refused = refused(&editor);
    assert_eq!(refused.len(), 23);
    let is_of_place = |refusal: &&String| refusal.contains("piece");
    let (of_place, others): (Vec<&String>, Vec<&String>) = refused.iter().partition(is_of_place);
    assert_eq!(
        of_place[..3],
        [
            "path piece 1 → * on paths with the same beginning \
             of 1017: 352/170/172 0.9868, too many pages would be lost",
            "path piece 1 → * on one path, with anything in its place and in the query \
             of 678: 352/170/172 0.9868, too many pages would be lost",
            "path piece 3 → * on paths with the same beginning \
             of 612: 612/311/610 0.9914, too many pages would be lost",
        ]
    );
    // Places that a URL does not have are named without harm.
    for url in ["", "x", "http://a.test", "http://a.test/", "http://a.test/story"] {
        assert!(
            editor.refusals_of(url).iter().all(|refusal| !refusal.notation.contains("piece 3"))
        );
    }
    let path = "drop the path wherever the query has the same names";
    assert_eq!(
        others,
        [
            "drop ?ref anywhere of 306: 306/6/306 0.0390, \
             all edits together would lose more than max_lost_share",
            "drop ?ref=1 anywhere of 306: 306/6/306 0.0390, \
             all edits together would lose more than max_lost_share",
            &format!("{path} of 306: 306/6/305 0.9913, too many pages would be lost"),
            "drop ?page anywhere of 20: 20/20/20 0.9372, too many pages would be lost",
            "drop ?page=2 anywhere of 20: 20/20/20 0.9372, too many pages would be lost",
            &format!(
                "{path} of 20: 20/19/19 0.8826, it was tested on too few URLs or canonical URLs"
            ),
            "drop ?view anywhere of 5: 5/5/5 0.7923, too many pages would be lost",
            "drop ?view=1 anywhere of 5: 5/5/5 0.7923, too many pages would be lost",
            &format!("{path} of 5: 5/4/4 0.6625, it was tested on too few URLs or canonical URLs"),
            &format!("{path} of 2: 2/0/1 0.4600, it was tested on too few URLs or canonical URLs"),
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
    assert_eq!(
        accepted(&editor),
        [
            "drop ?ref anywhere, only on one kind of path, only with the same names in the query, where ?ref=1: 302/2/302 0.0140, 0 exceptions"
        ]
    );
    let via = "drop ?via anywhere of 300: 300/2/300 0.0141, \
        all edits together would lose more than max_lost_share";
    assert!(refused(&editor).contains(&via.to_owned()), "{:?}", refused(&editor));
}

const WITH_NAMES: &str =
    "anywhere, only with the same names in the query, where ?view=1: 120/0/120 0.0024, 1";

/// Views that show another page: either these pages are lost, or the views collide with them.
#[test]
fn a_larger_risk_is_taken_of_each_edit_too() {
    let mut groups = same("story/#", "session=1", 100..200);
    groups.extend(other("story/#", "session=1", 200..204));
    let mut config = Config::default();
    let mut edits = |max_lost_share: f64| {
        config.gate.max_lost_share = max_lost_share;
        accepted(&gated(&groups, &config))
    };
    assert_eq!(edits(0.005), Vec::<String>::new());
    assert_eq!(edits(0.02), Vec::<String>::new(), "all together would lose too much");
    assert_eq!(
        edits(0.05),
        [
            "drop ?session anywhere, only on one kind of path, only with the same names in the query, where ?session=1: 104/4/104 0.0748, 0 exceptions"
        ]
    );
}

#[test]
fn the_place_in_which_it_does_not_hold_is_an_exception_however_large() {
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
    for (name, groups, known) in [
        ("swamped", views().into_iter().chain(swamped).collect::<Vec<_>>(), WITH_NAMES),
        ("mixed", views().into_iter().chain(mixed).chain([wall]).collect(), WITH_NAMES),
        ("outweighing", views().into_iter().chain(outweighing).collect(), WITH_NAMES),
    ] {
        let first = accepted(&gated(&groups, &Config::default())).swap_remove(0);
        assert_eq!(first, format!("drop ?view {known} exceptions"), "{name}");
    }
}

#[test]
fn five_urls_must_tell_whether_an_edit_holds() {
    let config = Config::default();
    let edits =
        |pages: usize| accepted(&gated(&same("story/#", "session=1", 100..100 + pages), &config));
    assert_eq!(
        edits(5),
        [
            "drop ?session anywhere, only on one kind of path, only with the same names in the query, where ?session=1: 5/0/5 0.0375, 0 exceptions"
        ]
    );
    assert_eq!(edits(4), Vec::<String>::new());
    let mut groups = same("story/#", "session=1", 100..140);
    groups.extend(other("odd/#", "few=1", 100..103));
    let few =
        "drop ?few anywhere of 3: 3/3/3 0.7000, it was tested on too few URLs or canonical URLs";
    let refused = refused(&gated(&groups, &config));
    assert!(refused.contains(&few.to_owned()), "{refused:?}");
}

/// A gate of its own on a crawl; who proposes gets to know its words.
fn at_a_gate<R>(
    groups: &[Vec<String>],
    propose: impl FnOnce(&Lexicon, &[Program], &mut Literals) -> Proposals,
    look: impl FnOnce(&mut Gate<'_>) -> R,
) -> R {
    let (pages, clusters) = crawl(groups);
    let urls = || pages.iter().map(|page| page.url.as_ref());
    let lexicon = Lexicon::learn(urls(), FrequencyThresholds { word: 0.01, key: 0.0 });
    let (mut texts, mut literals) = (Texts::default(), Literals::default());
    let labels = clusters.labels().iter().copied();
    let rows = Rows::new(urls().zip(labels), &lexicon, &mut texts);
    let proposals = propose(&lexicon, &rows.programs(), &mut literals);
    let limits = LossLimits::of(&GateConfig::default());
    let evidence = Evidence::new(rows, &[], texts.of(&literals), proposals, limits);
    look(&mut Gate::new(evidence, &()))
}

fn slots(lexicon: &Lexicon, programs: &[Program], _: &mut Literals) -> Proposals {
    let mut proposals = Proposals::default();
    proposals.add_slots(programs.iter().map(|program| (program, 1)), lexicon.keys());
    proposals
}

/// The symbol of a word.
fn symbol(lexicon: &Lexicon, word: &str) -> Symbol {
    let piece = pieces(word).next().expect("a piece");
    let symbol = lexicon.symbol(piece);
    assert!(Lexicon::is_word(symbol), "{word}");
    symbol
}

/// An edit that writes one word for another.
fn writes(lexicon: &Lexicon, [from, to]: [&str; 2], literals: &mut Literals) -> Edit {
    let number = literals.number(to).expect("a number");
    let to = ReplacementPiece::Literal(symbol(lexicon, to), number);
    Edit::Replace { from: [symbol(lexicon, from)].into(), to: [to].into() }
}

#[test]
fn edits_are_enlisted_kind_after_kind() {
    let groups = same("left/right/#", "view=1", 100..130);
    let propose = |lexicon: &Lexicon, programs: &[Program], literals: &mut Literals| {
        let mut proposals = slots(lexicon, programs, literals);
        let written = writes(lexicon, ["left", "right"], literals);
        let dropped = Edit::DropKey(lexicon.key("view").expect("a name"));
        proposals.add(Edit::Joint([written, dropped].into()));
        proposals
    };
    at_a_gate(&groups, propose, |gate| {
        for kinds in 0..=JOINT {
            let round = gate.round(kinds);
            let edits =
                round.candidates.iter().map(|((edit, _), _)| round.evidence.edit(edit).kind());
            let found: BTreeSet<usize> = edits.collect();
            assert!(found.into_iter().eq(1..=kinds), "up to kind {kinds}");
        }
    });
}

/// A URL with eight of forty arguments lies in hundreds of scopes, and in most of them alone.
#[test]
fn scopes_of_few_urls_are_not_listed() {
    let argument = |page: usize, n: usize| format!("a{}={}", (7 * page + n * n) % 40, page % 3);
    let query = |page: usize| (0..8).map(|n| argument(page, n)).collect::<Vec<_>>().join("&");
    let groups: Vec<_> = (0..300)
        .map(|page| vec![url("#", page), url(&format!("#?{}", query(page)), page)])
        .collect();
    at_a_gate(&groups, slots, |gate| {
        let round = gate.round(JOINT);
        let urls_of = |shape: &u32| round.evidence.urls(*shape).len();
        let urls = |one: &Candidate| -> usize { one.shapes.iter().map(urls_of).sum() };
        let all: Vec<&Candidate> = round.candidates.iter().map(|(_, one)| one).collect();
        assert!(all.iter().any(|one| one.above.is_some()));
        for one in all.iter().filter(|one| one.above.is_some()) {
            assert!(urls(one) >= LEAST_FORMS as usize, "level {}", one.level);
        }
        assert!(all.len() < 10 * round.accepted.programs.len(), "{}", all.len());
    });
}

#[test]
fn what_is_too_long_is_not_enlisted() {
    let path = |n: usize| "a/".repeat(n / 2) + ["", "b"][n % 2];
    let groups: Vec<_> = (1..80).flat_map(|n| same(&path(n), "view=1", 0..1)).collect();
    at_a_gate(&groups, slots, |gate| {
        let round = gate.round(JOINT);
        let shapes = round.candidates.iter().flat_map(|(_, one)| &one.shapes);
        let enlisted: BTreeSet<u32> = shapes.copied().collect();
        let lengths: Vec<usize> = round.accepted.programs.iter().map(Vec::len).collect();
        assert!(lengths.contains(&MOST_PIECES) && lengths.contains(&(MOST_PIECES + 1)));
        for (shape, length) in (0..).zip(lengths) {
            assert_eq!(enlisted.contains(&shape), length <= MOST_PIECES, "{length} pieces");
        }
    });
}

/// In one of two folders the words already stand the other way round: there each would be
/// written again and again.
#[test]
fn where_serving_would_have_no_end_is_an_exception() {
    let folder = |name: &str| {
        let page = |n: usize| ["left", "right"].map(|side| url(&format!("{name}/{side}/#"), n));
        (100..130).map(|n| page(n).to_vec()).collect::<Vec<_>>()
    };
    let propose = |lexicon: &Lexicon, _: &[Program], literals: &mut Literals| {
        let mut proposals = Proposals::default();
        proposals.add(writes(lexicon, ["left", "right"], literals));
        proposals.add(writes(lexicon, ["right", "left"], literals));
        proposals
    };
    let groups = [folder("one"), folder("two")].concat();
    at_a_gate(&groups, propose, |gate| {
        let mut round = gate.round(JOINT);
        // The shapes: /one/left/, /one/right/, /two/left/, /two/right/.
        let [one, _, left, right] = [0, 1, 2, 3].map(|n| round.accepted.program(n).clone());
        let [edit, back] = [0, 1].map(|n| round.evidence.edit(n).clone());
        let key = (0, scopes(&edit, &left)[0]);
        let written_back = AcceptedEdit {
            scope: Scope::of(&back, 4, &right),
            edit: back,
            only: None,
            exceptions: Vec::new(),
            evidence: EditEvidence::default(),
            rate: UNKNOWN,
            examples: Vec::new(),
        };
        let candidate =
            AcceptedCandidate { edit: written_back, moves: Vec::new(), changes: Vec::new() };
        round.accepted.accept(round.evidence, candidate);
        let accepted = round.test(key, TestMode::Served).verdict.ok();
        let accepted = accepted.expect("it holds in the other folder").edit;
        assert_eq!(accepted.exceptions, [Scope::of(&edit, LEVELS - 1, &left)]);
        assert!(accepted.apply(&one).is_some() && accepted.apply(&left).is_none());
    });
}

/// What holds in seven folders, and loses two pages in an eighth where one may be lost, holds in folders
/// that nobody has seen, too.
#[test]
fn a_page_too_many_costs_an_edit_the_place_alone_where_it_is_lost() {
    let folders = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    let mut groups: Vec<Vec<String>> =
        folders.iter().flat_map(|folder| same(&format!("{folder}/#"), "v=1", 100..200)).collect();
    groups.extend(other("eight/#", "v=1", 200..202));
    let mut config = Config::default();
    config.gate.max_lost_share = 0.0015;
    let editor = gated(&groups, &config);
    let form = |url: &str| editor.rewritten(url).into_owned();
    assert_eq!(form("http://a.test/nine/777?v=1"), "http://a.test/nine/777");
    assert_eq!(form("http://a.test/eight/777?v=1"), "http://a.test/eight/777?v=1");
    // If seven in eight of those copies are in the eighth folder, the rest is too little evidence.
    let mut few = same("eight/#", "v=1", 100..900);
    few.extend(same("one/#", "v=1", 100..200));
    few.extend(other("eight/#", "v=1", 900..902));
    let editor = gated(&few, &config);
    assert_eq!(editor.rewritten("http://a.test/nine/777?v=1"), "http://a.test/nine/777?v=1");
    // One in 804 pages may be lost; with one in 2,000, two lost pages refute the rest as well.
    config.gate.max_lost_share = 0.0005;
    let editor = gated(&groups, &config);
    assert_eq!(editor.rewritten("http://a.test/nine/777?v=1"), "http://a.test/nine/777?v=1");
}
