//! Models that nobody trained: a `gate.json` may say anything.

use std::sync::Arc;

use serde_json::{Value, json};

use undust_util::op_counter;

use super::*;
use crate::known_values::Attribute;
use crate::refused::{RefusalReason, RefusedEdit};
use crate::translation::How;

/// A rule that replaces a pattern.
fn replaces(from: &str, to: &[Value]) -> Value {
    let evidence = json!({"tested": 0, "lost": 0, "collisions": 0, "saved": 0});
    let edit = json!({"replace": {"from": from, "to": to}});
    json!({"edit": edit, "where": {"level": "anywhere"}, "evidence": evidence, "rate": 0})
}

/// A file without rules. Its words are those of `http://a.test/t`.
fn file() -> Value {
    json!({"lexicon": {"words": ["t", "http", "a.test"], "names": ["n"]}, "rules": []})
}

fn read(file: &Value) -> Editor {
    Editor::from_json(file.to_string().as_bytes()).expect("an editor")
}

/// One that writes these texts, by their numbers, for a pattern.
fn writer(from: &str, texts: &[&str], to: &[usize]) -> Editor {
    let to: Vec<Value> = to.iter().map(|number| json!({"write": texts[*number]})).collect();
    let mut file = file();
    file["rules"] = json!([replaces(from, &to)]);
    read(&file)
}

/// A form that is too long is not written to its end to see that it is.
#[test]
fn a_form_is_written_up_to_its_bound() {
    let (long, url) = ("x".repeat(1 << 15), "http://a.test/t/t/t/t?t=t");
    let editor = writer("t", &[&long, "/"], &[[0, 1]; 20].concat());
    let (bytes, form) = op_counter::steps_of(|| editor.rewrite(url));
    assert_eq!((&*form.canonical, form.how), (url, How::Unchanged(Reason::Unstable)));
    assert!(bytes < 10_000, "{bytes}");
    // Short parts may make a long form, too, and only in the end.
    let editor = writer("t", &["x", "/", "t"], &[&[[0, 1]; 19].concat()[..], &[2]].concat());
    let form = editor.rewrite(url);
    assert_eq!((&*form.canonical, form.how), (url, How::Unchanged(Reason::Unstable)));
}

/// What is settled is longer than a form on its way may be, and has a bound of its own.
#[test]
fn a_settled_form_is_no_longer_than_a_url_may_become() {
    let (url, conventions) = ("http://a.test/t", Arc::default());
    for (length, is_written) in [(200, true), (1 << 15, false)] {
        let text = "x".repeat(length);
        let editor = writer("t", &[&text, "/"], &[0, 1, 0, 1, 0]);
        let (bytes, form) = op_counter::steps_of(|| editor.rewrite(url));
        let (expected, how) = if is_written {
            (format!("http://a.test/{text}/{text}/{text}"), How::Rules)
        } else {
            (url.to_owned(), How::Unchanged(Reason::Unstable))
        };
        assert_eq!((form.canonical.len(), form.how), (expected.len(), how));
        assert!(form.canonical == expected && bytes < 1 << 18, "{bytes}");
        // The same by shape, which leaves to the long way what is too long.
        let mut text = b"before".to_vec();
        let written = editor.write_by_shape(&conventions, url, &mut text);
        assert_eq!(written, is_written.then_some(How::Rules));
        let rest = if is_written { expected.as_bytes() } else { b"" };
        assert!(text == [b"before", rest].concat());
        let by_shape = editor.translate_by_shape(&conventions, url);
        assert_eq!(by_shape.map(|form| form.canonical == expected), is_written.then_some(true));
    }
}

/// Rules that contain one long word share one copy of it.
#[test]
fn what_is_told_of_rules_is_short() {
    let (word, text) = ("x".repeat(1 << 17), "y".repeat(1 << 15));
    let mut rule = replaces(&word, &[json!({"write": text})]);
    rule["where"] = json!({"level": "context", "word": word, "names": []});
    let mut file = file();
    file["lexicon"]["words"][0] = json!(word);
    file["rules"] = json!(vec![rule; 20]);
    let editor = read(&file);
    let described = editor.describe();
    assert!(described[0].notation.starts_with("xxx") && described[0].notation.len() < 3000);
    assert!(editor.rules().all(|rule| {
        let (scope, place) = (&rule.scope, &rule.place);
        scope.starts_with("with xxx") && scope.len() < 3000 && place.len() < 3000
    }));
}

/// What is reported of an edit that was taken back names the values for which it held.
#[test]
fn values_are_kept_as_long_as_something_asks_for_them() {
    let mut rule = replaces("t", &[]);
    rule["where"] =
        json!({"level": "context", "known": "path", "names": [], "before": "http://a.test"});
    let values = |of: Value| json!({"of": of, "values": ["/a", "/b"]});
    let mut file = file();
    file["rules"] = json!([rule, replaces("t", &[])]);
    file["known_values"] = json!([values(json!("path")), values(json!({"argument": "n"}))]);
    let other = Attribute::Argument(read(&file).lexicon.key("n").expect("a name"));
    let counts = |editor: &Editor| [Attribute::Path, other].map(|slot| editor.marks.count(slot));
    assert_eq!(counts(&read(&file)), [2, 2]);
    assert_eq!(counts(&read(&file).without(&FxHashSet::from_iter([1]))), [2, 0]);
    assert_eq!(counts(&read(&file).without(&FxHashSet::from_iter([0]))), [0, 0]);
    let mut list = read(&file).list();
    let AcceptedEdit { edit, scope, only, evidence, rate, .. } = list.accepted[0].0.clone();
    let why = RefusalReason::Replay;
    list.record.refused.push(RefusedEdit { edit, scope, only, urls: 0, evidence, rate, why });
    let taken_back = Editor::new(list.without(&FxHashSet::from_iter([0])));
    assert_eq!((counts(&taken_back), taken_back.rules().len()), ([2, 0], 1));
    let json = taken_back.to_json().expect("JSON");
    let again = Editor::from_json(&json).expect("an editor");
    assert_eq!(again.refusals()[0].scope, taken_back.refusals()[0].scope);
    assert!(again.refusals()[0].scope.contains('2'), "{}", again.refusals()[0].scope);
}
