//! Indexes, feeds, Heritrix's log and tables: formats without bodies, or with bodies in fields.

use undust_pages::pages::PagesBuilder;
use undust_pages::response::Response;

use super::hostile::work_of;
use super::{page, read};
use crate::feed;

const CDX: &str = " CDX N b a m s k r M S V g
com,x)/ 20140127171200 http://x.com text/html 200 B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - - 1046 334 f
com,x)/a 20140127171251 http://x.com/a warc/revisit - B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - - 553 11875 f
com,x)/font 20140127171300 http://x.com/font font/woff 200 LNMEDYOENSOEI5VPADCKL3CB6N3GWXPR - - 1 2 f
com,x)/font 20140127171301 http://x.com/font2 warc/revisit - LNMEDYOENSOEI5VPADCKL3CB6N3GWXPR - - 1 2 f
com,x)/r 20140127171238 http://x.com/r unk 302 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://x.com/a - 343 1858 f
no line of an index
com,x)/gone 20140127171239 http://x.com/gone text/html 404 - - - 3 4 f
";

const CDXJ: &str = r#"com,x)/ 20140127171200 {"url": "http://x.com", "mime": "text/html", "status": "200", "digest": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "length": "1046"}
com,x)/a 20140127171251 {"url": "http://x.com/a", "mime": "warc/revisit", "digest": "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A"}
com,x)/font 20140127171300 {"url": "http://x.com/font", "mime": "font/woff", "status": 200, "digest": "LNMEDYOENSOEI5VPADCKL3CB6N3GWXPR"}
com,x)/font 20140127171300 {"url": "http://x.com/font2", "mime": "revisit", "digest": "LNMEDYOENSOEI5VPADCKL3CB6N3GWXPR"}
com,x)/r 20140127171238 {"url": "http://x.com/r", "mime": "text/html", "status": "302", "redirect": "/a", "digest": "-"}
no line of an index
com,x)/gone 20140127171239 {"url": "http://x.com/gone", "status": "404"}
"#;

