//! The memory of each command on a stream made on the fly, measured as the peak of its process.
//!
//! `UNDUST_STREAM_MB` says how long the streams are; the default is short. 2000 is the long form.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{access_log, assert_contains, crawl, process, trained_by};

const MB: usize = 1 << 20;

/// Megabytes of a stream.
fn stream_mb() -> usize {
    let asked = std::env::var("UNDUST_STREAM_MB").ok().and_then(|mb| mb.parse().ok());
    asked.unwrap_or(40)
}

/// The peak of a process so far, in megabytes; nothing when it is gone.
fn peak(child: &Child) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? / 1024)
}

/// Runs a command on a stream and asserts that it never takes more than `most` megabytes, and that
/// it succeeds.
fn takes_at_most(most: usize, arguments: &[&str], write: impl Writer) {
    let (status, described) = stays_below(most, arguments, write);
    assert!(status.success(), "{arguments:?}: {described}");
}

trait Writer: FnOnce(&mut ChildStdin) -> std::io::Result<()> + Send + 'static {}
impl<W: FnOnce(&mut ChildStdin) -> std::io::Result<()> + Send + 'static> Writer for W {}

/// The same of a command that may fail: how it ended, and its standard error.
fn stays_below(most: usize, arguments: &[&str], write: impl Writer) -> (ExitStatus, String) {
    let folder = trained_by("tree", &crawl("a.test", 60));
    let described = folder.path().join("stderr");
    let mut child = process(folder.path(), arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&described).expect("a file"))
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    // A program that ends early says why.
    let writer = thread::spawn(move || write(&mut input).ok());
    let mut highest = 0;
    while child.try_wait().expect("its state").is_none() {
        highest = highest.max(peak(&child).unwrap_or(0));
        thread::sleep(Duration::from_millis(2));
    }
    writer.join().expect("a writer");
    println!("{} MB through {arguments:?}: {highest} MB", stream_mb());
    assert!(highest > 0 && highest <= most, "{arguments:?} took {highest} MB, not {most}");
    (child.wait().expect("an end"), fs::read_to_string(&described).expect("its standard error"))
}

/// Writes pieces until the stream is long enough.
fn write_pieces(
    input: &mut ChildStdin,
    mut piece: impl FnMut(usize) -> Vec<u8>,
) -> std::io::Result<()> {
    let (mut written, mut number) = (0, 0);
    while written < stream_mb() * MB {
        let piece = piece(number);
        input.write_all(&piece)?;
        (written, number) = (written + piece.len(), number + 1);
    }
    Ok(())
}

