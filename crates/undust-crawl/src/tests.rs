//! Whole inputs, good and bad, through [`read_all`].

mod archives;
mod cost;
mod entries;
mod feeds;
mod formats;
mod hostile;
mod logs;
mod products;
mod records;
mod texts;
mod took;

use std::io::Write;

use proptest::prelude::*;

use undust_pages::TextHash;
use undust_pages::response::Response;
use undust_pages::simhash::simhash;
use undust_util::error::{Error, Result};
use xxhash_rust::xxh64::xxh64;

use super::options::ReadOptions;
use super::pipeline::read_all;
use super::report::ReadReport;

/// A WARC record with the length that its block has.
fn record(kind: &str, uri: &str, more: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n{more}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A response record of status 200.
fn page(uri: &str, html: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
    record("response", uri, "", http.as_bytes())
}

fn gz(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn read_with(data: &[u8], options: &ReadOptions) -> Result<(Vec<Response>, ReadReport)> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(data).unwrap();
    let mut responses = Vec::new();
    let report = read_all(&[file.path().into()], options, &mut |response| {
        responses.push(response);
        Ok(())
    })?;
    assert_eq!(report.responses, responses.len() as u64);
    Ok((responses, report))
}

fn read(data: &[u8]) -> (Vec<Response>, ReadReport) {
    read_with(data, &ReadOptions::default()).unwrap()
}

fn urls(data: &[u8]) -> (Vec<String>, u64) {
    let (responses, report) = read(data);
    (responses.into_iter().map(|response| response.url).collect(), report.damaged_records)
}

fn three_pages() -> [Vec<u8>; 3] {
    ["a", "b", "c"]
        .map(|name| page(&format!("http://x/{name}"), &format!("<title>{name}</title>some words")))
}

#[test]
fn a_page_is_read() {
    let html = "<title> T </title><link rel=canonical href='/c#f'>one two three four";
    let data = page("<http://x.org/p?a=1#frag>", html);
    let (responses, _) = read(&data);
    let expected = Response {
        url: "http://x.org/p?a=1".into(),
        status: 200,
        title: Some("T".into()),
        simhash: simhash(["one", "two", "three", "four"]),
        text_hash: Some(TextHash(xxh64(b"one two three four", 0))),
        digest: responses[0].digest.clone(),
        words: Some(4),
        length: Some(html.len() as u64),
        canonical: Some("http://x.org/c".into()),
        time: Some("2026-01-02T03:04:05Z".into()),
        ..Response::default()
    };
    assert_eq!(responses, [expected]);
    assert_eq!(responses[0].digest.as_ref().map(String::len), Some(40));
}

#[test]
fn every_compression_and_line_end_gives_the_same() {
    let pages = three_pages();
    let plain = pages.concat();
    let expected = read(&plain).0;
    assert_eq!(expected.len(), 3);
    let members = pages.iter().map(|page| gz(page)).collect::<Vec<_>>().concat();
    let frames = pages
        .iter()
        .map(|page| zstd::encode_all(&page[..], 3).unwrap())
        .collect::<Vec<_>>()
        .concat();
    let bare = String::from_utf8(plain.clone()).unwrap().replace("WARC/1.0\r\n", "WARC/1.1\n");
    for data in
        [gz(&plain), members, zstd::encode_all(&plain[..], 3).unwrap(), frames, bare.into_bytes()]
    {
        assert_eq!(read(&data).0, expected);
        let alone = ReadOptions { threads: 1, ..ReadOptions::default() };
        assert_eq!(read_with(&data, &alone).unwrap().0, expected);
    }
}

#[test]
fn order_is_kept_over_many_batches() {
    let data: Vec<u8> =
        (0..2000).flat_map(|i| page(&format!("http://x/{i}"), &"word ".repeat(i % 97))).collect();
    let four = ReadOptions { threads: 4, ..ReadOptions::default() };
    let (responses, _) = read_with(&data, &four).unwrap();
    assert!(
        responses.iter().enumerate().all(|(i, response)| response.url == format!("http://x/{i}"))
    );
    assert_eq!(responses.len(), 2000);
}

#[test]
fn redirects_errors_and_other_content() {
    let http = |head: &str| {
        record("response", "http://x/d/p", "", format!("HTTP/1.1 {head}\r\n\r\nbody").as_bytes())
    };
    let data = [
        http("302 Found\r\nLocation: ../q?a b#f"),
        http("301 Moved\r\nContent-Type: image/png\r\nLocation: https://Other.org"),
        http("404 Not Found\r\nContent-Type: text/html"),
        http("200 OK\r\nContent-Type: image/png"),
        http("200 OK\r\nContent-Type: application/xhtml+xml; charset=utf-8"),
    ];
    let (responses, report) = read(&data.concat());
    let seen: Vec<_> =
        responses.iter().map(|r| (r.status, r.location.as_deref(), r.words)).collect();
    assert_eq!(
        seen,
        [
            (302, Some("http://x/q?a%20b"), None),
            (301, Some("https://Other.org/"), None),
            (404, None, None),
            (200, None, Some(1))
        ]
    );
    assert_eq!(report.not_html, 1);
}

#[test]
fn a_revisit_has_the_digest_of_its_page() {
    let digest = "WARC-Payload-Digest: sha1:3CBIVC7RIY5RJXJDZUKXS4KFYN5ZUUXN\r\n";
    let html = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nx";
    let data = [
        record("response", "http://x/1", digest, html),
        record(
            "revisit",
            "http://x/2",
            digest,
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        ),
        record("revisit", "http://x/3", digest, b""),
        record(
            "revisit",
            "http://x/4",
            digest,
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n",
        ),
        record(
            "resource",
            "http://x/5",
            "Content-Type: text/html\r\n",
            b"<p>five words are not here",
        ),
    ];
    let (responses, report) = read(&data.concat());
    let digests: Vec<_> =
        responses[..3].iter().map(|response| response.digest.as_deref()).collect();
    assert_eq!(digests, [Some("d8828a8bf1463b14dd23cd15797145c37b9a52ed"); 3]);
    assert_eq!((responses.len(), report.not_html, responses[3].words), (4, 1, Some(5)));
}

#[test]
fn a_wrong_length_costs_one_record() {
    let [a, b, c] = three_pages();
    let text = |page: &[u8]| String::from_utf8(page.to_vec()).unwrap();
    let length = |page: &str| {
        page.split("Content-Length: ").nth(1).unwrap().split("\r\n").next().unwrap().to_owned()
    };
    let b = text(&b);
    let old = length(&b);
    for new in ["3", "60", "200", "99999999999", "-1", "1e3", "", "99999999999999999999999"] {
        let bad = b.replace(&format!("Content-Length: {old}"), &format!("Content-Length: {new}"));
        let (urls, damaged) = urls(&[a.clone(), bad.into_bytes(), c.clone()].concat());
        assert_eq!(
            (urls, damaged),
            (vec!["http://x/a".into(), "http://x/c".into()], 1),
            "length {new}"
        );
    }
}

#[test]
fn missing_headers_and_garbage_cost_one_record() {
    let [a, b, c] = three_pages();
    let b = String::from_utf8(b).unwrap();
    let no_length = b
        .lines()
        .filter(|line| !line.starts_with("Content-Length"))
        .collect::<Vec<_>>()
        .join("\r\n");
    let no_uri = b.replace("WARC-Target-URI", "X-URI");
    let no_http = b.replace("HTTP/1.1 200 OK", "XXXX/1.1 200 OK");
    for bad in
        [no_length.as_bytes(), no_uri.as_bytes(), no_http.as_bytes(), b"\0\xff\x1f\x8bgarbage\r\n"]
    {
        let data = [&a[..], bad, b"\r\n\r\n", &c].concat();
        assert_eq!(
            urls(&data),
            (vec!["http://x/a".into(), "http://x/c".into()], 1),
            "{}",
            bad.escape_ascii()
        );
    }
}

#[test]
fn a_corrupt_member_costs_one_record() {
    let [a, b, c] = three_pages().map(|page| gz(&page));
    for at in (10..b.len() - 8).step_by(7) {
        let mut bad = b.clone();
        bad[at] ^= 0x55;
        let (responses, report) = read(&[a.clone(), bad, c.clone()].concat());
        let last = responses.last().map(|response| response.url.as_str());
        assert_eq!(last, Some("http://x/c"), "byte {at}: {report}");
        assert!(responses.len() >= 2 && report.damaged_records <= 2, "byte {at}: {report}");
    }
}

#[test]
fn a_cut_file_is_used_and_counted() {
    let pages = three_pages();
    for data in [pages.concat(), gz(&pages.concat()), pages.map(|page| gz(&page)).concat()] {
        let (responses, report) = read(&data[..data.len() - 20]);
        assert!(responses.len() <= 3);
        assert_eq!(report.cut_inputs, 1, "{report}");
        assert!(report.notes.iter().any(|note| note.contains("ends early")), "{report}");
    }
}

#[test]
fn a_huge_page_is_read_in_part() {
    struct Page(u64);
    impl std::io::Read for Page {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let size = (out.len() as u64).min(self.0) as usize;
            out[..size].fill(b'x');
            self.0 -= size as u64;
            Ok(size)
        }
    }
    let bytes = 200 * 1024 * 1024;
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let length = bytes + http.len() as u64;
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x/huge\r\nContent-Length: {length}\r\n\r\n{http}"
    );
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(head.as_bytes()).unwrap();
    std::io::copy(&mut Page(bytes), &mut encoder).unwrap();
    encoder.write_all(b"\r\n\r\n").unwrap();
    encoder.write_all(&page("http://x/next", "x")).unwrap();
    let (responses, report) = read(&encoder.finish().unwrap());
    assert_eq!(
        responses.iter().map(|r| r.url.as_str()).collect::<Vec<_>>(),
        ["http://x/huge", "http://x/next"]
    );
    assert_eq!(
        (report.partial_bodies, responses[0].length, &responses[0].digest),
        (1, None, &None)
    );
}

