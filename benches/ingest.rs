//! Pages in: bytes of stored crawl to responses, on one thread and on two; the text work
//! alone; and made-up crawls of the other formats. `UNDUST_CRAWLS` names a folder with
//! `wiki.warc.gz`; without it, made-up pages are read.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use undust_crawl::content::html::HtmlPage;
use undust_crawl::{ReadOptions, read_all};

const PAGES: usize = 2000;

fn html(page: usize) -> String {
    let mut html =
        format!("<!doctype html><head><title>Page {page}</title><style>p{{}}</style></head><body>");
    for i in 0..200 {
        // Writing to a string cannot fail.
        _ = writeln!(
            html,
            "<p class=\"c{i}\"><a href='/p?q={i}&amp;r={page}'>Word{}</a> and other words &mdash; {i}</p>",
            i * page % 97
        );
    }
    html
}

fn made_up(folder: &Path) -> std::io::Result<PathBuf> {
    let path = folder.join("made-up.warc.gz");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path)?);
    for page in 0..PAGES {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", html(page));
        let mut member = flate2::write::GzEncoder::new(&mut file, flate2::Compression::fast());
        let length = http.len();
        write!(
            member,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.test/{page}\r\nContent-Length: {length}\r\n\r\n{http}\r\n\r\n"
        )?;
        member.finish()?;
    }
    file.flush()?;
    Ok(path)
}

/// Crawls of the formats other than WARC, each with its name.
fn other_formats() -> [(&'static str, String); 6] {
    let pages = |line: &dyn Fn(usize) -> String| (0..PAGES).map(line).collect::<String>();
    // Formats without pages are read so fast that they need more lines.
    let lines = |line: &dyn Fn(usize) -> String| (0..50 * PAGES).map(line).collect::<String>();
    let feed = pages(&|page| {
        let body = serde_json::Value::from(html(page));
        format!("{{\"url\":\"http://x.test/{page}\",\"status\":200,\"body\":{body}}}\n")
    });
    let cdxj = lines(&|page| {
        format!(
            "test,x)/{page} 20140127171200 {{\"url\": \"http://x.test/{page}\", \"mime\": \
             \"text/html\", \"status\": \"200\", \"digest\": \"{page:A>32}\", \"length\": \"642\", \
             \"offset\": \"834\", \"filename\": \"x.warc.gz\"}}\n"
        )
    });
    let crawl_log = lines(&|page| {
        format!(
            "2012-03-29T00:01:03.345Z   200       1234 http://x.test/{page} L http://x.test/ \
             text/html #002 20120329000102002+12 sha1:{page:A>32} - -\n"
        )
    });
    let head = "Address,Content Type,Status Code,Title 1,Hash\n";
    let table = lines(&|page| {
        format!("\"http://x.test/{page}\",\"text/html\",\"200\",\"Page {page}\",\"{page:0>32}\"\n")
    });
    let about = "1 0 Someone\nURL IP-address Archive-date Content-type Archive-length\n";
    let arc = pages(&|page| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", html(page));
        let length = http.len();
        format!("http://x.test/{page} 1.2.3.4 20140216050221 text/html {length}\n{http}\n")
    });
    let arc_head =
        format!("filedesc://x.arc 127.0.0.1 20140216050221 text/plain {}\n{about}\n", about.len());
    let wet = pages(&|page| {
        let text = format!("Page {page}\n{}", "Some words of the page and others\n".repeat(200));
        let length = text.len();
        format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://x.test/{page}\r\n\
             Content-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}\r\n\r\n"
        )
    });
    [
        ("feed.jsonl", feed),
        ("cdxj", cdxj),
        ("crawl.log", crawl_log),
        ("csv", format!("{head}{table}")),
        ("arc", format!("{arc_head}{arc}")),
        ("wet", wet),
    ]
}

fn other_readers(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the crawls");
    let mut group = criterion.benchmark_group("readers");
    group.sample_size(10);
    let options = ReadOptions { threads: 1, ..ReadOptions::default() };
    for (name, crawl) in other_formats() {
        let path = folder.path().join(name);
        std::fs::write(&path, &crawl).expect("the crawl can be written");
        let read = || {
            let mut responses = 0;
            let mut count = |_| {
                responses += 1;
                Ok(())
            };
            read_all(std::slice::from_ref(&path), &options, &mut count).expect("a crawl");
            responses
        };
        assert!(read() >= PAGES, "{name} was not read as what it is");
        group.throughput(Throughput::Bytes(crawl.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(read));
    }
    group.finish();
}

fn ingest(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the crawl");
    let warc = match std::env::var_os("UNDUST_CRAWLS") {
        Some(crawls) => PathBuf::from(crawls).join("wiki.warc.gz"),
        None => {
            println!("UNDUST_CRAWLS names no folder of crawls: made-up pages are read");
            made_up(folder.path()).expect("the crawl can be written")
        }
    };
    let bytes = std::fs::metadata(&warc).map_or(0, |file| file.len());
    let mut group = criterion.benchmark_group("ingest");
    group.sample_size(10).throughput(Throughput::Bytes(bytes));
    for threads in [1, 2] {
        let options = ReadOptions { threads, ..ReadOptions::default() };
        group.bench_function(format!("warc.gz/{threads} threads"), |bencher| {
            bencher.iter(|| {
                read_all(std::slice::from_ref(&warc), &options, &mut |_| Ok(())).expect("a crawl")
            });
        });
    }
    let page = html(7);
    group.throughput(Throughput::Bytes(page.len() as u64));
    group.bench_function("html", |bencher| {
        bencher.iter(|| HtmlPage::parse(std::hint::black_box(&page)))
    });
    group.finish();
}

criterion_group!(benches, ingest, other_readers);
criterion_main!(benches);
