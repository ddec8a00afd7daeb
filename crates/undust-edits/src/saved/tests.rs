//! What a person writes is read as it is meant, or refused with a sentence that says where it stands.

use serde_json::{Value, json};

use super::*;
use crate::edit::Edit;
use crate::known_values::Attribute;
use crate::program::{Cell, copy};
use crate::replacement::ReplacementPiece;
use crate::restriction::Restriction;
use crate::scope::{ContextFeature, LEVELS, Scope, ScopePart, context_scopes, scopes};

/// A file of one rule and one refusal, with something of all that files have.
fn file() -> Value {
    let evidence = json!({"tested": 9, "lost": 1, "collisions": 2, "saved": 3, "pages": 8});
    json!({
        "lexicon": {
            "words": ["a.test", "http", "story", "print", "php", "full", "wp-content"],
            "names": ["view", "t", "story"],
            "constants": ["=alice", "~a-a"],
        },
        "rules": [{
            "edit": {"joint": [
                {"replace": {"from": "/<any>/print$", "to": [
                    {"keep": 2}, {"write": "-"}, {"write-as": ["view", "{?view}"]}, {"value": "t"},
                ]}},
                {"drop-key": "view"}, {"drop-argument": ["t", "full"]}, {"cut-value": ["t", 2]},
            ]},
            "where": {"level": "neighbours", "names": ["t", "view"], "ending": ".php", "between": ["story", "?"]},
            "only": {"all": [
                {"paths": ["http://a.test/<=alice>/<any>", "http://a.test/story/<~a-a>"]},
                {"beginning": "story"}, {"beginnings": ["story", "<=alice>"]}, {"ending": "wp-content"},
                {"names": [["t"], ["t", "view"]]}, {"values": ["view", ["=full", "=<=alice>"]]},
            ]},
            "except": [
                {"level": "path", "names": [], "path": "http://a.test/story.php"},
                {"level": "pattern", "url": "http://a.test/<1234>?view=full"},
            ],
            "evidence": evidence,
            "rate": 0.25,
            "examples": [["http://a.test/a", "http://a.test/b"]],
        }],
        "refused": [{
            "edit": {"drop-slot": 3},
            "where": {"level": "beginning", "before": "http://a.test/story/"},
            "why": "loses", "urls": 7, "evidence": evidence, "rate": 0.5,
        }],
        "known_values": [{"of": {"argument": "t"}, "values": ["7"]}, {"of": "path", "values": ["/x"]}],
        "shapes_xxh3": ["0000000000000001", "fedcba9876543210"],
    })
}

fn read(file: &Value) -> Result<EditList, String> {
    from_json(file.to_string().as_bytes()).map_err(|reason| reason.to_string())
}

#[test]
fn a_file_is_written_as_it_was_read() {
    let contents = read(&file()).expect("a file");
    let written = to_json(&contents).expect("JSON");
    let again: Value = serde_json::from_slice(&written).expect("JSON");
    assert_eq!(again["rules"], file()["rules"]);
    assert_eq!(again["refused"], file()["refused"]);
    assert_eq!(again["known_values"], file()["known_values"]);
    assert_eq!(again["shapes_xxh3"], file()["shapes_xxh3"]);
    let read_again = from_json(&written).expect("a file");
    assert_eq!(to_json(&read_again).expect("JSON"), written);
    assert_eq!(read_again.accepted[0].0, contents.accepted[0].0);
    let text = String::from_utf8(written).expect("text");
    assert_eq!(text.lines().filter(|line| line.starts_with("{\"edit\"")).count(), 2, "{text}");
}