/// As the index server of Common Crawl answers.
const SERVED: &str = r#"{"urlkey": "com,x)/", "timestamp": "20140127171200", "url": "http://x.com", "mime": "text/html", "mime-detected": "text/html", "status": "200", "digest": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "length": "1046", "languages": "eng"}
{"urlkey": "com,x)/a", "timestamp": "20140127171251", "url": "http://x.com/a", "mime": "warc/revisit", "digest": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A"}
{"urlkey": "com,x)/font", "timestamp": "20140127171300", "url": "http://x.com/font", "mime": "font/woff", "status": "200", "digest": "LNMEDYOENSOEI5VPADCKL3CB6N3GWXPR"}
{"urlkey": "com,x)/font", "timestamp": "20140127171300", "url": "http://x.com/font2", "mime": "warc/revisit", "digest": "LNMEDYOENSOEI5VPADCKL3CB6N3GWXPR"}
{"urlkey": "com,x)/r", "timestamp": "20140127171238", "url": "http://x.com/r", "mime": "unk", "status": "302", "digest": "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "redirect": "http://x.com/a"}
{"message": "No Captures found"}
{"urlkey": "com,x)/gone", "timestamp": "20140127171239", "url": "http://x.com/gone", "mime": "text/html", "status": "404"}
"#;

const CRAWL_LOG: &str = "\
2012-03-29T00:01:02.345Z     1         52 dns:x.com P http://x.com/ text/dns #002 20120329000102002+12 sha1:KDWXHKAPPHV6BCXUD4SPTJ2TNJTMO4BZ - -
2012-03-29T00:01:03.345Z   200       1234 http://x.com/ L http://y.com/ text/html #002 20120329000102002+12 sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - -
2012-03-29T00:01:04.345Z   302          0 http://x.com/r L http://x.com/ text/html #002 20120329000102002+12 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - -
2012-03-29T00:01:04.345Z   301          0 http://x.com/s L http://x.com/ text/html #002 20120329000102002+12 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - -
2012-03-29T00:01:05.345Z   200       1234 http://x.com/a LR http://x.com/r text/html #003 20120329000102002+12 sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - duplicate:digest
2012-03-29T00:01:06.345Z   200       9999 http://x.com/p LE http://x.com/ image/png #003 20120329000102002+12 sha1:LNMEDYOENSOEI5VPADCKL3CB6N3GWXPR - -
not a line
2012-03-29T00:01:07.345Z    -4          - http://y.com/ L http://x.com/ unknown #004 - - - le:UnknownHostException
";

pub(super) const TABLE: &str = "\u{feff}\"Address\",\"Content Type\",\"Status Code\",\"Title 1\",\"Canonical Link Element 1\",\"Hash\",\"Redirect URL\"
\"http://x.com/\",\"text/html; charset=utf-8\",\"200\",\"A  \"\"title\"\"\nover two lines\",\"http://x.com/\",\"d41d8cd98f00b204e9800998ecf8427e\",\"\"
\"http://x.com/a\",\"text/html\",\"200\",\"A \"\"title\"\" over two lines\",\"/\",\"d41d8cd98f00b204e9800998ecf8427e\",\"\"
\"http://x.com/p\",\"image/png\",\"200\",\"\",\"\",\"x\",\"\"
\"http://x.com/r\",\"\",\"301\",\"\",\"\",\"\",\"http://x.com/a\"
\"too\",\"few\"
\"http://y.com/\",\"\",\"0\",\"\",\"\",\"\",\"\"
";

pub(super) const FEED: &str = r#"{"url": "http://x.com/#f", "status": 200, "body": "<title>T</title><p>some words here"}
{"url": "http://x.com/a", "body": "PHRpdGxlPlQ8L3RpdGxlPjxwPnNvbWUgd29yZHMgaGVyZQ=="}
{"name": "no url"}
not json
{"url": "http://x.com/b", "status": "404", "body": ""}
{"url": "http://x.com/t", "text": "a < b in words", "title": "Own"}
"#;

pub(super) const CSV: &str = "title,url,status,body,text\r
T,http://x.com/#f,200,\"<title>T</title>\r
<p>some \"\"words\"\", here\",\r
,http://x.com/a,,PHRpdGxlPlQ8L3RpdGxlPjxwPnNvbWUgd29yZHMgaGVyZQ==,\r
no url,,200,,\r
too,few\r
,http://x.com/b,404,,\r
Own,http://x.com/t,,,a < b in words\r
";

pub(super) const XML: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<items>
<item><title>T</title><url>http://x.com/#f</url><status>200</status><body>&lt;title&gt;T&lt;/title&gt;
&lt;p&gt;some &quot;w&#111;rds\", here</body><tags><value>url</value><item>x</item></tags></item>
<item><url>http://x.com/a</url><body>PHRpdGxlPlQ8L3RpdGxlPjxwPnNvbWUgd29yZHMgaGVyZQ==</body></item>
<item><name>no url</name></item>
<item><url>http://x.com/damaged</ur></item>
<item><url>http://x.com/b</url><status>404</status><body></body></item><item><url>http://x.com/t</url><text>a &lt; b in words</text><title>Own</title></item>
</items>";

const ARC: &str = "filedesc://x 127.0.0.1 20140216050221 text/plain 10
1 0 Some

http://x.com/ 1.2.3.4 20140216050221 text/html 43
HTTP/1.1 200 OK

<title>T</title> some words
http://x.com/a 1.2.3.4 20140216050221 text/html 43
HTTP/1.1 200 OK

<title>T</title> some words
";

/// One text of each kind that this module knows.
pub(super) const SAMPLES: [&str; 9] = [CDX, CDXJ, SERVED, CRAWL_LOG, TABLE, FEED, CSV, XML, ARC];

pub(super) fn describe(responses: &[Response]) -> Vec<(&str, u16, Option<&str>)> {
    responses.iter().map(|r| (r.url.as_str(), r.status, r.location.as_deref())).collect()
}

/// URLs that end at pages, and how many different ones by digest.
fn pages(responses: Vec<Response>) -> (Vec<Box<str>>, usize) {
    let mut builder = PagesBuilder::new();
    responses.into_iter().for_each(|response| builder.push(response));
    let pages = builder.finish().pages;
    let mut digests: Vec<_> = pages.iter().map(|page| page.digest).collect();
    digests.sort_unstable();
    digests.dedup();
    (pages.into_iter().map(|page| page.url).collect(), digests.len())
}

#[test]
fn both_kinds_of_index_say_the_same() {
    let (responses, report) = read(CDX.as_bytes());
    assert_eq!(
        describe(&responses),
        [
            ("http://x.com", 200, None),
            ("http://x.com/a", 200, None),
            ("http://x.com/r", 302, Some("http://x.com/a")),
            ("http://x.com/gone", 404, None),
        ]
    );
    assert_eq!(responses[0].time.as_deref(), Some("2014-01-27T17:12:00Z"));
    assert_eq!((report.not_html, report.bad_entries), (2, 1), "{report}");
    let (same, report) = read(CDXJ.as_bytes());
    assert_eq!(describe(&same), describe(&responses));
    assert_eq!((report.not_html, report.bad_entries), (2, 1), "{report}");
    assert_eq!(same[1].digest, responses[1].digest);
    let without_header = CDX.split_once('\n').unwrap().1;
    assert_eq!(read(without_header.as_bytes()).0, responses);
    assert_eq!(
        pages(responses),
        (vec!["http://x.com".into(), "http://x.com/a".into(), "http://x.com/r".into()], 1)
    );
}

#[test]
fn what_an_index_server_answers_is_an_index() {
    let (responses, report) = read(SERVED.as_bytes());
    let (same, _) = read(CDX.as_bytes());
    assert_eq!(describe(&responses), describe(&same));
    assert_eq!((&responses[0].time, &responses[1].digest), (&same[0].time, &same[1].digest));
    assert_eq!((report.not_html, report.bad_entries), (2, 1), "{report}");
    assert_eq!(report.inputs[0].1, "a CDX index");
}

#[test]
fn an_index_agrees_with_its_archive() {
    let claimed = "WARC-Payload-Digest: sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A\r\n";
    let mut warc = String::from_utf8(page("http://x.com", "x")).unwrap();
    warc = warc.replace("Content-Length", &format!("{claimed}Content-Length"));
    assert_eq!(read(warc.as_bytes()).0[0].digest, read(CDX.as_bytes()).0[0].digest);
}

#[test]
fn a_header_names_the_columns() {
    let wget = " CDX a b a m s k r M V g u
http://x.com/ 20261122030000 http://x.com/ text/html 200 B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - - 334 f.warc.gz <urn:uuid:1>
";
    let (responses, report) = read(wget.as_bytes());
    assert_eq!((describe(&responses), report.bad_entries), (vec![("http://x.com/", 200, None)], 0));
}

#[test]
fn the_log_of_heritrix() {
    let (responses, report) = read(CRAWL_LOG.as_bytes());
    assert_eq!(
        describe(&responses),
        [
            ("http://x.com/", 200, None),
            ("http://x.com/r", 302, Some("http://x.com/a")),
            ("http://x.com/a", 200, None),
            ("http://y.com/", 0, None),
            ("http://x.com/s", 301, None),
        ]
    );
    assert_eq!((report.not_html, report.bad_entries), (2, 1), "{report}");
    assert_eq!((responses[0].length, &responses[0].digest), (Some(1234), &responses[2].digest));
    assert_eq!(pages(responses).1, 1);
}

#[test]
fn a_table_of_screaming_frog() {
    let (responses, report) = read(TABLE.as_bytes());
    assert_eq!(
        describe(&responses),
        [
            ("http://x.com/", 200, None),
            ("http://x.com/a", 200, None),
            ("http://x.com/r", 301, Some("http://x.com/a")),
            ("http://y.com/", 0, None),
        ]
    );
    assert_eq!((report.not_html, report.bad_entries), (1, 1), "{report}");
    assert_eq!(responses[0].title.as_deref(), Some("A \"title\" over two lines"));
    assert_eq!(responses[1].canonical.as_deref(), Some("http://x.com/"));
    assert_eq!(pages(responses).1, 1);
}

#[test]
fn tables_have_other_marks_than_commas() {
    let (expected, _) = read(TABLE.as_bytes());
    for mark in [";", "\t"] {
        let table = TABLE.replace("\",\"", &format!("\"{mark}\""));
        let (responses, report) = read(table.as_bytes());
        assert_eq!((&responses, report.bad_entries), (&expected, 1), "{mark:?}: {report}");
        assert_eq!(report.inputs[0].1, "a Screaming Frog table");
    }
}

#[test]
fn a_mark_that_nobody_closed_costs_its_line() {
    let lines: String = (0..20_000).map(|i| format!("http://x.com/{i},200,{i}\n")).collect();
    let table = format!("Address,Status Code,Hash\n\"http://x.com/open,200,1\n{lines}");
    let (responses, report) = read(table.as_bytes());
    assert_eq!((responses.len(), report.bad_entries), (20_000, 1), "{report}");
    // Every line seems to open a text that goes on in the next.
    let hostile = format!("Address,Status Code,Hash\n{}", "a\",\"\n".repeat(400_000));
    let work = work_of(hostile.as_bytes(), feed::csv::read);
    assert!(work <= 2 * hostile.len() as u64, "{work} of {}", hostile.len());
}

#[test]
fn control_characters_of_urls_are_encoded() {
    let log = "x.org 1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /a\\nb\\x0ac\\x1b[31m HTTP/1.1\" 200 1\n";
    let feed = r#"{"url": "http://x.com/\u001b[1m\n", "body": ""}"#;
    assert_eq!(read(log.as_bytes()).0[0].url, "http://x.org/a%0Ab%0Ac%1B[31m");
    assert_eq!(read(feed.as_bytes()).0[0].url, "http://x.com/%1B[1m%0A");
}

/// Found by the fuzzer, too: all of a URL was its fragment.
#[test]
fn what_is_a_fragment_alone_is_no_url() {
    let record = |uri: &str| {
        let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>t</title>a page";
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    for crawl in [
        "{\"url\": \"#a\", \"body\": \"b\"}\n{\"url\": \"http://x.com/\", \"body\": \"b\"}\n"
            .to_owned(),
        "url,body\n#a,b\nhttp://x.com/,b\n".to_owned(),
        record("#a") + &record("http://x.com/"),
    ] {
        let urls: Vec<_> = read(crawl.as_bytes()).0.into_iter().map(|one| one.url).collect();
        assert_eq!(urls, ["http://x.com/"], "{crawl}");
    }
}

/// Found by the fuzzer: the fragment held the scheme, and no URL was left without it.
#[test]
fn what_has_no_scheme_before_its_fragment_is_no_entry() {
    let lines = "com,x)/ 20140127171200 http://x.com text/html 200 - - - 1 2 f
com,x)/ 20140127171300 #a:b text/html 200 - - - 1 2 f
com,x)/ 20140127171300 ?a:b text/html 200 - - - 1 2 f
";
    let (responses, report) = read(format!(" CDX N b a m s k r M S V g\n{lines}").as_bytes());
    assert_eq!(responses.len(), 1, "{responses:?}");
    assert_eq!(report.bad_entries, 2, "{report}");
}
