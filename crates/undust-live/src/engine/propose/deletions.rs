//! Parts of a URL that may change nothing.

use std::fmt::Write;

use undust_url::query::{arguments, query_span};
use undust_url::tokens::authority;

use super::drawn::{named, starred};
use super::kind::{LONGEST_WORD, MOST_ARGUMENTS};
use super::repeated::delete_repeated;
use super::{Kind, Proposals, Propose};

/// Most segments of a path that are looked at.
pub(super) const MOST_SEGMENTS: usize = 16;

/// Proposes to leave out each argument of a query, the query, each segment of a path or its parameters, what is
/// repeated, and all words that look drawn at random: what is tested from the first page on, before anything is learned.
#[derive(Debug, Clone, Copy, Default)]
pub struct Deletions;

impl Propose for Deletions {
    fn propose(&self, url: &str, proposals: &mut Proposals) {
        let (path, query) = match query_span(url) {
            Some((start, end)) => (&url[..start - 1], Some(&url[start..end])),
            None => (url, None),
        };
        let kind = Kind::of(url);
        if let Some(query) = query {
            delete_arguments(path, query, &kind, proposals);
        }
        delete_parameters(path, query, &kind, proposals);
        delete_segments(path, query, &kind, proposals);
        delete_repeated(path, query, proposals);
        delete_drawn(url, &kind, proposals);
    }
}

/// Leaves out sessions that are a part of a segment, a name or a value, such as of the name of a file. What looks drawn as
/// a whole may be the number of a page, and has hypotheses of its own.
fn delete_drawn(url: &str, kind: &Kind, proposals: &mut Proposals) {
    const BETWEEN: [char; 4] = ['/', '?', '&', '='];
    let (host, rest) = url.split_at(authority(url).end);
    let (mut form, mut copied, mut start) = (String::new(), 0, 0);
    for part in rest.split_inclusive(BETWEEN) {
        let bare = part.trim_end_matches(BETWEEN);
        if let Some(starred) = starred(bare).filter(|starred| starred != "*") {
            form.push_str(&rest[copied..start]);
            form.push_str(&starred);
            copied = start + bare.len();
        }
        start += part.len();
    }
    if copied > 0 {
        form.push_str(&rest[copied..]);
        proposals.leaves_out(rest);
        proposals.add(&[host, &form], &["drop what looks drawn"], kind, "drop what looks drawn");
    }
}

fn delete_arguments(path: &str, query: &str, kind: &Kind, proposals: &mut Proposals) {
    let count = arguments(query).take(MOST_ARGUMENTS + 1).count();
    if count > MOST_ARGUMENTS {
        return;
    }
    let mut start = 0;
    for argument in arguments(query) {
        let end = start + argument.text.len();
        // Without the separator before it, or after it if it is the first.
        let (before, after) = match start {
            0 => ("", query.get(end + 1..).unwrap_or_default()),
            _ => (&query[..start - 1], &query[end..]),
        };
        let mark = if before.is_empty() && after.is_empty() { "" } else { "?" };
        let hypothesis = ["drop ?", named(argument.key())];
        proposals.leaves_out(argument.value().unwrap_or(argument.key()));
        proposals.add(&[path, mark, before, after], &hypothesis, kind, "drop an argument");
        start = end + 1;
    }
    if count > 1 {
        proposals.add(&[path], &["drop the query"], kind, "drop the query");
    }
}

/// Leaves out what stands behind the first `;` of a segment, such as a session.
fn delete_parameters(path: &str, query: Option<&str>, kind: &Kind, proposals: &mut Proposals) {
    let (mark, query) = query.map_or(("", ""), |query| ("?", query));
    let mut start = authority(path).end;
    for segment in path[start..].split('/').take(MOST_SEGMENTS) {
        let end = start + segment.len();
        if let Some((bare, parameters)) = segment.split_once(';') {
            let (name, value) = parameters.split_once('=').unwrap_or((parameters, ""));
            let form = [&path[..start + bare.len()], &path[end..], mark, query];
            proposals.leaves_out(value);
            proposals.add(&form, &["drop ;", name], kind, "drop a parameter");
        }
        start = end + 1;
    }
}