#[test]
fn what_makes_no_sense_is_told_with_its_place() {
    for (place, value, described) in [
        ("/rules/0/edit", json!({"drop-kye": "t"}), "rules[0].edit: unknown variant `drop-kye`"),
        (
            "/rules/0/edit/joint/1",
            json!({"drop-key": "tt"}),
            "rules[0].edit.joint[1].drop-key: the lexicon has no name \"tt\"; add it to lexicon.names",
        ),
        (
            "/rules/0/edit/joint/1",
            json!({"drop-key": "t=view"}),
            "rules[0].edit.joint[1].drop-key: the lexicon has no word \"view\"",
        ),
        (
            "/rules/0/edit/joint/1",
            json!({"drop-key": "t="}),
            "rules[0].edit.joint[1].drop-key: \"t=\" is not one piece of a URL",
        ),
        (
            "/rules/0/edit/joint/0/replace/from",
            json!("/<anny>"),
            "rules[0].edit.joint[0].replace.from: <anny> is not a kind of piece; there are <any>",
        ),
        (
            "/rules/0/edit/joint/0/replace/from",
            json!(""),
            "rules[0].edit.joint[0].replace.from: is empty",
        ),
        (
            "/rules/0/edit/joint/0/replace/to/0",
            json!({"keep": 6}),
            "rules[0].edit.joint[0].replace.to[0].keep: 6 is not a piece of `from`, which has pieces 1 to 5",
        ),
        (
            "/rules/0/edit/joint/0/replace/to/0",
            json!({"keep": 0}),
            "rules[0].edit.joint[0].replace.to[0].keep: 0 is not a piece of `from`",
        ),
        (
            "/rules/0/edit/joint/0/replace/to/1",
            json!({"write": ""}),
            "rules[0].edit.joint[0].replace.to[1].write: writes nothing: remove it",
        ),
        (
            "/rules/0/edit/joint/0/replace/to/2/write-as/1",
            json!("<any>"),
            "rules[0].edit.joint[0].replace.to[2].write-as: a text is read as a word",
        ),
        (
            "/rules/0/where/level",
            json!("pth"),
            "rules[0].where.level: \"pth\" is not a level of this edit: write anywhere, page-type, neighbours",
        ),
        (
            "/rules/0/where/level",
            json!("words"),
            "rules[0].where: level \"words\" also needs \"words\": add it",
        ),
        (
            "/rules/0/where/level",
            json!("page-type"),
            "rules[0].where: level \"page-type\" takes only names, ending: remove the other fields",
        ),
        ("/rules/0/where/level", Value::Null, "rules[0].where: has no level: add one"),
        ("/rules/0/where/ending", json!("story"), "rules[0].where.ending: is not an end of a path"),
        ("/rules/0/where/between", json!(["/"]), "rules[0].where.between"),
        (
            "/rules/0/where/names",
            json!(["print"]),
            "rules[0].where.names: the lexicon has no name \"print\"",
        ),
        ("/rules/0/where/ned", json!("/"), "rules[0].where.ned: unknown field `ned`"),
        (
            "/rules/0/where",
            json!({"level": "context", "names": []}),
            "rules[0].where: a context is one of \"word\", \"argument\" and \"known\": add one",
        ),
        (
            "/rules/0/where",
            json!({"level": "context", "names": [], "word": "x"}),
            "rules[0].where.word: the lexicon has no word \"x\"",
        ),
        (
            "/rules/0/except/0/path",
            json!("http://a.test/<1234>"),
            "rules[0].except[0].path: this place does not tell kinds of arguments apart: write <any>",
        ),
        (
            "/rules/0/except/1/url",
            json!("http://a.test/<any>"),
            "rules[0].except[1].url: <any> is not a kind of argument: write one, such as <word>",
        ),
        (
            "/rules/0/except/1/url",
            json!("http://a.test/*"),
            "rules[0].except[1].url: <piece> and *",
        ),
        (
            "/rules/0/only/all/0/paths/1",
            json!("http://b.test/"),
            "rules[0].only.all[0].paths[1].path: the lexicon has no word \"b.test\"",
        ),
        (
            "/rules/0/only/all/0/paths/0",
            json!("http://a.test/<=bob>"),
            "rules[0].only.all[0].paths[0].path: <=bob> is not a kind of piece",
        ),
        ("/rules/0/only/all/4/names/1/0", json!("print"), "rules[0].only.all[4].names[1]: "),
        ("/rules/0/evidence/lost", json!("1"), "rules[0].evidence.lost: invalid type: string"),
        ("/rules/0/rate", json!("low"), "rules[0].rate: invalid type: string"),
        (
            "/refused/0/edit",
            json!({"drop-slot": 0}),
            "refused[0].edit.drop-slot: 0 is not a piece of a path; pieces, delimiters included, are numbered from 1",
        ),
        (
            "/refused/0/where/level",
            json!("anywhere"),
            "refused[0].where.level: \"anywhere\" is not a level of this edit: write beginning, path, values",
        ),
        ("/refused/0/why", json!("lose"), "refused[0].why: unknown variant `lose`"),
        ("/shapes_xxh3/0", json!("ff"), "shapes_xxh3[0]: is not a hash of 16"),
        ("/known_values/1/of", json!({"argument": "t"}), "known_values[1].of: is listed twice"),
        ("/known_values/0/of/argument", json!("x"), "known_values[0].of.argument: the lexicon"),
        ("/lexicon/words/1", json!(""), "lexicon: a word of the lexicon is empty: remove it"),
        ("/lexicon/names/1", json!("view"), "lexicon: the lexicon has \"view\" twice: remove one"),
        ("/rules", json!({}), "rules: invalid type: map, expected a sequence"),
    ] {
        let mut file = file();
        let (parent, field) = place.rsplit_once('/').expect("a place");
        match file.pointer_mut(parent).expect("a place") {
            Value::Array(list) => list[field.parse::<usize>().expect("a number")] = value,
            parent => parent[field] = value,
        }
        let error = read(&file).map(drop).expect_err(place);
        // The detail of a wrong number follows the sentence.
        assert!(error.starts_with(described), "{place}: {error}");
    }
    for (json, described) in
        [("", "EOF while parsing"), ("{\"rules\": [", "rules: EOF"), ("[1]", "invalid")]
    {
        let error = from_json(json.as_bytes()).map(drop).expect_err(json).to_string();
        assert!(error.contains(described), "{json}: {error}");
    }
    let twice = format!("{}{}", file(), file());
    let error = from_json(twice.as_bytes()).map(drop).expect_err("two");
    assert!(error.to_string().contains("trailing"));
}

