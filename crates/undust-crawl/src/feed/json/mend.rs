//! Texts that are JSON but for what loggers get wrong.

use undust_pages::url_text::url_text;

use crate::access_log::hex_byte;

/// The text without the commas before closing braces and brackets, with nginx's `\x22` written as JSON writes it, with
/// `null` for the `NaN` and `Infinity` and `\ufffd` for the halves of characters that Python writes, and with bytes that
/// are no UTF-8 percent-encoded; none if there is nothing of the kind.
pub(super) fn mended(text: &[u8]) -> Option<Vec<u8>> {
    let mut mended = Vec::with_capacity(text.len());
    let (mut at, mut in_text) = (0, false);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\\' if in_text => at += escape(&text[at..], &mut mended),
            b',' if !in_text && is_last(&text[at..]) => {}
            b'N' | b'I' | b'-' if !in_text && let Some(length) = no_number(&text[at - 1..]) => {
                mended.extend(b"null");
                at += length - 1;
            }
            control if in_text && control < b' ' => push_control(control, &mut mended),
            _ => {
                in_text ^= byte == b'"';
                mended.push(byte);
            }
        }
    }
    let mended = url_text(&mended).into_bytes();
    (mended != text).then_some(mended)
}

/// Whether nothing but the end of an object or a list follows a comma.
fn is_last(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start().first(), Some(b'}' | b']'))
}

/// The length of what stands for no number.
fn no_number(text: &[u8]) -> Option<usize> {
    let names = [&b"NaN"[..], b"Infinity", b"-Infinity"];
    names.into_iter().find(|name| text.starts_with(name)).map(<[u8]>::len)
}

/// Writes an escape, of which the backslash was read, and returns the number of bytes behind the backslash.
fn escape(rest: &[u8], mended: &mut Vec<u8>) -> usize {
    match rest {
        [b'x', high, low, ..] if let Some(byte) = hex_byte(*high, *low) => {
            match byte {
                quoted @ (b'"' | b'\\') => mended.extend([b'\\', quoted]),
                control if control < b' ' => push_control(control, mended),
                byte => mended.push(byte),
            }
            3
        }
        [b'u', high, low, ..] if is_half(*high, *low) => {
            let is_pair = matches!(
                rest,
                [_, _, _, _, _, b'\\', b'u', b'd' | b'D', b'c'..=b'f' | b'C'..=b'F', ..]
            ) && low.to_ascii_lowercase() < b'c';
            let length = if is_pair { 11 } else { 5 };
            match rest.get(..length).filter(|_| is_pair) {
                Some(pair) => mended.extend([b"\\", pair].concat()),
                None => mended.extend(b"\\ufffd"),
            }
            length.min(rest.len())
        }
        [next, ..] => {
            mended.extend([b'\\', *next]);
            1
        }
        [] => 0,
    }
}

/// Whether the first two digits of an escape are those of half a character (UTF-16).
fn is_half(high: u8, low: u8) -> bool {
    matches!((high, low), (b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'))
}

fn push_control(byte: u8, mended: &mut Vec<u8>) {
    mended.extend(format!("\\u{byte:04x}").into_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_loggers_get_wrong_is_mended() {
        for (text, expected) in [
            (&br#"{"a": 1,}"#[..], Some(&br#"{"a": 1}"#[..])),
            (b"{\"a\": [1, 2,\n],\r\n}", Some(b"{\"a\": [1, 2\n]\r\n}")),
            (br#"{"a": ",}"}"#, None),
            (
                br#"{"a": NaN, "b": [-Infinity,Infinity], "c": "NaN"}"#,
                Some(br#"{"a": null, "b": [null,null], "c": "NaN"}"#),
            ),
            (
                br#"{"a": "\ud83d x \uDE00\ud83d\ude00\ud83d\ud83d\ude00"}"#,
                Some(br#"{"a": "\ufffd x \ufffd\ud83d\ude00\ufffd\ud83d\ude00"}"#),
            ),
            (br#"{"a": "\ud83d\ude00 -1", "b": -1}"#, None),
            (br#"{"a": "\",}"}"#, None),
            (
                br#"{"a": "/\x22\x5C\xD0\xB0\x00\n\u00e9"}"#,
                Some("{\"a\": \"/\\\"\\\\\u{430}\\u0000\\n\\u00e9\"}".as_bytes()),
            ),
            (b"{\"a\": \"/\xe9\t\"}", Some(br#"{"a": "/%E9\u0009"}"#)),
            (br#"{"a": "\xE9"}"#, Some(br#"{"a": "%E9"}"#)),
            (br#"{"a": "\"#, Some(br#"{"a": ""#)),
        ] {
            assert_eq!(mended(text).as_deref(), expected, "{}", text.escape_ascii());
        }
    }

    /// White space behind a comma is not looked through again and again.
    #[test]
    fn mending_is_linear() {
        use undust_util::op_counter::{assert_linear, count};
        for piece in [",", ", ", "\\", "\"", ",\n}"] {
            assert_linear(2000, piece, |times| {
                let text = piece.repeat(times);
                count(text.len());
                mended(text.as_bytes())
            });
        }
    }
}
