use super::*;

fn rule(json: serde_json::Value) -> KeyRule {
    let rule: KeyRule = serde_json::from_value(json).expect("a rule");
    rule.check().expect("a meaningful rule");
    rule
}

fn apply(rule: &KeyRule, url: &str) -> Option<String> {
    rule.apply(&KeyedUrl::parse(url)?)
}

#[test]
fn the_last_segment_goes_whatever_the_number() {
    let rule = rule(serde_json::json!({
        "context": {"keys": {"k(1,-)": {"is": "http"}, "k(-,1)": {"is": "index.html"}}},
        "transformation": {"k(-,1)": []},
    }));
    assert_eq!(apply(&rule, "http://x/a/b/index.html").as_deref(), Some("http://x/a/b"));
    assert_eq!(apply(&rule, "http://x/index.html").as_deref(), Some("http://x/"));
    assert_eq!(apply(&rule, "http://x/a/b"), None);
    assert_eq!(apply(&rule, "https://x/index.html"), None);
    assert_eq!(rule.to_string(), r#"k(1,-)="http", k(-,1)="index.html" → k(-,1) := ⊥"#);
}

#[test]
fn arguments_go_move_and_come() {
    let rule = rule(serde_json::json!({
        "context": {"segments": 1, "arguments": ["k_id", "k_sid"], "keys": {}},
        "transformation": {
            "k_id": [], "k_sid": [],
            "k(4,-)": [{"copy": "k_id"}, {"literal": "x"}],
            "k_v": [{"literal": "1"}],
        },
    }));
    assert_eq!(apply(&rule, "http://x/t?sid=9&id=7#f").as_deref(), Some("http://x/t/7/x?v=1#f"));
    for other in ["http://x/t?id=7", "http://x/t?id=7&sid=9&a=1", "http://x/t/u?id=7&sid=9"] {
        assert_eq!(apply(&rule, other), None, "{other}");
    }
}

#[test]
fn the_query_goes_with_its_last_argument() {
    let rule = rule(serde_json::json!({
        "context": {"keys": {"k_sid": "any"}},
        "transformation": {"k_sid": []},
    }));
    for (url, image) in [
        ("http://x/t?sid=9", "http://x/t"),
        ("http://x/t?a=1;sid=9;b", "http://x/t?a=1;b"),
        ("http://x/t?sid=9;b&c", "http://x/t?b&c"),
        ("http://x?sid=", "http://x"),
        ("http://x/?sid=1&sid=2", "http://x/?sid=2"),
    ] {
        assert_eq!(apply(&rule, url).as_deref(), Some(image));
    }
}

#[test]
fn conversions_are_total() {
    for (conversion, from, to) in [
        (Conversion::Lower, "AÄ%C3", Some("aä%c3")),
        (Conversion::Upper, "aß", Some("ASS")),
        (Conversion::Decode, "a%2Cb+%C3%A4", Some("a,b+ä")),
        (Conversion::Decode, "a%20b", None),
        (Conversion::Decode, "a%2541", None),
        (Conversion::Decode, "%ff", None),
        (Conversion::Decode, "a%2Fb", None),
        (Conversion::Decode, "100%", None),
        (Conversion::Encode, "a b/ä~", Some("a%20b%2F%C3%A4~")),
    ] {
        assert_eq!(conversion.apply(from).as_deref(), to, "{conversion:?} {from}");
    }
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    let set = |key: &str, text: &str| {
        let literal = serde_json::json!([{"literal": text}]);
        serde_json::json!({"context": {"keys": {}}, "transformation": {key: literal}})
    };
    for (json, expected) in [
        (serde_json::json!({"context": {"keys": {}}, "transformation": {}}), "nothing"),
        (
            serde_json::json!({"context": {"keys": {}}, "transformation": {"k(2,-)": []}}),
            "but every URL needs it",
        ),
        (
            serde_json::json!({"context": {"keys": {}}, "transformation": {"k(3,1,-,-)": []}}),
            "has no pattern for k(3,-)",
        ),
        (set("k(2,-)", ""), "writes \"\""),
        (set("k(2,-)", "a/b"), "not a value of k(2,-)"),
        (set("k(1,-)", "ht:tp"), "not a value of k(1,-)"),
        (set("k(3,-)", "a/../?q"), "not a value of k(3,-)"),
        (set("k_x", "1&y=2"), "not a value of k_x"),
        (set("k_x", "a\nhttp://b/"), "not a value of k_x"),
        (set("k_a&b", "1"), "which is not an argument"),
        (
            serde_json::json!({
                "context": {"arguments": ["k_a", "k(3,-)"], "keys": {}},
                "transformation": {"k_a": []},
            }),
            "lists k(3,-) among the arguments",
        ),
    ] {
        let rule: KeyRule = serde_json::from_value(json).expect("a rule");
        let reason = rule.check().expect_err("nonsense");
        assert!(reason.contains(expected), "{reason}");
    }
}