#[test]
fn odd_urls_come_through() {
    let long = format!("http://x/{}", "y".repeat(100_000));
    let odd = [
        "http://x/\0",
        "http://[::1]:8080/p",
        "http:///p",
        "http://user:pw@x/p",
        "not a url",
        long.as_str(),
    ];
    let mut data: Vec<u8> = odd.iter().flat_map(|url| page(url, "x")).collect();
    data.extend(String::from_utf8(page("http://x/@@", "x")).unwrap().into_bytes());
    let at = memchr::memmem::find(&data, b"@@").unwrap();
    data[at..at + 2].copy_from_slice(b"\xe9\xff");
    let (urls, damaged) = urls(&data);
    assert_eq!(urls, [&odd[..], &["http://x/%E9%FF"]].concat());
    assert_eq!(damaged, 0);
}

#[test]
fn binary_bodies_called_html_are_text() {
    let body: Vec<u8> = (0..20_000u32).map(|i| ((i * i) >> 3) as u8).collect();
    let block = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", &body[..]].concat();
    let (responses, _) = read(&record("response", "http://x/", "", &block));
    assert_eq!(responses[0].length, Some(20_000));
}

#[test]
fn empty_and_foreign_inputs() {
    assert_eq!(read(b"").1, ReadReport::default());
    assert_eq!(read(&gz(b"")).1, ReadReport::default());
    let error = read_with(b"x y\nhttp://x/ y\n", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("of no kind that is known"), "{error}");
}