fn delete_segments(path: &str, query: Option<&str>, kind: &Kind, proposals: &mut Proposals) {
    let authority = authority(path).end;
    let Some(first) = path.get(authority..).and_then(|rest| rest.find('/')) else { return };
    let mut start = authority + first;
    let segments = || path[authority + first..].split('/').skip(1);
    if !(2..=MOST_SEGMENTS).contains(&segments().take(MOST_SEGMENTS + 1).count()) {
        return;
    }
    let (mark, query) = query.map_or(("", ""), |query| ("?", query));
    let mut place = String::new();
    for (number, segment) in (1..).zip(segments()) {
        let end = start + 1 + segment.len();
        if !segment.is_empty() {
            place.clear();
            // Writing to a string cannot fail.
            let _: Result<_, _> = write!(place, "{number}");
            let word = if is_word(segment) { segment } else { "*" };
            let hypothesis = ["drop /", word, ", segment ", &place];
            let form = [&path[..start], &path[end..], mark, query];
            proposals.leaves_out(segment);
            proposals.add(&form, &hypothesis, kind, "drop a segment");
        }
        start = end;
    }
}

fn is_word(segment: &str) -> bool {
    segment.len() <= LONGEST_WORD
        && segment.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn proposed(url: &str) -> Vec<(String, String)> {
        let mut proposals = Proposals::default();
        Deletions.propose(url, &mut proposals);
        let text = |proposal| {
            (proposals.hypothesis(proposal).to_owned(), proposals.form(proposal).to_owned())
        };
        proposals.iter().map(text).collect()
    }

    #[test]
    fn each_part_is_left_out() {
        let expected = [
            ("drop ?a", "http://x.test/t/7?b"),
            ("drop ?b", "http://x.test/t/7?a=1"),
            ("drop the query", "http://x.test/t/7"),
            ("drop /t, segment 1", "http://x.test/7?a=1&b"),
            ("drop /*, segment 2", "http://x.test/t?a=1&b"),
        ];
        let expected = expected.map(|(by, form)| (by.to_owned(), form.to_owned()));
        assert_eq!(proposed("http://x.test/t/7?a=1&b"), expected);
        let parameters =
            [("drop ;sid", "http://x.test/7?a"), ("drop ?a", "http://x.test/7;sid=b;c")];
        let mut found = proposed("http://x.test/7;sid=b;c?a");
        found.sort();
        assert_eq!(found, parameters.map(|(by, form)| (by.to_owned(), form.to_owned())));
        let alone = ("drop ?a".to_owned(), "http://x.test/".to_owned());
        assert_eq!(proposed("http://x.test/?a=1"), [alone]);
        let drawn =
            ("drop what looks drawn".to_owned(), "http://x.test/0a1b2c3d/s-*.html?*".to_owned());
        assert!(proposed("http://x.test/0a1b2c3d/s-3f2a91c7.html?*").contains(&drawn));
        assert!(proposed("http://x.test/").is_empty() && proposed("").is_empty());
    }

    #[test]
    fn what_is_too_long_is_left_alone() {
        let query: String = (0..=MOST_ARGUMENTS).map(|name| format!("{name}=1&")).collect();
        assert!(proposed(&format!("http://x.test/?{query}")).is_empty());
        let segments: String = (0..=MOST_SEGMENTS).map(|segment| format!("/{segment}")).collect();
        let found = proposed(&format!("http://x.test{segments}"));
        assert_eq!(found, [("drop all folders".to_owned(), "http://x.test/**/16".to_owned())]);
    }

    proptest! {
        #[test]
        fn any_text_is_taken(url in "\\PC*|http://x/([a/?&;=#é1]|3f2a91c7){0,30}") {
            for (_, form) in proposed(&url) {
                prop_assert!(form.len() < url.len());
            }
        }
    }
}
