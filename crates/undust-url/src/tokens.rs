//! Lossless tokens of a URL.
//!
//! The paper (Xu, Liu, Callan, SIGIR 2017, section 2.1) splits a URL at static delimiters,
//! `/`, which it drops, and at dynamic ones, `?`, `=`, `&`, which it keeps as tokens. Here
//! nothing is dropped. The `/` between two words (and the `//` after the scheme) is implied;
//! every other `/` is a token. So [`Joiner`] gives the URL back byte for byte, and the output
//! of a model is a real URL.

use std::borrow::Cow;

/// The kind of a token by its position in the URL. It decides how the token is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// One delimiter byte.
    Delimiter,
    /// The scheme with its colon, the authority, a part of a path segment, a query value.
    Word,
    /// A name in the query: after `?`, `&` or `;` and before `=`.
    Key,
}

/// A token of a URL. With the implied `/`, all tokens together give the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'u> {
    /// The bytes as in the URL: not decoded, case not folded.
    pub text: &'u str,
    /// The kind of the token.
    pub role: Role,
}

/// The ASCII characters that are tokens of their own, outside the authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimiters(u128);

impl Default for Delimiters {
    fn default() -> Self {
        Self::with_extra("")
    }
}

impl Delimiters {
    /// `? = & # ; . ,` and `/`, and the ASCII characters of `extra`.
    ///
    /// `.` is a delimiter because the model of the paper writes `prev . aspx` (its Table 3). `-`
    /// and `_` are not, because they would break slugs into many arguments.
    pub fn with_extra(extra: &str) -> Self {
        let ascii = "/?=&#;.,".bytes().chain(extra.bytes().filter(u8::is_ascii));
        Self(ascii.fold(0, |set, byte| set | 1 << byte))
    }

    /// The extra delimiters, as [`Delimiters::with_extra`] takes them.
    pub fn extra(self) -> String {
        let always = Self::default();
        (0..128u8).filter(|b| self.contains(*b) && !always.contains(*b)).map(char::from).collect()
    }

    /// Whether `byte` is a delimiter.
    pub fn contains(self, byte: u8) -> bool {
        byte < 128 && self.0 >> byte & 1 == 1
    }

    /// Whether `text` is a single delimiter.
    pub fn is_delimiter(self, text: &str) -> bool {
        matches!(text.as_bytes(), [byte] if self.contains(*byte))
    }

    /// The tokens of `url`, which may be any string. Linear, allocates nothing.
    pub fn tokens(self, url: &str) -> Tokens<'_> {
        Tokens {
            url,
            at: 0,
            delimiters: self,
            authority: authority(url),
            part: Area::Path,
            first: true,
        }
    }
}

/// The span of the authority; empty if the string has no `scheme://`.
pub fn authority(url: &str) -> std::ops::Range<usize> {
    let bytes = url.as_bytes();
    let start = if url.starts_with("http://") {
        "http://".len()
    } else {
        let in_scheme =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let scheme = bytes.iter().position(|byte| !in_scheme(byte)).unwrap_or(0);
        let named = bytes.first().is_some_and(u8::is_ascii_alphabetic);
        if !named || !bytes[scheme..].starts_with(b"://") {
            return 0..0;
        }
        scheme + "://".len()
    };
    let length = memchr::memchr3(b'/', b'?', b'#', &bytes[start..]);
    start..length.map_or(url.len(), |n| start + n)
}

/// Whether a form has the scheme, user information, host and port of `url`, byte for byte, and nothing
/// behind them that would make another host of them.
pub fn same_server(url: &str, form: &str) -> bool {
    let end = authority(url).end;
    let next = |url: &str| url.as_bytes().get(end).copied();
    let ends_there = match next(url) {
        Some(b'/') => next(form) == Some(b'/'),
        _ => matches!(next(form), None | Some(b'/' | b'?' | b'#')),
    };
    end > 0 && ends_there && form.starts_with(&url[..end])
}

/// The part of the URL that the scanner is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Area {
    Path,
    Key,
    Value,
    Fragment,
}

