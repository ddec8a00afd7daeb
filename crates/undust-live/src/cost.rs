//! The readers, and what comes of a crawl before anything is learned.

use std::io::Cursor;

use undust_cluster::clusters::{ClusterOptions, cluster};
use undust_crawl::content::html::HtmlPage;
use undust_crawl::options::ReadOptions;
use undust_crawl::pipeline::read_stream;
use undust_pages::pages::PagesBuilder;
use undust_pages::response::Response;
use undust_util::op_counter;
use undust_util::op_counter::assert_linear;

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
    op_counter::count(cost.read as usize);
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

/// The line before a record of an ARC file.
fn arc(length: usize) -> String {
    format!("http://a.test/ 1.2.3.4 20140127171200 text/html {length}\n")
}

#[test]
fn arc_files_whose_lengths_lie() {
    for length in [8 << 20, 100_000, 3] {
        assert_linear(500, &format!("a record claims {length}"), |count| {
            read(arc(length).repeat(count).into_bytes());
        });
    }
    assert_linear(500, "each claims all that is left", |count| {
        let size = arc(1_000_000).len();
        read((0..count).rev().map(|left| arc(left * size)).collect::<String>().into_bytes());
    });
    assert_linear(500, "in members", |count| {
        read((0..count).flat_map(|_| gzip(arc(8 << 20).as_bytes())).collect());
    });
    assert_linear(500, "what could begin a record", |count| {
        read([arc(8 << 20), "\nhttp".repeat(count)].concat().into_bytes());
    });
}

#[test]
fn warc_files_whose_lengths_lie() {
    assert_linear(500, "a record claims the file", |count| {
        read(head("response", 8 << 20).repeat(count).into_bytes());
    });
    assert_linear(500, "other records do", |count| {
        read(head("metadata", 65_536).repeat(count).into_bytes());
    });
    assert_linear(100, "in members", |count| {
        read((0..count).flat_map(|_| gzip(head("response", 8 << 20).as_bytes())).collect());
    });
    assert_linear(100, "members without a length", |count| {
        read((0..count).flat_map(|_| gzip(b"WARC/1.0\r\n\r\nx")).collect());
    });
    assert_linear(100, "members of records and of none", |count| {
        let parts = [&b"WARC/1.0\r\n\r\n"[..], b"\n", b"x"];
        read((0..count).flat_map(|n| gzip(parts[n % 3])).collect());
    });
    assert_linear(500, "each claims all that is left", |count| {
        let size = head("response", 1_000_000).len();
        read((0..count).rev().map(|left| head("response", left * size)).collect::<String>().into());
    });
    assert_linear(500, "texts claim the file", |count| {
        read(head("conversion", 8 << 20).repeat(count).into_bytes());
    });
    assert_linear(500, "nothing but first lines", |count| {
        read("WARC/1.0\n".repeat(count).into_bytes());
    });
}

/// A file of a thousand records which is much smaller than these, each with a body that is much longer.
#[test]
fn bodies_of_a_file_that_swells() {
    let body = gzip(&[b'a'; 4 << 20]);
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let block = [http.as_bytes(), &body].concat();
    let record = [head("response", block.len()).as_bytes(), &block, b"\r\n\r\n"].concat();
    let once = op_counter::steps_of(|| read(record.clone())).0;
    assert!(once > 4 << 20, "a body that stands alone is decoded: {once}");
    let file = gzip(&record.repeat(1000));
    // Each byte is decoded, and read.
    let most = 2 * 1100 * file.len() as u64;
    let all = op_counter::steps_of(|| read(file.clone())).0;
    assert!(all < most, "{all} bytes of a file of {}", file.len());
}

/// A first line of each kind that is read by lines, or by records of several: manifest, access log,
/// list, CDXJ, CDX of 11 columns with its header and without, `crawl.log`, both feeds, table.
const LINES: [&str; 10] = [
    "{\"url\":\"http://a.test/\",\"status\":200}\n",
    "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n",
    "http://a.test/\n",
    "test,a)/ 20140127171200 {\"url\":\"http://a.test/\",\"mime\":\"text/html\"}\n",
    " CDX N b a m s k r M S V g\n",
    "test,a)/ 20140127171200 http://a.test/ text/html 200 X - - 9 9 a.warc.gz\n",
    "2014-01-27T17:12:00.000Z 301 9 http://a.test/ - - text/html #001 20140127171200+9 - - -\n",
    "{\"url\":\"http://a.test/\",\"body\":\"\"}\n",
    "[\n{\"url\":\"http://a.test/\",\"body\":\"\"},\n",
    "\"Address\",\"Status Code\"\n\"http://a.test/\",\"200\"\n",
];

#[test]
fn lines_of_every_kind() {
    let pieces = [
        "x",
        "\n",
        "\\\"",
        "[",
        "] \"",
        "{\"url\":",
        "\\x41",
        "\u{e9}",
        "{",
        "\0",
        "\"",
        "\"\n",
        "{\n",
        ",",
    ];
    for first in LINES {
        for piece in pieces.into_iter().chain([first, first.trim_ascii()]) {
            assert_linear(1000, &format!("{first}{piece}"), |count| {
                read([first, &piece.repeat(count), "\n", first].concat().into_bytes());
            });
        }
    }
}

