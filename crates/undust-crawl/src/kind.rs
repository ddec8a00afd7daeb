//! The kind of an input, recognised by its content, because names of files are not trusted.

use std::io::BufRead;
use std::path::Path;

use super::cells::DELIMITERS;
use super::input::InputContext;
use super::lines::without_mark;
use super::options::ReadOptions;
use super::source::{Source, fault};
use super::{
    access_log, arc, cdx, crawl_log, feed, manifest, server_log, sitemap, url_list, w3c_log, wacz,
    warc,
};
use crate::error::{CrawlReason, Error, Result};
use crate::feed::json::JsonLine;

/// Bytes that are inspected to recognise the kind of an input.
const SNIFF_BYTES: usize = 64 * 1024;

/// A kind of input.
pub(super) struct InputKind {
    /// Its name in messages, with its article.
    pub name: &'static str,
    /// Whether a line, without white space around it, looks like one of this kind.
    looks_like: fn(&[u8], &ReadOptions) -> bool,
    /// Its reader.
    pub read: fn(&mut Source, &mut InputContext<'_>) -> Result<()>,
}

/// A kind that is not a crawl.
const URL_LIST: &str = "a list of URLs";

/// Another kind that is not a crawl; it has its URLs in parts.
pub const ACCESS_LOG: &str = "an access log";

/// What [`ManifestWriter`](crate::manifest::ManifestWriter) writes.
pub const MANIFEST: &str = "a crawl manifest";

/// What [`crawl_in`] says of a file that is compressed in a way that is not read.
pub const PACKED: &str = "a compressed file, which must be unpacked first";

/// A kind that lists URLs as their site wants them.
pub const SITEMAP: &str = "a sitemap";

/// A kind with three formats.
const FEED: &str = "a Scrapy feed";

/// All kinds. The first one that a line looks like counts.
static KINDS: [InputKind; 17] = [
    kind("a WACZ file", |line, _| line.starts_with(wacz::ZIP), wacz::read),
    kind("a Parquet file", |line, _| feed::parquet::looks_like(line), feed::parquet::read),
    kind("a WARC file", |line, _| warc::looks_like(line), warc::read),
    kind("an ARC file", |line, _| arc::looks_like(line), arc::read),
    kind("a CDX index", |line, _| cdx::looks_like(line), cdx::read),
    kind(ACCESS_LOG, |line, options| JsonLine::Log.is(line, options), feed::json::read),
    kind(FEED, |line, options| JsonLine::Feed.is(line, options), feed::json::read),
    kind(SITEMAP, |line, _| sitemap::looks_like(line), sitemap::read),
    kind(FEED, |line, _| feed::xml::looks_like(line), feed::xml::read),
    kind(MANIFEST, |line, options| JsonLine::Manifest.is(line, options), manifest::read),
    kind("a Heritrix crawl.log", |line, _| crawl_log::looks_like(line), crawl_log::read),
    kind(ACCESS_LOG, |line, _| access_log::looks_like(line), access_log::read),
    kind(ACCESS_LOG, |line, _| w3c_log::looks_like(line), w3c_log::read),
    kind(ACCESS_LOG, |line, _| server_log::looks_like(line), server_log::read),
    kind(URL_LIST, |line, _| url_list::looks_like(line), url_list::read),
    // A line of what is above may hold any words, those that name a column of a table among them.
    kind("a Screaming Frog table", feed::csv::is_of_screaming_frog, feed::csv::read),
    kind(FEED, feed::csv::looks_like, feed::csv::read),
];

const fn kind(
    name: &'static str,
    looks_like: fn(&[u8], &ReadOptions) -> bool,
    read: fn(&mut Source, &mut InputContext<'_>) -> Result<()>,
) -> InputKind {
    InputKind { name, looks_like, read }
}

impl InputKind {
    /// The kind of an input, which stays unread; none for an input without content. Redirects and errors look the same
    /// in a feed as in a manifest: then the first line of a page decides.
    ///
    /// # Errors
    ///
    /// An input that cannot be read, or has none of these kinds.
    pub(super) fn of(
        source: &mut Source,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<Option<&'static InputKind>> {
        // What is there decides if it can: a pipe may give a few lines and then be silent for hours.
        let (mut seen, mut wanted) = (0, 1);
        let mut guessed = None;
        loop {
            let head = source.peek(wanted);
            let head = &head[..head.len().min(SNIFF_BYTES)];
            if let Some(by) = packed(head).or_else(|| wacz::workbook(head)) {
                return Err(Error::at(path, by));
            }
            let is_all = head.len() < wanted || head.len() >= SNIFF_BYTES;
            let whole = memchr::memrchr(b'\n', head).map_or(0, |at| at + 1);
            let end = if is_all { head.len() } else { whole };
            let start = if seen == 0 { without_mark(&head[..end]) } else { &head[seen..end] };
            for line in lines(start) {
                let Some(kind) = of_line(line, options) else { continue };
                match guessed {
                    _ if kind.name == MANIFEST && feed::json::is_of_no_page(line) => {
                        guessed = Some(kind)
                    }
                    Some(_) if feed::json::has_page(line, options) => return Ok(Some(kind)),
                    Some(_) => return Ok(guessed),
                    None if kind.name == URL_LIST && is_table(head, line) => {
                        return Err(unknown(path, head));
                    }
                    None => return Ok(Some(kind)),
                }
            }
            (seen, wanted) = (whole, head.len() + 1);
            if is_all {
                break;
            }
        }
        if guessed.is_some() {
            return Ok(guessed);
        }
        let is_empty = lines(without_mark(source.peek(0))).all(<[u8]>::is_empty);
        if is_empty && source.has_failed() {
            let error = source.fill_buf().err();
            return Err(error.map_or_else(|| unknown(path, b""), |error| fault(path, error)));
        }
        if is_empty { Ok(None) } else { Err(unknown(path, source.peek(0))) }
    }
}

/// Files that are compressed in ways that are not read: how they begin, and by what they were made.
const PACKERS: [(&[u8], &str); 4] = [
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"\x04\x22\x4d\x18", "lz4"),
];

/// Why a file with this beginning must be unpacked first.
fn packed(head: &[u8]) -> Option<CrawlReason> {
    let found = PACKERS.iter().find(|(magic, _)| head.starts_with(magic));
    // A text may begin with the three letters of bzip2; then comes a digit.
    let is_text = head.starts_with(b"BZh") && !head.get(3).is_some_and(u8::is_ascii_digit);
    found.filter(|_| !is_text).map(|(_, by)| CrawlReason::Packed { by })
}

/// The kind of a text with this beginning, if it is a crawl rather than a list of URLs. Only the
/// first line with content counts; an XML declaration does not count as content.
pub fn crawl_in(start: &[u8]) -> Option<&'static str> {
    if packed(start).is_some() {
        return Some(PACKED);
    }
    let line = lines(without_mark(start)).find(|line| !line.is_empty() && !is_declaration(line))?;
    let kind = of_line(line, &ReadOptions::default())?;
    (kind.name != URL_LIST).then_some(kind.name)
}

