//! WACZ files, and what is packed in several layers.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

use super::{alone, read, refused};

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("a file")
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("a file")
}

fn record(url: &str, body: &[u8], encoding: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{encoding}\r\n");
    let length = http.len() + body.len();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), http.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// A file of a zip file: its name, its bytes there, and its length when it is unpacked.
struct Entry {
    name: String,
    method: u16,
    data: Vec<u8>,
    unpacked: usize,
}

impl Entry {
    fn stored(name: &str, data: &[u8]) -> Self {
        Self { name: name.into(), method: 0, data: data.into(), unpacked: data.len() }
    }

    fn deflated(name: &str, data: &[u8]) -> Self {
        Self { name: name.into(), method: 8, data: deflated(data), unpacked: data.len() }
    }

    fn head(&self, length: usize) -> Vec<u8> {
        let numbers = [0_u32, length as u32, self.unpacked as u32];
        let mut head = [20_u16, 0, self.method, 0, 0x21].map(u16::to_le_bytes).concat();
        head.extend(numbers.map(u32::to_le_bytes).concat());
        head.extend([self.name.len() as u16, 0].map(u16::to_le_bytes).concat());
        head
    }

    fn local(&self) -> Vec<u8> {
        [b"PK\x03\x04", &self.head(self.data.len())[..], self.name.as_bytes(), &self.data].concat()
    }

    /// What the list of files says of it: where it begins, and how long it is.
    fn listed(&self, start: usize, length: usize) -> Vec<u8> {
        let mut listed = [b"PK\x01\x02\x14\0", &self.head(length)[..]].concat();
        listed.extend([0_u16, 0, 0].map(u16::to_le_bytes).concat());
        listed.extend([0_u32, start as u32].map(u32::to_le_bytes).concat());
        [&listed[..], self.name.as_bytes()].concat()
    }
}

/// The end of a zip file whose list of files is this.
fn with_list(mut zip: Vec<u8>, listed: &[Vec<u8>]) -> Vec<u8> {
    let (start, count) = (zip.len() as u32, listed.len() as u16);
    zip.extend(listed.concat());
    let length = zip.len() as u32 - start;
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend([count, count].map(u16::to_le_bytes).concat());
    zip.extend([length, start].map(u32::to_le_bytes).concat());
    zip.extend([0, 0]);
    zip
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut zip, mut listed) = (Vec::new(), Vec::new());
    for entry in entries {
        listed.push(entry.listed(zip.len(), entry.data.len()));
        zip.extend(entry.local());
    }
    with_list(zip, &listed)
}

#[test]
fn files_that_do_not_overlap_are_read() {
    let _alone = alone();
    let warc = |n: usize| record(&format!("http://a.test/{n}"), b"<title>t</title>a page", "");
    let entries: Vec<Entry> = (0..20)
        .map(|n| match n % 3 {
            0 => Entry::stored(&format!("archive/{n}.warc"), &warc(n)),
            1 => Entry::stored(&format!("archive/{n}.warc.gz"), &gzipped(&warc(n))),
            _ => Entry::deflated(&format!("archive/{n}.warc"), &warc(n)),
        })
        .collect();
    assert_eq!(read("a WACZ file", &zip(&entries)).responses, 20);
}

/// One kernel that many entries share: each of them all of it, or each the next ones, too (Fifield 2019).
#[test]
fn files_that_overlap_are_refused() {
    let _alone = alone();
    let page = record("http://a.test/", &b"<p>".repeat(100_000), "");
    let kernel = Entry::deflated("archive/0.warc", &page);
    let local = kernel.local();
    let name = |n: usize| format!("archive/{n}.warc");
    let same: Vec<_> = (0..2000)
        .map(|n| Entry { name: name(n), data: Vec::new(), ..kernel })
        .map(|entry| entry.listed(0, kernel.data.len()))
        .collect();
    refused("entries that are one", &with_list(local.clone(), &same), "overlap");

    let entries: Vec<Entry> = (0..300).map(|n| Entry::stored(&name(n), &page[..200])).collect();
    let locals: Vec<Vec<u8>> = entries.iter().map(Entry::local).collect();
    let whole = locals.concat();
    let mut start = 0;
    let mut quoted = Vec::new();
    for (entry, local) in entries.iter().zip(&locals) {
        // Its data is all that follows.
        let length = whole.len() - start - 30 - entry.name.len();
        quoted.push(entry.listed(start, length));
        start += local.len();
    }
    refused("entries that quote the next", &with_list(whole, &quoted), "overlap");

    let into_list = [kernel.listed(0, local.len() + 40)];
    refused("an entry that reaches into the list", &with_list(local, &into_list), "overlap");
}

/// Deflate in a zip file around gzip around a body in brotli, gzip or zstd: 10⁹ bytes of each.
#[test]
fn layers_count_as_one() {
    let _alone = alone();
    let zeros = vec![b' '; 4 << 20];
    let body = gzipped(&zeros);
    let record = record("http://a.test/", &body, "Content-Encoding: gzip\r\n");
    let many = record.repeat(2000);
    read("gzip of bodies in gzip", &gzipped(&many));
    read("deflated bodies in gzip", &zip(&[Entry::deflated("archive/0.warc", &many)]));
    let inner = gzipped(&many);
    read("deflated gzip", &zip(&[Entry::deflated("archive/0.warc.gz", &inner)]));
    let outer: Vec<Entry> = (0..50)
        .map(|n| Entry::deflated(&format!("archive/{n}.warc.gz"), &gzipped(&gzipped(&many))))
        .collect();
    read("many of them", &zip(&outer));
}

/// 30,000 bytes of zstd stand for a gigabyte.
#[test]
fn a_file_that_swells_ends() {
    let _alone = alone();
    let line = b"{\"url\":\"http://a.test/\",\"status\":200,\"digest\":\"x\"}\n";
    let mut encoder = zstd::Encoder::new(Vec::new(), 19).expect("zstd");
    for _ in 0..20 {
        encoder.write_all(&line.repeat(1 << 20)).expect("written");
    }
    let bomb = encoder.finish().expect("a file");
    refused("lines in zstd", &bomb, "1,000 times");
}

/// 24,000 bytes of zstd stand for a quarter of a gigabyte.
#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_that_swells_ends() {
    let _alone = alone();
    let mut encoder = zstd::Encoder::new(Vec::new(), 19).expect("zstd");
    encoder.write_all(b"PAR1").expect("written");
    for _ in 0..256 {
        encoder.write_all(&[0; 1 << 20]).expect("written");
    }
    refused("a Parquet file in zstd", &encoder.finish().expect("a file"), "1,000 times");
}
