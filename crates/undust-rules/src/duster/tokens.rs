//! Tokens as DUSTER cuts them: runs of letters, runs of digits, and single marks.
//!
//! The paper (Rodrigues et al., TKDE 2015) knows ASCII alone. Here a character outside ASCII
//! is a letter, and so is its percent-encoded byte (`%C3`): a word stays one token in either
//! spelling. Any other percent-encoded byte (`%2F`) is one mark: it stands for one
//! character, and its `F` is no part of the word that follows.

/// What kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A run of letters.
    Letters,
    /// A run of ASCII digits.
    Digits,
    /// One character that is neither.
    Mark,
}

/// The kind of the character at the start of `bytes`, and its length as written.
fn character(bytes: &[u8]) -> (TokenKind, usize) {
    match bytes {
        [b'0'..=b'9', ..] => (TokenKind::Digits, 1),
        [b'a'..=b'z' | b'A'..=b'Z' | 0x80.., ..] => (TokenKind::Letters, 1),
        [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            let kind =
                if matches!(high, b'0'..=b'7') { TokenKind::Mark } else { TokenKind::Letters };
            (kind, 3)
        }
        _ => (TokenKind::Mark, 1),
    }
}

/// The kind of a token.
pub fn kind(token: &str) -> TokenKind {
    character(token.as_bytes()).0
}

/// The tokens of any string: joined, they are the string. Linear, allocates nothing.
pub fn tokens(url: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = url;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let (kind, mut end) = character(bytes);
        while kind != TokenKind::Mark && end < bytes.len() {
            let (next, length) = character(&bytes[end..]);
            if next != kind {
                break;
            }
            end += length;
        }
        let token;
        (token, rest) = rest.split_at(end);
        Some(token)
    })
}

/// The words of a URL: its runs of letters and its runs of digits, from left to right. Rules are
/// looked up by them. Linear, allocates nothing.
pub fn words(url: &str) -> impl Iterator<Item = &str> {
    tokens(url).filter(|token| kind(token) != TokenKind::Mark)
}

/// Number of tokens before the path, those of `scheme://authority`; 0 without `://`.
pub fn origin(tokens: &[&str]) -> usize {
    let Some(colon) = tokens.windows(3).position(|window| window == [":", "/", "/"]) else {
        return 0;
    };
    let start = colon + 3;
    let length = tokens[start..].iter().position(|token| matches!(*token, "/" | "?" | "#"));
    length.map_or(tokens.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(url: &str) -> Vec<&str> {
        tokens(url).collect()
    }

    #[test]
    fn the_papers_example_has_eleven_tokens() {
        assert_eq!(
            texts("http://ex.com/1.htm"),
            ["http", ":", "/", "/", "ex", ".", "com", "/", "1", ".", "htm"]
        );
    }

    #[test]
    fn an_encoded_character_is_a_character() {
        assert_eq!(texts("a%2Fb"), ["a", "%2F", "b"]);
        assert_eq!(texts("caf%C3%a9/café"), ["caf%C3%a9", "/", "café"]);
        assert_eq!(texts("100%/%4"), ["100", "%", "/", "%", "4"]);
        assert_eq!(texts("x1é"), ["x", "1", "é"]);
    }

    #[test]
    fn words_are_what_is_no_mark() {
        assert!(words("/a1/%20b?").eq(["a", "1", "b"]));
    }

    #[test]
    fn the_origin_ends_where_the_path_begins() {
        let origin = |url: &str| texts(url)[..origin(&texts(url))].concat();
        assert_eq!(origin("http://a.b:80/c://d/"), "http://a.b:80");
        assert_eq!(origin("http://a?b"), "http://a");
        assert_eq!(origin("http://a"), "http://a");
        assert_eq!(origin("a/b"), "");
    }

    proptest! {
        #[test]
        fn tokens_join_to_the_string_and_are_of_one_kind(url in "(\\PC|[a1%/C3é]){0,30}") {
            prop_assert_eq!(texts(&url).concat(), url.clone());
            for token in tokens(&url) {
                prop_assert_eq!(texts(token), [token]);
            }
        }
    }
}
