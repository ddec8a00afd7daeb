//! Decompression, member by member (gzip, RFC 1952) or frame by frame (zstd, RFC
//! 8878), that goes on after damage.
//!
//! Archives write one member a record, so that a damaged record costs only itself. The usual
//! decoders give up at the first damage.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;
use zstd::stream::raw::{self, InBuffer, Operation, OutBuffer};

use super::window::Window;

const GZIP_MAGIC: &[u8] = b"\x1f\x8b\x08";
const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";
/// The skippable frame that holds the dictionary of a `.warc.zst`
/// (<https://iipc.github.io/warc-specifications/specifications/warc-zstd/>).
const DICTIONARY_MAGIC: &[u8] = b"\x5d\x2a\x4d\x18";
/// Larger dictionaries are not believed.
const MAX_DICTIONARY_BYTES: usize = 16 * 1024 * 1024;
const WINDOW_BITS: u8 = 15;
/// A damaged member may be read on into the next ones before that shows. They are looked for again
/// in so many bytes.
const LOOK_BACK: usize = 64 * 1024;

/// Decompressed bytes of all members.
///
/// Damage is an error of kind `InvalidData`, reported once. The next read goes on with the
/// next member that can be found. An input that ends inside a member is an error of kind
/// `UnexpectedEof`, reported once. What could be read before comes before, and in gzip that is the
/// same in whatever pieces the input comes, but for the last symbol of a member that the input cuts.
pub(super) struct Members<R> {
    raw: Window<R>,
    codec: Codec,
    state: State,
    /// Damage behind what the last read gave.
    fault: Option<io::Error>,
    /// The last bytes of the member so far, as they came.
    member: Vec<u8>,
    /// Up to this position the input is read for the second time.
    doubtful: u64,
    /// Set when a member begins; whoever reads on clears it.
    began: Arc<AtomicBool>,
}

enum Codec {
    Gzip(Box<Decompress>),
    Zstd(raw::Decoder<'static>),
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Between,
    Inside,
    Lost,
}

/// What one call of a decoder did.
struct Step {
    read: usize,
    written: usize,
    ended: bool,
    /// The damage that ended it.
    fault: Option<io::Error>,
}

impl<R: Read> Members<R> {
    /// The decompressed bytes, or `Err` with the input itself if its first bytes show that it
    /// is not compressed.
    pub(super) fn new(mut raw: Window<R>) -> io::Result<Result<Self, Window<R>>> {
        // Byte by byte, as far as it may be compressed: whoever writes a line of two bytes into a
        // pipe and waits for the answer writes no third before.
        let may_begin = |start: &[u8]| {
            GZIP_MAGIC.starts_with(start)
                || ZSTD_MAGIC.starts_with(start)
                || start.first().is_some_and(|first| first & 0xf0 == 0x50)
                    && DICTIONARY_MAGIC[1..].starts_with(&start[1..])
        };
        let mut wanted = 1;
        while wanted < 4 && raw.peek(wanted).get(..wanted).is_some_and(may_begin) {
            wanted += 1;
        }
        let start = raw.peek(wanted);
        let codec = if start.starts_with(GZIP_MAGIC) {
            Codec::Gzip(gzip())
        } else if start.starts_with(ZSTD_MAGIC) || is_skippable(start) {
            let dictionary = take_dictionary(&mut raw)?;
            Codec::Zstd(raw::Decoder::with_dictionary(&dictionary)?)
        } else {
            return Ok(Err(raw));
        };
        Ok(Ok(Members {
            raw,
            codec,
            state: State::Between,
            fault: None,
            member: Vec::new(),
            doubtful: 0,
            began: Arc::default(),
        }))
    }

    /// Set by a read whose bytes are the first of a member.
    pub(super) fn began(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.began)
    }

    /// Moves to the start of a member; false at the end.
    fn find_member(&mut self) -> io::Result<bool> {
        if self.state == State::Lost {
            return self.resync();
        }
        loop {
            let start = self.raw.peek(4);
            if self.codec.starts_member(start) {
                return Ok(true);
            }
            // Some writers pad with zeros between members.
            match start.first() {
                Some(0) => self.raw.consume(1),
                Some(_) => {
                    return Err(damaged("there is something other than a compressed member"));
                }
                None => return self.raw.fill_buf().map(|_| false),
            }
        }
    }

    /// Looks for the next member after damage.
    fn resync(&mut self) -> io::Result<bool> {
        loop {
            let magic = self.codec.magic();
            let ahead = self.raw.peek(64 * 1024);
            if let Some(found) = memmem::find(ahead, magic) {
                self.raw.consume(found);
                return Ok(true);
            }
            if ahead.len() < magic.len() {
                return self.raw.fill_buf().map(|_| false);
            }
            let passed = ahead.len() - (magic.len() - 1);
            self.raw.consume(passed);
        }
    }

