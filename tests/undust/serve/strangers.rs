//! Requests that pages make a browser send: across sites, and under a name of theirs that leads to this machine.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::server::{Answer, Server, command, models};
use crate::support::assert_contains;

/// All that changes something.
const CHANGES: [&str; 4] =
    ["/v1/observe", "/v1/live/decide", "/v1/live/saw", "/v1/live/begin-crawl"];

/// A service that takes whatever there is to take.
fn open_service(more: &[&str]) -> (Server, TempDir) {
    let state = tempfile::tempdir().expect("a folder");
    let place = state.path().to_str().expect("a path");
    let arguments = [&["--exploration", "1", "--live", place], more].concat();
    (Server::start(&arguments), state)
}

fn ask(server: &Server, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
    server.connect().ask(method, path, headers, body.as_bytes())
}

fn page(n: u32) -> String {
    json!({"url": format!("http://victim.test/{n}"), "status": 200, "digest": "x"}).to_string()
}

/// Nothing that a page may have sent without being asked.
#[test]
fn a_page_of_another_site_changes_nothing() {
    let (server, state) = open_service(&[]);
    let journal = || std::fs::read(state.path().join("live.jsonl")).expect("a journal");
    let before = journal();
    for path in CHANGES {
        for kind in [
            "content-type: text/plain",
            "content-type: text/plain;charset=UTF-8",
            "content-type: application/x-www-form-urlencoded",
            "content-type: multipart/form-data; boundary=x",
            "content-type: application/octet-stream",
            "content-type: text/plain; application/json",
            "content-type: ",
            "x: y",
        ] {
            for body in [page(1), "http://victim.test/1".to_owned(), String::new()] {
                let described = ask(&server, "POST", path, &[kind], &body).failure(415);
                assert_contains(&described, &["content-type: application/json"]);
            }
        }
    }
    // What browsers ask before they send JSON is not granted.
    let asks = ["origin: http://evil.test", "access-control-request-method: POST"];
    let answer = ask(&server, "OPTIONS", CHANGES[1], &asks, "");
    assert!(answer.status >= 400 && !answer.head.contains("access-control"), "{}", answer.head);
    assert_eq!(journal(), before);
    assert_eq!(server.get_json("/v1/live/stats")["sites"], json!({}));
    assert!(!server.place("b.test", "trials.json").exists());
}

/// On each path, whatever is sent, but for the one that supervisors ask.
#[test]
fn foreign_hosts_and_origins_are_refused_everywhere() {
    let (server, _state) = open_service(&[]);
    let all: Value = server.get("/openapi.json").json();
    let origin = format!("origin: http://localhost:{}", server.address.port());
    let mut asked = 0;
    for (path, methods) in all["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let method = method.to_uppercase();
            for (foreign, sentence) in [
                (["host: evil.test", "x: y"], "--allow-host"),
                (["host: localhost.evil.test:7878", "x: y"], "--allow-host"),
                (["host: evil.test", "origin: http://evil.test"], "--allow-host"),
                (["host: localhost", "origin: http://evil.test"], "Origin"),
                (["host: localhost", "origin: null"], "Origin"),
                (["host: localhost", &*origin], "Origin"),
            ] {
                let answer = raw(&server, &method, path, &foreign);
                if path == "/healthz" {
                    assert_eq!(answer.status, 200);
                } else {
                    assert_contains(&answer.failure(403), &[sentence]);
                }
                asked += 1;
            }
        }
    }
    assert!(asked > 60, "{asked}");
    let own = format!("host: localhost:{}", server.address.port());
    assert_eq!(raw(&server, "GET", "/v1/sites", &[&own, &origin]).status, 200);
    assert_eq!(raw(&server, "GET", "/v1/sites", &["host: 127.0.0.1"]).status, 200);
    let (named, _state) =
        open_service(&["--allow-host", "crawl.example", "--allow-host", "b.test"]);
    for host in ["host: crawl.example", "host: B.test:80"] {
        let answer = raw(&named, "GET", "/v1/sites", &[host, "origin: https://crawl.example"]);
        assert_eq!(answer.status, 200);
    }
    raw(&named, "GET", "/v1/sites", &["host: evil.test"]).failure(403);
}

/// A request with these headers and no other.
fn raw(server: &Server, method: &str, path: &str, headers: &[&str]) -> Answer {
    use std::io::Write;
    let mut connection = server.connect();
    let headers = headers.join("\r\n");
    let body = "content-type: application/json\r\ncontent-length: 2\r\n\r\n[]";
    write!(connection.stream, "{method} {path} HTTP/1.1\r\n{headers}\r\n{body}").expect("sent");
    connection.read()
}

#[test]
fn json_is_taken() {
    let (server, _state) = open_service(&[]);
    let kinds = ["application/json", "application/x-ndjson", "application/json; charset=utf-8"];
    for (n, kind) in (0..).zip(kinds) {
        let kind = format!("content-type: {kind}");
        let taken = ask(&server, "POST", "/v1/live/saw", &[&kind], &page(n)).json();
        assert_eq!(taken["taken"], 1, "{taken}");
    }
    assert_eq!(server.get_json("/v1/live/stats")["sites"]["victim.test"]["fetched"], 3);
}

/// A name to listen on is ours, too. A name with a port is none.
#[test]
fn names_are_checked_at_the_start() {
    let folder = models();
    let mut wrong = command(folder.path(), &["--allow-host", "http://a.test:80"]);
    let output = wrong.output().expect("the program");
    assert_eq!(output.status.code(), Some(2));
    assert_contains(&String::from_utf8_lossy(&output.stderr), &["without scheme and port"]);
    let server = Server::run(&mut command(folder.path(), &["--listen", "localhost:0"]), folder);
    assert_eq!(server.get("/v1/sites").status, 200);
}
