//! Files that other programs leave: fields by their names, logs, sitemaps, packed crawls.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{gz, page, read, read_with};
use crate::options::{FieldNames, ReadOptions};
use undust_pages::response::Response;

fn summaries(responses: &[Response]) -> Vec<(&str, u16, Option<&str>)> {
    responses.iter().map(|one| (one.url.as_str(), one.status, one.digest.as_deref())).collect()
}

fn one(data: &str) -> Response {
    let (mut responses, report) = read(data.as_bytes());
    assert_eq!((responses.len(), report.bad_entries), (1, 0), "{data}: {report}");
    responses.remove(0)
}

/// Crawlers, indexes and data sets call one thing by many names.
#[test]
fn fields_are_found_under_the_names_that_programs_use() {
    for line in [
        r#"{"url": "http://x.test/a", "status_code": 404, "content": "x"}"#,
        r#"{"request": {"method": "GET", "endpoint": "http://x.test/a"}, "response": {"status_code": 404}}"#,
        r#"{"response": {"url": "http://x.test/a", "status": "404"}}"#,
        r#"{"markdown": "words", "metadata": {"sourceURL": "http://x.test/a", "statusCode": 404}}"#,
        r#"{"url": ["http://x.test/a"], "fetch_status": ["404"]}"#,
        r#"{"URL": "http://x.test/a", "httpStatus": 404, "digest": "x"}"#,
        "{\n  \"request\": {\"endpoint\": \"http://x.test/a\"},\n  \"response\": {\"statusCode\": 404}\n}",
        "\"url\",\"fetch_status\",\"content_digest\"\n\"http://x.test/a\",\"404\",\"x\"\n",
        "Url;Status code;Status name;Signature\nhttp://x.test/a;3;db_gone;null\n",
        "<items><item><url>http://x.test/a</url><status_code>404</status_code></item></items>",
    ] {
        let response = one(line);
        assert_eq!((&*response.url, response.status), ("http://x.test/a", 404), "{line}");
    }
    let redirect =
        one(r#"{"url": "http://x.test/a", "fetch_status": 301, "fetch_redirect": "/b"}"#);
    assert_eq!(redirect.location.as_deref(), Some("http://x.test/b"));
    let index = one(
        "url,fetch_status,content_digest,content_mime_type\nhttp://x.test/a,200,AB,text/html\n",
    );
    assert_eq!(index.digest.as_deref(), Some("AB"));
    let nutch = one("Url;Status code;Status name;Signature\nhttp://x.test/a;2;db_fetched;ab\n");
    assert_eq!((nutch.status, nutch.digest.as_deref()), (200, Some("ab")));
    let text = one(r#"{"title": "T", "source": "http://x.test/a", "text": "three words here"}"#);
    assert_eq!((text.title.as_deref(), text.words), (Some("T"), Some(3)));
}

/// A page's own digest counts more than what a field may be the hash of.
#[test]
fn a_field_may_be_the_hash_of_anything() {
    let response = one(r#"{"url": "http://x.test/a", "html": "<p>words", "hash": "of the URL"}"#);
    assert_ne!(response.digest.as_deref(), Some("of the URL"));
}

#[test]
fn what_is_no_page_is_counted_and_not_taken_for_one() {
    let table =
        "url,content_type,status\nhttp://x.test/a,image/png,200\nhttp://x.test/b,text/html,200\n";
    let (responses, report) = read(table.as_bytes());
    assert_eq!((responses.len(), report.not_html), (1, 1), "{report}");
    // Another thing is called `source`.
    let (responses, report) = read(br#"[{"source": "twitter", "n": 1}]"#);
    assert!(responses.is_empty() && report.notes[0].contains("it has: n, source"), "{report}");
}

#[test]
fn fields_have_the_names_that_the_user_gives() {
    let options = ReadOptions {
        fields: FieldNames {
            url: Some("page.link".into()),
            status: Some("Code".into()),
            digest: Some("sum".into()),
            title: Some("name".into()),
            location: Some("to".into()),
            ..FieldNames::default()
        },
        ..ReadOptions::default()
    };
    let lines = "{\"page\": {\"link\": \"http://x.test/a\"}, \"code\": 200, \"sum\": \"s\", \"name\": \"N\"}\n\
                 {\"page\": {\"link\": \"http://x.test/b\"}, \"code\": 302, \"to\": \"/a\"}\n";
    let (responses, _) = read_with(lines.as_bytes(), &options).expect("a feed");
    assert_eq!(summaries(&responses)[0], ("http://x.test/a", 200, Some("s")));
    assert_eq!(responses[0].title.as_deref(), Some("N"));
    assert_eq!(responses[1].location.as_deref(), Some("http://x.test/a"));
    let refused = read_with(b"link,code\nhttp://x.test/a,200\n", &ReadOptions::default());
    let error = refused.expect_err("no URL").to_string();
    assert!(error.contains("it has: link, code"), "{error}");
}

#[test]
fn tables_of_screaming_frog_in_its_languages_and_in_utf_16() {
    for header in [
        "Address,Content Type,Status Code,Status,Hash,Title 1",
        "Adresse,Inhaltstyp,Status-Code,Status,Hash,Titel 1",
        "Adresse,Type de contenu,Code HTTP,Statut,Hachage,Title 1",
        "Dirección,Tipo de contenido,Código de respuesta,Estado,Hash,Título 1",
        "Indirizzo,Tipo di contenuto,Codice di stato,Stato,Hash,Title 1",
    ] {
        let table = format!("{header}\nhttp://x.test/a,text/html,200,OK,ab,T\n");
        let tabs = table.replace(',', "\t");
        let wide = |mark: &str| -> Vec<u8> {
            format!("{mark}{tabs}").encode_utf16().flat_map(u16::to_le_bytes).collect()
        };
        for bytes in [table.clone().into_bytes(), wide("\u{feff}"), gz(&wide("\u{feff}"))] {
            let (responses, report) = read(&bytes);
            assert_eq!(report.inputs[0].1, "a Screaming Frog table", "{header}");
            assert_eq!(summaries(&responses), [("http://x.test/a", 200, Some("ab"))], "{header}");
            assert_eq!(responses[0].title.as_deref(), Some("T"));
        }
    }
}

#[test]
fn answers_of_the_wayback_machine() {
    let columns = "test,x)/a 20240501000000 http://x.test/a text/html 200 AB 12\n\
                   test,x)/b 20240501000000 http://x.test/b text/html - AB 12\n";
    let json = "[[\"urlkey\",\"timestamp\",\"original\",\"mimetype\",\"statuscode\",\"digest\",\"length\"],\n\
                [\"test,x)/a\", \"20240501000000\", \"http://x.test/a\", \"text/html\", \"200\", \"AB\", \"12\"],\n\
                [\"test,x)/b\", \"20240501000000\", \"http://x.test/b\", \"text/html\", \"-\", \"AB\", \"12\"]]\n";
    for answer in [columns, json] {
        let (responses, report) = read(answer.as_bytes());
        assert_eq!((report.inputs[0].1, report.bad_entries), ("a CDX index", 0), "{report}");
        let urls: Vec<&str> = responses.iter().map(|response| response.url.as_str()).collect();
        assert_eq!(urls, ["http://x.test/a", "http://x.test/b"], "{answer}");
        assert!(responses.iter().all(|one| one.status == 200 && one.digest.is_some()));
    }
}

#[test]
fn logs_of_other_servers() {
    let options = ReadOptions { host: Some("x.test".into()), ..ReadOptions::default() };
    let iis = "#Software: Microsoft Internet Information Services 8.0\n\
               #Fields: date time cs-method cs-uri-stem cs-uri-query s-port cs(User-Agent) sc-status\n\
               2017-03-26 00:00:01 GET /a b=1 80 Mozilla/5.0+(X11) 200\n\
               2017-03-26 00:00:01 POST /a - 80 - 200\n";
    let cloudfront = "#Version: 1.0\n#Fields: date time sc-bytes cs-method cs(Host) cs-uri-stem sc-status cs-uri-query \
                      x-host-header cs-protocol\n\
                      2019-12-04\t21:02:31\t392\tGET\td1.cloudfront.net\t/a\t200\tb=1\tx.test\thttp\n";
    let alb = "http 2018-07-02T22:23:00.186641Z app/x 10.0.0.9:28 10.0.0.2:80 0.0 0.0 0.0 200 200 34 366 \
               \"GET http://x.test/a?b=1 HTTP/1.1\" \"curl/7.46.0\" - -\n";
    let elb = "2015-08-01T00:00:39.092804Z elb 10.0.0.9:18 10.0.0.2:80 0.0 0.5 0.0 200 200 0 33 \
               \"GET http://x.test/a?b=1 HTTP/1.1\" \"-\" - -\n";
    let caddy = "{\"level\":\"info\",\"ts\":1.5,\"msg\":\"handled request\",\"request\":{\"method\":\"GET\",\
                 \"host\":\"x.test\",\"uri\":\"/a?b=1\"},\"size\":5,\"status\":200}\n";
    let nginx = "{\"time_iso8601\":\"2020-01-01T00:00:00+00:00\",\"request\":\"GET /a?b=1 HTTP/1.1\",\
                 \"status\":\"200\",\"http_host\":\"x.test\",\"server_name\":\"_\",\
                 \"bytes_sent\":9,\"body_bytes_sent\":5}\n";
    for log in [iis, cloudfront, alb, elb, caddy, nginx] {
        let (responses, report) = read_with(log.as_bytes(), &options).expect("a log");
        assert_eq!((report.inputs[0].1, report.bad_log_lines), ("an access log", 0), "{log}");
        assert_eq!(summaries(&responses), [("http://x.test/a?b=1", 200, None)], "{log}");
        assert!(responses[0].is_listed);
        let torn = format!("{log}{}\n", &log.trim_end()[..log.trim_end().len() / 3]);
        let (again, _) = read_with(torn.as_bytes(), &options).expect("a log");
        assert_eq!(again.len(), 1, "{log}");
    }
    let (_, report) = read_with(iis.as_bytes(), &options).expect("a log");
    assert_eq!((report.other_methods, report.hosts_given), (1, 1));
}

#[test]
fn logs_tell_the_class_of_who_asked() {
    use undust_pages::AgentClass::{AiCrawler, Browser, SearchEngine, Tool, Unknown};
    let combined = |end: &str| {
        format!("1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 5{end}\n")
    };
    let iis = "#Fields: date time cs-method cs-uri-stem cs(User-Agent) sc-status\n\
               2017-03-26 00:00:01 GET /a Mozilla/5.0+(X11;+Linux) 200\n";
    let alb = "http 2018-07-02T22:23:00.186641Z app/x 10.0.0.9:28 10.0.0.2:80 0.0 0.0 0.0 200 200 34 366 \
               \"GET http://x.test/a HTTP/1.1\" \"curl/7.46.0\" - -\n";
    let caddy = "{\"request\":{\"method\":\"GET\",\"host\":\"x.test\",\"uri\":\"/a\",\
                 \"headers\":{\"User-Agent\":[\"GPTBot/1.0\"]}},\"status\":200}\n";
    let nginx = "{\"request\":\"GET /a HTTP/1.1\",\"status\":200,\"host\":\"x.test\",\
                 \"user_agent\":7,\"http_user_agent\":\"Googlebot/2.1\"}\n";
    let logs = [
        (combined(" \"http://x.test/\" \"GPTBot/1.0\""), Some(AiCrawler)),
        (combined(" \"say \\\"GPTBot\\\" \\\\\" \"Googlebot/2.1\" \"more\""), Some(SearchEngine)),
        (combined(" \"-\" \"-\""), Some(Unknown)),
        (combined(""), None),
        (combined(" \"cut off"), None),
        (iis.to_owned(), Some(Browser)),
        (alb.to_owned(), Some(Tool)),
        (caddy.to_owned(), Some(AiCrawler)),
        (nginx.to_owned(), Some(SearchEngine)),
    ];
    let options = ReadOptions { host: Some("x.test".into()), ..ReadOptions::default() };
    for (log, class) in logs {
        let (responses, _) = read_with(log.as_bytes(), &options).expect("a log");
        assert_eq!(responses.iter().map(|one| one.agent).collect::<Vec<_>>(), [class], "{log}");
    }
}

#[test]
fn sitemaps_are_lists_of_urls() {
    let sitemap = "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
                   <url><loc> http://x.test/a?b=1&amp;c=2 </loc><lastmod>2024</lastmod></url>\n\
                   <url><loc><![CDATA[http://x.test/b]]></loc><image:loc>http://x.test/i.png</image:loc></url></urlset>";
    let lists = ReadOptions { lists: true, ..ReadOptions::default() };
    for data in [sitemap.as_bytes().to_vec(), gz(sitemap.as_bytes())] {
        let (responses, _) = read_with(&data, &lists).expect("a list");
        let urls: Vec<&str> = responses.iter().map(|response| response.url.as_str()).collect();
        assert_eq!(urls, ["http://x.test/a?b=1&c=2", "http://x.test/b"]);
        let refused = read_with(&data, &ReadOptions::default()).expect_err("no pages");
        assert!(refused.to_string().contains("list of URLs"), "{refused}");
    }
    let index = "<sitemapindex><sitemap><loc>http://x.test/1.xml</loc></sitemap></sitemapindex>";
    let refused = read_with(index.as_bytes(), &lists).expect_err("an index");
    assert!(refused.to_string().contains("index of sitemaps"), "{refused}");
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, data) in files {
        writer.start_file(*name, stored).expect("a file");
        writer.write_all(data).expect("data");
    }
    writer.finish().expect("a zip file").into_inner()
}

#[test]
fn a_wacz_file_has_the_pages_of_its_archives() {
    let warc = |n: u32| gz(&page(&format!("http://x.test/{n}"), "<title>T</title>words"));
    let wacz = zipped(&[
        ("datapackage.json", b"{}"),
        ("archive/data-0.warc.gz", &warc(0)),
        ("pages/pages.jsonl", b"{\"format\": \"json-pages-1.0\"}\n"),
        ("archive/data-1.warc.gz", &warc(1)),
    ]);
    let (responses, report) = read(&wacz);
    let urls: Vec<&str> = responses.iter().map(|response| response.url.as_str()).collect();
    assert_eq!(
        (urls, report.inputs[0].1),
        (vec!["http://x.test/0", "http://x.test/1"], "a WACZ file")
    );
    let refused = |data: &[u8]| {
        read_with(data, &ReadOptions::default()).expect_err("no WACZ file").to_string()
    };
    let other = refused(&zipped(&[("crawl.warc.gz", &warc(0))]));
    assert!(other.contains("no WACZ file"), "{other}");
    // Cut off anywhere, it has no list of its files.
    refused(&wacz[..wacz.len() - 10]);
    refused(&wacz[..40]);
}

#[test]
fn pages_that_browsertrix_lists() {
    let pages = "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n\
                 {\"id\":\"1\",\"url\":\"http://x.test/a\",\"title\":\"A\",\"status\":200,\"text\":\"some words\"}\n";
    let response = one(pages);
    assert_eq!((&*response.url, response.words), ("http://x.test/a", Some(2)));
}

#[test]
fn what_is_packed_otherwise_is_named() {
    for (head, by) in [(&b"BZh91AY&SY"[..], "bzip2"), (b"\xfd7zXZ\0\0\x04", "xz")] {
        let refused = read_with(head, &ReadOptions::default()).expect_err("packed").to_string();
        assert!(refused.contains(by) && refused.contains("decompress"), "{refused}");
    }
}
