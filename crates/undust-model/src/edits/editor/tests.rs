//! Models that nobody trained: a `gate.json` may say anything.

use std::sync::Arc;

use serde_json::{Value, json};

use undust_util::op_counter;

use super::*;
use crate::edits::edit::Piece;

/// The first word of a lexicon.
const WORD: Symbol = 24;

/// A rule that replaces a symbol.
fn replaces(from: Symbol, to: &[Value]) -> Value {
    let evidence = json!({"tested": 0, "lost": 0, "mixed": 0, "saved": 0});
    let edit = json!({"replace": {"from": [from], "to": to}});
    json!({"edit": edit, "level": 0, "scope": 0, "exceptions": [], "evidence": evidence, "rate": 0})
}

/// A file without rules. Its words are those of `http://a.test/t`.
fn file() -> Value {
    let words = ["t", "http", "a.test"].map(|text| json!({"text": text, "key": false}));
    json!({"lexicon": words, "literals": ["*", "?"], "rules": []})
}

fn read(file: &Value) -> Editor {
    Editor::from_json(file.to_string().as_bytes(), None).expect("an editor")
}

/// One that writes these literals, by their numbers, for a symbol.
fn writer(from: Symbol, literals: &[&str], to: &[usize]) -> Editor {
    let piece = |number: &usize| {
        let delimiter = Lexicon::delimiter(literals[*number]);
        json!({"literal": [delimiter.unwrap_or(9), number + 2]})
    };
    let to: Vec<Value> = to.iter().map(piece).collect();
    let (mut file, literals) = (file(), [&["*", "?"], literals].concat());
    (file["literals"], file["rules"]) = (json!(literals), json!([[replaces(from, &to), []]]));
    read(&file)
}

/// A form that is too long is not written to its end to see that it is.
#[test]
fn a_form_is_written_up_to_its_bound() {
    let slash = Lexicon::delimiter("/").expect("a delimiter");
    let (long, url) = ("x".repeat(1 << 15), "http://a.test/t/t/t/t?t=t");
    let editor = writer(slash, &[&long], &[0; 60]);
    let (bytes, form) = op_counter::steps_of(|| editor.translate(url));
    assert_eq!((&*form.canonical, form.how), (url, How::Unchanged(Reason::Unstable)));
    assert!(bytes < 10_000, "{bytes}");
    // Short parts may make a long form, too, and only in the end.
    let editor = writer(slash, &["x"], &[0; 40]);
    let form = editor.translate(url);
    assert_eq!((&*form.canonical, form.how), (url, How::Unchanged(Reason::Unstable)));
}

/// What is settled is longer than a form on its way may be, and has a bound of its own.
#[test]
fn a_settled_form_is_no_longer_than_a_url_may_become() {
    let (url, usage) = ("http://a.test/t", Arc::default());
    for (length, is_written) in [(200, true), (1 << 15, false)] {
        let text = "x".repeat(length);
        let editor = writer(WORD, &[&text, "/"], &[0, 1, 0, 1, 0]);
        let (bytes, form) = op_counter::steps_of(|| editor.translate(url));
        let (expected, how) = if is_written {
            (format!("http://a.test/{text}/{text}/{text}"), How::Rules)
        } else {
            (url.to_owned(), How::Unchanged(Reason::Unstable))
        };
        assert_eq!((form.canonical.len(), form.how), (expected.len(), how));
        assert!(form.canonical == expected && bytes < 1 << 18, "{bytes}");
        // The same by shape, which leaves to the long way what is too long.
        let mut text = b"before".to_vec();
        let written = editor.write_by_shape(&usage, url, &mut text);
        assert_eq!(written, is_written.then_some(How::Rules));
        let rest = if is_written { expected.as_bytes() } else { b"" };
        assert!(text == [b"before", rest].concat());
        let by_shape = editor.translate_by_shape(&usage, url);
        assert_eq!(by_shape.map(|form| form.canonical == expected), is_written.then_some(true));
    }
}

