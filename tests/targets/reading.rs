//! What holds of every crawl that is read, whatever its kind.

use std::io::{self, Read};

use undust::cluster::{ClusterOptions, cluster};
use undust::crawl::{PagesBuilder, ReadOptions, ReadReport, Response};
use undust_crawl::pipeline::read_stream;

/// Reads a crawl and asserts that the reading costs no more than its bytes, that it does not
/// depend on the pieces in which they come, and that every response can be written and read again.
/// Nothing where the whole input is refused.
pub fn read(bytes: &[u8]) -> Option<(Vec<Response>, ReadReport)> {
    let (responses, report) = read_in_pieces(bytes, usize::MAX)?;
    // How much of a damaged frame comes out does depend on the pieces, and of a cut gzip member its
    // last symbol.
    let is_cut = bytes.starts_with(b"\x1f\x8b") && report.cut_inputs > 0;
    if !is_packed(bytes) && !is_cut {
        let sum: usize = bytes.iter().map(|byte| usize::from(*byte)).sum();
        let in_pieces = read_in_pieces(bytes, 1 + sum % (bytes.len() / 3 + 1));
        assert_eq!(in_pieces, Some((responses.clone(), report.clone())), "it came in other pieces");
    }
    assert_eq!(report.responses, responses.len() as u64);
    assert_written(&responses);
    assert_pages(responses.clone());
    Some((responses, report))
}

fn is_packed(bytes: &[u8]) -> bool {
    bytes.get(1..4) == Some(b"\xb5\x2f\xfd") || bytes.get(1..4) == Some(b"\x2a\x4d\x18")
}

fn read_in_pieces(bytes: &[u8], piece: usize) -> Option<(Vec<Response>, ReadReport)> {
    let options = ReadOptions {
        lenient: true,
        lists: true,
        host: Some("log.test".into()),
        max_body: 1 << 16,
        threads: 1,
        ..ReadOptions::default()
    };
    let mut responses = Vec::new();
    let pieces = Pieces { left: bytes.to_vec().into(), piece };
    let read = read_stream(Box::new(pieces), &options, &mut |response| responses.push(response));
    let (report, work) = read.ok()?;
    // What stands where a record's head was cut is read once more than a swallowed record is.
    assert!(work.read <= 3 * work.bytes, "{work:?}");
    Some((responses, report))
}

/// Gives `piece` bytes at a time.
pub struct Pieces {
    pub left: std::collections::VecDeque<u8>,
    pub piece: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.piece.min(buffer.len());
        self.left.read(&mut buffer[..most])
    }
}

/// As a manifest, they are the same responses; but a number may be rounded.
fn assert_written(responses: &[Response]) {
    let mut manifest = Vec::new();
    for response in responses {
        assert!(!response.url.is_empty());
        serde_json::to_writer(&mut manifest, &of_manifest(response)).expect("a line");
        manifest.push(b'\n');
    }
    let again = read_in_pieces(&manifest, usize::MAX);
    let (again, report) = again.expect("what was written is a manifest");
    let nothing_else = ReadReport {
        responses: responses.len() as u64,
        inputs: report.inputs.clone(),
        ..ReadReport::default()
    };
    assert_eq!((again.len(), report), (responses.len(), nothing_else));
    for (again, response) in again.into_iter().zip(responses) {
        assert_eq!(again, of_manifest(response));
    }
}

/// What a manifest has of a response.
fn of_manifest(response: &Response) -> Response {
    Response { importance: None, is_listed: false, agent: None, took: None, ..response.clone() }
}

/// They make pages, each URL once, and clusters of them.
fn assert_pages(responses: Vec<Response>) {
    let mut crawl = PagesBuilder::new();
    let count = responses.len() as u64;
    responses.into_iter().for_each(|response| crawl.push(response));
    let pages = crawl.finish();
    let mut urls: Vec<_> = pages.pages.iter().map(|page| &*page.url).collect();
    urls.sort_unstable();
    assert!(urls.windows(2).all(|two| two[0] < two[1]), "a URL has two pages");
    assert!(urls.len() as u64 + pages.left_out.total() <= count);
    let clusters = cluster(&pages.pages, &ClusterOptions::default());
    assert_eq!(clusters.labels().len(), pages.pages.len());
    assert!(clusters.len() <= pages.pages.len());
}
