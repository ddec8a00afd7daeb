//! What crawlers, proxies and their services write, each as it writes it.

use std::io::{Cursor, Write};

use data_encoding::BASE64;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::logs::urls;
use super::{read, read_with};
use crate::fields::{Field, NAMES};
use crate::options::ReadOptions;

const FEED: &str = "a Scrapy feed";

const PAGE: &str = "<title>T</title><p>three words here";

#[test]
fn results_of_crawlers() {
    let har = |text: &str, more: &str| {
        format!(
            "{{\"log\": {{\"version\": \"1.2\", \"pages\": [{{\"id\": \"p\", \"title\": \"http://a.test/\"}}], \"entries\": [\n\
             {{\"startedDateTime\": \"2025-01-01T10:00:00Z\", \"time\": 50.5, \"request\": {{\"method\": \"GET\", \"url\": \"http://a.test/x?b=1\", \
             \"headers\": [{{\"name\": \"User-Agent\", \"value\": \"x\"}}, {{\"name\": \"Host\", \"value\": \"h\"}}]}}, \
             \"response\": {{\"status\": 200, \"redirectURL\": \"\", \"content\": {{\"mimeType\": \"text/html; charset=utf-8\", \
             \"text\": \"{text}\"{more}}}}}}},\n\
             {{\"request\": {{\"method\": \"POST\", \"url\": \"http://a.test/x\"}}, \"response\": {{\"status\": 200}}}},\n\
             {{\"request\": {{\"method\": \"GET\", \"url\": \"http://a.test/i\"}}, \"response\": {{\"status\": 200, \
             \"content\": {{\"mimeType\": \"image/png\", \"text\": \"iVBORw0KGgoAAAANSUhEUg==\", \"encoding\": \"base64\"}}}}}}\n\
             ], \"creator\": {{\"entries\": [{{\"url\": \"http://a.test/no\"}}]}}}}}}\n"
        )
    };
    let packed = BASE64.encode(PAGE.as_bytes());
    let message = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
    let burp = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE items [\n<!ELEMENT items (item*)>\n<!ELEMENT item (time, url, host)>\n]>\n\
         <items burpVersion=\"2024.1\">\n<item><url><![CDATA[http://a.test/x?b=1]]></url><host ip=\"1.2.3.4\">a.test</host>\
         <method>GET</method><path>/x</path><request base64=\"true\">R0VUIC8gSFRUUC8xLjE=</request><status>200</status>\
         <mimetype>HTML</mimetype><response base64=\"true\"><![CDATA[{}]]></response></item></items>",
        BASE64.encode(message.as_bytes())
    );
    let httpx = serde_json::json!({"timestamp": "x", "url": "http://a.test/x?b=1", "input": "a.test", "method": "GET",
        "host": "1.2.3.4", "path": "/x", "status_code": 200, "response": message});
    let firecrawl = serde_json::json!({"success": true, "status": "completed", "data": [{"html": PAGE,
        "metadata": {"sourceURL": "http://a.test/x?b=1", "statusCode": 200}}]});
    let scraped = serde_json::json!({"success": true, "data": {"rawHtml": PAGE,
        "metadata": {"sourceURL": "http://a.test/x?b=1", "statusCode": 200}}});
    let diffbot = serde_json::json!({"request": {"pageUrl": "http://a.test/x?b=1", "api": "article"},
        "objects": [{"type": "article", "pageUrl": "http://a.test/x?b=1", "html": PAGE}]});
    for crawl in [
        har(PAGE, ""),
        har(&packed, ", \"encoding\": \"base64\""),
        burp,
        httpx.to_string(),
        firecrawl.to_string(),
        serde_json::to_string_pretty(&firecrawl).expect("JSON"),
        scraped.to_string(),
        diffbot.to_string(),
        serde_json::to_string_pretty(&diffbot).expect("JSON"),
    ] {
        let (responses, report) = read(crawl.as_bytes());
        assert_eq!(
            (urls(&responses), report.bad_entries),
            (vec!["http://a.test/x?b=1"], 0),
            "{crawl}: {report}"
        );
        assert_eq!((responses[0].words, report.inputs[0].1), (Some(3), FEED), "{crawl}");
        // Answers that are put together are one crawl.
        let twice = read(format!("{crawl}\n{crawl}").as_bytes()).0;
        assert_eq!(urls(&twice), ["http://a.test/x?b=1"; 2], "{crawl}");
    }
    let (responses, report) = read(har(PAGE, "").as_bytes());
    assert_eq!((report.other_methods, report.not_html), (1, 1), "{report}");
    // `time` is how long it took.
    assert_eq!(responses[0].time.as_deref(), Some("2025-01-01T10:00:00Z"));
    let (logged, _) =
        read(har(PAGE, "").replace(&format!("\"text\": \"{PAGE}\""), "\"size\": 1").as_bytes());
    assert_eq!(logged[0].time.as_deref(), Some("2025-01-01T10:00:00Z"));
    let siteone = "{\n  \"crawler\": {\"name\": \"SiteOne Crawler\"},\n  \"options\": {\"url\": \"http://a.test/\"},\n  \
                   \"results\": [\n    {\"url\": \"http://a.test/x\", \"status\": \"200\", \"size\": 9, \"type\": 1, \
                   \"extras\": {\"Title\": \"T\"}},\n    {\"url\": \"http://a.test/y\", \"status\": \"404\"}\n  ],\n  \
                   \"tables\": {\"rows\": [{\"url\": \"/no\"}]}\n}\n";
    let (responses, report) = read(siteone.as_bytes());
    assert_eq!(
        (urls(&responses), report.bad_entries),
        (vec!["http://a.test/x", "http://a.test/y"], 0),
        "{report}"
    );
    assert_eq!((responses[0].title.as_deref(), responses[1].status), (Some("T"), 404));
    assert!(report.notes.len() == 1 && report.notes[0].contains("no page has content"), "{report}");
}

