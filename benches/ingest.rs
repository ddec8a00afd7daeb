//! Pages in: bytes of stored crawl to responses, on one thread and on two, and the
//! text work alone. `UNDUST_CRAWLS` names a folder with `wiki.warc.gz`; without it,
//! made-up pages are read.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use undust::content::html::HtmlPage;
use undust::crawl::options::ReadOptions;
use undust::crawl::pipeline::read_all;

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

criterion_group!(benches, ingest);
criterion_main!(benches);
