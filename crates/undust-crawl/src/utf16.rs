//! Text in UTF-16, as programs of Windows write it, turned into UTF-8.

use std::io::{self, Read};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_16BE, UTF_16LE};

/// Bytes that are decoded at a time.
const BLOCK: usize = 16 * 1024;

/// The encoding of a text with this beginning, if it is UTF-16 and says so.
pub(super) fn marked(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [0xff, 0xfe, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// The text of a reader in UTF-8, without its byte-order mark. What is no text becomes U+FFFD.
pub(super) struct Utf16Reader<R> {
    inner: R,
    decoder: Decoder,
    raw: Vec<u8>,
    /// Bytes of `raw` that are decoded.
    used: usize,
    has_ended: bool,
    text: Vec<u8>,
    /// Bytes of `text` that were given.
    given: usize,
}

impl<R: Read> Utf16Reader<R> {
    pub(super) fn new(inner: R, encoding: &'static Encoding) -> Self {
        Self {
            inner,
            decoder: encoding.new_decoder_with_bom_removal(),
            raw: Vec::new(),
            used: 0,
            has_ended: false,
            text: Vec::new(),
            given: 0,
        }
    }

    /// Decodes more; the text stays empty at the end.
    fn decode(&mut self) -> io::Result<()> {
        (self.given, self.used) = (0, 0);
        self.raw.resize(BLOCK, 0);
        let read = self.inner.read(&mut self.raw)?;
        self.raw.truncate(read);
        let is_last = read == 0;
        // A unit of two bytes takes three at most, and what was held back a little.
        self.text.resize(2 * BLOCK, 0);
        let mut written = 0;
        while !self.has_ended {
            let (result, used, more, _) = self.decoder.decode_to_utf8(
                &self.raw[self.used..],
                &mut self.text[written..],
                is_last,
            );
            self.used += used;
            written += more;
            if result == CoderResult::InputEmpty {
                self.has_ended = is_last;
                break;
            }
            self.text.resize(self.text.len() + BLOCK, 0);
        }
        self.text.truncate(written);
        Ok(())
    }
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.has_ended && !out.is_empty() {
            self.decode()?;
        }
        let length = (&self.text[self.given..]).read(out)?;
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives a few bytes at a time.
    struct Slow<'b>(&'b [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(self.1).min(out.len());
            out[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_out_as_it_was(text in "\\PC{0,300}", step in 1_usize..50, is_big: bool) {
            let unit = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let bytes: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(unit).collect();
            let encoding = marked(&bytes).expect("a mark");
            let mut read = String::new();
            Utf16Reader::new(Slow(&bytes, step), encoding).read_to_string(&mut read).expect("text");
            prop_assert_eq!(read, text);
        }
    }

    #[test]
    fn half_a_letter_is_no_letter() {
        let bytes = [0xff, 0xfe, b'a', 0, 0x3d, 0xd8, b'b'];
        let mut read = String::new();
        Utf16Reader::new(&bytes[..], UTF_16LE).read_to_string(&mut read).expect("text");
        assert!(read.starts_with('a') && read.contains('\u{fffd}'), "{read:?}");
        assert_eq!(marked(b"\xef\xbb\xbfa"), None);
    }
}