fn record(block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

#[test]
fn translate_takes_the_same_for_any_queue() {
    takes_at_most(100, &["translate"], |input| {
        write_pieces(input, |n| format!("http://a.test/users/{n}x/name{n}\n").repeat(400).into())
    });
    takes_at_most(100, &["translate"], |input| {
        let long = "x".repeat(32_000);
        write_pieces(input, move |n| format!("http://a.test/users/{n}x/{long}\n").into())
    });
    takes_at_most(100, &["translate"], |input| {
        let hosts = |n: usize| (400 * n..400 * n + 400).map(|n| format!("http://h{n}.test/a\n"));
        write_pieces(input, move |n| hosts(n).collect::<String>().into())
    });
    takes_at_most(100, &["translate", "--format", "jsonl"], |input| {
        write_pieces(input, |_| vec![b'x'; MB])
    });
}

/// At this number the table of forms has just doubled: that is when it takes most. The allocator gives the smaller tables
/// back a second later.
#[test]
fn unique_forms_take_72_bytes_each() {
    const FORMS: usize = 1_900_000;
    takes_at_most(24 + 72 * FORMS / MB, &["translate", "--unique"], |input| {
        let lines = |n: usize| (n..n + 10_000).map(|n| format!("http://b.test/{n:07}\n"));
        (0..FORMS)
            .step_by(10_000)
            .try_for_each(|n| input.write_all(lines(n).collect::<String>().as_bytes()))
    });
}

#[test]
fn diff_takes_the_same_for_any_queue() {
    let diff = ["diff", "models", "models"];
    takes_at_most(100, &diff, |input| {
        let line = |n: usize| format!("http://a.test/users/{n}x/name{n}\n");
        write_pieces(input, move |n| (400 * n..400 * n + 400).map(line).collect::<String>().into())
    });
    takes_at_most(100, &diff, |input| write_pieces(input, |_| vec![b'x'; MB]));
}

#[test]
fn observe_takes_the_same_for_any_number_of_lines() {
    takes_at_most(100, &["observe", "-"], |input| {
        let line = |n: usize| {
            let user = format!("http://a.test/users/{n}x");
            format!("{{\"url\":\"{user}/name{n}\",\"form\":\"{user}\",\"same\":true}}\n")
        };
        write_pieces(input, move |n| (400 * n..400 * n + 400).map(line).collect::<String>().into())
    });
    let (status, described) =
        stays_below(100, &["observe", "-"], |input| write_pieces(input, |_| vec![b'x'; MB]));
    assert_eq!(status.code(), Some(2), "{described}");
    assert_contains(&described, &["line 1 "]);
}

#[test]
fn ingest_takes_the_same_for_any_crawl() {
    let ingest = ["ingest", "-", "-o", "pages.jsonl.gz"];
    takes_at_most(200, &ingest, |input| {
        let page = record(&[HEAD, b"\r\n<p>", &b"some words ".repeat(1000)].concat());
        write_pieces(input, move |_| page.clone())
    });
    takes_at_most(400, &ingest, |input| {
        let huge = record(&[HEAD, b"\r\n<p>", &b"some words ".repeat(20 * MB / 11)].concat());
        write_pieces(input, move |_| huge.clone())
    });
    takes_at_most(200, &ingest, |input| {
        let lines = b"x: y\r\n".repeat(1_000_000);
        let long = record(&[HEAD, &lines, b"\r\nbody"].concat());
        write_pieces(input, move |_| long.clone())
    });
    takes_at_most(200, &ingest, |input| {
        input.write_all(
            b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1000000000000\r\n\r\n",
        )?;
        write_pieces(input, |_| vec![b'x'; MB])?;
        input.write_all(&[b"\n", &*record(&[HEAD, b"\r\nlast"].concat())].concat())
    });
    takes_at_most(250, &ingest, |input| {
        let title = "t".repeat(15 * MB);
        let line = format!("{{\"url\":\"http://a.test/\",\"status\":200,\"title\":\"{title}\"}}\n");
        write_pieces(input, move |_| line.clone().into())
    });
}

/// What an archive claims of its pages, and pages that grow when they are unpacked.
#[test]
fn ingest_takes_the_same_for_any_record() {
    let ingest = ["ingest", "-", "-o", "pages.jsonl.gz"];
    takes_at_most(40, &ingest, |input| {
        let digest = "d".repeat(200_000);
        write_pieces(input, move |n| {
            let head = format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/{n}\r\n\
                 WARC-Record-ID: <urn:{n}>\r\nWARC-Payload-Digest: {n}{digest}\r\n"
            );
            let block = [HEAD, b"\r\n<p>text"].concat();
            let length = format!("Content-Length: {}\r\n\r\n", block.len());
            [head.as_bytes(), length.as_bytes(), &block, b"\r\n\r\n"].concat()
        })
    });
    takes_at_most(200, &ingest, |input| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&b"some words ".repeat(100 * MB / 11))?;
        let head = [HEAD, b"Content-Encoding: gzip\r\n\r\n"].concat();
        let bomb = record(&[head, packed.finish()?].concat());
        write_pieces(input, move |_| bomb.repeat(10))
    });
}

/// Feeds and tables, whose records may go over several lines, and a log.
#[test]
fn ingest_takes_the_same_for_any_lines() {
    let lenient = ["ingest", "-", "--lenient", "-o", "pages.jsonl.gz"];
    let page = [HEAD, b"\r\n<p>text"].concat();
    let arc = format!("http://a.test/ 1.2.3.4 20140127171200 text/html {}\n", page.len());
    for (first, rest) in [
        (b"[\n{\"url\":\"http://a.test/\"},\n".to_vec(), "{\n"),
        (b"Address,Status Code\nhttp://a.test/,200\n".to_vec(), "\"x\n,"),
        ([arc.as_bytes(), &page].concat(), "\nhttp"),
    ] {
        takes_at_most(200, &lenient, move |input| {
            input.write_all(&first)?;
            write_pieces(input, move |_| rest.repeat(MB / rest.len()).into())
        });
    }
    takes_at_most(200, &["ingest", "-", "--host", "a.test", "-o", "pages.jsonl.gz"], |input| {
        let long = "x".repeat(MB);
        // The beginning of a first line must show what it is.
        input.write_all(access_log("/", 5).as_bytes())?;
        write_pieces(input, move |n| access_log(&format!("/{n}{long}"), 5).into())
    });
}

