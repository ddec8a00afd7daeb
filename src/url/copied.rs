//! Values that a rule copies from one part of a URL into another, where their characters mean
//! something else.

use super::tokens::authority;

/// Characters that mean themselves in a path; in a query two are delimiters, and `+` is a space.
const DATA_OF_PATHS: [char; 3] = ['&', ';', '+'];

/// Whether every value of `url` that `form` has in the other part reads there as it was meant:
/// `?title=A?b=c` must not become `/A?b=c`, nor `/AT&T` become `?title=AT&T`, nor may a path get a
/// segment `.` or `..`, or an empty one. Linear in both, and next to nothing where no value has such
/// a character.
///
/// A `/` may come into a path: wikis write the page `A/B` as `?title=A/B` and as `/A/B`, and what
/// their crawls show of that is not to be lost.
pub fn reads_as_meant(url: &str, form: &str) -> bool {
    let (path, query) = parts(url);
    let (to_path, to_query) = parts(form);
    let is_cut = |value: &str| {
        value.contains('?') && begins_in(form, to_path, value) && !path.contains(value)
    };
    let is_split = |segment: &str| {
        segment.contains(DATA_OF_PATHS) && to_query.contains(segment) && !query.contains(segment)
    };
    let cuts = query.contains('?') && values(query).any(is_cut);
    let splits = path.contains(DATA_OF_PATHS) && path.split('/').any(is_split);
    let climbs = query.contains(['/', '.']) && odd_segments(to_path) > odd_segments(path);
    !(cuts || splits || climbs)
}

/// The path and the query of a URL, without `?`.
fn parts(url: &str) -> (&str, &str) {
    let rest = &url[authority(url).end..];
    rest.split_once('?').unwrap_or((rest, ""))
}

fn values(query: &str) -> impl Iterator<Item = &str> {
    query.split(['&', ';']).map(|argument| match argument.split_once('=') {
        Some((_, value)) => value,
        None => argument,
    })
}

/// Whether `value` stands in `form` from a place in its path on.
fn begins_in(form: &str, path: &str, value: &str) -> bool {
    form[authority(form).end..].find(value).is_some_and(|place| place < path.len())
}

/// Segments `.` and `..` of a path, and empty ones.
fn odd_segments(path: &str) -> usize {
    path.split('/').filter(|segment| matches!(*segment, "." | ".." | "")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_keeps_its_meaning_or_the_rule_does_not_apply() {
        let host = "http://w.org";
        for (url, form, meant) in [
            ("/index.php?title=A?printable=yes", "/index.php/A?printable=yes", false),
            ("/index.php?title=A", "/index.php/A", true),
            ("/index.php?title=A&printable=yes", "/index.php/A?printable=yes", true),
            ("/index.php?title=A/B", "/index.php/A/B", true),
            ("/index.php?title=A//B", "/index.php/A//B", false),
            ("/index.php?title=../../secret", "/index.php/../../secret", false),
            ("/index.php?title=..", "/index.php/..", false),
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
                reads_as_meant(&format!("{host}{url}"), &format!("{host}{form}")),
                meant,
                "{url} → {form}"
            );
        }
        assert!(reads_as_meant("no url", "?"));
    }
}