#[test]
fn a_bare_list_is_read_where_it_is_asked_for() {
    let list = b"http://x/a\r\n\nno url\nhttp://\nhttp://x/b#c\n\xff\nHTTP://Y?q\n";
    let error = read_with(list, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("bare list of URLs"), "{error}");
    let options = ReadOptions { lists: true, ..ReadOptions::default() };
    let (responses, report) = read_with(list, &options).unwrap();
    let urls: Vec<_> = responses.iter().map(|response| response.url.as_str()).collect();
    assert_eq!(urls, ["http://x/a", "http://x/b", "HTTP://Y?q"]);
    assert_eq!(report.bad_list_lines, 3);
    assert!(report.to_string().contains("3 lines that are not URLs skipped"), "{report}");
}

#[test]
fn nothing_comes_after_an_error_of_the_taker() {
    let data: Vec<u8> = (0..3000).flat_map(|i| page(&format!("http://x/{i}"), "x")).collect();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&data).unwrap();
    for threads in [1, 3] {
        let mut taken = 0;
        let options = ReadOptions { threads, ..ReadOptions::default() };
        let result = read_all(&[file.path().into()], &options, &mut |_| {
            taken += 1;
            if taken == 5 { Err(Error::Caller("enough".into())) } else { Ok(()) }
        });
        assert_eq!((result.unwrap_err().to_string().as_str(), taken), ("enough", 5));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_bytes_never_panic(start in 0usize..18, noise in prop::collection::vec(any::<u8>(), 0..2000)) {
        let starts: [&[u8]; 18] = [
            b"", b"WARC/1.0\r\n", b"{\"url\":", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd",
            b"\x5d\x2a\x4d\x18\x10\0\0\0", b"1 - - [x] \"GET / HTTP/1.1\" 200 1\n",
            b"http://x/ 1.2.3.4 20140216050221 text/html 75\n", b"filedesc://",
            b"[\n{\"url\": \"http://x/\", \"body\": \"", b"{\"url\": \"http://x/\", \"body\": \"\"}\n{",
            b" CDX N b a m s k r M S V g\n", b"com,x)/ 20140127171251 {\"url\": \"http://x.com\"}\n",
            b"2012-03-29T00:01:02.345Z 200 1 http://x/ L - text/html #1 - sha1:A - -\n",
            b"Address,Status Code,Hash\n\"", b"url,body\n\"", b"<items>\n<item><url>",
            b"{\"urlkey\":\"\",\"timestamp\":\"20140127171251\",\"url\":\"http://x/\"}\n{\"urlkey\":",
        ];
        _ = read_with(&[starts[start], &noise].concat(), &ReadOptions { threads: 1, ..ReadOptions::default() });
    }

    #[test]
    fn damaged_inputs_of_every_kind_never_panic(
        kind in 0..entries::SAMPLES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut data = entries::SAMPLES[kind].as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(data.len());
            data[at] = byte;
        }
        data.truncate(cut.index(data.len()) + 1);
        _ = read_with(&data, &ReadOptions { threads: 1, ..ReadOptions::default() });
    }

    #[test]
    fn damaged_crawls_never_panic(at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>(), packed: bool) {
        let pages = three_pages();
        let mut data = if packed { pages.map(|page| gz(&page)).concat() } else { pages.concat() };
        let index = at.index(data.len());
        data[index] = byte;
        data.truncate(cut.index(data.len()) + 1);
        _ = read_with(&data, &ReadOptions { threads: 2, ..ReadOptions::default() });
    }
}