/// An editor says what it takes, wherever its file put it.
#[test]
fn what_a_file_holds_is_counted() {
    let rule = || replaces(WORD, &[]);
    let rule_with = |key: &str, value: Value| {
        let mut rule = rule();
        rule[key] = value;
        let mut file = file();
        file["rules"] = json!([[rule, []]]);
        file
    };
    let edit_with = |from: &[Symbol], to: &[Value]| {
        rule_with("edit", json!({"replace": {"from": from, "to": to}}))
    };
    let with = |key: &str, value: Value| {
        let mut file = file();
        file[key] = value;
        file
    };
    let long = |n: usize| format!("{n}{}", "x".repeat(30_000));
    let mut writes = edit_with(&[WORD], &[2, 3, 4].map(|number| json!({"literal": [9, number]})));
    writes["literals"] = json!(["*", "?", long(0), long(1), long(2)]);
    let refused = |shapes: &[u64]| {
        let mut refused = rule();
        (refused["urls"], refused["why"], refused["shapes"]) =
            (json!(1), json!("loses"), json!(shapes));
        json!({"refused": [refused], "shapes": []})
    };
    let list =
        |key: Symbol, values: &[String]| json!({"slot": {"argument": key}, "values": values});
    let lists: Vec<Value> = (100..200).map(|key| list(key, &["a".to_owned()])).collect();
    let examples = vec![[long(0), long(1)]; 10];
    for (name, file, least) in [
        ("literals", writes, 2 * 90_000),
        ("from", edit_with(&[WORD; 50_000], &[]), 200_000),
        ("to", edit_with(&[WORD], &vec![json!({"keep": 0}); 50_000]), 50_000 * size_of::<Piece>()),
        (
            "joint",
            rule_with("edit", json!({"joint": vec![json!("drop-path"); 9_000]})),
            9_000 * size_of::<Edit>(),
        ),
        ("exceptions", rule_with("exceptions", json!(vec![7; 1 << 15])), 8 << 15),
        ("only", rule_with("only", json!({"ending": vec![7; 1 << 15]})), 4 << 15),
        ("examples", with("rules", json!([[rule(), examples]])), 600_000),
        ("rules", with("rules", json!(vec![json!([rule(), []]); 1000])), 1000 * size_of::<Rule>()),
        ("shapes", with("known", json!({"refused": [], "shapes": vec![7; 1 << 15]})), 8 << 15),
        ("refused", with("known", refused(&[7; 1 << 15])), 8 << 15),
        ("values", with("known_values", json!([list(100, &[long(0), long(1)])])), 120_000),
        ("lists", with("known_values", json!(lists)), 100 * 2048),
        ("lexicon", with("lexicon", json!([{"text": long(0), "key": true}])), 60_000),
    ] {
        let bytes = read(&file).bytes();
        assert!((least..least * 3 / 2 + 10_000).contains(&bytes), "{name}: {bytes}, not {least}");
    }
}

/// Rules that tell of one long word do not hold it once for each.
#[test]
fn what_is_told_of_rules_is_short() {
    let mut rule = replaces(WORD, &[json!({"literal": [9, 2]})]);
    rule["beside"] = json!({"word": WORD});
    let mut file = file();
    file["lexicon"][0]["text"] = json!("x".repeat(1 << 20));
    file["literals"] = json!(["*", "?", "x".repeat(1 << 15)]);
    file["rules"] = json!(vec![json!([rule, []]); 500]);
    let editor = read(&file);
    let told = editor.told();
    assert!(told[0].notation.starts_with("xxx") && told[0].notation.len() < 3000);
    assert!(
        editor.rules().all(|rule| rule.scope.starts_with("with xxx") && rule.scope.len() < 3000)
    );
    assert!(editor.bytes() < 3 * (1 << 20) + 500 * 6000, "{}", editor.bytes());
}

/// What is told of an edit that was taken back names the values for which it held.
#[test]
fn values_are_kept_as_long_as_something_asks_for_them() {
    let mut rule = replaces(WORD, &[]);
    rule["beside"] = json!({"known": "path"});
    let other = Slot::Argument(100);
    let values = |slot: Slot| json!({"slot": slot, "values": ["/a", "/b"]});
    let mut file = file();
    file["rules"] = json!([[rule, []], [replaces(WORD, &[]), []]]);
    file["known_values"] = json!([values(Slot::Path), values(other)]);
    let counts = |editor: &Editor| [Slot::Path, other].map(|slot| editor.marks.count(slot));
    assert_eq!(counts(&read(&file)), [2, 2]);
    assert_eq!(counts(&read(&file).without(&FxHashSet::from_iter([1]))), [2, 0]);
    assert_eq!(counts(&read(&file).without(&FxHashSet::from_iter([0]))), [0, 0]);
    let taken_back = read(&file).take_back(0);
    assert_eq!((counts(&taken_back), taken_back.rules().len()), ([2, 0], 1));
    let (json, weights) = taken_back.to_json().expect("JSON");
    let again = Editor::from_json(&json, weights).expect("an editor");
    assert_eq!(again.refusals()[0].scope, taken_back.refusals()[0].scope);
    assert!(again.refusals()[0].scope.contains('2'), "{}", again.refusals()[0].scope);
}
