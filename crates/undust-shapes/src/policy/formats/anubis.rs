use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::Row;
use crate::label::GAP;

/// Numbers that stand for any in a name such as `f[#]`.
const NUMBERS: u32 = 20;

/// Rules for the list `bots`. Anubis reads the path without escapes and the query by names, so both are asked for apart.
pub(super) fn rules(rows: &[Row<'_>], with_host: bool) -> String {
    let mut text = HEAD.to_owned();
    for Row { number, comment, policy } in rows {
        let path = if with_host { "(host + path)" } else { "path" };
        let mut all = vec![format!("{path}.matches(\"{}\")", without_escapes(&policy.path))];
        match query(&policy.names, policy.least) {
            Some(has) => all.extend(has),
            // Without what it asks of the query a rule would meet more.
            None => {
                text += &format!(
                    "  # {comment}\n  # There is no rule for it: Anubis cannot be asked for its arguments.\n"
                );
                continue;
            }
        }
        text += &format!(
            "  # {comment}\n  - name: undust-{number}\n    action: WEIGH\n    expression:\n      all:\n"
        );
        for one in &all {
            text += &format!("        - '{}'\n", one.replace('\'', "''"));
        }
        text += "    weight:\n      adjust: 20\n";
    }
    text
}

/// What is asked of the query; nothing where any will do. None where it cannot be asked: Anubis can be asked for a name,
/// and not for all names.
fn query(names: &[String], least: usize) -> Option<Option<String>> {
    if names.is_empty() {
        return Some(None);
    }
    let names: Vec<String> = names.iter().flat_map(|name| spelled(name)).collect();
    let has = names.iter().map(|name| format!("\"{}\" in query", quoted(name)));
    let has: Vec<String> = has.collect();
    match least {
        _ if names.len() < least.max(1) => None,
        0 | 1 => Some(Some(has.join(" || "))),
        _ => {
            let one = |has: &String| format!("({has} ? 1 : 0)");
            let sum: Vec<String> = has.iter().map(one).collect();
            Some(Some(format!("{} >= {least}", sum.join(" + "))))
        }
    }
}

/// The names that a name stands for, as Anubis has them: without escapes, and with a number for `#`.
fn spelled(name: &str) -> Vec<String> {
    let numbered: Vec<String> = match name.matches('#').count() {
        0 => vec![name.to_owned()],
        1 => (0..NUMBERS).map(|number| name.replace('#', &number.to_string())).collect(),
        _ => Vec::new(),
    };
    // Anubis does not take `;` for the end of an argument.
    let is_sayable = |name: &String| !name.starts_with(';') && !name.contains(char::is_control);
    numbered.iter().filter_map(|name| decoded(name)).filter(is_sayable).collect()
}

fn quoted(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The text of a name that may have escapes; none where that is not UTF-8.
fn decoded(name: &str) -> Option<String> {
    let name = name.replace('+', " ");
    let decoded = percent_decode_str(&name).decode_utf8();
    decoded.ok().map(Cow::into_owned)
}

/// An expression that meets the text of escapes such as `%C3%A9`, whatever it is.
fn without_escapes(regex: &str) -> String {
    let mut parts = regex.split('%');
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_escape = part.len() > 1 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
        if is_escape && !made.ends_with(GAP) {
            made += GAP;
        }
        made += if is_escape { &part[2..] } else { part };
    }
    made
}

const HEAD: &str = "\
# Into the policy file, before the rules that allow browsers. A weight of 20 is challenged by the thresholds that Anubis
# has by default; people pass a challenge. For a challenge at once write `action: CHALLENGE` without the weight.
bots:
";

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(names: &[&str], least: usize) -> Option<Option<String>> {
        query(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), least)
    }

    /// Of the query Anubis answers whether it has a name; a loop over the names stops it.
    #[test]
    fn names_are_asked_for_one_by_one() {
        let said = |names: &[&str], least| asked(names, least).flatten().unwrap_or_default();
        assert_eq!(
            said(&["a", "caf%C3%A9", "x+y"], 1),
            r#""a" in query || "café" in query || "x y" in query"#
        );
        assert_eq!(said(&["a", "b"], 2), r#"("a" in query ? 1 : 0) + ("b" in query ? 1 : 0) >= 2"#);
        let numbered = said(&["f[#]"], 1);
        assert!(
            numbered.starts_with(r#""f[0]" in query || "f[1]" in query"#)
                && numbered.ends_with(r#""f[19]" in query"#)
        );
        assert_eq!(said(&["a\"b"], 1), r#""a\"b" in query"#);
        assert_eq!(asked(&[], 0), Some(None));
        for unsayable in [&[";a"][..], &["%FF"], &["a%0Ab"], &["f[#][#]"]] {
            assert_eq!(asked(unsayable, 1), None, "{unsayable:?}");
        }
        assert_eq!(asked(&["a", "%FF"], 2), None);
    }
}
