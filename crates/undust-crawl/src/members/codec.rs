//! The decoder of one member, and the bytes with which members begin.

use std::io::{self, BufRead, Read};

use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{self, InBuffer, Operation, OutBuffer};

use crate::peek_reader::PeekReader;

const GZIP_MAGIC: &[u8] = b"\x1f\x8b\x08";
const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";
/// The skippable frame that holds the dictionary of a `.warc.zst`
/// (<https://iipc.github.io/warc-specifications/specifications/warc-zstd/>).
pub(super) const DICTIONARY_MAGIC: &[u8] = b"\x5d\x2a\x4d\x18";
/// Larger dictionaries are rejected.
const MAX_DICTIONARY_BYTES: usize = 16 * 1024 * 1024;
const WINDOW_BITS: u8 = 15;

/// Decodes one member after the other.
pub(super) enum Codec {
    Gzip(Box<Decompress>),
    Zstd(raw::Decoder<'static>),
}

/// The result of one call of a decoder.
pub(super) struct DecoderCall {
    /// Bytes consumed.
    pub read: usize,
    /// Bytes produced.
    pub written: usize,
    /// Whether the member ends there.
    pub ended: bool,
    /// The damage that ended it.
    pub fault: Option<io::Error>,
}

impl Codec {
    /// The codec of an input, by its first bytes; none if it is not compressed.
    pub(super) fn of<R: Read>(input: &mut PeekReader<R>) -> io::Result<Option<Self>> {
        // Byte by byte, as far as it may be compressed: whoever writes a line of two bytes into a
        // pipe and waits for the answer writes no third before.
        let mut wanted = 1;
        while wanted < 4 && input.peek(wanted).get(..wanted).is_some_and(may_begin) {
            wanted += 1;
        }
        let start = input.peek(wanted);
        Ok(if start.starts_with(GZIP_MAGIC) {
            Some(Self::Gzip(gzip()))
        } else if start.starts_with(ZSTD_MAGIC) || is_skippable(start) {
            let dictionary = take_dictionary(input)?;
            Some(Self::Zstd(raw::Decoder::with_dictionary(&dictionary)?))
        } else {
            None
        })
    }

    /// The bytes with which every member begins.
    pub(super) fn magic(&self) -> &'static [u8] {
        match self {
            Codec::Gzip(_) => GZIP_MAGIC,
            Codec::Zstd(_) => ZSTD_MAGIC,
        }
    }

    /// Whether these bytes begin a member, or something that may precede one.
    pub(super) fn starts_member(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.magic()) || matches!(self, Codec::Zstd(_)) && is_skippable(bytes)
    }

    /// Begins a new member.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        match self {
            // `Decompress::reset` would expect zlib.
            Codec::Gzip(decoder) => *decoder = gzip(),
            Codec::Zstd(decoder) => decoder.reinit()?,
        }
        Ok(())
    }

    /// Decodes as much as the input has, or as fits into the output.
    pub(super) fn step(&mut self, input: &[u8], out: &mut [u8]) -> DecoderCall {
        match self {
            Codec::Gzip(decoder) => {
                let before = (decoder.total_in(), decoder.total_out());
                let status = decoder.decompress(input, out, FlushDecompress::None);
                DecoderCall {
                    read: (decoder.total_in() - before.0) as usize,
                    written: (decoder.total_out() - before.1) as usize,
                    ended: matches!(status, Ok(Status::StreamEnd)),
                    fault: status.err().map(|_| damaged("the gzip data is corrupt")),
                }
            }
            Codec::Zstd(decoder) => {
                let mut input = InBuffer::around(input);
                let mut out = OutBuffer::around(out);
                let hint = decoder.run(&mut input, &mut out);
                DecoderCall {
                    read: input.pos(),
                    written: out.pos(),
                    ended: matches!(hint, Ok(0)),
                    fault: hint.err().map(|error| damaged(zstd_fault(&error))),
                }
            }
        }
    }
}

/// The error of zstd data, which the decoder reports as text only.
fn zstd_fault(error: &io::Error) -> &'static str {
    match error.to_string().contains("too much memory") {
        true => {
            "a zstd frame needs a window of more than 128 MiB; compress the file without --long, or with --long=27"
        }
        false => "the zstd data is corrupt",
    }
}

fn gzip() -> Box<Decompress> {
    Box::new(Decompress::new_gzip(WINDOW_BITS))
}

/// An error for damage, with this description.
pub(super) fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Whether these may be the first bytes of a compressed input.
fn may_begin(start: &[u8]) -> bool {
    GZIP_MAGIC.starts_with(start)
        || ZSTD_MAGIC.starts_with(start)
        || start.first().is_some_and(|first| first & 0xf0 == 0x50)
            && DICTIONARY_MAGIC[1..].starts_with(&start[1..])
}

/// Whether a skippable zstd frame starts here.
fn is_skippable(bytes: &[u8]) -> bool {
    bytes.len() >= 4 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == DICTIONARY_MAGIC[1..]
}

/// The dictionary in the first frame; empty if there is none.
fn take_dictionary<R: Read>(input: &mut PeekReader<R>) -> io::Result<Vec<u8>> {
    let &[a, b, c, d, e, f, g, h, ..] = input.peek(8) else { return Ok(Vec::new()) };
    let bytes = u32::from_le_bytes([e, f, g, h]) as usize;
    if [a, b, c, d] != DICTIONARY_MAGIC || bytes > MAX_DICTIONARY_BYTES {
        return Ok(Vec::new());
    }
    let Some(dictionary) = input.peek(8 + bytes).get(8..8 + bytes) else { return Ok(Vec::new()) };
    let dictionary = if dictionary.starts_with(ZSTD_MAGIC) {
        let mut unpacked = Vec::new();
        zstd::stream::read::Decoder::new(dictionary)?
            .take(MAX_DICTIONARY_BYTES as u64)
            .read_to_end(&mut unpacked)
            .map_err(|_| damaged("the zstd dictionary is corrupt"))?;
        unpacked
    } else {
        dictionary.to_vec()
    };
    input.consume(8 + bytes);
    Ok(dictionary)
}
