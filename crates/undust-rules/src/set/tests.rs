use proptest::prelude::*;

use undust_edits::translation::{How, Reason};
use undust_url::keys::Key;

use super::*;
use crate::key_rule::{Context, KeyRule, Test, Value};

fn learned(rules: Vec<Rule>) -> Vec<MeasuredRule> {
    rules.into_iter().map(MeasuredRule::unmeasured).collect()
}

fn rule(notation: serde_json::Value) -> Rule {
    Rule::Keys(serde_json::from_value(notation).expect("a rule"))
}

fn set_segment(from: &str, to: &str) -> Rule {
    rule(serde_json::json!({
        "context": {"keys": {"k(3,-)": {"is": from}}},
        "transformation": {"k(3,-)": [{"literal": to}]},
    }))
}

#[test]
fn rules_follow_one_another() {
    let set = RuleSet::new(learned(vec![set_segment("a", "b"), set_segment("b", "c")]));
    assert_eq!(set.rewritten("http://x/a/1"), "http://x/c/1");
    assert_eq!(set.rewritten("http://x/d/1"), "http://x/d/1");
    assert_eq!(set.rewrite("http://x/a/1").how, How::Rules);
    assert_eq!(set.rewrite("http://x/d/1").how, How::Unchanged(Reason::NoRule));
}

#[test]
fn the_first_rule_that_applies_wins() {
    let set = RuleSet::new(learned(vec![set_segment("a", "b"), set_segment("a", "c")]));
    assert_eq!(set.rewritten("http://x/a"), "http://x/b");
}

#[test]
fn a_circle_has_one_form() {
    let set = RuleSet::new(learned(vec![
        set_segment("z", "c"),
        set_segment("c", "b"),
        set_segment("b", "a"),
        set_segment("a", "c"),
    ]));
    for url in ["http://x/a", "http://x/b", "http://x/c", "http://x/z"] {
        assert_eq!(set.rewritten(url), "http://x/a");
    }
}

#[test]
fn a_url_without_end_stays() {
    let grow = rule(serde_json::json!({
        "context": {"keys": {"k(-,1)": "any"}},
        "transformation": {"k(-,1)": [{"literal": "x"}, {"copy": "k(-,1)"}]},
    }));
    let url = "http://x/a";
    let translation = RuleSet::new(learned(vec![grow])).rewrite(url);
    assert_eq!(translation.canonical, url);
    assert_eq!(translation.how, How::Unchanged(Reason::Unstable));
}

