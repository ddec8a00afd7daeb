//! Tokens of a URL as DustBuster cuts it (Bar-Yossef, Keidar, Schonfeld, WWW 2007): runs of
//! alphanumeric characters, and every other character alone.
//!
//! A non-ASCII character counts as alphanumeric, so that a border between tokens is always a
//! border between characters. `^` and `$`, which the paper puts around a URL, are tokens too.

use undust_url::tokens::authority;

/// Whether a byte belongs to a run.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Whether a border between two tokens of `text`, or an end of it, is at `at`.
pub fn is_border(text: &[u8], at: usize) -> bool {
    match (at.checked_sub(1).and_then(|before| text.get(before)), text.get(at)) {
        (Some(left), Some(right)) => !(is_word(*left) && is_word(*right)),
        _ => true,
    }
}

/// Where the tokens of `text` end, ascending, without `^` and `$`. Linear.
pub fn token_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    (1..=text.len()).filter(|&at| is_border(text.as_bytes(), at))
}

/// The tokens that are runs, in order. Linear, allocates nothing.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    // A run's bytes are all those of its characters.
    text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty())
}

/// Where the scheme and the host end; 0 without `scheme://`. Only a rule that begins at `^`
/// rewrites anything before it.
pub fn path_start(url: &str) -> usize {
    authority(url).end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(url: &str) -> Vec<&str> {
        let mut start = 0;
        token_ends(url).map(|end| &url[std::mem::replace(&mut start, end)..end]).collect()
    }

    #[test]
    fn the_papers_url_has_15_tokens() {
        let found = tokens("http://www.site.com/index.html");
        assert_eq!(
            found,
            ["http", ":", "/", "/", "www", ".", "site", ".", "com", "/", "index", ".", "html"]
        );
        assert_eq!(found.len() + 2, 15, "with ^ and $");
    }

    #[test]
    fn encoded_and_foreign_characters() {
        assert_eq!(tokens("a%2Fb_c"), ["a", "%", "2Fb", "_", "c"]);
        assert_eq!(tokens("/straße-1"), ["/", "straße", "-", "1"]);
        assert!(tokens("").is_empty());
    }

    #[test]
    fn the_path_starts_after_the_host() {
        assert_eq!(path_start("http://x.com/a"), 12);
        assert_eq!(path_start("http://x.com?a"), 12);
        assert_eq!(path_start("http://x.com"), 12);
        assert_eq!(path_start("/go?to=http://x.com/a"), 0);
        assert_eq!(path_start("a:b://x"), 0);
        assert_eq!(path_start("://x"), 0);
        assert_eq!(path_start("no URL"), 0);
    }

    proptest! {
        #[test]
        fn tokens_make_up_any_string(text in any::<String>()) {
            prop_assert_eq!(tokens(&text).concat(), text);
        }
    }
}