    fn decode(&mut self, out: &mut [u8]) -> io::Result<Step> {
        let input = self.raw.fill_buf()?;
        if input.is_empty() {
            self.state = State::Lost;
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the compressed data ends too early",
            ));
        }
        let mut step = self.codec.step(input, out);
        let is_stuck = step.read == 0 && step.written == 0 && !step.ended;
        if is_stuck && step.fault.is_none() {
            step.fault = Some(damaged("the decoder makes no progress"));
        }
        // Otherwise `resync` would find the magic of the lost member again.
        let read = step.read.max(usize::from(step.fault.is_some()));
        if self.member.len() > 2 * LOOK_BACK {
            self.member.drain(..self.member.len() - LOOK_BACK);
        }
        self.member.extend_from_slice(&input[..read]);
        self.raw.consume(read);
        Ok(step)
    }

    /// After damage: the next member begins behind the beginning of this one. No byte is put back
    /// twice, whatever false members stand in one another.
    fn lose(&mut self, error: io::Error) -> io::Error {
        if error.kind() == io::ErrorKind::InvalidData {
            self.state = State::Lost;
            let end = self.raw.position();
            let known = end.saturating_sub(self.doubtful).min(LOOK_BACK as u64) as usize;
            let from = self.member.len().saturating_sub(known).max(1);
            self.raw.unread(self.member.get(from..).unwrap_or_default());
            self.doubtful = self.doubtful.max(end);
        }
        error
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            if let Some(fault) = self.fault.take() {
                return Err(self.lose(fault));
            }
            if self.state != State::Inside {
                self.member.clear();
                match self.find_member() {
                    Ok(true) => self.codec.restart()?,
                    Ok(false) => return Ok(0),
                    Err(error) => return Err(self.lose(error)),
                }
                self.state = State::Inside;
                self.began.store(true, Ordering::Relaxed);
            }
            let step = self.decode(out)?;
            self.fault = step.fault;
            if step.ended {
                self.state = State::Between;
            }
            if step.written > 0 {
                return Ok(step.written);
            }
        }
        Ok(0)
    }
}

impl Codec {
    fn magic(&self) -> &'static [u8] {
        match self {
            Codec::Gzip(_) => GZIP_MAGIC,
            Codec::Zstd(_) => ZSTD_MAGIC,
        }
    }

    fn starts_member(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.magic()) || matches!(self, Codec::Zstd(_)) && is_skippable(bytes)
    }

    fn restart(&mut self) -> io::Result<()> {
        match self {
            // `Decompress::reset` would expect zlib.
            Codec::Gzip(decoder) => *decoder = gzip(),
            Codec::Zstd(decoder) => decoder.reinit()?,
        }
        Ok(())
    }

    fn step(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        match self {
            Codec::Gzip(decoder) => {
                let before = (decoder.total_in(), decoder.total_out());
                let status = decoder.decompress(input, out, FlushDecompress::None);
                Step {
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
                Step {
                    read: input.pos(),
                    written: out.pos(),
                    ended: matches!(hint, Ok(0)),
                    fault: hint.err().map(|_| damaged("the zstd data is corrupt")),
                }
            }
        }
    }
}

