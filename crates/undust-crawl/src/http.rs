//! An HTTP response as an archive stores it: status line, headers, encoded body.

use std::borrow::Cow;
use std::io::Read;

use memchr::memmem;

use undust_util::op_counter;

use super::growth;
use super::lines::words;
use super::record::Headers;

/// Bytes of the status line and headers that are read; later headers are skipped.
pub(super) const HEAD_BYTES: usize = 256 * 1024;
/// Largest number of encodings of one body that are decoded. Servers use one, rarely two.
const MAX_ENCODINGS: usize = 4;

/// Largest number of bytes of all bodies per byte of the file, if the file
/// [grows](super::peek_reader::PeekReader::swelling) more than archives usually do. A page usually
/// takes ten to twenty times its encoded bytes.
const MOST_TIMES: usize = growth::MOST_TIMES as usize;
/// Growth of the file that is allowed for any archive.
const SWELLING: u64 = 10;

/// Largest length of a decoded body. A small file may hold many small records, each with a large
/// body: without a bound, 17 kB became 8 GB.
fn most_decoded(encoded: usize, swelling: u64) -> usize {
    encoded.saturating_mul(MOST_TIMES) / swelling.max(SWELLING) as usize
}

/// A response with its body as stored.
#[derive(Debug)]
pub(super) struct HttpResponse<'b> {
    pub status: u16,
    pub headers: Headers,
    pub body: &'b [u8],
}

/// A body decoded, and whether all of it is there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Body<'b> {
    pub bytes: Cow<'b, [u8]>,
    pub is_whole: bool,
}

impl<'b> HttpResponse<'b> {
    /// Reads status line and headers; `None` if there is no status line. An interim response, such as `100 Continue`, is
    /// passed over if another one follows.
    pub(super) fn parse(block: &'b [u8]) -> Option<Self> {
        let (line, mut rest) = split_line(block);
        let mut code = status(line)?;
        let mut headers = Headers::default();
        loop {
            let (line, after) = split_line(rest);
            rest = after;
            if line.is_empty() {
                let (line, after) = split_line(rest);
                match status(line).filter(|_| code < 200) {
                    Some(next) => (code, headers, rest) = (next, Headers::default(), after),
                    None => return Some(HttpResponse { status: code, headers, body: rest }),
                }
                continue;
            }
            if block.len() - rest.len() <= HEAD_BYTES {
                headers.push_line(line);
            }
        }
    }

    /// The body without its transfer encoding. Archives often decode the body and leave the header,
    /// so a body that is not in chunks is used as it is.
    pub(super) fn payload(&self) -> Body<'b> {
        let is_chunked =
            self.headers.list("Transfer-Encoding").is_some_and(|names| has_name(&names, "chunked"));
        let unchunked = is_chunked.then(|| unchunk(self.body)).flatten();
        unchunked.unwrap_or(Body { bytes: Cow::Borrowed(self.body), is_whole: true })
    }

    /// At most `limit` bytes of `payload` without its content and transfer encodings, and no more than the bound
    /// for a [file that grows](super::peek_reader::PeekReader::swelling). A damaged body is decoded
    /// up to the damage.
    pub(super) fn decode(&self, payload: Body<'b>, limit: usize, swelling: u64) -> Body<'b> {
        let names = ["Content-Encoding", "Transfer-Encoding"].map(|name| self.headers.list(name));
        let names = names.iter().flatten().flat_map(|names| names.split(',').map(str::trim));
        let is_coding = |name: &&str| !name.eq_ignore_ascii_case("chunked");
        let decoded = names.rev().filter(is_coding).take(MAX_ENCODINGS);
        let most = limit.min(most_decoded(payload.bytes.len(), swelling));
        let body = decoded.fold(payload, |body, name| decode_one(body, name, most));
        cap(body, limit)
    }
}

fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match memchr::memchr(b'\n', bytes) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &bytes[bytes.len()..]),
    };
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}

/// The status of a line such as `HTTP/1.1 200 OK`, in the ways in which servers write it: `http/1.1 200`, ` HTTP/1.1
/// 200`, `HTTP/1.1 200OK`, and `ICY 200 OK` of streams.
fn status(line: &[u8]) -> Option<u16> {
    let mut words = words(line);
    let protocol = words.next()?;
    let is_http = protocol.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"HTTP/"));
    let status = words.next().filter(|_| is_http || protocol == b"ICY")?;
    let digits = status.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_one = digits == 3 && status.get(3).is_none_or(u8::is_ascii_alphabetic);
    let status = std::str::from_utf8(&status[..digits]).ok().filter(|_| is_one)?;
    status.parse().ok().filter(|status| (100..1000).contains(status))
}

