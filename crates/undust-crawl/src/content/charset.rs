//! Decodes the bytes of a page by the charset that the server or the page names.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

/// Bytes of a page that are searched for a `<meta charset>`, as in browsers.
const PRESCAN_BYTES: usize = 1024;
/// Bytes from which an encoding is guessed.
const GUESS_BYTES: usize = 64 * 1024;

/// The text of a body. The encoding is given by the byte order mark, else by the `Content-Type`
/// header, else by its `<meta>`; else it is UTF-8 if that is valid, else guessed.
///
/// Total: bytes that are invalid in the encoding become U+FFFD.
pub(crate) fn decode<'b>(body: &'b [u8], content_type: Option<&str>) -> Cow<'b, str> {
    let of_header = || charset_value(content_type?.as_bytes());
    let named = || of_header().or_else(|| meta_charset(body));
    let encoding = match Encoding::for_bom(body) {
        Some((encoding, _)) => encoding,
        None => named().unwrap_or_else(|| guess(body)),
    };
    encoding.decode(body).0
}

/// The encoding that a `<meta>` near the start of the page names.
fn meta_charset(body: &[u8]) -> Option<&'static Encoding> {
    let mut rest = &body[..body.len().min(PRESCAN_BYTES)];
    while let Some(start) = memmem::find(&rest.to_ascii_lowercase(), b"<meta") {
        let tag = &rest[start + 5..];
        let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
        if let Some(encoding) = charset_value(&tag[..end]) {
            // The `<meta>` was found as ASCII, so the page cannot be UTF-16. Browsers take UTF-8.
            let is_utf_16 = encoding == UTF_16LE || encoding == UTF_16BE;
            return Some(if is_utf_16 { UTF_8 } else { encoding });
        }
        rest = &tag[end..];
    }
    None
}

/// The encoding after `charset=`, quoted or not, in a header or an attribute.
fn charset_value(text: &[u8]) -> Option<&'static Encoding> {
    let start = memmem::find(&text.to_ascii_lowercase(), b"charset")? + 7;
    let value = text[start..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
    let is_end = |byte: &u8| {
        matches!(byte, b'"' | b'\'' | b';' | b',' | b'/' | b'>') || byte.is_ascii_whitespace()
    };
    let end = value.iter().position(is_end).unwrap_or(value.len());
    Encoding::for_label(&value[..end])
}

fn guess(body: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(body).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let head = &body[..body.len().min(GUESS_BYTES)];
    detector.feed(head, head.len() == body.len());
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_mark_header_meta_guess() {
        let latin = b"<meta charset=utf-8>caf\xe9";
        assert!(decode(latin, Some("text/html; charset=ISO-8859-1")).ends_with("café"));
        assert!(
            decode(b"\xef\xbb\xbfcaf\xc3\xa9", Some("text/html; charset=latin1")).ends_with("café")
        );
        assert!(
            decode(
                b"<META http-equiv=x content='text/html; charset=windows-1251'>\xcc\xe8\xf0",
                None
            )
            .ends_with("Мир")
        );
        assert_eq!(decode("日本".as_bytes(), Some("text/html")), "日本");
        let guessed = decode(
            b"caf\xe9 cr\xe8me br\xfbl\xe9e d\xe9j\xe0 vu",
            Some("text/html; charset=nonsense"),
        );
        assert_eq!(guessed, "café crème brûlée déjà vu");
    }

    #[test]
    fn utf_16_by_its_mark() {
        let bytes: Vec<u8> = "\u{feff}Ünï".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&bytes, None), "Ünï");
    }

    #[test]
    fn a_meta_that_says_utf_16_is_not_believed() {
        assert_eq!(decode(b"<meta charset=utf-16>x", None), "<meta charset=utf-16>x");
    }
}
