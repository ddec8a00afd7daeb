use proptest::prelude::*;

use super::*;
use crate::duster::tokens::words;
use crate::rule::Rule;

fn pattern(json: &str) -> Pattern {
    serde_json::from_str(json).unwrap()
}

const PRINT: &str = r#"["http://x.com/t/",{"copy":"digits"},
    {"replace":["/"],"optional":true,"with":""},
    {"replace":["print","raw"],"optional":true}]"#;

#[test]
fn json_is_read_by_the_token() {
    let print = pattern(PRINT);
    assert_eq!(print.check(), Ok(()));
    assert_eq!(
        print.to_string(),
        "^http://x\\.com/t/([0-9]+)/?(?:print|raw)?$ → http://x.com/t/$1"
    );
    assert!(print.words().eq(["http", "x", "com", "t"]));
    assert_eq!(print.specificity(), 10);
    assert_eq!(Rule::Pattern(print.clone()).specificity(), 10);
    let json = serde_json::to_string(&print).unwrap();
    assert_eq!(
        json,
        r#"["http://x.com/t/",{"copy":"digits"},{"replace":["/"],"optional":true,"with":""},{"replace":["print","raw"],"optional":true,"with":""}]"#
    );
    assert_eq!(pattern(&json), print);
}

#[test]
fn it_takes_whole_tokens_of_whole_urls() {
    let print = pattern(PRINT);
    let apply = |url: &str| print.apply(&format!("http://x.com/t/{url}"));
    assert_eq!(apply("12/print").as_deref(), Some("http://x.com/t/12"));
    assert_eq!(apply("12raw").as_deref(), Some("http://x.com/t/12"));
    for other in ["12", "a/print", "12/print/", "12/prints", "/print", "12a/print", ""] {
        assert_eq!(apply(other), None, "{other}");
    }
    assert_eq!(print.apply("http://x.com/tt/12/print"), None);
}

#[test]
fn no_text_takes_the_beginning_of_a_longer_token() {
    let print = pattern(
        r#"["x/",{"replace":["print"],"optional":true},{"copy":"letters"},{"replace":["/"]}]"#,
    );
    assert_eq!(print.apply("x/prints/").as_deref(), Some("x/prints"));
}

#[test]
fn a_fixed_text_is_written_where_nothing_stood() {
    let slash = pattern(
        r#"["http://x.com/",{"copy":"word"},{"replace":["/"],"optional":true,"with":"/"}]"#,
    );
    assert_eq!(slash.apply("http://x.com/a1").as_deref(), Some("http://x.com/a1/"));
    assert_eq!(slash.apply("http://x.com/a1/"), None);
    assert_eq!(slash.to_string(), "^http://x\\.com/([a-zA-Z0-9]+)/?$ → http://x.com/$1/");
}

#[test]
fn the_template_is_not_mistaken() {
    let dollar = pattern(r#"["x$",{"copy":"digits"},{"replace":"letters","with":"_a"}]"#);
    assert_eq!(dollar.to_string(), "^x\\$([0-9]+)(?:[a-zA-Z]+)$ → x$$${1}_a");
}

#[test]
fn what_means_nothing_is_refused_with_a_reason() {
    let reason = |json: &str| pattern(json).check().unwrap_err();
    assert_eq!(reason("[]"), "the pattern replaces nothing");
    assert_eq!(reason(r#"["http://x.com/"]"#), "the pattern replaces nothing");
    assert!(reason(r#"[{"replace":"letters"},"/"]"#).contains("not for this site alone"));
    assert!(reason(r#"["a/",{"replace":[]}]"#).contains("empty"));
    assert!(reason(r#"["a/",{"replace":["a/"]}]"#).contains("'a/' must be one run"));
    assert!(reason(r#"["a/",{"replace":[""]}]"#).contains("'' must be one run"));
    assert!(reason(r#"["a/",{"replace":["b"],"with":"b"}]"#).contains("replaced by itself"));
    assert!(reason(r#"["a",{"replace":["b"]}]"#).contains("in a row"));
    assert!(reason(r#"["a/",{"copy":"word"},{"replace":"digits"}]"#).contains("in a row"));
}

#[test]
fn json_of_another_shape_is_refused() {
    for json in [
        r#"[{"copy":"digits","with":"x"}]"#,
        r#"[{"copy":"hex"}]"#,
        r#"[{"replace":["a"],"once":true}]"#,
        r#"[7]"#,
        r#"{}"#,
    ] {
        assert!(serde_json::from_str::<Pattern>(json).is_err(), "{json}");
    }
    let error = serde_json::from_str::<Pattern>("[7]").unwrap_err().to_string();
    assert!(error.starts_with("expected a text"), "{error}");
}

#[test]
fn a_long_url_takes_no_long_time() {
    let url = format!("http://x.com/t/{}", "1a".repeat(15_000));
    assert_eq!(pattern(PRINT).apply(&url), None);
    let optional = r#"{"replace":"letters","optional":true},{"replace":"digits","optional":true}"#;
    let many = vec![optional; 50].join(",");
    let hard = pattern(&format!(r#"["http://x.com/t/",{many},{{"replace":["/"]}}]"#));
    assert_eq!(hard.apply(&url), None);
}

proptest! {
    #[test]
    fn any_pattern_answers_any_string(
        elements in proptest::collection::vec(
            prop_oneof![
                Just(r#""a""#), Just(r#""/""#), Just(r#"{"copy":"word"}"#), Just(r#"{"copy":"digits"}"#),
                Just(r#"{"replace":"letters","optional":true}"#),
                Just(r#"{"replace":["a","/",""],"optional":true,"with":"b"}"#),
                Just(r#"{"replace":"word","with":"$"}"#),
            ],
            0..12,
        ),
        url in "(a|b|1|/|é|%|\\PC){0,12}",
    ) {
        let pattern = pattern(&format!("[{}]", elements.join(",")));
        let image = pattern.apply(&url);
        prop_assert_ne!(image.as_deref(), Some(url.as_str()));
        if image.is_some() && pattern.check().is_ok() {
            prop_assert!(pattern.words().all(|word| words(&url).any(|other| other == word)));
        }
        let _ = (pattern.check(), pattern.to_string());
    }
}
