//! Whole members, damaged ones, and pieces of any size.

use std::io::Write;

use super::codec::DICTIONARY_MAGIC;
use super::*;

fn gz(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// The decoder of an input that begins with a member.
fn compressed<R: Read>(input: R) -> MultiMemberDecoder<R> {
    MultiMemberDecoder::of(PeekReader::new(input)).unwrap().ok().expect("a member")
}

/// All that can be read, and the kinds of the errors on the way.
fn read(data: &[u8]) -> (Vec<u8>, Vec<io::ErrorKind>) {
    read_in_pieces(data, usize::MAX)
}

/// Bytes that one symbol of DEFLATE stands for at most (RFC 1951, section 3.2.5).
const LONGEST_MATCH: usize = 258;

/// Gives a fixed number of bytes at a time.
struct Pieces<'d>(&'d [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(out.len());
        self.0.read(&mut out[..most])
    }
}

fn read_in_pieces(data: &[u8], piece: usize) -> (Vec<u8>, Vec<io::ErrorKind>) {
    let pieces = Pieces(data, piece);
    let mut members = compressed(pieces);
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

/// Each apparent member holds the next ones, up to 64 KiB, and only then turns out to be none.
#[test]
fn members_in_one_another_cost_their_bytes() {
    let header = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".as_slice();
    let block_of_65535_bytes = b"\0\xff\xff\0\0".as_slice();
    let data = [header, block_of_65535_bytes].concat().repeat(20_000);
    let mut members = compressed(&data[..]);
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

/// Not what is wrong with the data, but how they were packed.
#[test]
fn a_window_that_is_too_large_is_reported() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(28).unwrap();
    encoder.write_all(b"some data").unwrap();
    let data = encoder.finish().unwrap();
    let mut members = compressed(&data[..]);
    let error = members.read(&mut [0; 16]).unwrap_err();
    assert!(error.to_string().contains("--long=27"), "{error}");
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
                zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
            encoder.write_all(text).unwrap();
            data.extend(encoder.finish().unwrap());
        }
        let (out, errors) = read(&data);
        assert!(out.ends_with(b"two") && errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn plain_data_comes_back() {
    assert!(MultiMemberDecoder::of(PeekReader::new(&b"plain"[..])).unwrap().is_err());
}
