//! How one URL differs from another that shows the same page.

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

use undust_url::query::{arguments, query_span};
use undust_url::tokens::authority;

/// Fewest hexadecimal digits that are no word.
const HEX_DIGITS: usize = 8;

/// Longest segment of a path that a notation spells out, in bytes.
const WORD_BYTES: usize = 40;

/// The first of these in which two URLs differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Difference<'u> {
    /// One page in several writings, such as letter case.
    Writing(Writing),
    /// Arguments that one has and the other has not, or not with that value; their names, in order.
    Arguments(Vec<&'u str>),
    /// One segment of the path that one has more, or that is another: `…/print`, `changelog/*`. The second text tells it
    /// by the segment before it alone, where segments are many: `product/*/…`.
    Segment(String, String),
    /// Another path altogether: `/?p`, `/{number}/…`.
    Path(String),
}

impl Difference<'_> {
    /// What an owner would call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Writing(writing) => writing.name().to_owned(),
            Self::Arguments(names) => format!("argument {}", names.join(", ")),
            Self::Segment(text, _) => format!("part of the path: {text}"),
            Self::Path(text) => format!("other address: {text}"),
        }
    }
}

/// Writings of one page that a server or a program treats as equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Writing {
    Scheme,
    Host,
    Slash,
    Index,
    Case,
    Escapes,
    DoubleSlashes,
    Several,
    Arguments,
    Fragment,
}

impl Writing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scheme => "http and https",
            Self::Host => "host",
            Self::Slash => "slash at the end",
            Self::Index => "index file",
            Self::Case => "letter case of the path",
            Self::Escapes => "percent escapes",
            Self::DoubleSlashes => "double slashes",
            Self::Several => "slashes, escapes and letter case",
            Self::Arguments => "order or marks of arguments",
            Self::Fragment => "text after #",
        }
    }
}

/// A URL in its parts.
#[derive(Clone, Copy)]
struct Parts<'u> {
    scheme: &'u str,
    host: &'u str,
    path: &'u str,
    query: &'u str,
}

impl<'u> Parts<'u> {
    fn of(url: &'u str) -> Self {
        let host = authority(url);
        Self {
            scheme: &url[..host.start],
            path: place(url).get(host.end..).unwrap_or_default(),
            query: query_span(url).map_or("", |(begin, end)| &url[begin..end]),
            host: &url[host],
        }
    }
}

/// The URL up to its query: what URLs have in common that differ by arguments alone.
pub(super) fn place(url: &str) -> &str {
    let end = query_span(url).map(|(begin, _)| begin - 1);
    &url[..end.or_else(|| url.find('#')).unwrap_or(url.len())]
}

/// The path of a URL.
pub(super) fn path(url: &str) -> &str {
    Parts::of(url).path
}

/// The names of the arguments of a URL; none for an empty query.
pub(super) fn names(url: &str) -> impl Iterator<Item = &str> {
    names_in(Parts::of(url).query)
}

fn names_in(query: &str) -> impl Iterator<Item = &str> {
    arguments(query).map(|one| one.key()).filter(|name| !name.is_empty())
}

/// In what a URL differs from another. Linear in their lengths, but for the sorting of arguments.
pub(crate) fn difference<'u>(from: &'u str, to: &'u str) -> Difference<'u> {
    let (a, b) = (Parts::of(from), Parts::of(to));
    if !a.scheme.eq_ignore_ascii_case(b.scheme) {
        return Difference::Writing(Writing::Scheme);
    }
    if !a.host.eq_ignore_ascii_case(b.host) {
        return Difference::Writing(Writing::Host);
    }
    if a.path != b.path {
        return of_paths(a, b.path);
    }
    let names = changed(a.query, b.query);
    if !names.is_empty() {
        return Difference::Arguments(names);
    }
    let rest = |url: &'u str| url.split('#').next().unwrap_or_default();
    let is_same = rest(from) == rest(to);
    Difference::Writing(if is_same { Writing::Fragment } else { Writing::Arguments })
}

/// The names of arguments that stand more often in one query than in the other.
fn changed<'u>(a: &'u str, b: &'u str) -> Vec<&'u str> {
    let mut counts: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for (query, step) in [(a, 1), (b, -1)] {
        for one in arguments(query).filter(|one| !one.key().is_empty()) {
            *counts.entry((one.key(), one.text)).or_default() += step;
        }
    }
    let mut names: Vec<&str> =
        counts.into_iter().filter(|(_, count)| *count != 0).map(|((name, _), _)| name).collect();
    names.dedup();
    names
}

fn of_paths<'u>(from: Parts<'u>, to: &str) -> Difference<'u> {
    let folded = |path: &str| path.to_ascii_lowercase();
    let slashless = |path: &str| path.trim_end_matches('/').to_owned();
    let all = |path: &str| folded(&slashless(without_index(&single_slashes(&decoded(path)))));
    let path = from.path;
    let writings = [
        (Writing::Slash, slashless(path) == slashless(to)),
        (Writing::Case, folded(path) == folded(to)),
        (Writing::Index, without_index(path) == without_index(to)),
        (Writing::Escapes, decoded(path) == decoded(to)),
        (Writing::DoubleSlashes, single_slashes(path) == single_slashes(to)),
        (Writing::Several, all(path) == all(to)),
    ];
    if let Some((writing, _)) = writings.into_iter().find(|(_, is_equal)| *is_equal) {
        return Difference::Writing(writing);
    }
    let segments = |path: &'_ str| -> Vec<String> {
        path.trim_end_matches('/').split('/').skip(1).map(str::to_owned).collect()
    };
    let (mine, theirs) = (segments(path), segments(to));
    let front = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let rest = mine.len().min(theirs.len()) - front;
    let back = mine.iter().rev().zip(theirs.iter().rev()).take(rest);
    let back = back.take_while(|(a, b)| a == b).count();
    let is_all_but = |count: usize| front + back == count;
    let before = front.checked_sub(1).map_or(Cow::Borrowed(""), |at| kind(&mine[at]));
    if mine.len() == theirs.len() + 1 && is_all_but(theirs.len()) {
        let more = format!("…/{}", kind(&mine[front]));
        return Difference::Segment(more, format!("{before}/*/…"));
    }
    if theirs.len() == mine.len() && is_all_but(mine.len().saturating_sub(1)) && !mine.is_empty() {
        let other = format!("{before}/*");
        return Difference::Segment(other.clone(), other);
    }
    Difference::Path(pattern(&mine, from.query))
}

