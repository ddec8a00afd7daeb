use regex::Regex;

use super::*;
use crate::names::ArgumentsOfUrls;
use crate::paths::Paths;
use crate::rule::places;

/// The rule for URLs of one kind of path, by arguments that they have.
fn rule<'u>(urls: &[&'u str], names: &[&'static str], least: usize) -> Rule<'u> {
    let paths = Paths::of(urls);
    let path = Some(places(paths.node_of.iter().map(|node| paths.labels(*node))));
    let names = names.iter().map(|name| (*name).into()).collect();
    Rule { path, goes_on: false, query: Query::Has { names, least } }
}

#[test]
fn a_rule_names_its_path_and_its_argument() {
    let urls: Vec<String> =
        (0..9).map(|n| format!("http://a.test/c.d/{n}/x?m={n}&sort=1")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let policy = policy(&rule(&urls, &["sort"], 1), false);
    assert_eq!(policy.regex, "^/c[.]d/[0-9]+/x[?](?:[^&;]*[&;])*(?:sort)(?:[=&;]|$)");
    assert_eq!(policy.robots, ["/c.d/*/x?sort=", "/c.d/*/x?*&sort="]);
    let regex = Regex::new(&policy.regex).expect("an expression");
    for met in ["/c.d/12/x?sort=2&m=7", "/c.d/1/x?m=7&sort", "/c.d/1/x?m=1;sort="] {
        assert!(regex.is_match(met), "{met}");
    }
    for other in [
        "/c.d/1/x?m=1",
        "/c.d/1/x?resort=1",
        "/c.d/1/x?m=sort=",
        "/cxd/1/x?sort=1",
        "/c.d/1/x/y?sort=1",
    ] {
        assert!(!regex.is_match(other), "{other}");
    }
}

#[test]
fn filters_are_counted() {
    let urls = ["http://a.test/list?a=1&b=2&c=3"];
    let policy = policy(&rule(&urls, &["a", "b", "c"], 2), false);
    let regex = Regex::new(&policy.regex).expect("an expression");
    for (query, is_met) in [
        ("a=1", false),
        ("a=1&x=2", false),
        ("a=1&c=2", true),
        ("x=1&b=&y&a", true),
        ("ab=1&c=2", false),
    ] {
        assert_eq!(regex.is_match(&format!("/list?{query}")), is_met, "{query}");
    }
    assert_eq!(policy.robots.len(), 6);
    assert!(
        is_allowed(&policy.robots, "/list?a=1&x=2") && !is_allowed(&policy.robots, "/list?b=1&a=2")
    );
}

#[test]
fn hostile_texts_end_no_line_and_no_quote() {
    let urls = ["http://a.test/\"\\${x}'`/é\u{a0}?\"=1&a;b\n{}=$"; 3];
    let names = ArgumentsOfUrls::of(&urls).names;
    let paths = Paths::of(&urls);
    let path = Some(places([paths.labels(paths.node_of[0])]));
    let rule = Rule { path, goes_on: false, query: Query::Has { names, least: 1 } };
    for with_host in [false, true] {
        let policy = policy(&rule, with_host);
        assert!(!policy.regex.contains(['"', '\'', '`', '\\', '\n', ' ']), "{}", policy.regex);
        Regex::new(&policy.regex).expect("an expression");
        assert!(policy.robots.iter().all(|line| !line.contains(char::is_whitespace)));
    }
}

#[test]
fn a_host_is_met_with_any_port() {
    let urls = [["http://a.test:8080/list?a=1"; 4], ["http://b.test/list?a=1"; 4]].concat();
    let policy = policy(&rule(&urls, &["a"], 1), true);
    let regex = Regex::new(&policy.regex).expect("an expression");
    for (target, is_met) in [
        ("a.test/list?a=1", true),
        ("a.test:80/list?a=1", true),
        ("b.test/list?a", true),
        ("c.test/list?a=1", false),
    ] {
        assert_eq!(regex.is_match(target), is_met, "{target}");
    }
}

/// A file that does nothing says so.
#[test]
fn a_file_without_a_rule_says_so_in_every_format() {
    use RuleFormat::{Anubis, Caddy, Cloudflare, Haproxy, Nginx, Robots};
    for format in [Nginx, Robots, Anubis, Caddy, Cloudflare, Haproxy] {
        let text = rules(format, &[], false);
        assert!(text.contains("# There is no rule: "), "{format:?}: {text}");
    }
}