fn has_name(names: &str, wanted: &str) -> bool {
    names.split(',').any(|name| name.trim().eq_ignore_ascii_case(wanted))
}

/// The chunks of a body, joined; `None` if it is not in chunks. The body is whole only if it has
/// the final chunk of length 0.
fn unchunk(mut rest: &[u8]) -> Option<Body<'static>> {
    let mut joined = Vec::new();
    let mut is_whole = false;
    while let Some((length, data)) = chunk(rest) {
        is_whole = length == 0;
        if is_whole {
            break;
        }
        let end = length.min(data.len());
        joined.extend_from_slice(&data[..end]);
        rest = data[end..].strip_prefix(b"\r\n").or(data[end..].strip_prefix(b"\n")).unwrap_or(&[]);
    }
    (is_whole || !joined.is_empty()).then_some(Body { bytes: Cow::Owned(joined), is_whole })
}

/// The length of the chunk that begins here, and the bytes after its first line.
fn chunk(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = memmem::find(&bytes[..bytes.len().min(1024)], b"\n")?;
    let line = bytes[..end].split(|&byte| byte == b';').next()?;
    let digits = std::str::from_utf8(line).ok()?.trim();
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    Some((usize::from_str_radix(digits, 16).ok()?, &bytes[end + 1..]))
}

/// Decodes one content encoding. An archive may have decoded it already, so a body that does not
/// begin like its encoding stays unchanged.
fn decode_one<'b>(body: Body<'b>, name: &str, limit: usize) -> Body<'b> {
    let bytes = &body.bytes;
    let decoded = match name.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" if bytes.starts_with(b"\x1f\x8b") => {
            read_up_to(flate2::bufread::MultiGzDecoder::new(&bytes[..]), limit)
        }
        "deflate" if is_zlib(bytes) => {
            read_up_to(flate2::bufread::ZlibDecoder::new(&bytes[..]), limit)
        }
        "deflate" => read_up_to(flate2::bufread::DeflateDecoder::new(&bytes[..]), limit),
        "br" => read_up_to(brotli_decompressor::Decompressor::new(&bytes[..], 4096), limit),
        "zstd" if bytes.starts_with(b"\x28\xb5\x2f\xfd") => {
            match zstd::Decoder::with_buffer(&bytes[..]) {
                Ok(decoder) => read_up_to(decoder, limit),
                Err(_) => return body,
            }
        }
        _ => return body,
    };
    // Brotli and deflate have no magic: text that does not decode at all was decoded before.
    if decoded.bytes.is_empty() && !decoded.is_whole && std::str::from_utf8(bytes).is_ok() {
        return body;
    }
    Body { is_whole: decoded.is_whole && body.is_whole, ..decoded }
}

/// Whether deflated data has a zlib header (RFC 1950). It should have one, but some servers send
/// none.
fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, &[method, flags, ..] if method & 0x0f == 8 && (u16::from(method) << 8 | u16::from(flags)) % 31 == 0)
}

fn read_up_to(decoder: impl Read, limit: usize) -> Body<'static> {
    let mut bytes = Vec::new();
    let read = decoder.take(limit as u64 + 1).read_to_end(&mut bytes);
    op_counter::count(bytes.len());
    cap(Body { bytes: Cow::Owned(bytes), is_whole: read.is_ok() }, limit)
}

