//! A URL as a map from keys to values (Dasgupta, Kumar, Sasturkar, KDD 2008; Koppula et al., WSDM
//! 2010, section 3): protocol, host and path segments by their positions, counted from both ends,
//! and the arguments of the query by their names.

use std::fmt;

use super::keys::Key;
use super::query::{Argument, arguments};
use super::tokens::authority;

/// Largest number of segments, and of arguments, of a URL that gets keys. Crawler traps produce
/// more.
const MAX_PARTS: usize = 256;

/// A URL split without loss: [`Display`](fmt::Display) gives it back byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedUrl<'u> {
    /// The scheme, without `://`.
    pub scheme: &'u str,
    /// The whole authority: user information, host, port.
    pub host: &'u str,
    /// The text after each `/` of the path: nothing in `http://x`, an empty segment in
    /// `http://x/`, `a` and an empty segment in `http://x/a/`.
    pub segments: Vec<&'u str>,
    /// The arguments after the `?`; none without one. `http://x/?` has one bare, empty argument.
    pub arguments: Option<Vec<Argument<'u>>>,
    /// The text after the `#`.
    pub fragment: Option<&'u str>,
}

impl<'u> KeyedUrl<'u> {
    /// Splits `url`. None if it is not `scheme://host…`, or has more than 256 segments or
    /// arguments. Linear.
    pub fn parse(url: &'u str) -> Option<Self> {
        let authority = authority(url);
        if authority.is_empty() {
            return None;
        }
        let (scheme, host) = (&url[..authority.start - 3], &url[authority.clone()]);
        let rest = &url[authority.end..];
        let (rest, fragment) = cut(rest, '#');
        let (path, query) = cut(rest, '?');
        let segments: Vec<_> = path.split('/').skip(1).take(MAX_PARTS + 1).collect();
        // One beyond the limit is taken, to see that there are too many.
        let arguments: Option<Vec<_>> =
            query.map(|query| arguments(query).take(MAX_PARTS + 1).collect());
        let is_usable = segments.len().max(arguments.as_ref().map_or(0, Vec::len)) <= MAX_PARTS;
        is_usable.then_some(Self { scheme, host, segments, arguments, fragment })
    }

    /// The value of a key; none if the URL lacks it. The value of a bare argument is empty. None
    /// also for [`Key::Deep`], which needs a pattern.
    pub fn get(&self, key: &Key) -> Option<&'u str> {
        match key {
            Key::Scheme => Some(self.scheme),
            Key::Host => Some(self.host),
            Key::Start(place) => self.segments.get(usize::from(*place)).copied(),
            Key::End(place) => {
                let from_end = self.segments.len().checked_sub(usize::from(*place) + 1)?;
                self.segments.get(from_end).copied()
            }
            Key::Argument { name, nth, bare } => {
                let is_meant = |argument: &&Argument<'_>| {
                    argument.key() == name && argument.value().is_none() == *bare
                };
                let mut meant = self.query().iter().filter(is_meant);
                let nth = usize::from(*nth);
                meant.nth(nth).map(|argument| argument.value().unwrap_or_default())
            }
            Key::Deep { .. } => None,
        }
    }

    /// The arguments; empty without a query.
    pub fn query(&self) -> &[Argument<'u>] {
        self.arguments.as_deref().unwrap_or_default()
    }

    /// The keys of the arguments, in order.
    pub fn argument_keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = Vec::new();
        for argument in self.query() {
            let bare = argument.value().is_none();
            let is_same = |key: &&Key| matches!(key, Key::Argument { name, bare: b, .. } if name == argument.key() && *b == bare);
            let nth = keys.iter().filter(is_same).count() as u16;
            keys.push(Key::Argument { name: argument.key().to_owned(), nth, bare });
        }
        keys
    }
}

/// The text before and after the first `mark`.
fn cut(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

impl fmt::Display for KeyedUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        for segment in &self.segments {
            write!(f, "/{segment}")?;
        }
        for (at, argument) in self.query().iter().enumerate() {
            let separator = if at == 0 { '?' } else { char::from(argument.separator) };
            write!(f, "{separator}{}", argument.key())?;
            if let Some(value) = argument.value() {
                write!(f, "={value}")?;
            }
        }
        self.fragment.map_or(Ok(()), |fragment| write!(f, "#{fragment}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(url: &'static str, key: &str) -> Option<&'static str> {
        KeyedUrl::parse(url).expect("a URL").get(&key.parse().expect("a key"))
    }

    #[test]
    fn places_count_from_both_ends() {
        let url = "http://ag.arizona.edu/srnr/about/art/index.html";
        for (key, expected) in [
            ("k(1,-)", "http"),
            ("k(2,-)", "ag.arizona.edu"),
            ("k(3,-)", "srnr"),
            ("k(-,1)", "index.html"),
            ("k(-,4)", "srnr"),
        ] {
            assert_eq!(value(url, key), Some(expected), "{key}");
        }
        assert_eq!((value(url, "k(7,-)"), value(url, "k(-,5)")), (None, None));
    }

    #[test]
    fn arguments_go_by_their_names() {
        let url = "http://x/?a=1;b&a=2&b=&=c=d&";
        for (key, expected) in [
            ("k_a", "1"),
            ("k_a#2", "2"),
            ("k_b#bare", ""),
            ("k_b", ""),
            ("k_", "c=d"),
            ("k_#bare", ""),
        ] {
            assert_eq!(value(url, key), Some(expected), "{key}");
        }
        assert_eq!(value(url, "k_a#3"), None);
        let keys = KeyedUrl::parse(url).expect("a URL").argument_keys();
        let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
        assert_eq!(keys, ["k_a", "k_b#bare", "k_a#2", "k_b", "k_", "k_#bare"]);
    }

    #[test]
    fn what_names_no_host_is_no_keyed_url() {
        for text in ["", "x.com/a", "http:/x", "http:///x", "mailto:a@b", "://x", "a b://x"] {
            assert_eq!(KeyedUrl::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn taking_apart_loses_nothing(rest in "\\PC*", url_like in "[a/?&;=#.]{0,24}") {
            for tail in [rest, url_like] {
                let url = format!("http://x{tail}");
                if let Some(keyed) = KeyedUrl::parse(&url) {
                    prop_assert_eq!(keyed.to_string(), url);
                }
            }
        }

        #[test]
        fn every_argument_has_a_key_of_its_own(query in "[ab=&;]{0,12}") {
            let url = format!("http://x/?{query}");
            let keyed = KeyedUrl::parse(&url).expect("a URL");
            let keys = keyed.argument_keys();
            prop_assert_eq!(keys.len(), keyed.query().len());
            for (key, argument) in keys.iter().zip(keyed.query()) {
                prop_assert_eq!(keyed.get(key), Some(argument.value().unwrap_or_default()));
            }
        }
    }
}