/// Pages within feeds and tables.
#[test]
fn ingest_takes_the_same_for_any_feed() {
    let ingest = ["ingest", "-", "-o", "pages.jsonl.gz"];
    let words = "some words ".repeat(1000);
    let item = format!("<item><url>http://a.test/</url><body>&lt;p&gt;{words}</body></item>\n");
    takes_at_most(100, &ingest, move |input| {
        input.write_all(b"<items>\n")?;
        write_pieces(input, move |_| item.clone().into())
    });
    let row = format!("http://a.test/,\"<p>\n{words}\"\n");
    takes_at_most(100, &ingest, move |input| {
        input.write_all(b"url,body\n")?;
        write_pieces(input, move |_| row.clone().into())
    });
    // What never ends is held up to its bound, and read again; then comes a whole one.
    takes_at_most(150, &ingest, |input| {
        input.write_all(b"<items>\n<item><url>http://a.test/")?;
        write_pieces(input, |_| vec![b'x'; MB])?;
        input.write_all(b"<item><url>http://a.test/</url></item>\n")
    });
    takes_at_most(150, &ingest, |input| {
        input.write_all(b"url,body\nhttp://a.test/,\"")?;
        write_pieces(input, |_| [vec![b'x'; MB], b"\n".to_vec()].concat())?;
        input.write_all(b"\nhttp://a.test/,last\n")
    });
}

/// A manifest line of a page, which every other URL shows again, with a title of `title` bytes.
fn page(number: usize, title: usize) -> String {
    let title = "t".repeat(title);
    format!(
        "{{\"url\":\"http://a.test/users/{number}x\",\"status\":200,\"title\":\"{number}{title}\",\"digest\":\"{}\"}}\n",
        number / 2
    )
}

/// Of a page its URL is held, and some hundred bytes; not its title.
#[test]
fn learning_takes_memory_for_pages_and_not_for_their_bytes() {
    for arguments in [
        &["cluster", "-", "-o", "clusters.jsonl"][..],
        &["cluster", "-", "--state", "state", "-o", "clusters.jsonl"],
        &["train", "-", "--method", "tree", "--models", "new"],
        &["evaluate", "-", "--methods", "tree", "--json", "results.json"],
    ] {
        takes_at_most(250, arguments, |input| {
            write_pieces(input, |n| page(n % 20_000, 100_000).into())
        });
    }
}

/// A page under eight URLs, each with twelve of sixty filters: no two URLs of the site have the same names.
#[test]
fn learning_takes_the_same_for_any_number_of_arguments() {
    takes_at_most(120, &["train", "-", "--models", "new"], |input| {
        let filter = |url: usize, n: usize| format!("a{}={}", (31 * url + n * n * n) % 60, url % 3);
        for url in 0..4000 {
            let filters: Vec<String> = (0..12).map(|n| filter(url, n)).collect();
            let (page, filters) = (url / 8, filters.join("&"));
            let url = format!("http://a.test/list?page={page}&{filters}");
            writeln!(input, "{{\"url\":\"{url}\",\"status\":200,\"digest\":\"{page}\"}}")?;
        }
        Ok(())
    });
}

/// Forty megabytes of responses are some three thousand sites, each of which takes 41 kB where it stays in memory.
#[test]
fn live_takes_what_it_was_given_for_any_number_of_sites() {
    let live = ["live", "--state", "state", "--memory", "64M", "--sync", "60"];
    takes_at_most(80, &live, |input| {
        let response = |site: usize, n: usize| {
            let url = format!("http://site-{site}.test/story/{}?from={n}", n / 2);
            let digest = format!("sha256:{:064x}", 1000 * site + n / 2);
            format!("{{\"url\":\"{url}\",\"status\":200,\"digest\":\"{digest}\"}}\n")
        };
        write_pieces(input, move |site| {
            (0..40).map(|n| response(site, n)).collect::<String>().into()
        })
    });
}
