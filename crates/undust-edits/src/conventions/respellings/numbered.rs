//! Names of arguments that are numbered: `f[0]` and `f[1]`, or `fq1` and `fq2`, hold the values of one name.

use std::borrow::Cow;

/// The part of a name before its number, and where the number ends. Of one without a number all of it.
pub(super) fn parts_of_number(name: &[u8]) -> (&[u8], usize) {
    let closing = [b"]".as_slice(), b"%5D"].into_iter().find(|closing| name.ends_with(closing));
    let end = name.len() - closing.map_or(0, <[u8]>::len);
    let digits = name[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let begin = end - digits;
    let opens = name[..begin].ends_with(b"[") || name[..begin].ends_with(b"%5B");
    let is_numbered = digits > 0 && begin > 0 && opens == closing.is_some();
    if is_numbered { (&name[..begin], end) } else { (name, name.len()) }
}

/// A name without its number: `f[]` of `f[0]`.
pub(super) fn unnumbered(name: &str) -> Cow<'_, str> {
    let (before, end) = parts_of_number(name.as_bytes());
    match (&name[..before.len()], &name[end..]) {
        (before, "") => before.into(),
        (before, after) => [before, after].concat().into(),
    }
}

/// The number of a name; none where it has none.
pub(super) fn number(name: &str) -> Option<(usize, &str)> {
    let (before, end) = parts_of_number(name.as_bytes());
    let digits = name[before.len()..end].trim_start_matches('0');
    (end > before.len()).then_some((digits.len(), digits))
}
