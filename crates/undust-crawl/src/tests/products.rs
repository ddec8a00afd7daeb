//! What programs and services write, each as it writes it: the URL is whole, and what it is, its fields say.

use std::io::{Cursor, Write};

use data_encoding::BASE64;
use undust_pages::AgentClass;
use undust_pages::response::Response;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{read, read_with};
use crate::options::ReadOptions;

const LOG: &str = "an access log";
const FEED: &str = "a Scrapy feed";
const AGENT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";

fn urls(responses: &[Response]) -> Vec<&str> {
    responses.iter().map(|response| response.url.as_str()).collect()
}

/// Each line is a request of one URL by one robot.
#[test]
fn logs_of_servers_and_services_in_json() {
    for (log, scheme) in [
        // Google's load balancer.
        (
            r#"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://a.test/x?b=1","status":404,"userAgent":"AGENT","remoteIp":"1.2.3.4"},"timestamp":"2025-08-06T07:55:13.1Z"}"#,
            "https",
        ),
        // Traefik.
        (
            r#"{"ClientHost":"1.2.3.4","RequestAddr":"a.test","RequestHost":"a.test","RequestMethod":"GET","RequestPath":"/x?b=1","RequestPort":"-","RequestProtocol":"HTTP/1.1","RequestScheme":"https","DownstreamStatus":404,"request_User-Agent":"AGENT","StartUTC":"2025-12-29T11:42:41.9Z","time":"x"}"#,
            "https",
        ),
        // Cloudflare.
        (
            r#"{"ClientRequestHost":"a.test","ClientRequestMethod":"GET","ClientRequestPath":"/x","ClientRequestURI":"/x?b=1","ClientRequestScheme":"https","ClientRequestUserAgent":"AGENT","EdgeStartTimestamp":1740000000000000000,"EdgeResponseStatus":404}"#,
            "https",
        ),
        // nginx: host, path and query apart, and the same where a rule rewrote the path.
        (
            r#"{"status":"404","http_host":"a.test","request_method":"GET","scheme":"https","uri":"/x","query_string":"?b=1 ","http_user_agent":"AGENT"}"#,
            "https",
        ),
        (
            r#"{"status":"404","host":"a.test","request_method":"GET","request_uri":"/x?b=1","uri":"/index.php","args":"q=/x","http_user_agent":"AGENT"}"#,
            "http",
        ),
        (
            r#"{"status":"404","host":"a.test","request_method":"GET","uri":"/x","args":"b=1","http_user_agent":"AGENT\x22"}"#,
            "http",
        ),
        // Kubernetes' ingress of nginx.
        (
            r#"{"vhost":"a.test","path":"/x","request_query":"b=1","method":"GET","status":404,"http_user_agent":"AGENT","remote_addr":"1.2.3.4"}"#,
            "http",
        ),
        // Apache with %U and %q.
        (
            r#"{"time":"[17/May/2015:10:05:03 +0000]","remoteIP":"1.2.3.4","host":"a.test","request":"/x","query":"?b=1","method":"GET","status":"404","userAgent":"AGENT"}"#,
            "http",
        ),
        // Fastly, with the URL in one word and the method under another.
        (
            r#"{"timestamp":"2025-01-01T00:00:00","client_ip":"1.2.3.4","host":"a.test","url":"/x?b=1","request_method":"GET","request_user_agent":"AGENT","response_status":404}"#,
            "http",
        ),
        (
            r#"{"client_ip":"1.2.3.4","host":"a.test","url":"/x?b=1","request":"GET","protocol":"HTTP/2","request_user_agent":"AGENT","status":"404"}"#,
            "http",
        ),
        // Envoy and Istio.
        (
            r#"{":authority":"a.test","path":"/x?b=1","method":"GET","response_code":404,"user_agent":"AGENT","x_forwarded_proto":"https"}"#,
            "https",
        ),
        // pino of Node.js, whose hostname is the machine's.
        (
            r#"{"level":30,"time":1531171074631,"pid":6,"hostname":"ip-10-0-0-1","req":{"method":"GET","url":"/x?b=1","headers":{"host":"a.test","user-agent":"AGENT"},"remoteAddress":"::1"},"res":{"statusCode":404}}"#,
            "http",
        ),
        // Elastic's common schema, nested and flat.
        (
            r#"{"@timestamp":"2025-01-01T00:00:00Z","url":{"domain":"a.test","path":"/x","query":"b=1","scheme":"https"},"http":{"request":{"method":"GET"},"response":{"status_code":404}},"user_agent":{"original":"AGENT"},"source":{"address":"1.2.3.4"}}"#,
            "https",
        ),
        (
            r#"{"url.domain":"a.test","url.path":"/x","url.query":"b=1","http.request.method":"GET","http.response.status_code":404,"user_agent.original":"AGENT","log.file.path":"/var/log/x"}"#,
            "http",
        ),
        // OpenTelemetry.
        (
            r#"{"http.method":"GET","http.status_code":404,"http.target":"/x?b=1","http.host":"a.test","http.user_agent":"AGENT","http.scheme":"https"}"#,
            "https",
        ),
        // Amazon's firewall, whose headers are a list.
        (
            r#"{"action":"ALLOW","httpRequest":{"clientIp":"1.2.3.4","headers":[{"name":"Host","value":"a.test"},{"name":"User-Agent","value":"AGENT"}],"uri":"/x","args":"b=1","httpMethod":"GET"},"responseCode":404}"#,
            "http",
        ),
        // CloudFront.
        (
            r#"{"date":"2025-01-01","time":"10:00:00","cs-method":"GET","cs(Host)":"d1.cloudfront.net","x-host-header":"a.test","cs-uri-stem":"/x","cs-uri-query":"b=1","cs-protocol":"https","sc-status":"404","cs(User-Agent)":"AGENT","c-ip":"1.2.3.4"}"#,
            "https",
        ),
        // Azure.
        (
            r#"{"properties":{"clientIP":"1.2.3.4","httpMethod":"GET","requestUri":"/x","requestQuery":"b=1","userAgent":"AGENT","httpStatus":404,"host":"a.test"}}"#,
            "http",
        ),
        // HAProxy's own variables in a format of one's own; a comma too many.
        (
            r#"{"client_ip":"1.2.3.4","host":"a.test","request":"GET /x?b=1 HTTP/1.1","status":404,"user_agent":"AGENT",}"#,
            "http",
        ),
    ] {
        let log = log.replace("AGENT", AGENT);
        let pretty = format!("[\n{}\n]", log.replace("\":{", "\":{\n").replace(",\"", ",\n  \""));
        for data in [
            format!("{log}\n{log}\n"),
            format!("[{log},{log}]"),
            pretty.clone(),
            format!("\u{feff}{}", pretty.replace('\n', "\r\n")),
        ] {
            let (responses, report) = read(data.as_bytes());
            assert!(
                !responses.is_empty() && report.bad_log_lines + report.bad_entries == 0,
                "{data}: {report}"
            );
            assert_eq!(report.inputs[0].1, LOG, "{data}");
            for response in responses {
                assert_eq!(
                    (response.url, response.status),
                    (format!("{scheme}://a.test/x?b=1"), 404),
                    "{data}"
                );
                assert_eq!(
                    (response.agent, response.is_listed),
                    (Some(AgentClass::AiCrawler), true),
                    "{data}"
                );
            }
            assert_eq!(report.notes.len(), 0, "{report}");
        }
    }
}

