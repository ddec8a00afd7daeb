//! Exports as text, a file a format.

pub(crate) mod anubis;
pub(crate) mod apache;
pub(crate) mod clean_param;
pub(crate) mod csv;
pub(crate) mod dud;
pub(crate) mod heritrix;
mod java;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod nginx;
pub(crate) mod no_vary_search;
pub(crate) mod nutch;
pub(crate) mod stormcrawler;
pub(crate) mod vcl;

use std::collections::BTreeSet;

use crate::comments::on_one_line;
use crate::format::{Effect, Format};
use crate::regexes::piece::literal;
use crate::regexes::{Chain, LONGEST_ADDRESS, Line, RegexRule};

/// What a file says of addresses that its rules pass over.
fn limit() -> String {
    format!("A path with its query of more than {LONGEST_ADDRESS} bytes passes unchanged.")
}

/// What a file says of whom it redirects, and of the status: browsers keep a 301 for good, and with it any error.
fn status_note(effect: Effect, how: &str) -> String {
    if effect == Effect::RedirectsRobots {
        return "Clients that call themselves robots are redirected, and nobody else. Keep 302: a cache before this server would \
                answer people\n# with a 301, too."
            .to_owned();
    }
    format!(
        "Redirects are 302. Once your logs look right, {how}; browsers remember a 301, and with it any error."
    )
}

/// What a file without a rule says.
const NO_RULE: &str = "# No edit of the model can be said here.\n";

/// A text as a comment of XML, in which no two hyphens stand side by side, and none at the end.
fn in_xml_comment(text: &str) -> String {
    let mut comment = String::with_capacity(text.len());
    for letter in on_one_line(text).chars() {
        if letter == '-' && comment.ends_with('-') {
            comment.push(' ');
        }
        // What no document may hold.
        comment.push(if matches!(letter, '\u{FFFE}' | '\u{FFFF}') { ' ' } else { letter });
    }
    java::escaped(&comment)
}

/// Whether a server knows where a rule holds. It is not asked for a scheme, and nginx has one chain for all hosts.
pub(crate) fn can_say_where(format: Format, site: &str, rule: &RegexRule) -> bool {
    let site = Hosts([site.to_owned(), format!("www.{site}")].into());
    rule.lines.iter().all(|line| {
        let hosts = Hosts::of_line(line);
        let has_both_schemes = line.origins.len() == 2 * hosts.0.len();
        match format {
            Format::Nginx => has_both_schemes && hosts == site,
            Format::Apache | Format::Vcl => has_both_schemes,
            _ => true,
        }
    })
}

/// A site's name as a part of a variable's, in letters of one case, digits and `_`. Different sites have different ones:
/// in an ordinary name no part begins or ends with `-`, so `_` is a dot and `__` a hyphen. Any other name begins with
/// `_` and has all its other bytes in hexadecimal.
fn identifier(site: &str) -> String {
    if is_ordinary(site) {
        return site.replace('-', "__").replace('.', "_");
    }
    let mut name = "_".to_owned();
    for byte in site.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => name.push(char::from(byte)),
            _ => name += &format!("_{byte:02x}"),
        }
    }
    name
}

/// Whether these are parts of lower-case letters, digits and, within a part, hyphens.
fn is_ordinary(site: &str) -> bool {
    let is_known = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    site.split('.').all(|part| {
        !part.is_empty()
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.bytes().all(is_known)
    })
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
    use proptest::prelude::*;

    use super::{identifier, in_xml_comment};

    #[test]
    fn ordinary_sites_have_names_that_can_be_read() {
        for (site, name) in [
            ("a.b.test", "a_b_test"),
            ("a-b.test", "a__b_test"),
            ("a.b-test", "a_b__test"),
            ("xn--a.test", "xn____a_test"),
            ("a_b.test", "_a_5fb_2etest"),
            ("a.test:8080", "_a_2etest_3a8080"),
        ] {
            assert_eq!(identifier(site), name);
        }
    }

    proptest! {
        #[test]
        fn comments_end_where_they_must(text in "[-a<>&!]{0,12}|.*") {
            let comment = in_xml_comment(&text);
            prop_assert!(!comment.contains("--") && !comment.contains(['<', '>']), "{}", comment);
        }

        /// nginx reads the names of variables without regard to case.
        #[test]
        fn names_of_variables_differ_where_sites_do(
            one in "[ab5f._:-]{0,6}|[a-fA-F0-9._é-]{0,8}|.*",
            other in "[ab5f._:-]{0,6}|[a-fA-F0-9._é-]{0,8}|.*",
        ) {
            let names = [identifier(&one), identifier(&other)];
            prop_assert_eq!(names[0] == names[1], one == other, "{:?}", names);
            let is_known = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
            prop_assert!(names.iter().all(|name| name.bytes().all(is_known)), "{:?}", names);
        }

        /// Names that differ in what stands between the same letters.
        #[test]
        fn names_differ_by_what_separates_their_parts(
            one in prop::collection::vec("[._:-]{0,3}", 3),
            other in prop::collection::vec("[._:-]{0,3}", 3),
        ) {
            let site = |parts: &[String]| format!("{}a{}b{}", parts[0], parts[1], parts[2]);
            let (one, other) = (site(&one), site(&other));
            prop_assert_eq!(identifier(&one) == identifier(&other), one == other);
        }
    }
}
