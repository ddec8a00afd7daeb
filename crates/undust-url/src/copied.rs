//! Checks of values that a rule copies from one part of a URL into another, where their characters
//! may have another meaning.

use std::iter;

use rustc_hash::FxHashSet;

use super::query::{arguments, path_and_query};
use super::tokens::authority;

/// Characters that are literal in a path; in a query two of them are delimiters, and `+` is a
/// space.
const DATA_OF_PATHS: [char; 3] = ['&', ';', '+'];

/// Largest number of parts of values and segments that are searched for; each search covers the
/// whole URL.
const MOST_ODD: usize = 64;

/// Whether what follows the first slash of a path, or of all that follows a host, is a host to browsers.
pub fn leads_away(path: &str) -> bool {
    path.starts_with("//") || path.starts_with("/\\")
}

/// Whether every value of `url` that `form` copies from the query to the path, or the other way,
/// keeps its meaning there. A path must not come to begin with two slashes: browsers take what
/// follows these for a host. `?title=A?b=c` must not become `/A?b=c`, and `/AT&T` must not become
/// `?title=AT&T`. A path must not get an empty segment, a segment `.` or `..`, or such dots next to
/// an escaped slash. Costs almost nothing if no value has such a character; otherwise each part of
/// such a value costs a few searches of both URLs. If there are too many parts, the answer is no.
///
/// A `/` may be copied into a path: wikis write the page `A/B` as `?title=A/B` and as `/A/B`, and
/// this duplicate should be learned. A `;` separates arguments for some servers and is part of a
/// value for others. So no part of such a value is copied into a path without the rest, and an
/// empty part, which would be invisible in a path, is never copied.
pub fn preserves_semantics(url: &str, form: &str) -> bool {
    let (path, query) = path_and_query(url);
    let (to_path, to_query) = path_and_query(form);
    if has_too_many_parts(path, query) {
        return false;
    }
    if leads_away(to_path) && !leads_away(path) {
        return false;
    }
    let arrives = |text: &str| to_path.contains(text) && !path.contains(text);
    let is_cut = |value: &str| {
        value.contains('?') && begins_in(form, to_path, value) && !path.contains(value)
    };
    let is_unspaced = |value: &str| value.contains('+') && arrives(value);
    let is_parted = |argument: &str| {
        let after = argument.split_once('=').map_or(argument, |(_, value)| value);
        let parts = after.split(['?', ';', '=']).chain(after.split(['?', ';']));
        let mut parts = parts.filter(|part| !part.is_empty());
        argument.contains(['?', ';']) && to_path != path && parts.any(arrives)
    };
    let is_split = |segment: &str| {
        segment.contains(DATA_OF_PATHS) && to_query.contains(segment) && !query.contains(segment)
    };
    // One that begins with `?` ends the path: what follows is then no argument of the URL.
    let is_end = |value: &str| {
        let rest = &form[authority(form).end + to_path.len()..];
        let first = texts(to_query).next();
        value.starts_with('?')
            && rest.starts_with(value)
            && !texts(query).any(|argument| !argument.is_empty() && Some(argument) == first)
    };
    // The padding of base 64, for one: without it the value is another.
    let is_unpadded = |value: &str| {
        let mut parts = value.split('=').filter(|part| !part.is_empty());
        value.contains('=') && !to_path.contains(value) && parts.any(arrives)
    };
    let cuts = query.contains('?') && values(query).any(|value| is_cut(value) || is_end(value));
    let parts = query.contains(['?', ';']) && query.split('&').any(is_parted);
    let leaves = query.contains(';') && to_path != path && leaves_a_part(query, to_query);
    let unspaces = query.contains('+') && values(query).any(is_unspaced);
    let splits = path.contains(DATA_OF_PATHS) && path.split('/').any(is_split);
    let climbs =
        query.contains(['/', '\\', '.', '%']) && odd_segments(to_path) > odd_segments(path);
    let unpads = to_path != path && values(query).any(is_unpadded);
    // What parts arguments is no value's: more of it in the path came without its argument.
    let ands = |path: &str| path.bytes().filter(|byte| *byte == b'&').count();
    let joins = query.contains('&') && ands(to_path) > ands(path);
    !(joins || cuts || parts || leaves || unpads || unspaces || splits || climbs)
}

fn has_too_many_parts(path: &str, query: &str) -> bool {
    let is_mark = |byte: &u8| matches!(byte, b'?' | b';' | b'=' | b'+' | b'&');
    let marks = |text: &str| text.bytes().filter(is_mark).count();
    // One look at all bytes answers for nearly every URL.
    if marks(path) + marks(query) <= MOST_ODD {
        return false;
    }
    let of_argument = |argument: &str| marks(argument) - usize::from(argument.contains('='));
    let in_query: usize = query.split('&').map(of_argument).sum();
    let in_path = path.split('/').filter(|part| part.contains(DATA_OF_PATHS)).count();
    in_query + in_path > MOST_ODD
}

fn texts(query: &str) -> impl Iterator<Item = &str> {
    arguments(query).map(|argument| argument.text)
}

