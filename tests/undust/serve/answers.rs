//! What is answered to those who ask well.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::time::Duration;

use super::server::{Server, command, models, until};
use crate::support::{repository, undust};

const PRINT: &str = "/v1/translate?url=http%3A%2F%2Fb.test%2Fstory%2F7%2Fprint";

#[test]
fn one_url() {
    let server = Server::start(&[]);
    let answer = server.get(PRINT);
    assert_eq!((answer.status, answer.text().as_str()), (200, "http://b.test/story/7"));
    assert!(answer.head.contains("content-type: text/plain; charset=utf-8"), "{}", answer.head);
    let described = server.get_json(PRINT);
    assert_eq!(described["canonical"], "http://b.test/story/7");
    assert_eq!((&described["how"], &described["site"]), (&"rules".into(), &"b.test".into()));
    assert!(described["cause"].as_str().expect("a cause").contains("print"));
    for (url, how) in [("http://x.test/", "no model"), ("no%20URL+at all", "not a URL")] {
        let url = url.replace(' ', "%20");
        assert_eq!(server.get_json(&format!("/v1/translate?url={url}"))["reason"], how);
    }
    let explained = server.get(&PRINT.replace("translate", "explain")).text();
    assert!(explained.contains("the model of b.test: tree"), "{explained}");
    let explained = server.get_json(&PRINT.replace("translate", "explain"));
    assert_eq!(explained["steps"][0]["tested"], 120);
}

/// The network of a.test answers the same whoever asks, and however.
#[test]
fn batches_are_answered_as_urls_are() {
    let server = Server::start(&[]);
    let urls: Vec<String> = (0..2000)
        .map(|n| match n % 4 {
            0 => format!("http://a.test/users/{n}x/bob"),
            1 => format!("http://b.test/story/{n}/print"),
            2 => format!("http://c.test/story/{n}/print?x={n}"),
            _ => format!("nothing {n}"),
        })
        .collect();
    let list = serde_json::to_vec(&urls).expect("JSON");
    let list = server.post("application/json", &list).json();
    let object = serde_json::json!({ "urls": urls }).to_string();
    let object = server.post("application/json; charset=utf-8", object.as_bytes()).json();
    let lines = server.post("text/plain", (urls.join("\n") + "\n").as_bytes()).text();
    let forms: Vec<&str> = lines.lines().collect();
    let list = list.as_array().expect("a list");
    assert_eq!((list.len(), forms.len()), (urls.len(), urls.len()));
    assert_eq!(object["results"].as_array().expect("a list").len(), urls.len());
    for ((described, form), url) in list.iter().zip(&forms).zip(&urls) {
        assert_eq!(
            (&described["url"], &described["canonical"]),
            (&url.as_str().into(), &(*form).into())
        );
    }
    let changed = urls.iter().zip(&forms).filter(|(url, form)| url != form).count();
    assert!(changed > 900, "{changed}");
    assert_eq!(server.post("application/json", b"[]").text(), "[]");
    assert_eq!(server.post("application/json", b"{\"urls\":[]}").text(), "{\"results\":[]}");
    assert_eq!(server.post("text/plain", b"").text(), "");
}

/// `undust translate` and the service are one.
#[test]
fn lines_are_answered_as_the_command_answers_them() {
    let server = Server::start(&[]);
    let mut queue = Vec::new();
    for n in 0..20_000 {
        write!(queue, "http://b.test/story/{n}/print\r\n\n\u{e4}\nhttp://c.test/{n}\n").unwrap();
        if n % 4000 == 0 {
            queue.extend_from_slice(b"\xff\xfe\n");
            queue.resize(queue.len() + (1 << 17), b'x');
            queue.push(b'\n');
        }
    }
    queue.extend_from_slice(b"http://b.test/story/9/print");
    for (accept, format) in [("text/plain", "text"), ("application/jsonl", "jsonl")] {
        let mut command = undust(server.folder.path(), "translate");
        let command = command.args(["--models", "."]);
        let assert = command.args(["--format", format]).write_stdin(queue.clone()).assert();
        let expected = assert.success().get_output().stdout.clone();
        let accept = format!("accept: {accept}");
        let answer = server.connect().ask("POST", "/v1/translate", &[&accept], &queue);
        assert!(answer.head.contains("transfer-encoding: chunked"), "{}", answer.head);
        assert!(answer.body == expected, "{format}");
        let short = &queue[..queue.len() / 5];
        let answer = server.connect().ask("POST", "/v1/translate", &[&accept], short);
        assert!(answer.head.contains("content-length"), "{}", answer.head);
        let lines = short.iter().filter(|byte| **byte == b'\n').count();
        let kept: Vec<u8> = expected
            .split_inclusive(|byte| *byte == b'\n')
            .take(lines)
            .flatten()
            .copied()
            .collect();
        assert!(answer.body.starts_with(&kept), "{format}");
    }
}