#[test]
fn what_gospider_finds() {
    let lines = "{\"input\":\"http://a.test\",\"source\":\"body\",\"type\":\"url\",\"output\":\"http://a.test/x\",\"status\":200,\"length\":9}\n\
                 [url] - [code-200] - http://a.test/y\n";
    let (responses, report) = read(lines.as_bytes());
    assert_eq!((urls(&responses), report.bad_entries), (vec!["http://a.test/x"], 1), "{report}");
    let lists = ReadOptions { lists: true, ..ReadOptions::default() };
    let lines =
        "[url] - [code-200] - http://a.test/y\n[href] - http://a.test/z\nno - http://a.test/q r\n";
    let (responses, report) = read_with(lines.as_bytes(), &lists).expect("a list");
    assert_eq!(
        (urls(&responses), report.bad_list_lines),
        (vec!["http://a.test/y", "http://a.test/z"], 1)
    );
}

/// A request that nobody answered is no page.
#[test]
fn requests_without_an_answer() {
    for line in [
        r#"{"request": {"method": "GET", "endpoint": "http://a.test/x"}, "error": "timeout"}"#,
        r#"{"request": {"method": "GET", "url": "http://a.test/x"}, "response": {"status": 0}}"#,
    ] {
        assert_eq!(read(line.as_bytes()).0[0].status, 0, "{line}");
    }
}

#[test]
fn workbooks_are_refused_with_what_to_do() {
    let zip = |files: &[&str]| {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for name in files {
            writer.start_file(*name, SimpleFileOptions::default()).expect("a file");
            writer.write_all(b"x").expect("data");
        }
        writer.finish().expect("a zip file").into_inner()
    };
    for (book, kind) in [
        (zip(&["[Content_Types].xml", "xl/workbook.xml"]), ".xlsx"),
        (zip(&["xl/worksheets/sheet1.xml", "xl/workbook.xml"]), ".xlsx"),
        (zip(&["mimetype", "content.xml"]), ".ods"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec(), ".xls"),
    ] {
        let refused =
            read_with(&book, &ReadOptions::default()).expect_err("a workbook").to_string();
        assert!(refused.contains(kind) && refused.contains("save its sheet as CSV"), "{refused}");
    }
}

/// The lines of one file are of several kinds, and no line is one of a manifest.
#[test]
fn a_line_of_settings_costs_itself() {
    let settings = r#"{"type": "configuration", "target_url": "http://a.test", "threads": 50}"#;
    let found = r#"{"type": "response", "url": "http://a.test/x?b=1", "path": "/x", "status": 200, "method": "GET", "content_length": 173}"#;
    for lines in [[settings, found, found], [found, settings, found], [found, found, settings]] {
        let (responses, report) = read(lines.join("\n").as_bytes());
        let urls: Vec<&str> = responses.iter().map(|response| &*response.url).collect();
        assert_eq!(urls, ["http://a.test/x?b=1"; 2], "{report}");
        assert_eq!(report.bad_entries, 1, "{report}");
    }
}

/// A word beside a number, in any order, under any two names of the status, is not the status.
#[test]
fn the_status_is_a_number() {
    let (_, names) = NAMES.iter().find(|(field, _)| *field == Field::Status).unwrap();
    let names: Vec<&str> = names.split_ascii_whitespace().collect();
    for (at, one) in names.iter().enumerate() {
        let other = &names[(at + 1) % names.len()];
        for (word, number) in [(one, other), (other, one)] {
            for (url, more) in
                [("http://a.test/x", ""), ("/x", ", \"host\": \"a.test\", \"useragent\": \"x\"")]
            {
                let line = format!(
                    "{{\"url\": \"{url}\", \"{word}\": \"Not Found\", \"{number}\": \"404\"{more}}}\n"
                );
                let (responses, report) = read(line.as_bytes());
                assert_eq!(
                    responses.iter().map(|one| one.status).collect::<Vec<_>>(),
                    [404],
                    "{line}{report}"
                );
            }
        }
    }
}

#[test]
fn a_table_of_sitebulb_and_one_of_lumar() {
    let sitebulb = "URL,URL Source,HTTP Status Code,HTTP Status,Indexable,Title,Canonical URL\n\
                    http://a.test/x,Crawler,200,OK,Yes,A,http://a.test/y\n";
    let lumar = "\"page_title\",\"url\",\"http_status_code\",\"canonical_url\"\n\
                 \"A\",\"http://a.test/x\",\"200\",\"http://a.test/y\"\n";
    for table in [sitebulb, lumar] {
        let (responses, report) = read(table.as_bytes());
        let [one] = responses.as_slice() else { panic!("{report}") };
        assert_eq!((one.status, one.title.as_deref()), (200, Some("A")), "{table}");
        assert_eq!(one.canonical.as_deref(), Some("http://a.test/y"), "{table}");
    }
}