fn values(query: &str) -> impl Iterator<Item = &str> {
    arguments(query).map(|argument| argument.value().unwrap_or(argument.text))
}

/// Whether, of the parts that `;` separates, one with an empty value is missing and another is
/// still there.
fn leaves_a_part(query: &str, to_query: &str) -> bool {
    let staying: FxHashSet<&str> = texts(to_query).collect();
    let is_left = |argument: &str| {
        let parts = argument.split(';');
        let (stay, gone): (Vec<&str>, Vec<&str>) = parts.partition(|part| staying.contains(part));
        let is_empty =
            |part: &&str| part.split_once('=').is_some_and(|(_, value)| value.is_empty());
        !stay.is_empty() && gone.iter().any(is_empty)
    };
    query.split('&').filter(|argument| argument.contains(';')).any(is_left)
}

/// Whether `value` occurs in `form` from a position in its path on.
fn begins_in(form: &str, path: &str, value: &str) -> bool {
    form[authority(form).end..].find(value).is_some_and(|place| place < path.len())
}

/// Segments `.` and `..` of a path, and empty segments. Clients read `\` as `/` there, and `%2e` as
/// a dot. Some servers read `%2f` and `%5c` as slashes; an empty text between these is not counted
/// as a segment.
fn odd_segments(path: &str) -> usize {
    let of = |segment: &str| usize::from(is_odd(segment)) + hidden_dots(segment);
    path.split(['/', '\\']).map(of).sum()
}

/// Segments `.` and `..` next to escaped slashes.
fn hidden_dots(segment: &str) -> usize {
    let is_slash = |(at, _): &(usize, &str)| {
        let escape = segment.get(*at..*at + 3).unwrap_or_default();
        escape.eq_ignore_ascii_case("%2f") || escape.eq_ignore_ascii_case("%5c")
    };
    let slashes = || segment.match_indices('%').filter(is_slash).map(|(at, _)| at);
    let begins = iter::once(0).chain(slashes().map(|at| at + 3));
    let ends = slashes().chain([segment.len()]);
    let is_hidden = |(from, to): &(usize, usize)| {
        *to - *from < segment.len() && from < to && is_odd(&segment[*from..*to])
    };
    begins.zip(ends).filter(is_hidden).count()
}