/// What a set of rules says that it applied, in order.
#[track_caller]
fn check_cause(rules: Vec<Rule>, url: &str, form: &str, applied: &[&str]) {
    let set = RuleSet::new(learned(rules));
    let translation = set.rewrite(url);
    let steps: Vec<String> = translation.cause.steps().map(ToString::to_string).collect();
    assert_eq!(
        (translation.canonical.as_ref(), steps.as_slice()),
        (form, strings(applied).as_slice())
    );
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn substitution(notation: serde_json::Value) -> Rule {
    Rule::Substitution(serde_json::from_value(notation).expect("a rule"))
}

const A_TO_B: &str = r#"k(3,-)="a" → k(3,-) := "b""#;
const B_TO_C: &str = r#"k(3,-)="b" → k(3,-) := "c""#;

#[test]
fn the_cause_names_the_rules_in_the_order_of_their_use() {
    let rules = || vec![set_segment("b", "c"), set_segment("a", "b"), set_segment("z", "a")];
    check_cause(rules(), "http://x/a", "http://x/c", &[A_TO_B, B_TO_C]);
    check_cause(rules(), "http://x/b", "http://x/c", &[B_TO_C]);
    check_cause(rules(), "http://x/c", "http://x/c", &[]);
}

/// The steps that lead on from the circle's form, and back to it, are no part of its cause.
#[test]
fn the_cause_of_a_circles_form_ends_at_the_form() {
    let rules = || vec![set_segment("c", "b"), set_segment("b", "a"), set_segment("a", "c")];
    let [c_to_b, b_to_a] = [r#"k(3,-)="c" → k(3,-) := "b""#, r#"k(3,-)="b" → k(3,-) := "a""#];
    check_cause(rules(), "http://x/c", "http://x/a", &[c_to_b, b_to_a]);
    check_cause(rules(), "http://x/b", "http://x/a", &[b_to_a]);
    check_cause(rules(), "http://x/a", "http://x/a", &[]);
}

/// The first pass makes an index file visible that the second one removes.
#[test]
fn the_cause_names_the_rules_of_all_passes() {
    let rules = || {
        let index = serde_json::json!({"from": "/index.html", "to": "/", "at_end": true});
        vec![
            substitution(serde_json::json!({ "text": index })),
            substitution(serde_json::json!({"parameter": {"name": "sid"}})),
        ]
    };
    let (index, sid) = (r#""/index.html$" → "/$""#, r#""sid=…" → """#);
    check_cause(rules(), "http://x/index.html?sid=7", "http://x/", &[sid, index]);
    check_cause(rules(), "http://x/index.html", "http://x/", &[index]);
    check_cause(rules(), "http://x/?sid=7", "http://x/", &[sid]);
    check_cause(rules(), "http://x/", "http://x/", &[]);
}

fn any_key() -> impl Strategy<Value = Key> {
    let argument = ("[ab]", 0..2u16, any::<bool>()).prop_map(|(name, nth, bare)| Key::Argument {
        name,
        nth,
        bare,
    });
    prop_oneof![
        Just(Key::Scheme),
        Just(Key::Host),
        (0..3u16).prop_map(Key::Start),
        (0..3u16).prop_map(Key::End),
        argument,
    ]
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let test = prop_oneof!["[ab]".prop_map(Test::Is), Just(Test::Any)];
    let value =
        prop_oneof!["[ab/?]{0,2}".prop_map(Value::Literal), any_key().prop_map(Value::Copy)];
    let keys = proptest::collection::btree_map(any_key(), test, 0..3);
    let arguments = proptest::option::of(proptest::collection::btree_set(
        any_key().prop_filter("an argument", |key| matches!(key, Key::Argument { .. })),
        0..3,
    ));
    let segments = proptest::option::of(0..4usize);
    let values = proptest::collection::vec(value, 0..3);
    let transformation = proptest::collection::btree_map(any_key(), values, 1..3);
    (segments, arguments, keys, transformation).prop_map(
        |(segments, arguments, keys, transformation)| {
            let context = Context { segments, arguments, keys };
            Rule::Keys(KeyRule { context, transformation })
        },
    )
}

/// A pattern of DUSTER's or a substitution of DustBuster's, as a file may hold it.
fn any_other_rule() -> impl Strategy<Value = Rule> {
    let piece = prop_oneof![
        "[ab1/?=]{1,2}".prop_map(|text| serde_json::json!(text)),
        Just(serde_json::json!({"copy": "letters"})),
        Just(serde_json::json!({"copy": "digits"})),
        ("[ab1/]", any::<bool>(), "[ab1/]{0,2}").prop_map(|(from, optional, to)| {
            serde_json::json!({"replace": [from], "optional": optional, "with": to})
        }),
    ];
    let pattern = proptest::collection::vec(piece, 1..5).prop_map(|mut pieces| {
        pieces.insert(0, serde_json::json!("a://b/"));
        serde_json::json!({"pattern": pieces})
    });
    let text = ("[ab1/?=]{1,3}", "[ab1/?=]{0,3}", any::<(bool, bool)>()).prop_map(
        |(from, to, (at_start, at_end))| {
            let text =
                serde_json::json!({"from": from, "to": to, "at_start": at_start, "at_end": at_end});
            serde_json::json!({"substitution": {"text": text}})
        },
    );
    let parameter = "[ab]".prop_map(
        |name| serde_json::json!({"substitution": {"parameter": {"name": name, "value": null}}}),
    );
    let json = prop_oneof![pattern, text, parameter];
    json.prop_filter_map("a meaningful rule", |json| {
        let rule: Rule = serde_json::from_value(json).ok()?;
        rule.check().is_ok().then_some(rule)
    })
}

fn any_url() -> impl Strategy<Value = String> {
    let url_like = "[ab]://[ab](/[ab]?){0,3}(\\?[ab=&;]{0,5})?(#[ab]?)?";
    prop_oneof![9 => url_like, 1 => "\\PC{0,12}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_canonical_stays_so(rules in proptest::collection::vec(any_rule(), 0..6), url in any_url()) {
        let set = RuleSet::new(learned(rules));
        let form = set.rewritten(&url).into_owned();
        prop_assert_eq!(&set.rewritten(&form), &form);
    }

    #[test]
    fn what_is_canonical_stays_so_whatever_the_kind_of_rule(
        rules in proptest::collection::vec(any_other_rule(), 0..5), url in any_url()
    ) {
        for is_pattern in [true, false] {
            let of_kind = |rule: &Rule| matches!(rule, Rule::Pattern(_)) == is_pattern;
            let set = RuleSet::new(learned(rules.iter().filter(|rule| of_kind(rule)).cloned().collect()));
            let form = set.rewritten(&url).into_owned();
            prop_assert_eq!(&set.rewritten(&form), &form);
        }
    }

    #[test]
    fn without_rules_every_url_stays(url in any_url()) {
        let form = RuleSet::new(Vec::new()).rewritten(&url).into_owned();
        prop_assert_eq!(form, url);
    }

    #[test]
    fn the_index_misses_no_rule(
        keys in proptest::collection::vec(any_rule(), 1..9),
        others in proptest::collection::vec(any_other_rule(), 0..9),
        url in any_url(),
    ) {
        let rules: Vec<Rule> = keys.into_iter().chain(others).collect();
        let in_order: Vec<&Rule> = rules.iter().collect();
        let keyed = KeyedUrl::parse(&url);
        let mut found = Vec::new();
        RuleIndex::new(&in_order).find(&url, keyed.as_ref(), &mut found);
        for (place, rule) in (0..).zip(&rules) {
            prop_assert!(rule.apply(&url).is_none() || found.contains(&place), "{}", rule);
        }
    }

    #[test]
    fn a_rule_is_read_back(rule in any_rule()) {
        let json = serde_json::to_string(&rule).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Rule>(&json).expect("a rule"), rule);
    }
}
