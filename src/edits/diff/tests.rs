use super::super::edit::{Text, copy};
use super::*;
use crate::url::lexicon::Shares;

fn check(source: &str, target: &str) -> Vec<Edit> {
    let words = "http://x.com/people/olga/x/y/index.html?title=1&action=2&p=3&C=4;O=5~wiki";
    let urls: Vec<String> = (0..3).map(|n| format!("{words}{}", "/".repeat(n))).collect();
    let lexicon = Lexicon::learn(urls.iter().map(String::as_str), Shares { word: 0.0, key: 0.0 });
    let mut literals = Literals::default();
    let (source, target) = (Read::of(source, &lexicon), Read::of(target, &lexicon));
    let edits = difference(&source, &target, &mut literals).expect("edits");
    let mut program = copy(&source.shape);
    for edit in edits.iter().rev() {
        program = edit.apply(&program).expect("a change");
    }
    let text = |cell: &crate::edits::edit::Cell| match cell.text {
        Text::Source(place) => source.texts[usize::from(place)].to_owned(),
        Text::Literal(number) => literals.text(number).to_owned(),
    };
    let written: String = program.iter().map(text).collect();
    assert_eq!(written, target.texts.concat());
    edits
}

#[test]
fn whole_arguments_are_dropped_by_name() {
    for (source, target) in [
        ("http://x.com/?title=a&action=b", "http://x.com/?title=a"),
        ("http://x.com/?title=a&action=b", "http://x.com/?action=b"),
        ("http://x.com/?title=a", "http://x.com/"),
        ("http://x.com/?C=a;O=b", "http://x.com/"),
        ("http://x.com/?title=a&action=b&p=c", "http://x.com/?title=a&p=c"),
    ] {
        let edits = check(source, target);
        assert!(edits.iter().all(|edit| matches!(edit, Edit::DropKey(_))), "{edits:?}");
    }
}

#[test]
fn paths_are_replaced() {
    for (source, target) in [
        ("http://x.com/people/olga/q/z", "http://x.com/~olga/q/z"),
        ("http://x.com/q/index.html", "http://x.com/q/"),
        ("http://x.com/q", "http://x.com/q/"),
        ("http://x.com/q/", "http://x.com/q"),
        ("http://x.com/y?title=Some", "http://x.com/wiki/Some"),
        ("http://x.com/y?p=Some&action=Act", "http://x.com/Some/Act"),
    ] {
        check(source, target);
    }
}
