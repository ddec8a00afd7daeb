//! Characters of one code point in place of a letter and its accents: the normal form C of Unicode Standard Annex 15.
//!
//! A URL has what is not ASCII as it is or escaped, as UTF-8. Only letters and digits of ASCII take accents here: a
//! delimiter stays one.

use icu_normalizer::ComposingNormalizerBorrowed;

/// Whether a URL, or this part of one, has what is not ASCII.
pub(super) fn may_change(text: &[u8]) -> bool {
    let is_high = |at: usize| matches!(text.get(at + 1), Some(b'8'..=b'9' | b'A'..=b'F'));
    !text.is_ascii() || memchr::memchr_iter(b'%', text).any(is_high)
}

/// The text, whose escapes are normal, with its characters composed; nothing where they are. What is no UTF-8 stays.
pub(super) fn composed(text: &str) -> Option<String> {
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
        while let Some(unit) = Unit::read(text, at) {
            match unit.byte {
                0x80.. => (is_high, run.is_escaped) = (true, run.is_escaped || unit.is_escaped),
                _ if is_high => {
                    run.end = at;
                    break;
                }
                byte => {
                    run.bytes.clear();
                    let is_letter = byte.is_ascii_alphanumeric() && !unit.is_escaped;
                    run.begin = if is_letter { at } else { at + unit.length };
                    at += unit.length;
                    if is_letter {
                        run.bytes.push(byte);
                    }
                    continue;
                }
            }
            run.bytes.push(unit.byte);
            at += unit.length;
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

/// A byte of a text, or one that is escaped in it.
struct Unit {
    byte: u8,
    length: usize,
    is_escaped: bool,
}

impl Unit {
    fn read(text: &str, at: usize) -> Option<Self> {
        let byte = *text.as_bytes().get(at)?;
        let escaped = text.get(at + 1..at + 3).filter(|_| byte == b'%');
        let escaped = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        Some(match escaped {
            Some(byte) => Self { byte, length: 3, is_escaped: true },
            None => Self { byte, length: 1, is_escaped: false },
        })
    }
}