fn program(url: &str, lexicon: &Lexicon) -> Vec<Cell> {
    let (mut shape, mut texts) = (Vec::new(), Vec::new());
    lexicon.read(url, &mut shape, &mut texts);
    let mut program = copy(&shape);
    // What is known has scopes of its own.
    program.iter_mut().for_each(|cell| cell.known = true);
    program
}

/// Edits of every sort.
fn edits(lexicon: &Lexicon) -> Vec<Edit> {
    let [view, t] = ["view", "t"].map(|name| lexicon.key(name).expect("a name"));
    let slash = Lexicon::delimiter("/").expect("a delimiter");
    let full = lexicon.word("full").expect("a word");
    let replace = Edit::Replace { from: [slash].into(), to: [ReplacementPiece::Value(t)].into() };
    let joint = Edit::Joint([Edit::DropKey(view), replace.clone()].into());
    [
        Edit::DropKey(view),
        Edit::DropArgument(view, [full].into()),
        Edit::DropArgument(view, [full, slash, full].into()),
        replace,
        joint,
        Edit::DropSlot(4),
        Edit::DropSlot(6),
        Edit::DropPath,
    ]
    .into()
}

/// The number of a scope that was read is that of the URLs in it: both are made in one place.
#[test]
fn scopes_are_read_as_they_were_written() {
    let lexicon = read(&file()).expect("a file").lexicon;
    for url in [
        "http://a.test/story/7/print?view=full&t=12",
        "http://a.test/story.php?t=9&story&=3&a=1#x",
        "http://a.test/wp-content/post-12.html",
        "http://a.test/<1234>/-/?view=full;t=http://x/",
        "http://a.test/?",
        "//story/7",
        "story",
    ] {
        let program = program(url, &lexicon);
        for edit in edits(&lexicon) {
            let numbers = scopes(&edit, &program);
            for (level, number) in numbers.into_iter().enumerate() {
                let scope = Scope::of(&edit, level, &program);
                assert_eq!(scope.number(), number);
                let read = SavedScope::of(&edit, &scope, &lexicon).read(&edit, &lexicon);
                let read = read.unwrap_or_else(|wrong| panic!("{url} {edit:?} {level}: {wrong}"));
                assert_eq!(read.number(), scope.number(), "{url} {edit:?} {level}");
            }
            for (word, number) in context_scopes(&edit, &program) {
                let scope = Scope::of_word(&edit, word, &program);
                assert_eq!(scope.number(), number);
                let read = SavedScope::of(&edit, &scope, &lexicon).read(&edit, &lexicon);
                assert_eq!(read.map_err(|wrong| wrong.to_string()), Ok(scope), "{url} {edit:?}");
            }
            let path = ScopePart::Path.of(&edit, &program);
            let names = ScopePart::Names.of(&edit, &program);
            for only in [Restriction::Paths(vec![path]), Restriction::Names(vec![names])] {
                let saved = SavedRestriction::of(&only, &lexicon);
                let read = saved.read(&lexicon).map_err(|wrong| wrong.to_string());
                assert_eq!(read, Ok(only), "{url} {edit:?}");
            }
        }
    }
}

#[test]
fn no_two_scopes_are_told_alike() {
    let lexicon = read(&file()).expect("a file").lexicon;
    let program = program("http://a.test/story/7/print?view=full&t=12", &lexicon);
    for edit in edits(&lexicon) {
        let mut all: Vec<Scope> = (0..LEVELS).map(|at| Scope::of(&edit, at, &program)).collect();
        let words = context_scopes(&edit, &program);
        all.extend(words.iter().map(|(word, _)| Scope::of_word(&edit, *word, &program)));
        all.sort_unstable_by_key(Scope::number);
        all.dedup_by_key(|scope| scope.number());
        let mut lines: Vec<String> = all.iter().map(|one| line(&edit, one, &lexicon)).collect();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), all.len(), "{lines:?}");
        assert!(lines.iter().all(|line| line.len() < 200));
    }
    let words = ["x".repeat(5000), "x".repeat(4999) + "y"];
    let long = json!({"words": words, "names": []});
    let long: Lexicon = serde_json::from_value(long).expect("a lexicon");
    let described = words.map(|word| {
        let word = long.word(&word).expect("a word");
        let edit = Edit::DropKey(word);
        line(&edit, &Scope::of_word(&edit, ContextFeature::Word(word), &[]), &long)
    });
    assert!(
        described[0] != described[1] && described.iter().all(|line| line.len() < 1200),
        "{described:?}"
    );
    let path = ContextFeature::Known(Attribute::Path);
    let edit = Edit::DropPath;
    assert_eq!(
        line(&edit, &Scope::of_word(&edit, path, &program), &lexicon),
        "context; known: the path; names: t view; before: http://a.test"
    );
}
