//! ARC files, WET files, revisits, and records that the end of their file cuts.

use super::hostile::work_of;
use super::{gz, page, read, read_with, record, urls};
use crate::arc;
use crate::options::ReadOptions;

/// A record of an ARC file with the length that its block has.
fn arc_record(url: &str, block: &str) -> Vec<u8> {
    let length = block.len();
    format!("{url} 93.184.216.119 20140216050221 text/html {length}\n{block}\n").into()
}

fn arc_page(url: &str) -> Vec<u8> {
    arc_record(
        url,
        &format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>{url}</title>some words"
        ),
    )
}

fn arc_file() -> Vec<u8> {
    let about = "1 0 Someone\nURL IP-address Archive-date Content-type Archive-length\n";
    let length = about.len();
    let head = format!("filedesc://x.arc 127.0.0.1 20140216050221 text/plain {length}\n{about}\n");
    let dns = "dns:x.org 1.2.3.4 20140216050221 text/dns 5\nx.org\n";
    [head.as_bytes(), dns.as_bytes()].concat()
}

#[test]
fn arc_files_are_read() {
    let parts = [
        arc_file(),
        arc_page("http://x.org/a"),
        arc_page("http://x.org/a b#c"),
        arc_record("http://x.org/old", "<html>a page of 1996, without a head"),
        arc_record("http://x.org/moved", "HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\n"),
        arc_record("http://x.org/picture", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx"),
    ];
    let packed = parts.iter().map(|part| gz(part)).collect::<Vec<_>>().concat();
    for data in [parts.concat(), gz(&parts.concat()), packed] {
        let (responses, report) = read(&data);
        let seen: Vec<_> = responses
            .iter()
            .map(|r| (r.url.as_str(), r.status, r.location.as_deref(), r.simhash.is_some()))
            .collect();
        assert_eq!(
            seen,
            [
                ("http://x.org/a", 200, None, true),
                ("http://x.org/a b", 200, None, true),
                ("http://x.org/old", 200, None, true),
                ("http://x.org/moved", 301, Some("http://x.org/a"), false),
            ]
        );
        assert_eq!(responses[0].time.as_deref(), Some("2014-02-16T05:02:21Z"));
        assert_eq!((report.not_html, report.damaged_records), (1, 0), "{report}");
    }
}

#[test]
fn a_wrong_length_in_an_arc_file_costs_one_record() {
    let pages: Vec<_> = (0..500).map(|i| arc_page(&format!("http://x/{i}"))).collect();
    for length in ["1000000000000", "7", "120", "-1", "x"] {
        let bad = format!(
            "http://x/bad 1.2.3.4 20140216050221 text/html {length}\nHTTP/1.1 200 OK\r\n\r\nx\n"
        );
        let plain = [&arc_file()[..], bad.as_bytes(), &pages.concat()].concat();
        let (urls, damaged) = urls(&plain);
        assert_eq!((urls.len(), damaged), (500, 1), "{length}");
        assert!(work_of(&plain, arc::read) <= 2 * plain.len() as u64 + 10_000);
        let packed: Vec<u8> = pages.iter().flat_map(|page| gz(page)).collect();
        let (urls, damaged) = super::urls(&[gz(&arc_file()), gz(bad.as_bytes()), packed].concat());
        assert_eq!((urls.len(), damaged), (500, 1), "{length}, packed");
    }
}

#[test]
fn a_false_record_in_a_page_of_an_arc_file_is_a_part_of_the_page() {
    let inner = String::from_utf8(arc_page("http://victim/")).unwrap();
    let outer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>\n{inner}");
    let data = [arc_file(), arc_record("http://x/", &outer), arc_page("http://x/next")].concat();
    assert_eq!(urls(&data), (vec!["http://x/".into(), "http://x/next".into()], 0));
}

/// In members of their own, whatever befalls a record, nothing inside its page becomes another's.
#[test]
fn a_damaged_record_of_an_arc_file_ends_with_its_member() {
    let inner = String::from_utf8(arc_page("http://victim.test/")).unwrap();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let block = format!("{head}{}\n\n{inner}{inner}", "some words ".repeat(50));
    let bad = arc_record("http://x/bad", &block);
    let claiming = |length: &str| {
        let right = format!("text/html {}\n", block.len());
        let text = std::str::from_utf8(&bad).unwrap();
        gz(text.replacen(&right, &format!("text/html {length}\n"), 1).as_bytes())
    };
    let mut broken = gz(&bad);
    let checksum = broken.len() - 6;
    broken[checksum] ^= 0xff;
    let mut mishaps: Vec<_> =
        ["1000000000000", "100000", "1200", "400", "20", "0", "-1", "x", ""].map(claiming).into();
    mishaps.extend([20, 60, 90, 300, bad.len() - 100, bad.len() - 1].map(|kept| gz(&bad[..kept])));
    mishaps.extend([gz(block.as_bytes()), broken]);
    for (nth, bad) in mishaps.into_iter().enumerate() {
        for (before, behind) in [(1, 0), (1, 1), (2, 1)] {
            let pages: Vec<_> = (0..before + behind).map(|n| format!("http://x/{n}")).collect();
            let packed: Vec<_> = pages.iter().map(|url| gz(&arc_page(url))).collect();
            let data = [gz(&arc_file()), packed[..before].concat(), bad.clone()].concat();
            let (mut found, _) = urls(&[data, packed[before..].concat()].concat());
            found.retain(|url| url != "http://x/bad");
            assert_eq!(found, pages, "mishap {nth}, {before} before it, {behind} behind");
        }
    }
}

#[test]
fn arc_records_that_claim_much_are_read_twice_at_most() {
    let bad = "http://x/ 1.2.3.4 20140216050221 text/html 8000000\n";
    for count in [1000, 20_000] {
        let data = bad.repeat(count);
        let work = work_of(data.as_bytes(), arc::read);
        assert!(work <= 2 * data.len() as u64, "{work} of {}", data.len());
    }
}

#[test]
fn a_record_that_the_end_cuts_gives_what_is_there() {
    let html = format!("<title>T</title>{}", "some words ".repeat(500));
    let whole = page("http://x/", &html);
    let arc =
        [arc_file(), arc_record("http://x/", &format!("HTTP/1.1 200 OK\r\n\r\n{html}"))].concat();
    for data in [whole, arc] {
        for data in [data[..data.len() - 900].to_vec(), gz(&data[..data.len() - 900])] {
            let (responses, report) = read(&data);
            assert_eq!(responses.len(), 1, "{report}");
            assert_eq!((responses[0].title.as_deref(), responses[0].length), (Some("T"), None));
            assert_eq!((report.cut_inputs, report.partial_bodies), (1, 1), "{report}");
        }
        let packed = gz(&data);
        let (responses, report) = read(&packed[..packed.len() - 12]);
        assert_eq!((responses.len(), report.cut_inputs), (1, 1), "{report}");
    }
}

#[test]
fn a_length_that_misses_a_few_bytes_costs_no_page() {
    let first = String::from_utf8(page("http://x/1", "<title>T</title>some words")).unwrap();
    let data = [first.replace("words\r\n", "words\0\0\r\n").into_bytes(), page("http://x/2", "x")];
    let (responses, report) = read(&data.concat());
    assert_eq!((responses.len(), report.damaged_records, report.partial_bodies), (2, 0, 1));
    assert_eq!(responses[0].title.as_deref(), Some("T"));
}

#[test]
fn wet_files_are_text() {
    let text = "The title\nand <b> is text here\n";
    let wet = |uri: &str, kind: &str| {
        record("conversion", uri, &format!("Content-Type: {kind}\r\n"), text.as_bytes())
    };
    let data = [
        wet("http://x/1", "text/plain"),
        wet("http://x/2", "text/plain"),
        wet("http://x/3", "image/png"),
    ];
    let (responses, report) = read(&data.concat());
    assert_eq!((responses.len(), report.not_html), (2, 1));
    let first = &responses[0];
    assert_eq!(
        (first.status, first.title.as_deref(), first.words),
        (200, Some("The title"), Some(7))
    );
    assert!(first.digest.is_some() && first.digest == responses[1].digest);
}

/// The digest that an archive names is of the payload as it stores it, ours of the decoded body.
#[test]
fn a_revisit_gets_the_digest_of_the_record_that_it_refers_to() {
    let claimed = "WARC-Payload-Digest: sha1:3CBIVC7RIY5RJXJDZUKXS4KFYN5ZUUXN\r\n";
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>some words";
    let original = |more: &str| record("response", "http://x/1", more, http);
    let date = "WARC-Refers-To-Date: 2026-01-02T03:04:05Z\r\n";
    let by_place = format!("{claimed}WARC-Refers-To-Target-URI: http://x/1\r\n{date}");
    let by_id = format!("{claimed}WARC-Refers-To: <urn:uuid:7>\r\n");
    let unclaimed = format!("WARC-Refers-To-Target-URI: <http://x/1>\r\n{date}");
    for (original, revisit) in [
        (original(""), by_place.as_str()),
        (original("WARC-Record-ID: <urn:uuid:7>\r\n"), &by_id),
        (original(claimed), &unclaimed),
        (original(claimed), claimed),
    ] {
        for head in [&b""[..], b"HTTP/1.1 304 Not Modified\r\n\r\n"] {
            let data = [original.clone(), record("revisit", "http://x/2", revisit, head)].concat();
            for threads in [1, 3] {
                let options = ReadOptions { threads, ..ReadOptions::default() };
                let (responses, report) = read_with(&data, &options).unwrap();
                assert_eq!(responses.len(), 2, "{report}");
                assert_eq!(
                    (responses[1].status, &responses[1].digest),
                    (200, &responses[0].digest)
                );
            }
        }
    }
    let (responses, report) = read(&record("revisit", "http://x/2", &unclaimed, b""));
    assert_eq!((responses.len(), report.damaged_records), (0, 1));
    let (responses, _) = read(&record("revisit", "http://x/2", claimed, b""));
    assert_eq!(responses[0].digest.as_deref(), Some("d8828a8bf1463b14dd23cd15797145c37b9a52ed"));
}