fn gzip() -> Box<Decompress> {
    Box::new(Decompress::new_gzip(WINDOW_BITS))
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Whether a skippable zstd frame starts here.
fn is_skippable(bytes: &[u8]) -> bool {
    bytes.len() >= 4 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == DICTIONARY_MAGIC[1..]
}

/// The dictionary in the first frame; empty if there is none.
fn take_dictionary<R: Read>(raw: &mut Window<R>) -> io::Result<Vec<u8>> {
    let &[a, b, c, d, e, f, g, h, ..] = raw.peek(8) else { return Ok(Vec::new()) };
    let bytes = u32::from_le_bytes([e, f, g, h]) as usize;
    if [a, b, c, d] != DICTIONARY_MAGIC || bytes > MAX_DICTIONARY_BYTES {
        return Ok(Vec::new());
    }
    let Some(dictionary) = raw.peek(8 + bytes).get(8..8 + bytes) else { return Ok(Vec::new()) };
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
    raw.consume(8 + bytes);
    Ok(dictionary)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gz(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    /// All that can be read, and the kinds of the errors on the way.
    fn read(data: &[u8]) -> (Vec<u8>, Vec<io::ErrorKind>) {
        read_in_pieces(data, usize::MAX)
    }

    /// Gives so many bytes at a time.
    /// Bytes that one symbol of DEFLATE stands for at most (RFC 1951, section 3.2.5).
    const LONGEST_MATCH: usize = 258;

    struct Pieces<'d>(&'d [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(out.len());
            self.0.read(&mut out[..most])
        }
    }

    fn read_in_pieces(data: &[u8], piece: usize) -> (Vec<u8>, Vec<io::ErrorKind>) {
        let pieces = Pieces(data, piece);
        let mut members = Members::new(Window::new(pieces)).unwrap().ok().unwrap();
        let (mut out, mut errors, mut buffer) = (Vec::new(), Vec::new(), [0; 777]);
        loop {
            match members.read(&mut buffer) {
                Ok(0) => return (out, errors),
                Ok(read) => out.extend_from_slice(&buffer[..read]),
                Err(error) => errors.push(error.kind()),
            }
        }
    }

    #[test]
    fn members_are_one_stream() {
        let data = [gz(b"one "), vec![0; 9], gz(b""), gz(b"two")].concat();
        assert_eq!(read(&data), (b"one two".to_vec(), vec![]));
        let data =
            [zstd::encode_all(&b"one "[..], 3).unwrap(), zstd::encode_all(&b"two"[..], 3).unwrap()]
                .concat();
        assert_eq!(read(&data), (b"one two".to_vec(), vec![]));
    }

    #[test]
    fn damage_costs_a_member() {
        let (first, mut second, third) = (gz(b"first "), gz(&b"second ".repeat(9)), gz(b"third"));
        let middle = second.len() / 2;
        second[middle] ^= 0xff;
        let (out, errors) = read(&[first.clone(), second, third.clone()].concat());
        assert!(out.starts_with(b"first ") && out.ends_with(b"third"));
        assert_eq!(errors, [io::ErrorKind::InvalidData]);
        let (out, errors) = read(&[first, b"garbage".to_vec(), third].concat());
        assert_eq!((out, errors), (b"first third".to_vec(), vec![io::ErrorKind::InvalidData]));
    }

    proptest::proptest! {
        /// A file and a pipe give the same of it. Where the input ends within a member, the decoder may
        /// keep a last symbol to itself in one of the two.
        #[test]
        fn damage_is_the_same_in_any_pieces(
            text in "[a-f]{1,3000}",
            at in 3..2000_usize,
            bit in 0..8_u8,
            piece in 1..300_usize,
        ) {
            let mut damaged = gz(text.as_bytes());
            let place = at % damaged.len();
            damaged[place] ^= if place < 3 { 0 } else { 1 << bit };
            let data = [damaged, gz(b"next")].concat();
            let (out, errors) = read_in_pieces(&data, piece);
            // To the damaged one the next may be a part of itself, as far as the end.
            let is_cut = errors.contains(&io::ErrorKind::UnexpectedEof);
            proptest::prop_assert!(is_cut || out.ends_with(b"next"));
            let (whole, whole_errors) = read(&data);
            proptest::prop_assert_eq!(whole_errors, errors);
            let same = out.len().min(whole.len());
            proptest::prop_assert_eq!(&whole[..same], &out[..same]);
            let left = out.len().max(whole.len()) - same;
            proptest::prop_assert!(left == 0 || is_cut && left <= LONGEST_MATCH, "{} bytes more", left);
        }
    }

    /// Each member holds the next ones, as far as 64 KiB, and then shows that it is none.
    #[test]
    fn members_in_one_another_cost_their_bytes() {
        let header = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".as_slice();
        let block_of_65535_bytes = b"\0\xff\xff\0\0".as_slice();
        let data = [header, block_of_65535_bytes].concat().repeat(20_000);
        let mut members = Members::new(Window::new(&data[..])).unwrap().ok().unwrap();
        let (mut faults, mut buffer) = (0, vec![0; 1 << 16]);
        loop {
            match members.read(&mut buffer) {
                Ok(0) => break,
                Ok(_) => {}
                Err(_) => faults += 1,
            }
        }
        assert!(faults > 2);
        assert!(members.raw.work() <= 3 * data.len() as u64, "{}", members.raw.work());
    }

    /// What was read until then is not lost with the rest.
    #[test]
    fn what_stands_before_damage_is_read() {
        let text: String = (0..2000).map(|n| format!("{n} is a number; ")).collect();
        let mut data = gz(text.as_bytes());
        let near_the_end = data.len() - 20;
        data[near_the_end] ^= 0xff;
        let out = read(&data).0;
        assert!(out.len() > text.len() / 2 && text.as_bytes().starts_with(&out[..text.len() / 2]));
    }

    #[test]
    fn a_cut_member_is_an_error() {
        let data = gz(b"some data that is cut");
        let (_, errors) = read(&data[..data.len() - 9]);
        assert_eq!(errors, [io::ErrorKind::UnexpectedEof]);
        let data = zstd::encode_all(&b"some data that is cut"[..], 3).unwrap();
        assert_eq!(read(&data[..data.len() - 3]).1, [io::ErrorKind::UnexpectedEof]);
    }

    #[test]
    fn a_dictionary_in_the_first_frame_is_used() {
        let dictionary = b"WARC/1.0 response http://www.example.org/ text/html".repeat(20);
        for stored in [dictionary.clone(), zstd::encode_all(&dictionary[..], 3).unwrap()] {
            let mut data = DICTIONARY_MAGIC.to_vec();
            data.extend_from_slice(&(stored.len() as u32).to_le_bytes());
            data.extend_from_slice(&stored);
            for text in [
                b"WARC/1.0 response http://www.example.org/ one",
                b"WARC/1.0 response http://www.example.org/ two",
            ] {
                let mut encoder =
                    zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, &dictionary)
                        .unwrap();
                encoder.write_all(text).unwrap();
                data.extend(encoder.finish().unwrap());
            }
            let (out, errors) = read(&data);
            assert!(out.ends_with(b"two") && errors.is_empty(), "{errors:?}");
        }
    }

    #[test]
    fn plain_data_comes_back() {
        assert!(Members::new(Window::new(&b"plain"[..])).unwrap().is_err());
    }
}
