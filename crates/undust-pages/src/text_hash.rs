//! One hash of a page's visible words, for pages whose fingerprint says too little: on a short page
//! most shingles are those of the site's menu, and three bits forgive what is the page's own.

use xxhash_rust::xxh64::Xxh64;

use super::hex64;

/// What a run of digits is written as: counters, dates and rendering times make no other hash. The
/// fingerprint, which masks nothing, may still part such pages. No word holds the mark.
const MARK: &[u8] = b"#";
/// Bytes that are looked at together.
const AT_ONCE: usize = 32;

/// A hash of a page's visible words in order, each run of digits written as `#`; 16 hex digits in
/// a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextHash(pub u64);

impl TextHash {
    /// Parses the 16 hex digits of a manifest.
    pub fn from_hex(hex: &str) -> Option<Self> {
        hex64::parse(hex).map(Self)
    }
}

impl serde::Serialize for TextHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hex64::serialize(self.0, serializer)
    }
}

impl<'de> serde::Deserialize<'de> for TextHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hex64::deserialize(deserializer, "a text hash").map(Self)
    }
}

/// The hash while the text comes.
#[derive(Clone)]
pub(crate) struct MaskedText(Xxh64);

impl std::fmt::Debug for MaskedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("MaskedText").field(&self.hash()).finish()
    }
}

impl Default for MaskedText {
    fn default() -> Self {
        Self(Xxh64::new(0))
    }
}

impl MaskedText {
    /// Adds lower-cased words with one space between them. No run of digits goes on in the next text.
    pub(crate) fn push(&mut self, text: &str) {
        let mut rest = text;
        while let Some(start) = first_digit(rest) {
            self.0.update(&rest.as_bytes()[..start]);
            self.0.update(MARK);
            rest = rest[start..].trim_start_matches(char::is_numeric);
        }
        self.0.update(rest.as_bytes());
    }

    pub(crate) fn hash(&self) -> TextHash {
        TextHash(self.0.digest())
    }
}

/// The position of the first digit. Most blocks are ASCII without one, which a vector shows at
/// once.
fn first_digit(text: &str) -> Option<usize> {
    let mut start = 0;
    while start < text.len() {
        let end = text.ceil_char_boundary(start + AT_ONCE);
        let block = &text[start..end];
        let may_be_digit = |byte: u8| byte.is_ascii_digit() | !byte.is_ascii();
        let is_candidate = block.bytes().fold(false, |found, byte| found | may_be_digit(byte));
        if is_candidate && let Some(at) = block.find(char::is_numeric) {
            return Some(start + at);
        }
        start = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use xxhash_rust::xxh64::xxh64;

    use super::*;
    use crate::simhash::Shingles;

    fn of(text: &str) -> Option<TextHash> {
        let mut shingles = Shingles::default();
        shingles.push_text(text);
        shingles.text_hash()
    }

    /// docs/using/formats.md shows this example.
    #[test]
    fn the_example_of_the_documents() {
        let hash = of("Chapter 12 of 300: Caf\u{e9}s, v2");
        assert_eq!(hash, Some(TextHash(xxh64("chapter # of # caf\u{e9}s v#".as_bytes(), 0))));
        assert_eq!(serde_json::to_string(&hash).expect("JSON"), "\"62c4e7ab77724639\"");
    }

    #[test]
    fn numbers_alone_make_no_other_text_in_any_script() {
        assert_eq!(of("seen 9 times at 11:05"), of("seen 12345 times at 9:7"));
        assert_eq!(of("seen 9 times"), of("seen \u{661}\u{662} times"));
        for other in ["seen nine times", "seen 9 9 times", "times seen 9", "seen 9times"] {
            assert_ne!(of("seen 9 times"), of(other), "{other}");
        }
        assert_eq!(of(" - "), None);
    }

    proptest! {
        /// However the text is cut between words, and however long it is: the text of past words is dropped.
        #[test]
        fn a_text_in_pieces_is_one_text(words in prop::collection::vec("[a-c]{1,3}[0-9]{0,3}", 1..40)) {
            let words = vec![words; 600].concat();
            let mut shingles = Shingles::default();
            words.iter().for_each(|word| shingles.push_text(word));
            prop_assert_eq!(shingles.text_hash(), of(&words.join(" ")));
        }

        #[test]
        fn each_run_of_digits_is_one_mark(text in "([a-z ]{0,40}|[0-9\u{e9}\u{661}]{0,5}){0,9}") {
            let mut masked = String::new();
            for c in text.chars() {
                match c.is_numeric() {
                    true if masked.ends_with('#') => {}
                    true => masked.push('#'),
                    false => masked.push(c),
                }
            }
            let mut made = MaskedText::default();
            made.push(&text);
            prop_assert_eq!(made.hash(), TextHash(xxh64(masked.as_bytes(), 0)));
        }
    }
}
