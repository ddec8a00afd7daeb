//! Exports as text, a file a format.

pub(crate) mod apache;
pub(crate) mod clean_param;
pub(crate) mod csv;
pub(crate) mod dud;
pub(crate) mod heritrix;
mod java;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod nginx;
pub(crate) mod nutch;
pub(crate) mod stormcrawler;
pub(crate) mod vcl;

use std::collections::BTreeSet;

use crate::regexes::piece::literal;
use crate::regexes::{Chain, Line, Written};

/// What is written, with groups as a format names them.
fn written(parts: &[Written], group: impl Fn(usize) -> String) -> String {
    let part = |part: &Written| match part {
        Written::Group(number) => group(*number),
        Written::Text(text) => text.clone(),
    };
    parts.iter().map(part).collect()
}

/// A text as a comment of one line: an edit's notation may hold anything.
fn on_one_line(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars().map(plain).collect()
}

/// A site's name as a part of a variable's. Sites of one server have different ones: no part of a host begins or ends
/// with `-`.
fn identifier(site: &str) -> String {
    let mut name = String::new();
    for letter in site.chars() {
        match letter {
            '-' => name += "__",
            letter if letter.is_ascii_alphanumeric() => name.push(letter),
            _ => name.push('_'),
        }
    }
    name
}

/// Hosts on which rules hold, as a server finds them in a request.
#[derive(Debug, PartialEq, Eq)]
struct Hosts(BTreeSet<String>);

impl Hosts {
    fn of_line(line: &Line) -> Self {
        let host = |origin: &String| origin.split_once("://").map(|(_, host)| host.to_owned());
        Self(line.origins.iter().filter_map(host).collect())
    }

    /// All of a chain; none where it has no rule.
    fn of_chain(chain: &Chain) -> Option<Self> {
        let lines = chain.rules.iter().flat_map(|rule| &rule.lines);
        let hosts: BTreeSet<String> = lines.flat_map(|line| Self::of_line(line).0).collect();
        (!hosts.is_empty()).then_some(Self(hosts))
    }

    /// A regex. A client may name the port that it need not name.
    fn regex(&self) -> String {
        let host = |host: &String| {
            let port = if host.contains(':') { "" } else { "(?::(?:80|443))?" };
            literal(host).map(|host| host + port)
        };
        self.0.iter().filter_map(host).collect::<Vec<_>>().join("|")
    }
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_of_variables_differ_where_sites_do() {
        for (site, name) in [
            ("a.b.test", "a_b_test"),
            ("a-b.test", "a__b_test"),
            ("a.b-test", "a_b__test"),
            ("xn--a.test", "xn____a_test"),
        ] {
            assert_eq!(identifier(site), name);
        }
    }
}
