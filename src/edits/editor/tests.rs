//! Models that nobody trained: a `gate.json` may say anything.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::work;

/// The first word of a lexicon.
const WORD: Symbol = 24;

/// A rule that replaces a symbol.
fn replaces(from: Symbol, to: &[Value]) -> Value {
    let evidence = json!({"tested": 0, "lost": 0, "mixed": 0, "saved": 0});
    let edit = json!({"replace": {"from": [from], "to": to}});
    json!({"edit": edit, "level": 0, "scope": 0, "exceptions": [], "evidence": evidence, "rate": 0})
}

/// The editor of a file with these literals behind the first two, and these rules. Its words are
/// those of `http://a.test/t`.
fn editor(literals: &[&str], rules: &[(Value, Vec<[&str; 2]>)]) -> Editor {
    let word = |text: &str| json!({"text": text, "key": false});
    let lexicon = ["t", "http", "a.test"].map(word);
    let literals = [&["*", "?"], literals].concat();
    let json = json!({"lexicon": lexicon, "literals": literals, "rules": rules}).to_string();
    Editor::from_json(json.as_bytes(), None).expect("an editor")
}

/// One that writes these literals, by their numbers, for a symbol.
fn writer(from: Symbol, literals: &[&str], to: &[usize]) -> Editor {
    let piece = |number: &usize| {
        let delimiter = Lexicon::delimiter(literals[*number]);
        json!({"literal": [delimiter.unwrap_or(9), number + 2]})
    };
    let to: Vec<Value> = to.iter().map(piece).collect();
    editor(literals, &[(replaces(from, &to), Vec::new())])
}

/// A form that is too long is not written to its end to see that it is.
#[test]
fn a_form_is_written_up_to_its_bound() {
    let slash = Lexicon::delimiter("/").expect("a delimiter");
    let (long, url) = ("x".repeat(1 << 15), "http://a.test/t/t/t/t?t=t");
    let editor = writer(slash, &[&long], &[0; 60]);
    let (bytes, form) = work::of(|| editor.translate(url));
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
        let (bytes, form) = work::of(|| editor.translate(url));
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