#[test]
fn times_of_logs_are_of_one_kind() {
    for (time, expected) in [
        (r#""time":"17/May/2015:10:05:03 +0000""#, "2015-05-17T10:05:03+00:00"),
        (r#""EdgeStartTimestamp":1740000000000000000"#, "2025-02-19T21:20:00Z"),
        (r#""ts":1740000000.5"#, "2025-02-19T21:20:00Z"),
        (r#""date":"2025-01-01","time":"10:00:00""#, "2025-01-01T10:00:00Z"),
    ] {
        let line = format!(r#"{{"method":"GET","host":"a.test","uri":"/x","status":200,{time}}}"#);
        assert_eq!(read(line.as_bytes()).0[0].time.as_deref(), Some(expected), "{time}");
    }
}

/// Lines of words in an order.
#[test]
fn logs_of_servers_in_lines() {
    let storage = |request: &str, host: &str, tls: &str| {
        format!(
            "79a59 bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - 3E57427F3 REST.GET.OBJECT x \"{request}\" 404 - 113 - 7 - \
             \"-\" \"{AGENT}\" - s9lzHYrFp76Z= SigV4 ECDHE AuthHeader {host} {tls} - -\n"
        )
    };
    let haproxy = |captured: &str| {
        format!(
            "Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 \
             10/0/30/69/109 404 2750 - - ---- 1/1/1/1/0 0/0 {captured}\"GET /x?b=1 HTTP/1.1\"\n"
        )
    };
    let combined = |before: &str| {
        format!(
            "{before}1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /x?b=1 HTTP/1.1\" 404 9 \"-\" \"{AGENT}\"\n"
        )
    };
    let options = ReadOptions { host: Some("given.test".into()), ..ReadOptions::default() };
    for (log, url, knows_agent) in [
        (storage("GET /x?b=1 HTTP/1.1", "a.test", "TLSV1.2"), "https://a.test/x?b=1", true),
        (storage("GET /x?b=1 HTTP/1.1", "a.test", "-"), "http://a.test/x?b=1", true),
        (haproxy(&format!("{{a.test|{AGENT}}} {{}} ")), "http://a.test/x?b=1", true),
        (haproxy(&format!("{{{AGENT}}} ")), "http://given.test/x?b=1", true),
        (haproxy(""), "http://given.test/x?b=1", false),
        (
            combined("<134>2016-07-04T22:37:26Z cache-sjc3128 name[62959]: "),
            "http://given.test/x?b=1",
            true,
        ),
        (
            format!(
                "https 2018-07-02T22:23:00.186641Z app/x/50dc 10.0.0.9:2817 - -1 -1 -1 404 - 34 366 \
                 \"GET https://a.test:443/x?b=1 HTTP/2.0\" \"{AGENT}\" - - arn:aws:x\n"
            ),
            "https://a.test:443/x?b=1",
            true,
        ),
    ] {
        let (responses, report) = read_with(log.repeat(2).as_bytes(), &options).expect("a log");
        assert_eq!(urls(&responses), [url, url], "{log}: {report}");
        assert_eq!(
            (report.inputs[0].1, report.bad_log_lines, responses[0].status),
            (LOG, 0, 404),
            "{log}"
        );
        assert_eq!(responses[0].agent == Some(AgentClass::AiCrawler), knows_agent, "{log}");
        assert!(
            responses[0].time.as_ref().is_some_and(|time| time.contains('T')),
            "{log}: {:?}",
            responses[0].time
        );
        // What is no request costs its line.
        let broken = format!("{log}{}\n{log}", &log.trim_end()[..log.len() / 3]);
        let (responses, report) = read_with(broken.as_bytes(), &options).expect("a log");
        assert_eq!((responses.len(), report.bad_log_lines), (2, 1), "{broken}: {report}");
    }
    let (_, report) = read(storage("PUT /x HTTP/1.1", "a.test", "-").as_bytes());
    assert_eq!(report.other_methods, 1);
}

#[test]
fn tables_of_logs() {
    let table = format!(
        "time,client_ip,elb_status_code,request_verb,request_url,user_agent\n\
         2025-01-01T00:00:00Z,1.2.3.4,404,GET,https://a.test:443/x?b=1,\"{AGENT}\"\n"
    );
    let parts = format!(
        "host;uri;query_string;status;method;user-agent\na.test;/x;b=1;404;GET;\"{AGENT}\"\n"
    );
    for (table, url) in [(table, "https://a.test:443/x?b=1"), (parts, "http://a.test/x?b=1")] {
        let (responses, report) = read(table.as_bytes());
        assert_eq!((urls(&responses), report.inputs[0].1), (vec![url], LOG), "{table}: {report}");
        assert_eq!(responses[0].agent, Some(AgentClass::AiCrawler));
    }
}

const PAGE: &str = "<title>T</title><p>three words here";

#[test]
fn results_of_crawlers() {
    let har = |text: &str, more: &str| {
        format!(
            "{{\"log\": {{\"version\": \"1.2\", \"pages\": [{{\"id\": \"p\", \"title\": \"http://a.test/\"}}], \"entries\": [\n\
             {{\"startedDateTime\": \"2025-01-01T10:00:00Z\", \"request\": {{\"method\": \"GET\", \"url\": \"http://a.test/x?b=1\", \
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
    let (_, report) = read(har(PAGE, "").as_bytes());
    assert_eq!((report.other_methods, report.not_html), (1, 1), "{report}");
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

/// Whatever the fields are called, a line of JSON without a URL is told with its names.
#[test]
fn a_line_without_a_url_is_told_with_its_fields() {
    let refused = read_with(b"{\"name\": \"x\", \"size\": {\"of\": 3}}\n", &ReadOptions::default());
    let refused = refused.expect_err("no URL").to_string();
    assert!(refused.contains("it has: name, size.of; name it with --url-field"), "{refused}");
}

/// A server that starts says so in its log, perhaps with a status of another kind.
#[test]
fn the_first_line_of_a_log_may_be_no_request() {
    let request = r#"{"method":"GET","host":"a.test","uri":"/x?b=1","status":200}"#;
    for first in [
        r#"{"level":"info","ts":1.5,"msg":"serving"}"#,
        r#"{"level":"info","status":"ok"}"#,
        r#"{"status":"ok","data":[]}"#,
        "starting",
    ] {
        let (responses, report) = read(format!("{first}\n{request}\n").as_bytes());
        assert_eq!(
            (urls(&responses), report.inputs[0].1),
            (vec!["http://a.test/x?b=1"], LOG),
            "{first}"
        );
        assert_eq!(report.bad_log_lines + report.bad_entries, 1, "{first}: {report}");
    }
}

/// A path under `url` is no URL. It is one with a host.
#[test]
fn a_path_without_a_host_is_told() {
    for line in [r#"{"url": "/x", "status": 200}"#, r#"{"url": "/x", "title": "T"}"#] {
        let refused = read_with(line.as_bytes(), &ReadOptions::default()).expect_err("no host");
        assert!(refused.to_string().contains("does not name its host"), "{refused}");
        let options = ReadOptions { host: Some("a.test".into()), ..ReadOptions::default() };
        let (responses, report) = read_with(line.as_bytes(), &options).expect("a crawl");
        assert_eq!((urls(&responses), report.hosts_given), (vec!["http://a.test/x"], 1));
    }
    let manifest = r#"{"url": "/x", "status": 200, "simhash": "00000000000000ff"}"#;
    let refused = read_with(manifest.as_bytes(), &ReadOptions::default()).expect_err("no host");
    assert!(refused.to_string().contains("the url is a path"), "{refused}");
}

/// Where no query is written anywhere, it is said.
#[test]
fn a_log_of_paths_alone_is_told() {
    let line = |path: &str| {
        format!(
            "{{\"ClientRequestHost\":\"a.test\",\"ClientRequestPath\":\"{path}\",\"ClientRequestMethod\":\"GET\",\"EdgeResponseStatus\":200}}\n"
        )
    };
    let (_, report) = read(line("/x").repeat(3).as_bytes());
    assert!(report.notes.len() == 1 && report.notes[0].contains("no path has a query"), "{report}");
    assert_eq!(read((line("/x") + &line("/x?b")).as_bytes()).1.notes.len(), 0);
}