fn is_odd(segment: &str) -> bool {
    let is_dot = |dot: &str| dot == "." || dot.eq_ignore_ascii_case("%2e");
    let mut halves = (0..=segment.len()).filter_map(|at| segment.split_at_checked(at));
    segment.len() <= 6
        && (segment.is_empty() || is_dot(segment) || halves.any(|(a, b)| is_dot(a) && is_dot(b)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::{Url, form_urlencoded};

    use super::*;

    /// Texts of the pieces, some with a special meaning in one part of a URL.
    fn value() -> impl Strategy<Value = String> {
        const PIECES: [&str; 14] =
            ["A", ".", "%2e", "%2F", "/", "\\", "?", "+", "=", "%41", "&", ";", "é", "index.php"];
        prop::collection::vec(prop::sample::select(&PIECES[..]), 0..6)
            .prop_map(|pieces| pieces.concat())
    }

    /// Where a server writes it behind `Location:`, a path with two slashes in front is another server.
    #[test]
    fn a_path_does_not_come_to_begin_with_two_slashes() {
        for (url, form, keeps_meaning) in [
            ("http://w.org/a//x.org/", "http://w.org//x.org/", false),
            ("http://w.org/a/\\x.org/", "http://w.org/\\x.org/", false),
            ("http://w.org//x.org/a", "http://w.org//x.org/", true),
            ("http://w.org//x.org/", "http://w.org/x.org/", true),
        ] {
            assert_eq!(preserves_semantics(url, form), keeps_meaning, "{url} → {form}");
        }
    }

    /// Each value with such characters is searched for in the whole other URL.
    #[test]
    fn too_many_odd_values_are_not_looked_for() {
        for (count, keeps_meaning) in [(MOST_ODD, true), (MOST_ODD + 1, false)] {
            for query in ["x=a=b&".repeat(count), format!("x=a{}&", "=b".repeat(count))] {
                let url = |text: &str| format!("http://w.org/{text}{query}");
                assert_eq!(
                    preserves_semantics(&url("p?title=c&"), &url("p/c?")),
                    keeps_meaning,
                    "{query}"
                );
            }
        }
        let (many, few) = (";b".repeat(MOST_ODD + 1), ";b".repeat(MOST_ODD));
        let url = |parts: &str| format!("http://w.org/p?title=c&x=1{parts}");
        let form = |parts: &str| format!("http://w.org/p/c?x=1{parts}");
        assert!(preserves_semantics(&url(&few), &form(&few)));
        assert!(!preserves_semantics(&url(&many), &form(&many)));
    }

    proptest! {
        /// The segments of the path as an independent client reads them.
        #[test]
        fn a_value_in_a_path_is_all_that_stands_there(value in value()) {
            let value = value.replace(['&', ';'], "");
            let form = format!("http://w.org/index.php/{value}");
            if preserves_semantics(&format!("http://w.org/index.php?title={value}"), &form) {
                let read = Url::parse(&form).expect("a URL");
                let segments: Vec<&str> = read.path_segments().expect("a path").collect();
                prop_assert_eq!(segments[0], "index.php");
                prop_assert_eq!(segments.len(), 1 + value.split(['/', '\\']).count(), "{}", read);
                prop_assert_eq!(read.query(), None);
            }
        }

        #[test]
        fn a_segment_in_a_query_is_one_value(segment in value()) {
            let segment = segment.replace(['/', '?'], "");
            let form = format!("http://w.org/?title={segment}");
            if preserves_semantics(&format!("http://w.org/{segment}"), &form) {
                let query = &form[form.find('?').expect("a query") + 1..];
                let read: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
                let expected = format!("title={}", segment.replace('+', "%2B"));
                prop_assert_eq!(&read, &form_urlencoded::parse(expected.as_bytes()).collect::<Vec<_>>());
                prop_assert_eq!(read.len(), 1);
                prop_assert!(!query.contains(';'), "some servers part arguments there");
            }
        }
    }

    #[test]
    fn a_value_keeps_its_meaning_or_the_rule_does_not_apply() {
        let host = "http://w.org";
        for (url, form, expected) in [
            ("/index.php?title=A?printable=yes", "/index.php/A?printable=yes", false),
            ("/index.php?title=?printable=yes", "/index.php/?printable=yes", false),
            ("/index.php?title=?", "/index.php/?", false),
            ("/index.php?title=?&&", "/index.php/?&&", false),
            ("/index.php?title=?", "/?title=?", true),
            ("/index.php?title=A", "/index.php/A", true),
            ("/index.php?title=A&printable=yes", "/index.php/A?printable=yes", true),
            ("/index.php?title=A/B", "/index.php/A/B", true),
            ("/index.php?title=A//B", "/index.php/A//B", false),
            ("/index.php?title=../../secret", "/index.php/../../secret", false),
            ("/index.php?title=..", "/index.php/..", false),
            ("/index.php?title=%2E.", "/index.php/%2E.", false),
            ("/index.php?title=..\\secret", "/index.php/..\\secret", false),
            ("/index.php?title=%2e%2e%2e", "/index.php/%2e%2e%2e", true),
            ("/index.php?title=..%2F..%2Fsecret", "/index.php/..%2F..%2Fsecret", false),
            ("/index.php?title=A%2f%2e%2e%5cB", "/index.php/A%2f%2e%2e%5cB", false),
            ("/index.php?title=A%5C.", "/index.php/A%5C.", false),
            ("/index.php?title=A%2F%2F...%2FB%2F", "/index.php/A%2F%2F...%2FB%2F", true),
            ("/index.php?title=é%2", "/index.php/é%2", true),
            ("/index.php?title=A?printable=yes", "/index.php/A/yes", false),
            ("/index.php?title=A?printable=yes", "/index.php/A", false),
            ("/index.php?title=a;b", "/index.php/a?b", false),
            ("/index.php?title=a;b", "/index.php?b;title=a", true),
            ("/index.php?title=a&b", "/index.php/a?b", true),
            ("/index.php?a=1;title=b", "/index.php/b?a=1", false),
            ("/?C=N;O=D", "/", true),
            ("/index.php?title==;", "/index.php/=?", false),
            ("/index.php?title=A==", "/index.php/A", false),
            ("/index.php?title=A==", "/index.php/A==", true),
            ("/index.php?title=A=b&c=d", "/index.php/A?c=d", false),
            ("/index.php/A?b=c==", "/index.php/A", true),
            ("/index.php?title=;A", "/index.php/?A", false),
            ("/index.php?x=1;title=;A", "/index.php/?x=1;A", false),
            ("/index.php?title=;", "/index.php/?", false),
            ("/index.php?title=;A", "/index.php", true),
            ("/index.php?title=;A", "/index.php?A", true),
            ("/w/index.php?title=;A", "/index.php?title=;A", true),
            ("/index.php?title=A+B", "/index.php/A+B", false),
            ("/index.php?title=A+B&a=1", "/index.php?title=A+B", true),
            ("/A+B?a=1+1", "/A+B", true),
            ("/go?to=/a?b=1&s=2", "/go?to=/a?b=1", true),
            ("/go?to=/a?b=1&s=2", "/go?s=2", true),
            ("/AT&T", "/?title=AT&T", false),
            ("/wiki/C++", "/?title=C++", false),
            ("/AT&T?a=1", "/AT&T", true),
            ("/a;j=1?b=2", "/a?b=2", true),
            ("/a/b?c=/a/b", "/a/b", true),
            ("", "", true),
        ] {
            assert_eq!(
                preserves_semantics(&format!("{host}{url}"), &format!("{host}{form}")),
                expected,
                "{url} → {form}"
            );
        }
        assert!(preserves_semantics("no url", "?"));
    }
}
