//! The cost of the readers: linear in the bytes, for any input.

use std::io::Cursor;

use undust_util::op_counter;
use undust_util::op_counter::assert_linear;

use crate::content::html::HtmlPage;
use crate::options::ReadOptions;
use crate::pipeline::read_stream;

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
/// list, CDXJ, CDX of 11 columns with its header and without, `crawl.log`, log in JSON, list in an object, logs of S3 and
/// HAProxy, both feeds, table.
const LINES: [&str; 14] = [
    "{\"url\":\"http://a.test/\",\"status\":200}\n",
    "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n",
    "http://a.test/\n",
    "test,a)/ 20140127171200 {\"url\":\"http://a.test/\",\"mime\":\"text/html\"}\n",
    " CDX N b a m s k r M S V g\n",
    "test,a)/ 20140127171200 http://a.test/ text/html 200 X - - 9 9 a.warc.gz\n",
    "2014-01-27T17:12:00.000Z 301 9 http://a.test/ - - text/html #001 20140127171200+9 - - -\n",
    "{\"method\":\"GET\",\"uri\":\"/\",\"host\":\"a.test\",\"status\":200}\n",
    "{\"data\":[{\"url\":\"http://a.test/\"},{\"url\":\"http://a.test/\"}]}\n",
    "o b [06/Feb/2019:00:00:38 +0000] 1.2.3.4 - 3E REST.GET.OBJECT x \"GET / HTTP/1.1\" 200 - 1 - 7 - \"-\" \"x\" -\n",
    "1.2.3.4:5 [06/Feb/2009:12:14:14.655] a b/c 1/1/1/1/1 200 9 - - ---- 1/1/1/1/0 0/0 \"GET / HTTP/1.1\"\n",
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

/// If a record is still open at its largest size, only its first line is lost, and the next record begins after it.
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
