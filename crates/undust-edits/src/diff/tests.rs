use proptest::prelude::*;
use undust_url::lexicon::FrequencyThresholds;

use super::*;
use crate::program::{Cell, TextSource, copy};
use crate::spell::spell;

fn found(source: &str, target: &str) -> (Vec<Edit>, Lexicon, Literals) {
    let words = "http://x.com/people/olga/x/y/index.html?title=1&action=2&p=3&C=4;O=5~wiki";
    let urls: Vec<String> = (0..3).map(|n| format!("{words}{}", "/".repeat(n))).collect();
    let lexicon = Lexicon::learn(
        urls.iter().map(String::as_str),
        FrequencyThresholds { word: 0.0, key: 0.0 },
    );
    let mut literals = Literals::default();
    let both = (ReadUrl::of(source, &lexicon), ReadUrl::of(target, &lexicon));
    let edits = difference(&both.0, &both.1, &mut literals).expect("edits");
    (edits, lexicon, literals)
}

fn described(source: &str, target: &str) -> Vec<String> {
    let (edits, lexicon, literals) = found(source, target);
    edits.iter().map(|edit| spell(edit, &lexicon, &literals)).collect()
}

fn check(source: &str, target: &str) -> Vec<Edit> {
    let (edits, lexicon, literals) = found(source, target);
    let (source, target) = (ReadUrl::of(source, &lexicon), ReadUrl::of(target, &lexicon));
    let joint = Edit::Joint(edits.clone().into());
    let program = joint.apply(&copy(&source.shape)).expect("a change");
    let text = |cell: &Cell| match cell.text {
        TextSource::Source(place) => source.texts[usize::from(place)].to_owned(),
        TextSource::Literal(number) => literals.text(number).to_owned(),
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

/// Half an argument and half of the next, `7&p=`, would also match where another argument ends.
#[test]
fn one_of_several_arguments_of_a_name_goes_as_a_whole() {
    for (source, target, edit) in [
        ("http://x.com/?p=7&p=8", "http://x.com/?p=8", "p=<any>& → "),
        ("http://x.com/?p=7&p=8", "http://x.com/?p=7", "&p=<any> → "),
        ("http://x.com/?p=7&p=7&p=8", "http://x.com/?p=8", "p=<any>&p=<any>& → "),
        ("http://x.com/?title=7&p=7&p=8", "http://x.com/?title=7&p=8", "p=<any>& → "),
        ("http://x.com/?p=7;p=8&title=9", "http://x.com/?p=8&title=9", "p=<any>; → "),
    ] {
        assert_eq!(described(source, target), [edit], "{source}");
    }
}

proptest! {
    /// No deletion of whole arguments is written as the end of one and the begin of another.
    #[test]
    fn whole_arguments_go_as_a_whole(
        arguments in prop::collection::vec(("title|action|p", "[78]"), 2..6),
        gone in any::<prop::sample::Index>(),
    ) {
        let written: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let url = |arguments: &[String]| format!("http://x.com/?{}", arguments.join("&"));
        let mut rest = written.clone();
        rest.remove(gone.index(written.len()));
        for described in described(&url(&written), &url(&rest)) {
            let is_whole = ["drop ?", "title=", "action=", "p=", "&title=", "&action=", "&p="];
            prop_assert!(is_whole.iter().any(|begin| described.starts_with(begin)), "{}", described);
        }
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
        ("http://x.com/x/a7/b8?title=olga", "http://x.com/olga/x/a7/b8"),
        ("http://x.com/x/a7?title=b9&p=3", "http://x.com/b9/x/a7?p=3"),
        ("http://x.com/index.html?p=7", "http://x.com/y/7/index.html"),
        ("http://x.com/index.html?p=7&title=a-b", "http://x.com/y/7/wiki/a-b/index.html"),
    ] {
        check(source, target);
    }
}

/// What a site's words do not name is copied to where it goes, as it could not be written.
#[test]
fn what_moves_is_copied() {
    for (source, target, edit) in [
        ("http://x.com/x/a7/y/b9", "http://x.com/y/b9/x/a7", "x/<any>/y/<any> → y/$7/x/$3"),
        (
            "http://x.com/x/people/y/olga",
            "http://x.com/y/olga/x/people",
            "x/people/y/olga → y/olga/x/people",
        ),
        ("http://x.com/x/a7/a7/y", "http://x.com/y/a7/a7/x", "x/<any>/<any>/y → y/$3/$5/x"),
        ("http://x.com/a7/y/b9/x", "http://x.com/x/b9/a7", "<any>/y/<any>/x → x/$5/$1"),
    ] {
        assert_eq!(described(source, target), [edit]);
    }
}

/// `/?p=7` → `/y/7` says nothing of `index.html?p=7`.
#[test]
fn what_takes_the_place_of_a_delimiter_depends_on_what_stands_before_it() {
    let (edits, lexicon, literals) = found("http://x.com/?p=7", "http://x.com/y/7");
    let described: Vec<String> =
        edits.iter().map(|edit| spell(edit, &lexicon, &literals)).collect();
    assert_eq!(described, ["/?p= → /y/"]);
    let other = copy(&ReadUrl::of("http://x.com/index.html?p=7", &lexicon).shape);
    assert_eq!(edits[0].apply(&other), None);
}

/// A value that begins as the whole target does is no piece of its path.
#[test]
fn an_address_in_a_value_does_not_move() {
    let lexicon = Lexicon::learn(
        ["http://x.com/?title=1"; 3].into_iter(),
        FrequencyThresholds { word: 0.0, key: 0.0 },
    );
    for value in ["http", "http://x.com", "http://"] {
        let source = format!("https://y.com/?title={value}");
        let both = [&source, "http://x.com/"].map(|url| ReadUrl::of(url, &lexicon));
        assert_eq!(difference(&both[0], &both[1], &mut Literals::default()), None, "{value}");
    }
}

/// Two values may show the same only while the lists that they ask for are empty.
#[test]
fn values_of_the_query_do_not_change_places() {
    let lexicon = Lexicon::default();
    for (source, target) in [
        ("http://x.com/?p=x7&title=y8", "http://x.com/?p=y8&title=x7"),
        ("http://x.com/?p=x7&title=y8", "http://x.com/?title=y8&p=x7"),
    ] {
        let (source, target) = (ReadUrl::of(source, &lexicon), ReadUrl::of(target, &lexicon));
        assert_eq!(difference(&source, &target, &mut Literals::default()), None);
    }
}

/// If it were a change, it would be made again and again.
#[test]
fn several_edits_that_leave_all_as_it_is_are_no_change() {
    let (there, lexicon, mut literals) = found("http://x.com/people/q", "http://x.com/wiki/q");
    let back = {
        let [one, other] =
            ["http://x.com/wiki/q", "http://x.com/people/q"].map(|url| ReadUrl::of(url, &lexicon));
        difference(&one, &other, &mut literals).expect("edits")
    };
    let joint = Edit::Joint([back, there].concat().into());
    let program = copy(&ReadUrl::of("http://x.com/people/q", &lexicon).shape);
    let same = joint.apply(&program).expect("the same, written anew");
    assert_eq!(joint.apply(&same), None);
}

/// A word for a word, where both are all of a value: what is part of one, or an argument, is data.
#[test]
fn one_word_stands_for_another_as_a_value() {
    let target = "http://x.com/?title=olga&p=3";
    let edits = check("http://x.com/?title=people&p=3", target);
    let [title, equals] = [&edits[0].needs()[0], &edits[0].needs()[1]];
    assert!(edits.len() == 1 && edits[0].swaps_a_value() && title > equals);
    let source = "http://x.com/?title=people.x&p=3";
    for (source, target) in
        [(source, "http://x.com/?title=olga.x&p=3"), ("http://x.com/?title=77", target)]
    {
        let (_, lexicon, mut literals) = found(source, source);
        let both = (ReadUrl::of(source, &lexicon), ReadUrl::of(target, &lexicon));
        assert_eq!(difference(&both.0, &both.1, &mut literals), None, "{source}");
    }
}
