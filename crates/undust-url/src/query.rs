//! The query of a URL and its arguments, split in one way for all callers.

use std::iter;

use super::tokens::authority;

/// One argument of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument<'u> {
    /// All of it.
    pub text: &'u str,
    /// The text before the first `=`; none without one.
    pub name: Option<&'u str>,
    /// `&` or `;` between this argument and the one before; `&` for the first one.
    pub separator: u8,
}

impl<'u> Argument<'u> {
    /// Its name; the whole argument if it is bare, without `=`.
    pub fn key(&self) -> &'u str {
        self.name.unwrap_or(self.text)
    }

    /// The text after the first `=`; none without one.
    pub fn value(&self) -> Option<&'u str> {
        self.name.map(|name| &self.text[name.len() + 1..])
    }
}

/// The arguments of a query, without its `?`. An empty query has one, which is empty.
pub fn arguments(query: &str) -> impl Iterator<Item = Argument<'_>> {
    let mut rest = Some(query);
    let mut separator = b'&';
    iter::from_fn(move || {
        let query = rest?;
        let end = memchr::memchr2(b'&', b';', query.as_bytes());
        let text = &query[..end.unwrap_or(query.len())];
        let name = memchr::memchr(b'=', text.as_bytes()).map(|end| &text[..end]);
        let argument = Argument { text, name, separator };
        rest = end.map(|end| &query[end + 1..]);
        separator = end.map_or(b'&', |end| query.as_bytes()[end]);
        Some(argument)
    })
}

/// The begin of the query of a URL, after its `?`, and its end, before the fragment.
pub fn query_span(url: &str) -> Option<(usize, usize)> {
    match memchr::memchr2(b'?', b'#', url.as_bytes())? {
        at if url.as_bytes()[at] == b'?' => {
            let end = memchr::memchr(b'#', &url.as_bytes()[at..]);
            Some((at + 1, end.map_or(url.len(), |end| at + end)))
        }
        _ => None,
    }
}

/// The text after the authority of a URL without a fragment: before its `?`, and after it.
pub fn path_and_query(url: &str) -> (&str, &str) {
    let rest = &url[authority(url).end..];
    rest.split_once('?').unwrap_or((rest, ""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn arguments_have_names_values_and_separators() {
        let all: Vec<_> = arguments("a=1=2&b;=c&").collect();
        let parts = all.iter().map(|one| (one.separator, one.key(), one.value()));
        let expected =
            [(b'&', "a", Some("1=2")), (b'&', "b", None), (b';', "", Some("c")), (b'&', "", None)];
        assert_eq!(parts.collect::<Vec<_>>(), expected);
        assert_eq!(arguments("").count(), 1);
    }

    #[test]
    fn a_fragment_is_no_query() {
        assert_eq!(query_span("http://a.test/b?c#d?e"), Some((16, 17)));
        assert_eq!(query_span("http://a.test/b#d?e"), None);
        assert_eq!(path_and_query("http://a.test/b?c?d"), ("/b", "c?d"));
    }

    proptest! {
        #[test]
        fn nothing_of_a_query_is_lost(query in "[ab=&;]{0,12}|\\PC*") {
            let whole: String = (arguments(&query))
                .flat_map(|one| [(one.separator as char).to_string(), one.text.to_owned()])
                .collect();
            prop_assert_eq!(&whole[1..], query);
        }
    }
}