fn cap(mut body: Body<'_>, limit: usize) -> Body<'_> {
    if body.bytes.len() > limit {
        body.is_whole = false;
        match &mut body.bytes {
            Cow::Borrowed(bytes) => *bytes = &bytes[..limit],
            Cow::Owned(bytes) => bytes.truncate(limit),
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn decoded(head: &str, body: &[u8], limit: usize) -> (String, bool) {
        let block = [b"HTTP/1.1 200 OK\r\n", head.as_bytes(), b"\r\n\r\n", body].concat();
        let response = HttpResponse::parse(&block).unwrap();
        let body = response.decode(response.payload(), limit, 1);
        (String::from_utf8_lossy(&body.bytes).into_owned(), body.is_whole)
    }

    fn packed<W: Write>(mut encoder: W, finish: impl FnOnce(W) -> Vec<u8>) -> Vec<u8> {
        encoder.write_all(b"hello world").unwrap();
        finish(encoder)
    }

    #[test]
    fn heads() {
        let response = HttpResponse::parse(b"HTTP/2 404\nX: a\n b\nno field\n\nbody").unwrap();
        assert_eq!((response.status, response.body), (404, &b"body"[..]));
        assert_eq!(response.headers.text("x"), Some("a b"));
        let folded = HttpResponse::parse(b"HTTP/2 404\nX:\n b\n\n").unwrap();
        assert_eq!(folded.headers.text("x"), Some("b"));
        for interim in
            ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nX: old\r\n\r\n"]
        {
            let block =
                [interim, interim, "HTTP/1.1 200 OK\r\nX: new\r\n\r\nHTTP/1.1 404\r\n"].concat();
            let response = HttpResponse::parse(block.as_bytes()).unwrap();
            assert_eq!(
                (response.status, response.headers.list("X").as_deref()),
                (200, Some("new"))
            );
            assert_eq!(response.body, b"HTTP/1.1 404\r\n");
            assert_eq!(HttpResponse::parse(interim.as_bytes()).unwrap().body, b"");
        }
        assert!(HttpResponse::parse(b"").is_none());
        assert!(HttpResponse::parse(b"HTTP/1.1 abc\r\n\r\n").is_none());
        assert!(HttpResponse::parse(b"GET / HTTP/1.1\r\n\r\n").is_none());
    }

    #[test]
    fn heads_stop_at_their_bound_and_bodies_begin_where_they_do() {
        for (line, most) in [("a:b\n", 1024), (" b\n", 1), ("long: 0123456789 0123456789\n", 1024)]
        {
            let head =
                format!("HTTP/1.1 200 OK\nFirst: 1\n{}\n", line.repeat(2_800_000 / line.len()));
            let block = [head.as_bytes(), b"body"].concat();
            let response = HttpResponse::parse(&block).unwrap();
            assert_eq!(
                (response.headers.text("first").map(|v| &v[..1]), response.body),
                (Some("1"), &b"body"[..])
            );
            assert!(response.headers.len() <= most && response.headers.bytes() <= HEAD_BYTES);
        }
    }

    #[test]
    fn chunks() {
        let chunked = "Transfer-Encoding: Chunked";
        assert_eq!(
            decoded(chunked, b"5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", 99),
            ("hello world".into(), true)
        );
        assert_eq!(decoded(chunked, b"<html> as it was", 99), ("<html> as it was".into(), true));
        assert_eq!(decoded(chunked, b"5\r\nhello\r\nffff\r\n wo", 99), ("hello wo".into(), false));
        assert!(decoded(chunked, b"ffffffffffffffffffff\r\nx", 99).1);
    }

    #[test]
    fn content_encodings() {
        let level = flate2::Compression::default();
        let gzip =
            packed(flate2::write::GzEncoder::new(Vec::new(), level), |e| e.finish().unwrap());
        let zlib =
            packed(flate2::write::ZlibEncoder::new(Vec::new(), level), |e| e.finish().unwrap());
        let deflate =
            packed(flate2::write::DeflateEncoder::new(Vec::new(), level), |e| e.finish().unwrap());
        let zstd = zstd::encode_all(&b"hello world"[..], 3).unwrap();
        let brotli = [&[0x0b, 0x05, 0x80][..], b"hello world", &[0x03]].concat();
        for (name, body) in [
            ("gzip", &gzip),
            ("deflate", &zlib),
            ("deflate", &deflate),
            ("zstd", &zstd),
            ("br", &brotli),
            ("x-unknown", &b"hello world".to_vec()),
        ] {
            assert_eq!(
                decoded(&format!("Content-Encoding: {name}"), body, 99),
                ("hello world".into(), true),
                "{name}"
            );
        }
        let twice = packed(zstd::Encoder::new(Vec::new(), 3).unwrap(), |e| e.finish().unwrap());
        let twice = {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(&twice).unwrap();
            encoder.finish().unwrap()
        };
        let chunked =
            [format!("{:x}\r\n", gzip.len()).as_bytes(), &gzip, b"\r\n0\r\n\r\n"].concat();
        for (head, body) in [
            ("Content-Encoding: zstd\r\nContent-Encoding: gzip", &twice),
            ("Content-Encoding: zstd\r\nTransfer-Encoding: gzip", &twice),
            ("Transfer-Encoding: gzip, chunked", &chunked),
            ("Transfer-Encoding: gzip\r\nTransfer-Encoding: Chunked", &chunked),
        ] {
            assert_eq!(decoded(head, body, 99), ("hello world".into(), true), "{head}");
        }
        assert_eq!(
            decoded("Content-Encoding: gzip", b"hello world", 99),
            ("hello world".into(), true)
        );
        assert_eq!(
            decoded("Content-Encoding: br", b"<html> hello world", 99).0,
            "<html> hello world"
        );
        assert!(!decoded("Content-Encoding: gzip", &gzip[..gzip.len() - 9], 99).1);
        assert_eq!(decoded("Content-Encoding: gzip", &gzip, 5), ("hello".into(), false));
        assert_eq!(decoded("X: y", b"hello world", 5), ("hello".into(), false));
    }
}