/// What was sent is answered before more is sent.
#[test]
fn lines_are_answered_as_they_come() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    let head =
        "POST /v1/translate HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    connection.stream.write_all(head.as_bytes()).expect("sent");
    for n in 0..20 {
        let line = format!("http://b.test/story/{n}/print\nhttp://b.te");
        let line = if n == 0 { line } else { line.replacen("http://b.te", "", 1) };
        write!(connection.stream, "{:x}\r\n{line}\r\n", line.len()).expect("sent");
        if n == 0 {
            connection.head();
        }
        let answer = connection.chunk().expect("an answer").expect("no end");
        assert_eq!(String::from_utf8_lossy(&answer), format!("http://b.test/story/{n}\n"));
    }
    connection.stream.write_all(b"0\r\n\r\n").expect("sent");
    let last = connection.chunk().expect("an answer").expect("a last line");
    assert_eq!(last, b"http://b.te");
    assert_eq!(connection.chunk().expect("an end"), None);
}

#[test]
fn those_who_watch() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/healthz").text(), "ok\n");
    assert_eq!(server.get("/readyz").text(), "ready\n");
    assert_eq!(server.metric("undust_models_loaded"), 0);
    server.get(PRINT);
    server.get("/v1/translate?url=http://x.test/");
    server.post("text/plain", b"http://b.test/story/7\nhttp://b.test/story/7/print\nno\n");
    for (name, count) in [
        ("undust_urls_total{outcome=\"changed\"}", 2),
        ("undust_urls_total{outcome=\"same\"}", 1),
        ("undust_urls_total{outcome=\"invalid\"}", 1),
        ("undust_urls_total{outcome=\"no_model\"}", 1),
        ("undust_urls_total{outcome=\"fallback\"}", 0),
        ("undust_translate_seconds_count", 3),
        ("undust_batch_size_count", 3),
        ("undust_models_loaded", 1),
        ("undust_models_broken", 0),
    ] {
        assert_eq!(server.metric(name), count, "{name}");
    }
    until(|| server.metric("undust_connections") == 1);
    assert!(server.metric("undust_model_age_seconds{model=\"oldest\"}") < 3600);
    assert!(!server.get("/metrics").text().contains(".test"), "a site is no label");
    let listed = serde_json::json!({"sites": ["a.test", "b.test", "c.test", "d.test", "e.test"], "next": null});
    assert_eq!(server.get("/v1/sites").json(), listed);
    assert_eq!(
        server.get("/v1/sites?after=b.test").json()["sites"],
        serde_json::json!(["c.test", "d.test", "e.test"])
    );
    let site = server.get("/v1/sites/b.test").json();
    assert_eq!((&site["method"], &site["loaded"]), (&"tree".into(), &true.into()));
    fs::rename(server.folder.path(), server.folder.path().with_extension("away")).expect("moved");
    server.get("/readyz").failure(503);
    fs::rename(server.folder.path().with_extension("away"), server.folder.path()).expect("back");
}

#[test]
fn a_token_is_asked_for() {
    let folder = models();
    let mut command = command(folder.path(), &["--listen", "127.0.0.1:0", "--log-format", "json"]);
    let server = Server::run(command.env("UNDUST_TOKEN", "s3cret"), folder);
    assert!(server.get(PRINT).failure(401).contains("Bearer"));
    for path in ["/metrics", "/v1/sites", "/readyz", "/openapi.json", "/nothing"] {
        server.get(path).failure(401);
    }
    assert_eq!(server.get("/healthz").status, 200);
    let ask = |token| server.connect().ask("GET", PRINT, &[token], b"").status;
    assert_eq!(ask("authorization: Bearer s3cret"), 200);
    assert_eq!(ask("authorization: Bearer s3cre"), 401);
    assert_eq!(ask("authorization: Basic s3cret"), 401);
    let described: serde_json::Value =
        serde_json::from_str(server.log().lines().next().expect("a line")).expect("JSON");
    assert_eq!(described["level"], "INFO");
}

/// A request in progress when the service is stopped is answered to the end.
#[test]
fn it_stops_in_good_order() {
    let mut server = Server::start(&[]);
    let mut idle = server.connect();
    idle.ask("GET", PRINT, &[], b"");
    let mut connection = server.connect();
    let head =
        "POST /v1/translate HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut sent = head.to_owned();
    let line = "http://b.test/story/7/print\n";
    write!(sent, "{:x}\r\n{line}\r\n", line.len()).unwrap();
    connection.stream.write_all(sent.as_bytes()).expect("sent");
    connection.head();
    connection.chunk().expect("an answer").expect("a line");
    server.terminate();
    assert!(idle.hangs_up_within(Duration::from_secs(5)), "an idle connection is kept");
    write!(connection.stream, "{:x}\r\n{line}\r\n0\r\n\r\n", line.len()).expect("sent");
    let last = connection.chunk().expect("an answer").expect("a line");
    assert_eq!(last, b"http://b.test/story/7\n");
    assert_eq!(connection.chunk().expect("an end"), None);
    assert_eq!(server.end().code(), Some(0), "{}", server.log());
    assert!(server.log().contains("stopped"), "{}", server.log());
    assert!(std::net::TcpStream::connect(server.address).is_err());
}

/// What a container asks, which has no other program.
#[test]
fn a_service_says_whether_it_is_well() {
    let server = Server::start(&[]);
    let address = server.address.to_string();
    let check = || undust(repository(), "serve").args(["--check", &address]).assert();
    check().success().stdout("").stderr("");
    drop(server);
    let told = String::from_utf8(check().code(1).get_output().stderr.clone()).expect("text");
    assert!(told.contains(&format!("service at {address}: is not well: ")), "{told}");
}
