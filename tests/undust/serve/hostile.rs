//! What is answered to those who ask badly, and what that costs.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use undust_serve::ServiceLimits;

use super::server::{Server, command, models, until};
use crate::support::{assert_contains, stderr};

const PRINT: &str = "/v1/translate?url=http://b.test/story/7/print";

#[test]
fn each_fault_has_a_sentence() {
    let server = Server::within(ServiceLimits { urls: 3, body: 1000, ..ServiceLimits::default() });
    for (path, status, word) in [
        ("/v1/translate", 400, "is missing"),
        ("/v1/translate?url=http://a.test/?x=1&y=2", 400, "percent-encode"),
        ("/v1/translate?url=%ff", 400, "UTF-8"),
        ("/v1/explain", 400, "is missing"),
        ("/v1/sites/x.test", 404, "no model"),
        ("/v1/sites/..", 404, "no model"),
        ("/v1/sites/%2e%2e%2fa.test", 404, "no model"),
        ("/v1/sites/a.test%2f..%2fa.test", 404, "no model"),
        ("/v1/sites/%ff", 400, ""),
        ("/", 404, "openapi.json"),
        ("/metrics/x", 404, "openapi.json"),
    ] {
        let answer = server.get(path);
        if word.is_empty() {
            assert_eq!(answer.status, status, "{path}");
        } else {
            let described = answer.failure(status);
            assert!(described.contains(word), "{path}: {described}");
        }
    }
    let delete = server.connect().ask("DELETE", "/v1/sites", &[], b"");
    assert!(delete.failure(405).contains("openapi.json"));
    for body in
        ["", "{", "[1]", "{\"urls\":\"x\"}", "{\"url\":\"x\"}", "[\"\\ud800\"]", "\u{feff}[]"]
    {
        let described = server.post("application/json", body.as_bytes()).failure(400);
        assert!(described.contains("the body is neither"), "{body}: {described}");
    }
    server.post("application/json", b"[\"\xff\"]").failure(400);
    server.post("application/json", b"[\"\",\"\",\"\",\"\"]").failure(413);
    server.post("image/png", b"x").failure(415);
    let coded = |header: &str| server.connect().ask("POST", "/v1/translate", &[header], b"x\n");
    for header in ["content-encoding: gzip", "Content-Encoding: identity, br"] {
        assert!(coded(header).failure(415).contains("must not have a Content-Encoding"));
    }
    assert_eq!(coded("content-encoding: Identity").status, 200);
    assert!(server.post("application/json", &[b' '; 2000]).failure(413).contains("1000 bytes"));
    assert_eq!(server.metric("undust_http_responses_total{class=\"5xx\"}"), 0);
}

/// The memory of a process, in bytes.
fn memory(server: &Server) -> u64 {
    let described =
        std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("Linux");
    let line = described.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
}

/// Ten megabytes are refused as JSON, and pass as lines; neither is held.
#[test]
fn long_bodies() {
    let server = Server::start(&[]);
    let long = vec![b'x'; 10_000_000];
    let before = memory(&server);
    let described = server.post("application/json", &long).failure(413);
    assert!(described.contains("larger than 1048576 bytes"), "{described}");
    assert!(server.post("text/plain", &long).body == long, "a line without an end");
    let ends = vec![b'\n'; 1_000_000];
    assert!(server.post("text/plain", &ends).body == ends, "empty lines");
    let mut lines = b"http://b.test/story/7/print\n\xff\n".repeat(400_000);
    lines.pop();
    let answer = server.post("text/plain", &lines).body;
    let mut expected = b"http://b.test/story/7\n\xff\n".repeat(400_000);
    expected.pop();
    assert!(answer == expected, "lines that are no text");
    let grown = memory(&server) - before;
    assert!(grown < 32 << 20, "{grown} bytes");
}

/// Neither headers nor bodies that do not come, nor answers that are not taken, hold a place.
#[test]
fn slow_clients_are_hung_up_on() {
    let server = Server::within(ServiceLimits {
        connections: 8,
        header_time: Duration::from_secs(1),
        idle_time: Duration::from_secs(1),
        body_time: Duration::from_secs(2),
        ..ServiceLimits::default()
    });
    let begin = Instant::now();
    let mut silent = server.connect();
    let mut headers = server.connect();
    headers.stream.write_all(b"GET / HTTP/1.1\r\nhost: ").expect("sent");
    let mut half = server.connect();
    half.stream
        .write_all(
            b"POST /v1/translate HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhttp",
        )
        .expect("sent");
    let mut deaf = server.connect();
    deaf.stream
        .write_all(
            b"POST /v1/translate HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999999999\r\n\r\n",
        )
        .expect("sent");
    let mut deaf_writer = deaf.stream.try_clone().expect("the same");
    deaf_writer.set_write_timeout(Some(Duration::from_secs(5))).expect("a time");
    let deaf_writer = std::thread::spawn(move || {
        let lines = b"http://b.test/story/7/print\n".repeat(10_000);
        while deaf_writer.write_all(&lines).is_ok() {}
    });
    let mut drop_by_drop = server.connect();
    let slow = std::thread::spawn(move || {
        let mut byte = b"GET /healthz HTTP/1.1\r\n".iter().cycle();
        while drop_by_drop.stream.write_all(&[*byte.next().expect("a byte")]).is_ok() {
            std::thread::sleep(Duration::from_millis(200));
            if begin.elapsed() > Duration::from_secs(10) {
                return false;
            }
        }
        true
    });
    assert_eq!(server.get(PRINT).text(), "http://b.test/story/7");
    for (connection, name) in
        [(&mut silent, "silent"), (&mut headers, "headers"), (&mut half, "half")]
    {
        assert!(connection.hangs_up_within(Duration::from_secs(5)), "{name}");
    }
    assert!(slow.join().expect("no panic"), "header by header");
    deaf_writer.join().expect("no panic");
    until(|| server.metric("undust_connections") == 1);
    drop(deaf);
}

