//! What the tagger proposed and the gate refused.

use super::*;
use crate::config::TaggerConfig;

/// Items by folder and number, each with a view. In the folders that `lost` names by their places, the
/// view of one item in four shows something else.
fn views(lost: impl Fn(usize) -> bool) -> Vec<Vec<String>> {
    let mut groups = Vec::new();
    for (number, folder) in FOLDERS.into_iter().enumerate() {
        for n in 0..40 {
            let item =
                format!("http://a.test/{folder}/{}", 10_usize.pow(1 + n as u32 / 10) + n % 10);
            let view = format!("{item}?v=1");
            match lost(number) && n % 4 == 0 {
                true => groups.extend([vec![item], vec![view]]),
                false => groups.push(vec![item, view]),
            }
        }
    }
    groups
}

const FOLDERS: [&str; 8] = ["art", "book", "car", "dog", "egg", "fish", "gas", "hat"];

/// Learned by the tagger alone.
fn by_tagger(groups: &[Vec<String>]) -> Gated {
    let (pages, clusters) = crawl(groups);
    let tagger = TaggerConfig { embedding: 8, hidden: 12, max_steps: 150, ..Default::default() };
    let config = Config { tagger, ..Config::default() };
    let set = TrainingSet::new(&pages, &clusters);
    let proposers = Proposers { network: Some(NetworkProposer::Tagger), ..Proposers::NONE };
    let editor = learn(&set, &proposers, &config, &()).expect("a model");
    Gated { pages, clusters, editor }
}

/// Why `drop ?v` was refused, as it is reported of a URL.
fn refusal(editor: &Editor, url: &str) -> Option<String> {
    let described = editor.refusals_of(url);
    assert!(
        described.len() < 2 && described.iter().all(|one| one.notation == "network: drop ?v"),
        "{described:?}"
    );
    described.into_iter().next().map(|one| one.why)
}

/// URLs of the crawl of which it is reported, and of five in a folder that the crawl did not have.
fn describe(gated: &Gated, editor: &Editor) -> (usize, usize) {
    let is_told = |url: &str| match refusal(editor, url) {
        Some(why) => {
            assert_eq!((why.as_str(), url), ("too many pages would be lost", &*gated.form(url)));
            true
        }
        None => false,
    };
    let new = (0..5).map(|digits| format!("http://a.test/new/{}?v=1", 7 * 10_u64.pow(digits)));
    let crawled = gated.pages.iter().filter(|page| is_told(&page.url)).count();
    (crawled, new.filter(|url| is_told(url)).count())
}

fn again(editor: &Editor) -> Editor {
    let (json, weights) = editor.to_json().expect("JSON");
    Editor::from_json(&json, weights).expect("an editor")
}

/// Whether a model has taggers, and the shapes that a refused edit is kept with.
fn kept(editor: &Editor) -> (bool, usize) {
    let (json, weights) = editor.to_json().expect("JSON");
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let shapes = json["refused"][0]["shapes_xxh3"].as_array();
    (weights.is_some(), shapes.map_or(0, Vec::len))
}

/// Nothing was accepted, so that the model has no tagger.
#[test]
fn what_it_proposed_is_told_of_the_shapes_for_which_it_did() {
    let gated = by_tagger(&views(|_| true));
    let (has_tagger, shapes) = kept(&gated.editor);
    assert!(!has_tagger && shapes > 0);
    let [refused] = &gated.editor.refusals()[..] else { panic!("{:?}", gated.editor.refusals()) };
    let urls = refused.urls.expect("a count");
    assert!(urls > 0 && refused.evidence.lost > 0, "{refused:?}");
    assert_eq!(describe(&gated, &gated.editor), (urls, 0));
    assert_eq!(describe(&gated, &again(&gated.editor)), (urls, 0));
}

/// Every item has a shape of its own: six numbers of three to seven digits.
#[test]
fn no_more_shapes_are_kept_than_a_file_should_hold() {
    let number = |n: usize, place: u32| ["100", "1000", "10000", "1000000"][n >> (2 * place) & 3];
    let item = |n: usize| {
        let numbers: Vec<&str> = (0..6).map(|place| number(n, place)).collect();
        let item = format!("http://a.test/{}", numbers.join("/"));
        (item.clone(), format!("{item}?v=1"))
    };
    let items = (0..1500).map(item).enumerate();
    let groups: Vec<Vec<String>> = items
        .flat_map(|(n, (item, view))| match n % 5 {
            0 => vec![vec![item], vec![view]],
            _ => vec![vec![item, view]],
        })
        .collect();
    let gated = by_tagger(&groups);
    assert!(gated.editor.refusals()[0].urls > Some(1000));
    assert_eq!(kept(&gated.editor), (false, 1000));
}

/// It says of any shape what it proposes.
#[test]
fn a_tagger_that_is_kept_is_asked() {
    let gated = by_tagger(&views(|folder| folder > 4));
    assert_eq!(kept(&gated.editor), (true, 0));
    assert!(!gated.editor.describe().is_empty());
    let [refused] = &gated.editor.refusals()[..] else { panic!("{:?}", gated.editor.refusals()) };
    let (crawled, new) = describe(&gated, &gated.editor);
    assert!(Some(crawled) == refused.urls && new > 0, "{refused:?}: {crawled} {new}");
    assert_eq!(describe(&gated, &again(&gated.editor)), (crawled, new));
}
