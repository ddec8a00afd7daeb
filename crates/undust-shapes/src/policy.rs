//! A limit on the requests for the URLs of a pattern: a policy of the site, which says nothing of pages.

use serde::Serialize;

use crate::label::{Label, escaped};
use undust_util::plural::counted;

use crate::pattern::{Names, Pattern};
use crate::report::PatternReport;

/// How a pattern is named in rules of a server and of robots.txt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Policy {
    /// A regular expression of Perl's kind for the path and the query; with several hosts, for the host before them.
    pub regex: String,
    /// Paths of robots.txt, as RFC 9309 has them. Such a path is wider than the pattern: a star matches any text. None
    /// where it would be wider than the site can mean.
    pub robots: Vec<String>,
}

impl Policy {
    /// `cause` is the argument that makes the pattern grow, if it is known.
    pub(crate) fn of(pattern: &Pattern<'_>, cause: Option<&str>, with_host: bool) -> Self {
        Self { regex: regex(pattern, with_host), robots: robots(pattern, cause) }
    }
}

fn regex(pattern: &Pattern<'_>, with_host: bool) -> String {
    let (in_path, in_query): (Vec<&str>, Vec<&str>) =
        pattern.names.list().iter().map(|name| &**name).partition(|name| name.starts_with(';'));
    let parameters = if in_path.is_empty() { "" } else { "(?:;[^/?]*)?" };
    let host = pattern.path.first().filter(|_| with_host).map(|host| host.regex());
    let mut path: String = host.unwrap_or_default();
    for label in pattern.path.iter().skip(1) {
        path += &format!("/{}{parameters}", label.regex());
    }
    if path.is_empty() {
        path.push('/');
    }
    format!("^{path}{}", query_regex(&pattern.names, &in_query))
}

/// What matches the query. All names must be there and no other; or at least one.
fn query_regex(names: &Names<'_>, in_query: &[&str]) -> String {
    if in_query.is_empty() {
        return "[?]?$".to_owned();
    }
    let named: Vec<String> = in_query.iter().map(|name| name_regex(name)).collect();
    let any = named.join("|");
    match names {
        Names::Some(_) => format!("[?](?:[^&;]*[&;])*(?:{any})(?:=|[&;]|$)"),
        Names::All(_) => {
            let each = named.iter().map(|name| format!("(?=.*[?&;]{name}(?:=|[&;]|$))"));
            let each: String = each.collect();
            format!("{each}[?](?:(?:{any})?(?:=[^&;]*)?(?:[&;]|$))+$")
        }
    }
}

/// A name with a number at each `#`.
fn name_regex(name: &str) -> String {
    escaped(name).replace('#', "[0-9]+")
}

fn robots(pattern: &Pattern<'_>, cause: Option<&str>) -> Vec<String> {
    let mut path = String::new();
    for label in pattern.path.iter().skip(1) {
        path.push('/');
        match label {
            Label::Text(text) => path += &in_line(text),
            Label::Any(_, ending) => path += &format!("*{ending}"),
            Label::Rest => path.push('*'),
        }
    }
    let names = pattern.names.list();
    let mut in_query = names.iter().map(|name| &**name).filter(|name| !name.starts_with(';'));
    let has_text = path.bytes().any(|byte| !matches!(byte, b'/' | b'*'));
    // The argument that makes the pattern grow is the narrowest cut; URLs without it stay.
    let named = in_query.clone().find(|name| Some(*name) == cause);
    if named.is_none() && matches!(pattern.names, Names::Some(_)) {
        return if has_text { vec![format!("{path}?")] } else { Vec::new() };
    }
    match named.or_else(|| in_query.next()) {
        Some(name) => {
            let name = in_line(name);
            vec![format!("{path}?{name}="), format!("{path}?*&{name}=")]
        }
        None if has_text && names.is_empty() => vec![format!("{path}$")],
        None => Vec::new(),
    }
}

/// A text in a line of robots.txt. What means something there, or would end it, becomes a star; so does the `#` for a
/// number.
fn in_line(text: &str) -> String {
    text.replace(
        |letter: char| letter.is_control() || letter.is_whitespace() || "#*$".contains(letter),
        "*",
    )
}

/// Limits for nginx: the patterns, and two ways to keep to a budget. `with_host` as the patterns were made.
pub fn nginx(patterns: &[&PatternReport], with_host: bool) -> String {
    let key = if with_host { "\"$host$request_uri\"" } else { "$request_uri" };
    let mut rows = String::new();
    for (number, pattern) in (1..).zip(patterns) {
        let Some(policy) = &pattern.policy else { continue };
        rows += &format!("    # {}\n    \"~{}\" {number};\n", comment(pattern), policy.regex);
    }
    format!("{NGINX_HEAD}map {key} $undust_shape {{\n    default \"\";\n{rows}}}\n{NGINX_END}")
}

const NGINX_HEAD: &str = "\
# Request budgets of `undust shapes`. This is a policy: it does not say that the URLs of a pattern show one page.
# This part belongs into http { }.
";

const NGINX_END: &str = "\
# The limit on requests of a pattern, for all visitors together; choose what the site can bear.
limit_req_zone $undust_shape zone=undust_shapes:1m rate=60r/m;

# Of these, one belongs into server { }:
#   limit_req zone=undust_shapes burst=20 nodelay; limit_req_status 429;
#   if ($undust_shape) { return 410; }
";

/// Lines of robots.txt for patterns.
pub fn robots_txt(patterns: &[&PatternReport]) -> String {
    let mut text = ROBOTS_HEAD.to_owned();
    for pattern in patterns {
        text += &format!("# {}\n", comment(pattern));
        let lines =
            pattern.policy.as_ref().map(|policy| policy.robots.as_slice()).unwrap_or_default();
        lines.iter().for_each(|path| text += &format!("Disallow: {path}\n"));
        if lines.is_empty() {
            text += "# No line is narrow enough for this pattern.\n";
        }
    }
    text
}

const ROBOTS_HEAD: &str = "\
# Request budgets of `undust shapes`. This is a policy: it does not say that the URLs of a pattern show one page.
# A star matches any text, slashes too, so that a line may be wider than its pattern. Read each before you use it.
User-agent: *
";

/// The pattern and its counts, on one line.
fn comment(pattern: &PatternReport) -> String {
    let counts =
        format!("{}, {}", counted(pattern.urls, "URL"), counted(pattern.requests, "request"));
    let name =
        pattern.pattern.replace(|letter: char| letter.is_control() || letter.is_whitespace(), "?");
    format!("{counts}: {name}")
}

#[cfg(test)]
mod tests;