/// A body that trickles is answered with an error.
#[test]
fn a_body_has_its_time() {
    let server = Server::within(ServiceLimits {
        body_time: Duration::from_secs(1),
        ..ServiceLimits::default()
    });
    let mut connection = server.connect();
    let head = "POST /v1/translate HTTP/1.1\r\nhost: localhost\r\ncontent-length: 90\r\n\r\n";
    connection.stream.write_all(head.as_bytes()).expect("sent");
    let answer = connection.read();
    assert!(answer.failure(408).contains("longer than 1 s"));
}

#[test]
fn one_connection_too_many_is_told() {
    let server = Server::start(&["--max-connections", "3"]);
    let mut held: Vec<_> = (0..3).map(|_| server.connect()).collect();
    for connection in &mut held {
        assert_eq!(connection.ask("GET", "/healthz", &[], b"").status, 200);
    }
    for _ in 0..3 {
        let described = server.get(PRINT).failure(503);
        assert!(described.contains("too many connections"), "{described}");
    }
    let free = held.pop();
    drop(free);
    until(|| server.get("/healthz").status == 200);
    drop(held);
    until(|| server.get("/metrics").status == 200);
    assert!(server.metric("undust_refused_connections_total") >= 3);
}

/// Hundreds of connections that are opened and left cost the others nothing.
#[test]
fn half_open_connections_cost_nothing() {
    let server = Server::start(&[]);
    for round in 0..3 {
        let held: Vec<_> = (0..100).map(|_| server.connect()).collect();
        assert_eq!(server.get(PRINT).status, 200, "{round}");
        drop(held);
    }
    until(|| server.metric("undust_connections") == 1);
}

#[test]
fn noise_is_no_request() {
    let server = Server::start(&[]);
    for noise in [&b"\x16\x03\x01\x02\x00"[..], b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n"] {
        let mut connection = server.connect();
        connection.stream.write_all(noise).expect("sent");
        connection.stream.shutdown(std::net::Shutdown::Write).expect("half a connection");
        let mut answer = Vec::new();
        connection.stream.read_to_end(&mut answer).ok();
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"), "{noise:?}");
    }
    let long = format!("/v1/translate?url=http://b.test/{}", "a".repeat(200_000));
    let status = server.get(&long).status;
    assert!(status == 414 || status == 431, "{status}");
    let long = format!("http://b.test/{}", "a".repeat(40_000));
    assert_eq!(server.get(&format!("/v1/translate?url={long}")).text(), long);
    assert_eq!(server.get(PRINT).status, 200);
}

/// The last line that a program says which ends with code 1.
fn refusal(command: &mut std::process::Command) -> String {
    let output = command.output().expect("the program");
    let described = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{described}");
    described.lines().last().expect("a sentence").to_owned()
}

#[test]
fn what_cannot_be_served_is_one_sentence() {
    let folder = models();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let described = refusal(&mut command(folder.path(), &["--listen", &address]));
    let listened = format!("cannot listen on {address}");
    assert_contains(&described, &[&listened, "another program uses this port"]);
    let described = refusal(&mut command(folder.path(), &["--listen", "192.0.2.1:1"]));
    assert_contains(&described, &["cannot listen on 192.0.2.1:1"]);
    let described = refusal(&mut command(&folder.path().join("none"), &[]));
    assert_contains(&described, &["/none: ", "no such folder", "make a model"]);
    let described = refusal(&mut command(folder.path(), &["--token-file", "/no/such/file"]));
    assert_contains(&described, &["cannot read /no/such/file"]);
    let described = refusal(command(folder.path(), &[]).env("UNDUST_TOKEN", "two words"));
    assert_contains(&described, &["UNDUST_TOKEN: "]);
}

#[test]
fn others_are_let_in_with_a_token_only() {
    let folder = models();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let described = refusal(&mut command(folder.path(), &["--listen", address]));
        assert_contains(&described, &["needs a token", "UNDUST_TOKEN", "listen on 127.0.0.1"]);
    }
    let mut command = command(folder.path(), &["--listen", "0.0.0.0:0"]);
    let server = Server::run(command.env("UNDUST_TOKEN", "s3cret"), folder);
    assert!(server.log().contains("the token is sent unencrypted"), "{}", server.log());
}