/// What is open at the end of a record's bytes costs its first line, and the next one begins behind it.
#[test]
fn records_that_nobody_closed() {
    let [.., array, table] = LINES;
    for (first, line) in [(array, "{\n"), (table, "\"\n\"x\n")] {
        assert_linear(400_000, &format!("{first}{line}"), |count| {
            read([first, &line.repeat(count)].concat().into_bytes());
        });
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
            assert_linear(1000, &format!("{opening}{piece}…"), |count| {
                let html = [opening, &piece.repeat(count)].concat();
                op_counter::count(html.len());
                HtmlPage::parse(&html)
            });
        }
    }
}

fn page(url: String, title: &str, simhash: u64) -> Response {
    let simhash = Some(undust_pages::simhash::Simhash(simhash));
    Response { url, status: 200, title: Some(title.into()), simhash, ..Response::default() }
}

fn clusters(responses: impl Iterator<Item = Response>) -> usize {
    clusters_within(ClusterOptions::default().bits, responses)
}

fn clusters_within(bits: u32, responses: impl Iterator<Item = Response>) -> usize {
    let mut pages = PagesBuilder::new();
    responses.for_each(|response| pages.push(response));
    cluster(&pages.finish().pages, &ClusterOptions { bits, ..ClusterOptions::default() }).len()
}

#[test]
fn redirects_in_long_chains_and_circles() {
    assert_linear(2000, "a chain", |count| {
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
    assert_linear(2000, "all to one", |count| {
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
    assert_linear(4000, "a chain of near ones, backwards", |count| {
        clusters((0..count).rev().map(|n| page(url(n), "t", (n ^ (n >> 1)) as u64)))
    });
    assert_linear(4000, "in one or two of the blocks", |count| {
        clusters((0..count).map(|n| {
            let hash = xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
            let block = |at: u64, value: u64| (value & 0xffff) << (16 * (at % 4));
            page(url(n), "t", block(hash >> 40, hash) | block(hash >> 50, hash >> 16))
        }))
    });
    assert_linear(4000, "a title each", |count| {
        clusters((0..count).map(|n| page(url(n), &n.to_string(), 0)))
    });
}

/// What most pairs of are near, where many bits may differ: all pairs would be most of the work.
#[test]
fn crowds_of_fingerprints_within_many_bits() {
    let hash = |n: usize| xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
    let with_bits = |bits: u32, n: usize| {
        let mut places = (0..).map(|at| 1 << (hash(n * 4096 + at) % 64));
        let mut value: u64 = 0;
        while value.count_ones() < bits {
            value |= places.next().unwrap_or(u64::MAX);
        }
        value
    };
    for bits in [5, 6, 7] {
        let within = |name: &str, value: &(dyn Fn(usize) -> u64 + Sync)| {
            assert_linear(10_000, &format!("{name} within {bits}"), |count| {
                clusters_within(bits, (0..count).map(|n| page(url(n), "t", value(n))))
            });
        };
        within("low 20 bits", &|n| hash(n) & 0xf_ffff);
        within("19 places", &|n| hash(n) & 0x4a22_41a8_4040_0d43);
        within("4 bits", &|n| with_bits(4, n));
        within("5 bits", &|n| with_bits(5, n));
    }
}

/// The clusters of a state, which takes them in by batches: as many again after as many.
#[test]
#[cfg(feature = "live")]
fn a_batch_on_a_state_of_its_size() {
    use crate::clusters::{Batch, LiveClusters};
    type Made = fn(usize) -> Response;
    let shapes: [(&str, Made); 5] = [
        ("one title, chains of near ones", |n| page(url(n), "t", chain(n))),
        ("one title, in one of the blocks", |n| page(url(n), "t", in_one_block(n))),
        ("one title, half near the other half", |n| page(url(n), "t", near_zero(n))),
        ("one page", |n| page(url(n), "t", 0)),
        ("a title each", |n| page(url(n), &n.to_string(), 0)),
    ];
    for (name, made) in shapes {
        assert_linear(4000, name, |count| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut state = LiveClusters::open_or_make(folder.path(), |_| {}).expect("a state");
            for half in [0..count / 2, count / 2..count] {
                let mut batch = Batch::new();
                batch.extend(half.map(made));
                state.ingest(batch).expect("a batch");
            }
        });
    }
}

fn url(n: usize) -> String {
    format!("http://a.test/{n}")
}

/// Sixteen in a row differ in a bit from the one before.
fn chain(n: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&(n / 16).to_le_bytes()) ^ ((1 << (n % 16)) - 1)
}

fn in_one_block(n: usize) -> u64 {
    (xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes()) & 0xffff) << (16 * (n % 4))
}

/// Every other is 0, and the others differ from it in three bits at most.
fn near_zero(n: usize) -> u64 {
    let bit = |place: usize| 1 << (place % 64);
    if n.is_multiple_of(2) { 0 } else { bit(n) | bit(n / 64) | bit(n / 4096) }
}
