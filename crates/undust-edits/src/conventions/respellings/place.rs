//! The places of a URL where it may be written otherwise: `?name` is the arguments of a name, `?` those without one;
//! anything else is the paths below a folder of a host.

use undust_url::query::{Argument, arguments, query_span};
use undust_url::tokens::authority;

use super::numbered::unnumbered;
use crate::conventions::case::extent;

/// That of arguments.
pub(super) fn of_argument(argument: &Argument<'_>) -> Box<str> {
    of_name(argument.name)
}

/// That of the arguments of a name, or of those without one.
pub(super) fn of_name(name: Option<&str>) -> Box<str> {
    ["?", name.unwrap_or_default()].concat().into()
}

/// That of the values of one name, which may be numbered.
pub(super) fn of_values(name: &str) -> Box<str> {
    ["?", &unnumbered(name)].concat().into()
}

/// That of the path of a URL; none on a host with a port or a user.
pub(super) fn of_path(url: &str) -> Option<Box<str>> {
    extent(url).map(Into::into)
}

/// The span of the path of a URL.
pub(super) fn path_span(url: &str) -> (usize, usize) {
    let begin = authority(url).end;
    let end = memchr::memchr2(b'?', b'#', &url.as_bytes()[begin..]);
    (begin, end.map_or(url.len(), |end| begin + end))
}

fn path(url: &str) -> &str {
    let (begin, end) = path_span(url);
    &url[begin..end]
}

/// Whether a place is that of arguments.
pub fn is_argument(place: &str) -> bool {
    place.starts_with('?')
}

/// Whether two URLs differ in this place.
pub fn differ(place: &str, one: &str, other: &str) -> bool {
    match place.strip_prefix('?') {
        Some(name) => !texts(one, name).eq(texts(other, name)),
        None => path(one) != path(other),
    }
}

/// The arguments of this name, numbered or not.
fn texts<'u>(url: &'u str, name: &str) -> impl Iterator<Item = &'u str> {
    let (begin, end) = query_span(url).unwrap_or_default();
    let is_of = move |own: &str| own == name || unnumbered(own) == name;
    arguments(&url[begin..end])
        .filter(move |argument| is_of(argument.name.unwrap_or_default()))
        .map(|argument| argument.text)
}