/// Whether the first line of an input may be that of a crawl, if it is read with `options`.
pub fn may_begin_crawl(line: &[u8], options: &ReadOptions) -> bool {
    let kind = || of_line(line, options).is_some_and(|kind| kind.name != URL_LIST);
    packed(line).is_some() || is_declaration(line) || kind()
}

fn is_declaration(line: &[u8]) -> bool {
    line.starts_with(b"<?xml") && line.ends_with(b"?>")
}

fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii)
}

/// The first line that looks like one of a kind decides: damage may come before it.
fn of_line(line: &[u8], options: &ReadOptions) -> Option<&'static InputKind> {
    KINDS.iter().find(|kind| (kind.looks_like)(line, options))
}

/// Whether a line that looks like a URL is rather one of a table, whose first line names as many columns.
fn is_table(head: &[u8], line: &[u8]) -> bool {
    let first = lines(without_mark(head)).find(|line| !line.is_empty()).unwrap_or_default();
    let cells = |line: &[u8], by: u8| memchr::memchr_iter(by, line).count();
    let is_like = |by: &u8| cells(first, *by) > 0 && cells(first, *by) == cells(line, *by);
    first != line && DELIMITERS.iter().any(is_like) && feed::csv::columns(first).is_some()
}

/// The error about an input of no known kind; if it could be a table, with what its first line has.
fn unknown(path: &Path, head: &[u8]) -> Error {
    let first = lines(without_mark(head)).find(|line| !line.is_empty()).unwrap_or_default();
    let columns = feed::json::names(first).or_else(|| feed::csv::columns(first));
    let table = columns.map(|columns| CrawlReason::UnknownTable { columns });
    Error::at(path, table.unwrap_or(CrawlReason::UnknownKind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::open;

    fn name(head: &[u8]) -> Option<&'static str> {
        let options = ReadOptions::default();
        lines(without_mark(head)).find_map(|line| of_line(line, &options)).map(|kind| kind.name)
    }

    #[test]
    fn the_content_decides_the_kind() {
        for (head, expected) in [
            (&b"WARC/1.1\r\nWARC-Type: warcinfo\r\n"[..], "a WARC file"),
            (b"\xef\xbb\xbf\n{\"url\":", "a crawl manifest"),
            (b"{\"url\":\"http://x/\",\"status\":200}", "a crawl manifest"),
            (b"{\"url\":\"http://x/\",\"simhash\":null,\"body\":1}", "a crawl manifest"),
            (b"{\"url\": \"http://x/\", \"status\": 200, \"body\": \"<p", "a Scrapy feed"),
            (b"{\"url\": \"http://x/\", \"price\": 3}", "a Scrapy feed"),
            (b"[\n{\"url\": \"http://x/\", \"body\": \"\"},", "a Scrapy feed"),
            (b"\xef\xbb\xbfurl,title\nhttp://x/,T\n", "a Scrapy feed"),
            (b"title;url\nT;http://x/\n", "a Scrapy feed"),
            (b",url,price (EUR)\n0,http://x/,1\n", "a Scrapy feed"),
            (b"url,images/0,tags[0]\nhttp://x/,a,b\n", "a Scrapy feed"),
            (
                b"[{\"title\":\"x 2014 http://x/ text/html 200 B2 - - 1 2 f\",\"url\":\"http://x/\"},",
                "a Scrapy feed",
            ),
            (b"{\"title\":\",url,x\",\"url\":\"http://x/\",\"status\":200}", "a crawl manifest"),
            (b"{\"title\":\",Address,Status Code,\",\"status\":200}", "a crawl manifest"),
            (b"http://x/?a,url,b\n", "a list of URLs"),
            (b"{\"title\":\"x 2014 http://x/ text/html 200 B2 - - 1 2 f\",\"status\":200}", "a crawl manifest"),
            (b"<?xml version=\"1.0\"?>\n<items>\n<item>", "a Scrapy feed"),
            (b"<?xml version=\"1.0\"?><items><item>", "a Scrapy feed"),
            (
                b"{\"urlkey\": \"com,x)/\", \"timestamp\": \"20140127171251\", \"url\": \"http://x/\"}",
                "a CDX index",
            ),
            (b"{\"url\": \"http://x/\", \"timestamp\": \"20140127171251\"}", "a Scrapy feed"),
            (b"1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5", "an access log"),
            (b"garbage\nWARC/1.0\r\n", "a WARC file"),
            (b"\nhttp://www.example.org/\n", "a list of URLs"),
            (b"filedesc://x.arc 1.2.3.4 20140216050221 text/plain 75\n", "an ARC file"),
            (b"http://x/ 1.2.3.4 20140216050221 text/html 75\n", "an ARC file"),
            (b" CDX N b a m s k r M S V g\n", "a CDX index"),
            (b"com,x)/ 20140127171200 http://x.com text/html 200 B2 - - 1 2 f\n", "a CDX index"),
            (b"com,x)/ 20140127171251 {\"url\": \"http://x.com\"}\n", "a CDX index"),
            (
                b"2012-03-29T00:01:02.345Z   200  1234 http://x/ L http://y/ text/html #1 2012+3 sha1:A - -",
                "a Heritrix crawl.log",
            ),
            (b"\xef\xbb\xbf\"Address\",\"Content Type\",\"Status Code\"\n", "a Screaming Frog table"),
        ] {
            assert_eq!(name(head), Some(expected), "{}", head.escape_ascii());
        }
        for head in [
            &b"http://www.example.org/ x\n"[..],
            b"\x7fELF\0\0",
            b"a,b,c\n1,2,3\n",
            b"url\n",
            b"<rss>\n<item>\n",
            b"1.2.3.4 - - [17/May/2015] \"GET /?,url, \xff\n",
        ] {
            assert_eq!(name(head), None, "{}", head.escape_ascii());
        }
    }

    #[test]
    fn crawls_are_no_queues() {
        assert_eq!(crawl_in(b"\n{\"url\":"), Some("a crawl manifest"));
        assert_eq!(crawl_in(b"PK\x03\x04\x14\0"), Some("a WACZ file"));
        assert_eq!(crawl_in(b"PAR1\x15\x04\x15"), Some("a Parquet file"));
        assert_eq!(crawl_in(b"WARC/1.0"), Some("a WARC file"));
        assert_eq!(crawl_in(b"<?xml version=\"1.0\"?>\n<items>\n"), Some("a Scrapy feed"));
        for queue in [&b"http://x/\nWARC/1.0\n"[..], b"x\n", b"PK\n", b"", b"{[(\n"] {
            assert_eq!(crawl_in(queue), None);
        }
    }

    #[test]
    fn an_input_that_cannot_be_read_is_an_error_with_its_path() {
        let message = |path: &str| {
            let path = Path::new(path);
            let kind = open(path, None)
                .and_then(|mut source| InputKind::of(&mut source, path, &ReadOptions::default()));
            kind.err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert!(message("/nowhere/x.warc").starts_with("cannot read /nowhere/x.warc: "));
        assert!(message("/").starts_with("cannot read /"), "{}", message("/"));
    }
}