/// Iterator over the tokens of one URL; see [`Delimiters::tokens`].
#[derive(Debug, Clone)]
pub struct Tokens<'u> {
    url: &'u str,
    at: usize,
    delimiters: Delimiters,
    authority: std::ops::Range<usize>,
    part: Area,
    first: bool,
}

impl<'u> Tokens<'u> {
    fn word_end(&self) -> usize {
        if self.at == self.authority.start && !self.authority.is_empty() {
            return self.authority.end;
        }
        let rest = &self.url.as_bytes()[self.at..];
        let length = rest.iter().position(|b| self.delimiters.contains(*b));
        length.map_or(self.url.len(), |n| self.at + n)
    }

    /// Skips the slashes that [`Joiner`] restores: those between the word that ends here and a word
    /// that begins right after them.
    fn skip_implied(&mut self, word: &str) {
        let implied = implied_slashes(word, self.first);
        let rest = &self.url[self.at..];
        let Some(after) = rest.strip_prefix(implied) else { return };
        let at_authority = self.at + implied.len() == self.authority.start;
        let next_is_word = match after.as_bytes().first() {
            Some(byte) => {
                at_authority && !self.authority.is_empty() || !self.delimiters.contains(*byte)
            }
            None => false,
        };
        if next_is_word {
            self.at += implied.len();
        }
    }

    fn step_part(&mut self, delimiter: u8) {
        self.part = match (self.part, delimiter) {
            (Area::Fragment, _) | (_, b'#') => Area::Fragment,
            (_, b'?') => Area::Key,
            (Area::Key, b'=') => Area::Value,
            (Area::Value, b'&' | b';') => Area::Key,
            (part, _) => part,
        };
    }
}

/// The slashes without a token: those between the word `left` and the word after it.
fn implied_slashes(left: &str, first: bool) -> &'static str {
    if first && left.ends_with(':') { "//" } else { "/" }
}

impl<'u> Iterator for Tokens<'u> {
    type Item = Token<'u>;

    fn next(&mut self) -> Option<Token<'u>> {
        let byte = *self.url.as_bytes().get(self.at)?;
        let in_authority = self.at == self.authority.start && !self.authority.is_empty();
        if self.delimiters.contains(byte) && !in_authority {
            let text = &self.url[self.at..self.at + 1];
            self.at += 1;
            self.first = false;
            self.step_part(byte);
            return Some(Token { text, role: Role::Delimiter });
        }
        let end = self.word_end();
        let text = &self.url[self.at..end];
        let role = if self.part == Area::Key { Role::Key } else { Role::Word };
        self.at = end;
        self.skip_implied(text);
        self.first = false;
        Some(Token { text, role })
    }
}

/// The inverse of [`Delimiters::tokens`]: joining the tokens of any string gives the string back
/// byte for byte.
#[derive(Debug, Default)]
pub struct Joiner {
    url: String,
    last: Last,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    FirstWord,
    Word,
    Delimiter,
}

impl Joiner {
    /// Appends one token.
    pub fn push(&mut self, text: &str, is_delimiter: bool) {
        if is_delimiter {
            self.last = Last::Delimiter;
        } else {
            match self.last {
                Last::FirstWord | Last::Word => {
                    let first = self.last == Last::FirstWord;
                    let implied = implied_slashes(&self.url, first);
                    self.url.push_str(implied);
                    self.last = Last::Word;
                }
                Last::Nothing => self.last = Last::FirstWord,
                Last::Delimiter => self.last = Last::Word,
            }
        }
        self.url.push_str(text);
    }

    /// The URL.
    pub fn finish(self) -> String {
        self.url
    }
}

