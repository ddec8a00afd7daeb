use super::*;
use crate::pattern::patterns;

/// Without what only Perl's expressions have.
fn matcher(policy: &Policy) -> regex::Regex {
    let look_ahead = regex::Regex::new(r"\(\?=.*?\(\?:=\|\[&;\]\|\$\)\)").expect("an expression");
    let text = look_ahead.replace_all(&policy.regex, "").into_owned();
    regex::Regex::new(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_policy_names_its_pattern() {
    let urls: Vec<String> =
        (0..9).map(|n| format!("http://a.test/c.d/{n}/x?m={n}&sort=1")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let patterns = patterns(&urls);
    let policy = Policy::of(&patterns[0].0, Some("sort"), false);
    assert_eq!(
        policy.regex,
        "^/c[.]d/[0-9]+/x(?=.*[?&;]m(?:=|[&;]|$))(?=.*[?&;]sort(?:=|[&;]|$))\
         [?](?:(?:m|sort)?(?:=[^&;]*)?(?:[&;]|$))+$"
    );
    assert_eq!(policy.robots, ["/c.d/*/x?sort=", "/c.d/*/x?*&sort="]);
    let regex = matcher(&policy);
    assert!(regex.is_match("/c.d/12/x?sort=2&m=7") && regex.is_match("/c.d/1/x?m=7&sort"));
    assert!(!regex.is_match("/c.d/12/x?sort=2&m=7&id=1") && !regex.is_match("/cxd/1/x?m=1&sort=1"));
}

#[test]
fn hostile_texts_end_no_line_and_no_quote() {
    let urls = ["http://a.test/\"\\${x}/é\u{a0}?\"=1&a;b\n{}=$"; 3];
    for (pattern, _) in patterns(&urls) {
        let policy = Policy::of(&pattern, None, true);
        assert!(!policy.regex.contains(['"', '\n', ' ']), "{}", policy.regex);
        matcher(&policy);
    }
}
