use super::Row;
use crate::label::GAP;
use crate::rule::name_regex;

/// Rules for the list `bots`. Anubis reads the path without escapes and the query by names, so both are asked for apart.
pub(super) fn rules(rows: &[Row<'_>], with_host: bool) -> String {
    let mut text = HEAD.to_owned();
    for Row { number, comment, policy } in rows {
        let path = if with_host { "(host + path)" } else { "path" };
        let mut all = vec![format!("{path}.matches(\"{}\")", without_escapes(&policy.path))];
        all.extend(query(&policy.names, policy.least));
        text += &format!(
            "  # {comment}\n  - name: undust-{number}\n    action: WEIGH\n    expression:\n      all:\n"
        );
        all.iter().for_each(|one| text += &format!("        - '{one}'\n"));
        text += "    weight:\n      adjust: 20\n";
    }
    text
}

/// What is asked of the query.
fn query(names: &[String], least: usize) -> Option<String> {
    let any = names.iter().filter(|name| !name.starts_with(';'));
    let any: Vec<String> = any.map(|name| without_escapes(&name_regex(name))).collect();
    if any.is_empty() {
        return None;
    }
    let has = format!("name.matches(\"^(?:{})$\")", any.join("|"));
    Some(match least {
        0 | 1 => format!("query.exists(name, {has})"),
        _ => format!("size(query.filter(name, {has})) >= {least}"),
    })
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
