//! A policy of Anubis: the canonical URL passes, and a URL with an argument that does not matter is challenged.

use std::fmt::Write;

use serde_json::json;

use super::NO_RULE;
use crate::comments::Comments;
use crate::names::NameList;

/// Rules for the list `bots`, one for each path with the names that are dropped below it.
pub(crate) fn text(site: &str, list: &NameList, comments: &Comments) -> String {
    let mut text = format!(
        "# Variants of URLs of {site} that show a page which a shorter URL shows, as undust learned them.\n"
    );
    if list.rules.is_empty() {
        return text + NO_RULE;
    }
    text += HEAD;
    let hosts: Vec<_> = list.hosts.iter().map(|host| json!(host).to_string()).collect();
    for (number, rule) in (1..).zip(&list.rules) {
        text.extend(rule.numbers.iter().map(|number| comments.behind("  # ", *number)));
        let _ = write!(
            text,
            "  - name: undust-variant-{number}\n    action: WEIGH\n    expression:\n      all:\n        - 'host in [{}]'\n        \
             - 'path.startsWith({})'\n        - '\"{}\" in query'\n    weight:\n      adjust: 20\n",
            hosts.join(", "),
            quoted(&rule.prefix),
            rule.name
        );
    }
    text
}

/// A text of an expression, within single quotes of YAML.
fn quoted(text: &str) -> String {
    json!(text).to_string().replace('\'', "''")
}

const HEAD: &str = "\
# Into the policy file, before the rules that allow browsers. A weight of 20 is challenged by the thresholds that Anubis
# has by default; people pass a challenge. For a challenge at once write `action: CHALLENGE` without the weight.
bots:
";
