//! Delimiters as themselves in place of their escapes: `?f%5B0%5D=a%3A1` is `?f[0]=a:1`, and `/w/Oak_%28tree%29` is
//! `/w/Oak_(tree)`.
//!
//! RFC 3986 takes an escaped delimiter for another character (section 2.2). Most servers decode paths and arguments
//! before they look at them. What ends an argument, a path or a segment stays escaped, and so do `%`, `+` and `;`.

use undust_url::normal::escaped_byte;

use super::values::Part;

/// The delimiter that the escape at a position stands for, if it may stand there by itself.
fn delimiter(text: &[u8], at: usize, part: Part) -> Option<char> {
    let byte = escaped_byte(text, at)?;
    let is_free = match byte {
        b'!' | b'$' | b'\'' | b'(' | b')' | b'*' | b',' | b':' | b'@' => true,
        b'[' | b']' | b'|' | b'/' => part != Part::Path,
        _ => false,
    };
    is_free.then_some(byte.into())
}

/// Whether a URL, or this part of one, has the escape of a delimiter.
pub(super) fn may_change(text: &[u8]) -> bool {
    memchr::memchr_iter(b'%', text).any(|at| delimiter(text, at, Part::Value).is_some())
}

/// The text with its delimiters as themselves; nothing where they are.
pub(super) fn unescaped(text: &str, part: Part) -> Option<String> {
    let mut written = String::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'%', text.as_bytes()) {
        if let Some(delimiter) = delimiter(text.as_bytes(), at, part) {
            written.push_str(&text[from..at]);
            written.push(delimiter);
            from = at + 3;
        }
    }
    written.push_str(&text[from..]);
    (from > 0).then_some(written)
}