/// The URL without empty segments and without a final `/` of the path. Two URLs have the same
/// tokens in the paper, which drops every `/`, if and only if they are equal in this form.
pub fn drop_slashes(url: &str) -> Cow<'_, str> {
    let delimiters = Delimiters::default();
    if !delimiters.tokens(url).any(|token| token.text == "/") {
        return Cow::Borrowed(url);
    }
    let mut joiner = Joiner::default();
    for token in delimiters.tokens(url).filter(|token| token.text != "/") {
        joiner.push(token.text, token.role == Role::Delimiter);
    }
    Cow::Owned(joiner.finish())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(url: &str) -> Vec<&str> {
        Delimiters::default().tokens(url).map(|token| token.text).collect()
    }

    fn join(url: &str, delimiters: Delimiters) -> String {
        let mut joiner = Joiner::default();
        for token in delimiters.tokens(url) {
            joiner.push(token.text, token.role == Role::Delimiter);
        }
        joiner.finish()
    }

    #[test]
    fn servers_are_the_same_byte_for_byte() {
        assert!(same_server("http://x.com/a", "http://x.com/b"));
        assert!(same_server("http://x.com", "http://x.com?b"));
        assert!(!same_server("http://x.com/a", "http://x.com"));
        assert!(!same_server("http://x.com/a", "http://x.com:80@y.org/a"));
        assert!(!same_server("http://x.com", "http://x.com.org/"));
        assert!(!same_server("http://x.com/a", "https://x.com/a"));
        assert!(!same_server("http://x.com/a", "http://u@x.com/a"));
        assert!(!same_server("no url", "no url"));
    }

    #[test]
    fn the_papers_examples() {
        assert_eq!(
            texts("http://stackexchange.com/user/123/mike"),
            ["http:", "stackexchange.com", "user", "123", "mike"]
        );
        assert_eq!(
            texts("http://x.com/t/98579.aspx?p=2"),
            ["http:", "x.com", "t", "98579", ".", "aspx", "?", "p", "=", "2"]
        );
    }

    #[test]
    fn slashes_that_carry_meaning_are_tokens() {
        assert_eq!(texts("http://x.com/a/"), ["http:", "x.com", "a", "/"]);
        assert_eq!(texts("http://x.com/a//b"), ["http:", "x.com", "a", "/", "/", "b"]);
        assert_eq!(texts("http://x.com/?q"), ["http:", "x.com", "/", "?", "q"]);
        assert_eq!(texts("http://x.com/a/.b"), ["http:", "x.com", "a", "/", ".", "b"]);
        assert_eq!(texts("http:/x"), ["http:", "/", "x"]);
        assert_eq!(texts("http:///x"), ["http:", "/", "/", "/", "x"]);
    }

    #[test]
    fn the_authority_is_one_token_whatever_it_holds() {
        assert_eq!(texts("http://u;a=b@[::1]:80/a.b"), ["http:", "u;a=b@[::1]:80", "a", ".", "b"]);
        assert_eq!(texts("http://.?x"), ["http:", ".", "?", "x"]);
    }

    #[test]
    fn roles_distinguish_keys_from_values() {
        let keys: Vec<_> = Delimiters::default()
            .tokens("http://x.com/a=1?p=2&q;r=3#s?t=u")
            .filter(|token| token.role == Role::Key)
            .map(|token| token.text)
            .collect();
        assert_eq!(keys, ["p", "q", "r"]);
    }

    #[test]
    fn the_papers_tokeniser_drops_slashes() {
        for url in ["http://x.com/a/", "http://x.com/a", "http://x.com//a"] {
            assert_eq!(drop_slashes(url), "http://x.com/a");
        }
        assert_eq!(drop_slashes("http://x.com/?q"), "http://x.com?q");
    }

    proptest! {
        #[test]
        fn tokens_round_trip_on_any_string(url in "\\PC*", extra in "[~_:+-]*") {
            let delimiters = Delimiters::with_extra(&extra);
            prop_assert_eq!(join(&url, delimiters), url);
        }

        #[test]
        fn tokens_round_trip_on_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let url: String = bytes.iter().map(|b| char::from(*b)).collect();
            prop_assert_eq!(join(&url, Delimiters::default()), url);
        }

        #[test]
        fn tokens_round_trip_on_url_like_strings(url in "(http|a.b|)(:|)[/]{0,3}[a.:?=&#;/]{0,24}") {
            prop_assert_eq!(join(&url, Delimiters::default()), url);
        }
    }

    #[test]
    fn extra_delimiters_come_back() {
        assert_eq!(Delimiters::with_extra("_-.\u{e9}").extra(), "-_");
        assert_eq!(Delimiters::default().extra(), "");
    }
}
