//! Characters of one code point in place of a letter and its accents: the normal form C of Unicode Standard Annex 15.
//!
//! A URL has what is not ASCII as it is or escaped, as UTF-8. Only letters and digits of ASCII take accents here: a
//! delimiter stays one.

use icu_normalizer::ComposingNormalizerBorrowed;
use undust_url::normal::escaped_byte;

use super::values::Part;

/// Whether a URL, or this part of one, has what is not ASCII.
pub(super) fn may_change(text: &[u8]) -> bool {
    let is_high = |at: usize| matches!(text.get(at + 1), Some(b'8'..=b'9' | b'A'..=b'F'));
    !text.is_ascii() || memchr::memchr_iter(b'%', text).any(is_high)
}

/// The text, whose escapes are normal, with its characters composed; nothing where they are. What is no UTF-8 stays.
pub(super) fn composed(text: &str, part: Part) -> Option<String> {
    if part == Part::Name {
        return None;
    }
    let mut composed = String::new();
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        let run = Run::read(text, at);
        at = run.end;
        if let Some(written) = run.composed() {
            composed.push_str(&text[from..run.begin]);
            composed.push_str(&written);
            from = run.end;
        }
    }
    composed.push_str(&text[from..]);
    (from > 0).then_some(composed)
}

/// Characters that are not ASCII, behind the letter or digit before them.
struct Run {
    begin: usize,
    /// Where the next one begins.
    end: usize,
    bytes: Vec<u8>,
    is_escaped: bool,
}

impl Run {
    /// The next one from `at` on; an empty one where there is none.
    fn read(text: &str, mut at: usize) -> Self {
        let mut run = Self { begin: at, end: text.len(), bytes: Vec::new(), is_escaped: false };
        let mut is_high = false;
        while at < text.len() {
            let escaped = escaped_byte(text.as_bytes(), at);
            let (byte, length) = escaped.map_or((text.as_bytes()[at], 1), |byte| (byte, 3));
            match byte {
                0x80.. => (is_high, run.is_escaped) = (true, run.is_escaped || escaped.is_some()),
                _ if is_high => {
                    run.end = at;
                    break;
                }
                _ => {
                    run.bytes.clear();
                    let is_letter = byte.is_ascii_alphanumeric() && escaped.is_none();
                    run.begin = if is_letter { at } else { at + length };
                    at += length;
                    if is_letter {
                        run.bytes.push(byte);
                    }
                    continue;
                }
            }
            run.bytes.push(byte);
            at += length;
        }
        if !is_high {
            run.bytes.clear();
        }
        run
    }

    /// As it is written; nothing where it is so.
    fn composed(&self) -> Option<String> {
        let text = std::str::from_utf8(&self.bytes).ok()?;
        let nfc = const { ComposingNormalizerBorrowed::new_nfc() };
        if nfc.is_normalized(text) {
            return None;
        }
        let mut written = String::new();
        for letter in nfc.normalize(text).chars() {
            let is_plain = letter.is_ascii_alphanumeric() || !letter.is_ascii() && !self.is_escaped;
            if is_plain {
                written.push(letter);
            } else {
                let mut bytes = [0; 4];
                for byte in letter.encode_utf8(&mut bytes).bytes() {
                    written.push_str(percent_encoding::percent_encode_byte(byte));
                }
            }
        }
        Some(written)
    }
}