/// The first segment of a path, whether there are more, and the names of its arguments.
fn pattern(segments: &[String], query: &str) -> String {
    let first = segments.first().map_or(Cow::Borrowed(""), |first| kind(first));
    let more = if segments.len() > 1 { "/…" } else { "" };
    let mut names: Vec<&str> = names_in(query).collect();
    names.sort_unstable();
    names.dedup();
    let mark = if names.is_empty() { "" } else { "?" };
    format!("/{first}{more}{mark}{}", names.join("&"))
}

/// A segment, its numbers named by their kind: `comment-page-{number}`, `{hex}`.
fn kind(segment: &str) -> Cow<'_, str> {
    let is_hex = segment.len() >= HEX_DIGITS
        && segment.bytes().all(|byte| byte.is_ascii_hexdigit())
        && segment.bytes().any(|byte| byte.is_ascii_digit())
        && segment.bytes().any(|byte| byte.is_ascii_alphabetic());
    if is_hex {
        return Cow::Borrowed("{hex}");
    }
    if segment.len() > WORD_BYTES {
        return Cow::Borrowed("{word}");
    }
    let mut named = String::new();
    for letter in segment.chars() {
        match letter.is_ascii_digit() {
            true if named.ends_with("{number}") => {}
            true => named += "{number}",
            false => named.push(letter),
        }
    }
    Cow::Owned(named)
}

/// The path without the file that a server shows for a folder.
fn without_index(path: &str) -> &str {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = file.split('.').next().unwrap_or_default();
    let is_index = ["index", "default", "home"].iter().any(|one| one.eq_ignore_ascii_case(name));
    let is_file = is_index && file.len() > name.len();
    if is_file || file.is_empty() { folder } else { path }
}

fn single_slashes(path: &str) -> String {
    let mut made = String::with_capacity(path.len());
    for letter in path.chars() {
        if letter != '/' || !made.ends_with('/') {
            made.push(letter);
        }
    }
    made
}

fn decoded(path: &str) -> Cow<'_, str> {
    percent_decode_str(path).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn described(from: &str, to: &str) -> String {
        let url = |rest: &str| match rest.starts_with("http") {
            true => rest.to_owned(),
            false => format!("http://a.test{rest}"),
        };
        let (from, to) = (url(from), url(to));
        let name = difference(&from, &to).name();
        name.replace("part of the path:", "segment").replace("other address:", "path")
    }

    #[test]
    fn the_difference_is_what_an_owner_would_name() {
        for (from, to, expected) in [
            ("/a?replytocom=3", "/a", "argument replytocom"),
            ("/a?b=1&utm_source=x&utm_medium=y", "/a?b=1", "argument utm_medium, utm_source"),
            ("/a?sort=date", "/a?sort=name", "argument sort"),
            ("/a?b&b", "/a?b", "argument b"),
            ("/a?b=1&c=2", "/a?c=2&b=1", "order or marks of arguments"),
            ("/a?", "/a", "order or marks of arguments"),
            ("/a#!/b", "/a", "text after #"),
            ("/a/", "/a", "slash at the end"),
            ("/A", "/a", "letter case of the path"),
            ("/a/index.php", "/a/", "index file"),
            ("/%61b", "/ab", "percent escapes"),
            ("//a//b", "/a/b", "double slashes"),
            ("/A/index.html", "/a", "slashes, escapes and letter case"),
            ("https://a.test/a", "http://a.test/a", "http and https"),
            ("http://www.a.test/a", "http://a.test/a", "host"),
            ("/a/print", "/a", "segment …/print"),
            ("/a/b/comment-page-12/", "/a/b/", "segment …/comment-page-{number}"),
            ("/log/0f3a9c21/x", "/log/77aa00bb/x", "segment log/*"),
            ("/?p=12", "/2024/05/title/", "path /?p"),
            ("/2024/05/x/y/", "/other", "path /{number}/…"),
        ] {
            assert_eq!(described(from, to), expected, "{from} {to}");
        }
    }

    proptest! {
        /// Whatever the URLs are, there is a difference, and none is seen in the writing of one that has none.
        #[test]
        fn it_is_total(a in "(https?://)?[ab.]{0,4}[/a%6ö]{0,8}\\PC{0,6}", b in "\\PC{0,12}") {
            difference(&a, &b);
            difference(&b, &a);
            let is_none = matches!(difference(&a, &a), Difference::Writing(Writing::Fragment));
            prop_assert!(is_none);
            prop_assert!(a.starts_with(place(&a)) && names(&a).all(|name| a.contains(name)));
        }
    }
}
