//! Dropped arguments with wildcards for the place: the rules of Zyte's duplicate-url-discarder.

use std::borrow::Cow;
use std::collections::BTreeSet;

use undust_url::query::query_span;
use undust_url::tokens::authority;

use crate::applied::{Applied, Consumer};
use crate::names::{plainly_read, with_query};
use crate::regexes::place::Glob;

/// A rule: a name that is dropped where patterns say.
#[derive(Debug, Clone)]
pub(crate) struct WildcardRule {
    /// The number of its edit, counted from 1.
    pub number: usize,
    pub name: String,
    pub include: Vec<Pattern>,
    pub exclude: Vec<Pattern>,
}

/// A pattern of URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub host: String,
    /// With `*` for any text; a bar ends the path, else it is its beginning.
    pub path: String,
    /// Names and patterns of values that must be there.
    pub arguments: Vec<(String, &'static str)>,
}

impl Pattern {
    /// As url-matcher reads it.
    pub(crate) fn text(&self) -> String {
        let arguments: Vec<String> =
            self.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mark = if arguments.is_empty() { "" } else { "?" };
        format!("{}{}{mark}{}", self.host, self.path, arguments.join("&"))
    }

    fn holds(&self, host: &str, path: &str, arguments: &[(String, &str)]) -> bool {
        let host = host.strip_prefix("www.").unwrap_or(host);
        let path = path.to_ascii_lowercase();
        let wanted = self.path.to_ascii_lowercase();
        let is_there = match wanted.strip_suffix('|') {
            Some(whole) => is_like(whole, &path),
            None => is_like(&format!("{wanted}*"), &path),
        };
        let has = |(name, value): &(String, &str)| {
            let name = name.to_ascii_lowercase();
            arguments.iter().any(|(one, text)| *one == name && is_like(value, text))
        };
        host.eq_ignore_ascii_case(self.host.strip_prefix("www.").unwrap_or(&self.host))
            && is_there
            && self.arguments.iter().all(has)
    }
}

/// Whether a text is like a pattern, in which `*` stands for any text.
fn is_like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((front, rest)) => text.strip_prefix(front).is_some_and(|text| {
            (0..=text.len())
                .filter(|at| text.is_char_boundary(*at))
                .any(|at| is_like(rest, &text[at..]))
        }),
    }
}

/// Such rules for the edit of this number.
pub(crate) fn rules(
    number: usize,
    name: &str,
    globs: &[Glob],
    hosts: &[String],
    known: &[&str],
) -> Vec<WildcardRule> {
    let of = |host: &str, path: &str, arguments: Vec<(String, &'static str)>| Pattern {
        host: host.strip_prefix("www.").unwrap_or(host).to_owned(),
        path: path.to_owned(),
        arguments,
    };
    let add = |patterns: &mut Vec<Pattern>, pattern: Pattern| {
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    };
    let mut rules: Vec<WildcardRule> = Vec::new();
    let mut lists: Vec<&Option<Vec<String>>> = globs.iter().map(|glob| &glob.names).collect();
    lists.sort_unstable();
    lists.dedup();
    for list in lists {
        let names = list.clone().unwrap_or_else(|| vec![name.to_owned()]);
        if !names.iter().any(|one| one == name) {
            continue;
        }
        let each = |value| names.iter().map(move |one| (one.clone(), value));
        let of_known = |one: &&str, value| ((*one).to_owned(), value);
        // A `;` may end an argument, or be a part of it; and what is left may mean another page with a `?`.
        let mut others: Vec<(String, &'static str)> = each("*;*").collect();
        if list.is_some() {
            others.extend(each("*?*").filter(|(one, _)| one != name));
            let is_other = |one: &&&str| !names.iter().any(|name| name == **one);
            others.extend(known.iter().filter(is_other).map(|one| of_known(one, "*")));
        } else {
            let stays = known.iter().filter(|one| **one != name);
            others.extend(stays.map(|one| of_known(one, "*?*")));
        }
        let (mut include, mut exclude) = (Vec::new(), Vec::new());
        for glob in globs.iter().filter(|glob| glob.names == *list) {
            for host in glob.host.as_ref().map_or(hosts, std::slice::from_ref) {
                add(&mut include, of(host, &glob.path, each("*").collect()));
                for other in &others {
                    add(&mut exclude, of(host, "/", vec![other.clone()]));
                }
            }
        }
        rules.push(WildcardRule { number, name: name.to_owned(), include, exclude });
    }
    rules
}

/// All rules of an export. Each asks for the URL as it came, and drops from what the others left.
#[derive(Debug, Default)]
pub(crate) struct Wildcards {
    pub rules: Vec<WildcardRule>,
}

impl WildcardRule {
    fn holds(&self, url: &str) -> bool {
        let span = authority(url);
        let host = url.get(span.clone()).unwrap_or_default();
        let rest = url[span.end..].split('#').next().unwrap_or_default();
        let path = rest.split('?').next().unwrap_or_default();
        let query = query_span(url).map_or("", |(start, end)| &url[start..end]);
        let arguments: Vec<(String, &str)> = query
            .split('&')
            .filter(|argument| !argument.is_empty())
            .map(|argument| argument.split_once('=').unwrap_or((argument, "")))
            .map(|(name, value)| (name.to_ascii_lowercase(), value))
            .collect();
        let holds = |pattern: &Pattern| pattern.holds(host, path, &arguments);
        self.include.iter().any(holds) && !self.exclude.iter().any(holds)
    }
}

impl Consumer for Wildcards {
    fn apply(&self, url: &str) -> Vec<Applied> {
        let mut steps: Vec<Applied> = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.holds(url)) {
            let before = steps.last().map_or(url, |step| &step.url);
            if let Some(after) = cleaned(before, &rule.name) {
                steps.push(Applied { rule: rule.number, url: after });
            }
        }
        steps
    }

    fn forget(&mut self, number: usize) {
        self.rules.retain(|rule| rule.number != number);
    }

    fn numbers(&self) -> BTreeSet<usize> {
        self.rules.iter().map(|rule| rule.number).collect()
    }

    fn read<'u>(&self, url: &'u str) -> Cow<'u, str> {
        plainly_read(url)
    }
}

/// A URL without an argument, and without empty ones, as w3lib's `url_query_cleaner` writes it.
fn cleaned(url: &str, name: &str) -> Option<String> {
    let (start, end) = query_span(url)?;
    let query = &url[start..end];
    let is_kept = |argument: &&str| {
        !argument.is_empty() && argument.split('=').next().unwrap_or_default() != name
    };
    let kept = query.split('&').filter(is_kept).collect::<Vec<_>>().join("&");
    Some(with_query(url, &kept)).filter(|again| again != url)
}
