//! Logs of servers and services, each as it writes them: the URL is whole, and what a line is, its fields say.

use undust_pages::AgentClass;
use undust_pages::response::Response;

use super::{read, read_with};
use crate::options::ReadOptions;

const LOG: &str = "an access log";
const AGENT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";

pub(super) fn urls(responses: &[Response]) -> Vec<&str> {
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
        // Azure Front Door: a whole URL under the name of a path.
        (
            r#"{"time":"2026-01-02T03:04:05.0Z","category":"FrontDoorAccessLog","properties":{"httpMethod":"GET","requestUri":"https://a.test/x?b=1","userAgent":"AGENT","clientIp":"1.2.3.4","httpStatusCode":"404"}}"#,
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
        (
            r#"{"status":"404","host":"a.test","method":"GET","uri":"/x","args":"b=1","ua":"AGENT"}"#,
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

/// Whatever the fields are called, the error on a line of JSON without a URL lists its fields.
#[test]
fn the_error_on_a_line_without_a_url_lists_its_fields() {
    let refused = read_with(b"{\"name\": \"x\", \"size\": {\"of\": 3}}\n", &ReadOptions::default());
    let refused = refused.expect_err("no URL").to_string();
    assert!(refused.contains("it has: name, size.of; name it with --field url=NAME"), "{refused}");
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

/// A server may have rewritten the path and its query; what the client sent stands whole in `request_uri`.
#[test]
fn a_query_of_the_server_is_none_of_the_client() {
    let line = r#"{"request_method":"GET","host":"a.test","request_uri":"/x","uri":"/index.php","args":"q=/x","status":200}"#;
    assert_eq!(urls(&read(line.as_bytes()).0), ["http://a.test/x"]);
}

/// A record without a host that could be one costs itself, even if `--host` would serve the others.
#[test]
fn hosts_that_are_none_are_counted() {
    let line = |host: &str| format!("{{\"method\":\"GET\",\"uri\":\"/x\",\"status\":200{host}}}\n");
    let good = line(",\"host\":\"a.test\"");
    for host in [
        "\"\"",
        "\"-\"",
        "\"_\"",
        "\" \"",
        "null",
        "7",
        "1.5",
        "-1.5",
        "[]",
        "{}",
        "\"a b\"",
        "\"u@a.test\"",
        "\"a/b\"",
        "\"//a.test\"",
        "\":80\"",
        "\"a.test?\"",
        "\"a.test\\u0000\"",
    ] {
        let log = good.clone() + &line(&format!(",\"host\":{host}")) + &good;
        let (responses, report) = read(log.as_bytes());
        assert_eq!((responses.len(), report.bad_log_lines), (2, 1), "{host}: {report}");
        assert!(report.notes[0].contains(":2: "), "{report}");
    }
    for host in [
        "a.test",
        "a.test:8080",
        "1.2.3.4",
        "1.2.3.4:80",
        "[::1]",
        "[::1]:80",
        "localhost",
        "bücher.test",
    ] {
        let (responses, report) = read(line(&format!(",\"host\":\"{host}\"")).as_bytes());
        assert_eq!((responses.len(), report.bad_log_lines), (1, 0), "{host}: {report}");
    }
    let (responses, report) = read((good.clone() + &line("") + &good).as_bytes());
    assert_eq!((responses.len(), report.bad_log_lines), (2, 1), "{report}");
    assert!(report.notes[0].contains("names no host; --host gives it"), "{report}");
    let options = ReadOptions { host: Some("b.test".into()), ..ReadOptions::default() };
    let (responses, report) = read_with((good + &line("")).as_bytes(), &options).expect("a log");
    assert_eq!((urls(&responses)[1], report.hosts_given), ("http://b.test/x", 1), "{report}");
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
