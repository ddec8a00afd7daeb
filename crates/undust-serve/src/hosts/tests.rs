use axum::http::HeaderValue;
use proptest::prelude::*;

use super::*;

/// Whether a request passes that has these headers, at a service on 10.1.2.3 that is also `crawl.example`.
fn passes(all: &[(&'static str, &str)], target: &str) -> bool {
    let value = |text: &str| HeaderValue::from_bytes(text.as_bytes()).expect("a value");
    let headers = all.iter().map(|(name, text)| (name.parse().expect("a name"), value(text)));
    let allowed = ["Crawl.Example".parse().expect("a name")];
    let local = Some("::ffff:10.1.2.3".parse().expect("an address"));
    let uri = target.parse().expect("a target");
    match check(&headers.collect(), &uri, local, &allowed) {
        Ok(()) => true,
        Err(failure) => {
            assert_eq!(failure.status, StatusCode::FORBIDDEN);
            false
        }
    }
}

fn is_our_host(host: &str) -> bool {
    passes(&[("host", host)], "/")
}

#[test]
fn our_own_hosts_pass() {
    for host in [
        "localhost",
        "LOCALHOST:7878",
        "localhost.:1",
        "127.0.0.1",
        "127.8.9.1:80",
        "[::1]:7878",
        "[::1]",
        "[::ffff:127.0.0.1]:7878",
        "10.1.2.3:7878",
        "[::ffff:10.1.2.3]",
        "crawl.example",
        "CRAWL.example.:443",
    ] {
        assert!(is_our_host(host), "{host}");
    }
}

#[test]
fn other_hosts_and_what_is_none_do_not_pass() {
    for host in [
        "evil.test",
        "localhost.evil.test",
        "evil.test:7878",
        "xlocalhost",
        "crawl.example.evil.test",
        "crawl.examplex",
        "127.0.0.1.evil.test",
        "10.1.2.4",
        "0.0.0.0",
        "[::]",
        "2130706433",
        "0x7f.1",
        "127.1",
        "",
        ":7878",
        "localhost:",
        "localhost:+1",
        "localhost:99999",
        "localhost:1:2",
        "localhost@evil.test",
        "evil.test@localhost",
        "localhost/evil.test",
        "localhost evil.test",
        "localhost,evil.test",
        "[::1",
        "::1",
        "[::1]x",
        "[localhost]",
        "http://localhost",
        "localhost..",
        "\u{e9}",
    ] {
        assert!(!is_our_host(host), "{host}");
    }
    assert!(!passes(&[], "/"), "no host");
    assert!(!passes(&[("host", "localhost"), ("host", "evil.test")], "/"), "two hosts");
}

#[test]
fn a_target_with_another_host_does_not_pass() {
    assert!(passes(&[("host", "localhost:1")], "http://localhost:1/healthz"));
    for target in ["http://evil.test/", "http://localhost:2/", "http://a@localhost:1/"] {
        assert!(!passes(&[("host", "localhost:1")], target), "{target}");
    }
}

#[test]
fn pages_of_ours_pass_and_no_others() {
    let passes = |host: &str, origin: &str| passes(&[("host", host), ("origin", origin)], "/");
    for (host, origin) in [
        ("localhost:7878", "http://localhost:7878"),
        ("localhost", "http://localhost"),
        ("localhost:80", "http://localhost"),
        ("127.0.0.1:7878", "http://127.0.0.1:7878"),
        ("[::1]:7878", "http://[::1]:7878"),
        // A proxy in front has the other scheme, and may have another port.
        ("crawl.example", "https://crawl.example"),
        ("10.1.2.3:7878", "https://crawl.example"),
    ] {
        assert!(passes(host, origin), "{host} {origin}");
    }
    for origin in [
        "http://evil.test",
        "http://localhost",
        "http://localhost:3000",
        "https://localhost:443",
        "http://127.0.0.1:7878",
        "http://localhost:7878.evil.test",
        "http://localhost:7878@evil.test",
        "http://localhost:7878/",
        "http://localhost:7878 http://evil.test",
        "null",
        "",
        "localhost:7878",
        "file://",
        "file://localhost:7878",
        "chrome-extension://localhost:7878",
    ] {
        assert!(!passes("localhost:7878", origin), "{origin}");
    }
    let two = [("host", "localhost:1"), ("origin", "http://localhost:1"), ("origin", "null")];
    assert!(!super::tests::passes(&two, "/"), "two origins");
}

#[test]
fn names_to_allow_have_neither_scheme_nor_port() {
    for name in ["a.test", "::1", "192.0.2.7", "A_b-c", "[::1]"] {
        name.parse::<HostName>().expect(name);
    }
    for wrong in ["", ".", "http://a.test", "a.test:80", "a/b", "*", "*.a.test", "a b", "a@b", "é"]
    {
        assert!(wrong.parse::<HostName>().is_err(), "{wrong}");
    }
}

proptest! {
    /// Whatever is put around a name that is ours, only that name passes.
    #[test]
    fn nothing_that_holds_another_name_passes(
        before in "[a-z@.:/\\[\\]#?%\\\\ -]{0,6}", after in "[a-z@.:/\\[\\]#?%\\\\ -]{0,6}",
        ours in prop::sample::select(vec!["localhost", "127.0.0.1", "crawl.example", "[::1]"]),
    ) {
        let host = format!("{before}{ours}{after}");
        let is_ours = matches!(&*after, "" | ".") && before.is_empty();
        prop_assert!(!is_our_host(&host) || is_ours || after.is_empty() && before.is_empty(), "{}", host);
        let origin = format!("http://{host}");
        let passes = passes(&[("host", ours), ("origin", &origin)], "/");
        prop_assert!(!passes || is_ours, "{}", origin);
    }
}
