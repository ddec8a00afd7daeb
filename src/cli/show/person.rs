//! A rule as a person would write it down: `/query?status=!closed&order=* → drop order`.

use std::fmt::Write as _;

use undust_rules::key_rule::{Context, KeyRule, Test, Value};
use undust_rules::rule::Rule;
use undust_url::keys::Key;

/// The rule. What patterns and substitutions are called is short already.
pub(super) fn written(rule: &Rule) -> String {
    match rule {
        Rule::Keys(rule) => {
            let changes = rule.transformation.iter().map(|(key, values)| change(rule, key, values));
            let changes: Vec<_> = changes.collect();
            format!("{} → {}", place(&rule.context), changes.join(", "))
        }
        other => other.to_string(),
    }
}

/// The URLs that a rule is for: those of one site, so that scheme and host are left out.
fn place(context: &Context) -> String {
    let mut place = path(context);
    let arguments = query(context);
    if !arguments.is_empty() {
        _ = write!(place, "?{}", arguments.join("&"));
    }
    if place.is_empty() { "any URL".to_owned() } else { place }
}

fn path(context: &Context) -> String {
    let tests = || context.keys.iter();
    let from_start = tests().filter_map(|(key, test)| match key {
        Key::Start(at) => Some((usize::from(*at), test)),
        _ => None,
    });
    let from_end = tests().filter_map(|(key, test)| match key {
        Key::End(at) => Some((usize::from(*at), test)),
        _ => None,
    });
    if let Some(count) = context.segments {
        let mut segments = vec!["*".to_owned(); count];
        let from_end = from_end.filter_map(|(at, test)| Some((count.checked_sub(at + 1)?, test)));
        for (at, test) in from_start.chain(from_end) {
            if let Some(segment) = segments.get_mut(at) {
                *segment = tested(test);
            }
        }
        return format!("/{}", segments.join("/"));
    }
    let (mut first, mut last): (Vec<_>, Vec<_>) = (from_start.collect(), from_end.collect());
    if first.is_empty() && last.is_empty() {
        return String::new();
    }
    first.sort_by_key(|(at, _)| *at);
    last.sort_by_key(|(at, _)| *at);
    let mut path = String::new();
    fill(&mut path, &first);
    path.push_str("/…");
    let mut end = Vec::new();
    for (at, test) in last {
        end.resize(at, "*".to_owned());
        end.push(tested(test));
    }
    end.iter().rev().for_each(|segment| _ = write!(path, "/{segment}"));
    path
}

/// The segments that are tested, and those between them.
fn fill(path: &mut String, segments: &[(usize, &Test)]) {
    let mut next = 0;
    for (at, test) in segments {
        for _ in next..*at {
            path.push_str("/*");
        }
        _ = write!(path, "/{}", tested(test));
        next = at + 1;
    }
}

fn query(context: &Context) -> Vec<String> {
    let of_key = |key: &Key, test: Option<&Test>| match key {
        Key::Argument { name, bare: true, .. } => Some(name.clone()),
        Key::Argument { name, .. } => {
            Some(format!("{name}={}", test.map_or_else(|| "*".to_owned(), tested)))
        }
        _ => None,
    };
    let mut arguments: Vec<String> =
        context.keys.iter().filter_map(|(key, test)| of_key(key, Some(test))).collect();
    let others = context.arguments.iter().flatten().filter(|key| !context.keys.contains_key(key));
    arguments.extend(others.filter_map(|key| of_key(key, None)));
    if context.arguments.is_none() && !arguments.is_empty() {
        arguments.push("…".to_owned());
    }
    arguments
}

fn tested(test: &Test) -> String {
    match test {
        Test::Is(text) => text.clone(),
        Test::Any => "*".to_owned(),
        Test::Like(pattern) => pattern.to_string(),
    }
}

fn change(rule: &KeyRule, key: &Key, values: &[Value]) -> String {
    let name = match (key, tested_at(rule, key)) {
        (Key::Start(_) | Key::End(_), Some(Test::Is(text))) => format!("/{text}"),
        _ => named(key),
    };
    if values.is_empty() {
        return format!("drop {name}");
    }
    let values: Vec<_> = values.iter().map(value).collect();
    format!("{name} := {}", values.join("/"))
}

/// What a rule asks of a key, by whichever of its two names.
fn tested_at<'r>(rule: &'r KeyRule, key: &Key) -> Option<&'r Test> {
    let context = &rule.context;
    let twin = || {
        let count = context.segments?;
        let other = |at: &u16| u16::try_from(count.checked_sub(usize::from(*at) + 1)?).ok();
        Some(match key {
            Key::Start(at) => Key::End(other(at)?),
            Key::End(at) => Key::Start(other(at)?),
            _ => return None,
        })
    };
    context.keys.get(key).or_else(|| context.keys.get(&twin()?))
}

fn named(key: &Key) -> String {
    match key {
        Key::Scheme => "scheme".to_owned(),
        Key::Host => "host".to_owned(),
        Key::Start(at) => format!("segment {}", at + 1),
        Key::End(0) => "the last segment".to_owned(),
        Key::End(at) => format!("segment {} from the end", at + 1),
        Key::Argument { name, nth: 0, .. } => name.clone(),
        Key::Argument { name, nth, .. } => format!("{name} no. {}", nth + 1),
        Key::Deep { part, .. } => format!("a part of {}", named(part)),
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Literal(text) => text.clone(),
        Value::Copy(key) => format!("<{}>", named(key)),
        Value::Converted(conversion, key) => {
            format!("<{}> in {}", named(key), format!("{conversion:?}").to_lowercase())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn argument(name: &str) -> Key {
        Key::Argument { name: name.to_owned(), nth: 0, bare: false }
    }

    fn is(text: &str) -> Test {
        Test::Is(text.to_owned())
    }

    fn rule(context: Context, transformation: [(Key, Vec<Value>); 1]) -> String {
        let transformation = BTreeMap::from(transformation);
        written(&Rule::Keys(KeyRule { context, transformation }))
    }

    #[test]
    fn rules_read_as_urls() {
        let query = Context {
            segments: Some(1),
            arguments: Some(BTreeSet::from([argument("order"), argument("status")])),
            keys: BTreeMap::from([
                (Key::Host, is("x.org")),
                (Key::Start(0), is("query")),
                (argument("status"), is("!closed")),
            ]),
        };
        let described = rule(query, [(argument("order"), vec![])]);
        assert_eq!(described, "/query?status=!closed&order=* → drop order");
        let print = Context {
            segments: Some(3),
            keys: BTreeMap::from([(Key::Start(0), is("story")), (Key::End(0), is("print"))]),
            ..Context::default()
        };
        assert_eq!(rule(print, [(Key::Start(2), vec![])]), "/story/*/print → drop /print");
        let anywhere =
            Context { keys: BTreeMap::from([(Key::End(1), Test::Any)]), ..Context::default() };
        let literal = vec![Value::Literal("a".to_owned())];
        assert_eq!(
            rule(anywhere, [(Key::End(1), literal)]),
            "/…/*/* → segment 2 from the end := a"
        );
        let sid =
            Context { keys: BTreeMap::from([(argument("sid"), Test::Any)]), ..Context::default() };
        assert_eq!(rule(sid, [(argument("sid"), vec![])]), "?sid=*&… → drop sid");
        let none = Context::default();
        let copied = vec![Value::Copy(argument("b"))];
        assert_eq!(rule(none, [(argument("a"), copied)]), "any URL → a := <b>");
    }
}
