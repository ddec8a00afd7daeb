//! The readers, and what comes of a crawl before anything is learned.

use std::io::Cursor;

use super::costs_its_share;
use crate::cluster::{ClusterOptions, cluster};
use crate::content::html::HtmlPage;
use crate::crawl::options::ReadOptions;
use crate::crawl::pages::PagesBuilder;
use crate::crawl::pipeline::read_stream;
use crate::crawl::response::Response;
use crate::work;

/// Reads a crawl; what it costs is the bytes of it, each as often as it was read.
fn read(crawl: Vec<u8>) {
    let options = ReadOptions {
        lenient: true,
        lists: true,
        host: Some("a.test".into()),
        threads: 1,
        ..ReadOptions::default()
    };
    let (_, cost) =
        read_stream(Box::new(Cursor::new(crawl)), &options, &mut |_| ()).expect("a crawl");
    work::count(cost.read as usize);
}

fn head(kind: &str, length: usize) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: {length}\r\n\r\n"
    )
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, data).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn warc_files_whose_lengths_lie() {
    costs_its_share(500, "a record claims the file", |count| {
        read(head("response", 8 << 20).repeat(count).into_bytes());
    });
    costs_its_share(500, "other records do", |count| {
        read(head("metadata", 65_536).repeat(count).into_bytes());
    });
    costs_its_share(100, "in members", |count| {
        read((0..count).flat_map(|_| gzip(head("response", 8 << 20).as_bytes())).collect());
    });
    costs_its_share(500, "each claims all that is left", |count| {
        let size = head("response", 1_000_000).len();
        read((0..count).rev().map(|left| head("response", left * size)).collect::<String>().into());
    });
    costs_its_share(500, "nothing but first lines", |count| {
        read("WARC/1.0\n".repeat(count).into_bytes());
    });
}

#[test]
fn lines_of_every_kind() {
    let first = [
        "{\"url\":\"http://a.test/\",\"status\":200}\n",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n",
        "http://a.test/\n",
    ];
    for first in first {
        for piece in ["x", "\n", "\\\"", "[", "] \"", "{\"url\":", "\\x41", "\u{e9}", "{", "\0"] {
            costs_its_share(1000, &format!("{first}{piece}"), |count| {
                read([first, &piece.repeat(count), "\n", first].concat().into_bytes());
            });
        }
    }
}

#[test]
fn pages_of_nothing_but_beginnings() {
    for piece in [
        "<a b='",
        "<a b=\"c",
        "<!--",
        "<!-",
        "<!",
        "</",
        "<title>",
        "</titl",
        "<script></scrip",
        "<svg>",
        "<template>",
        "<link rel=canonical ",
        "&",
        "&amp",
        "<b ",
        "a=",
        "--!",
        "<textarea></",
        "<a><b><c>",
        "</x y='",
        "\u{e9}<",
    ] {
        for opening in ["", "<title>", "<script>", "<svg>", "<!--", "<a b="] {
            costs_its_share(1000, &format!("{opening}{piece}…"), |count| {
                let html = [opening, &piece.repeat(count)].concat();
                work::count(html.len());
                HtmlPage::parse(&html)
            });
        }
    }
}

fn page(url: String, title: &str, simhash: u64) -> Response {
    let simhash = Some(crate::content::simhash::Simhash(simhash));
    Response { url, status: 200, title: Some(title.into()), simhash, ..Response::default() }
}

fn clusters(responses: impl Iterator<Item = Response>) -> usize {
    let mut pages = PagesBuilder::new();
    responses.for_each(|response| pages.push(response));
    cluster(&pages.finish().pages, &ClusterOptions::default()).len()
}

#[test]
fn redirects_in_long_chains_and_circles() {
    costs_its_share(2000, "a chain", |count| {
        clusters((0..count).map(|n| {
            let location = Some(format!("http://a.test/{}", n + 1));
            Response {
                url: format!("http://a.test/{n}"),
                status: 301,
                location,
                ..page(String::new(), "", 0)
            }
        }))
    });
    costs_its_share(2000, "all to one", |count| {
        clusters((0..count).map(|n| {
            let location = (n > 0).then(|| "http://a.test/0".to_owned());
            let status = if n > 0 { 301 } else { 200 };
            Response {
                url: format!("http://a.test/{n}"),
                status,
                location,
                ..page(String::new(), "", 0)
            }
        }))
    });
}

#[test]
fn fingerprints_that_were_crafted() {
    let url = |n: usize| format!("http://a.test/{n}");
    costs_its_share(4000, "a chain of near ones, backwards", |count| {
        clusters((0..count).rev().map(|n| page(url(n), "t", (n ^ (n >> 1)) as u64)))
    });
    costs_its_share(4000, "in one or two of the blocks", |count| {
        clusters((0..count).map(|n| {
            let hash = xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
            let block = |at: u64, value: u64| (value & 0xffff) << (16 * (at % 4));
            page(url(n), "t", block(hash >> 40, hash) | block(hash >> 50, hash >> 16))
        }))
    });
    costs_its_share(4000, "a title each", |count| {
        clusters((0..count).map(|n| page(url(n), &n.to_string(), 0)))
    });
}
