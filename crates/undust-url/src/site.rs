//! Which site a URL belongs to. One site is one unit of work, one model and one folder, so the
//! name of a site is also a valid name of a folder.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What counts as one site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SiteBy {
    /// A host name, with or without `www.`.
    #[default]
    Host,
    /// A registrable domain by the public suffix list, with all its hosts. Private suffixes
    /// count, so each user of `github.io` has a site.
    Domain,
}

/// The longest host name that DNS allows. File systems allow only slightly longer names of folders.
pub const MAX_HOST_BYTES: usize = 253;

/// The site of an absolute URL; none if it has no valid host.
///
/// By host: the host, lower-cased, without a final dot and a leading `www.`. A port other than the
/// scheme's default follows after `+`, as in `example.com+8080`. By domain: the registrable domain
/// without any port, or the host if it has no such domain (`localhost`, an IP address, a bare
/// public suffix). Names in other scripts become punycode; the colons of an IPv6 address become
/// `-`, as in `[2001-db8--1]`. Scheme and user information are ignored.
///
/// Borrows from the URL if the host is in lower case and the port is the scheme's default. By domain
/// takes several times as long as by host. Total: any string is allowed.
pub fn site_of(url: &str, by: SiteBy) -> Option<Cow<'_, str>> {
    let Authority { host, port } = Authority::of(url)?;
    let host = clean_host(host)?;
    match (by, port) {
        (SiteBy::Domain, _) => Some(narrow(host, registrable)),
        (SiteBy::Host, None) => Some(narrow(host, without_www)),
        (SiteBy::Host, Some(port)) => Some(Cow::Owned(format!("{}+{port}", without_www(&host)))),
    }
}

/// Whether a text can be the name of a site as [`site_of`] returns it. The name becomes a folder's
/// name.
pub fn names_a_site(name: &str) -> bool {
    let is_safe = |byte: u8| byte.is_ascii_graphic() && !b"/\\:*?\"<>|".contains(&byte);
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_safe)
}

/// Whether a text names a server and nothing else: a host name or an IP address, optionally with a
/// port and with `http://` or `https://` before it. A path in this text would change all URLs that
/// are made with it.
pub fn names_a_server(text: &str) -> bool {
    let server = match text.split_once("://") {
        Some((scheme, rest)) if own_port(scheme).is_some() => {
            rest.strip_suffix('/').unwrap_or(rest)
        }
        _ => text,
    };
    let (host, port) = split_port(server);
    let is_port = port.is_empty() && !server.ends_with(':')
        || port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    // What a percent sign stands for is decoded by browsers, and stays in the URLs.
    is_port && !host.contains('%') && clean_host(host).is_some()
}

/// The part of a URL that names a server.
struct Authority<'u> {
    host: &'u str,
    /// None if it is the scheme's default port.
    port: Option<u16>,
}

impl Authority<'_> {
    fn of(url: &str) -> Option<Authority<'_>> {
        let (scheme, rest) = url.split_once(':')?;
        let rest = rest.strip_prefix("//").filter(|_| is_scheme(scheme))?;
        let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#' | b'\\'));
        let authority = &rest[..end.unwrap_or(rest.len())];
        let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let (host, port) = split_port(host_and_port);
        let port = match port {
            "" => None,
            digits => Some(digits.parse().ok()?).filter(|&port| Some(port) != own_port(scheme)),
        };
        Some(Authority { host, port })
    }
}

fn is_scheme(scheme: &str) -> bool {
    let is_scheme_byte =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(is_scheme_byte)
}

fn own_port(scheme: &str) -> Option<u16> {
    match scheme {
        _ if scheme.eq_ignore_ascii_case("https") => Some(443),
        _ if scheme.eq_ignore_ascii_case("http") => Some(80),
        _ => None,
    }
}

/// Host and port. The colons of an IPv6 address, inside brackets, begin no port.
fn split_port(host_and_port: &str) -> (&str, &str) {
    let name_from = host_and_port.rfind(']').unwrap_or(0);
    match host_and_port[name_from..].find(':') {
        Some(colon) => {
            (&host_and_port[..name_from + colon], &host_and_port[name_from + colon + 1..])
        }
        None => (host_and_port, ""),
    }
}

/// The host in lower case and ASCII, without characters that names of folders cannot have.
fn clean_host(host: &str) -> Option<Cow<'_, str>> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
    let clean = if host.bytes().all(is_plain) && !may_be_no_host(host) {
        Cow::Borrowed(host)
    } else {
        parse_host(host).map(|clean| if clean == host { host.into() } else { clean.into() })?
    };
    let is_usable = !clean.is_empty() && !clean.starts_with('.') && clean.len() <= MAX_HOST_BYTES;
    is_usable.then_some(clean)
}

/// Whether a name in plain letters may still be invalid: a name that ends with a number must be an
/// IP address, and a label for another script must be valid punycode.
fn may_be_no_host(host: &str) -> bool {
    let last_label = host.trim_end_matches('.').rsplit('.').next().unwrap_or(host);
    last_label.starts_with(|first: char| first.is_ascii_digit()) || host.contains("xn--")
}

/// The host as browsers read it (WHATWG URL): percent-decoding, IDNA, IP addresses.
fn parse_host(host: &str) -> Option<String> {
    match url::Host::parse(host).ok()? {
        url::Host::Ipv6(address) => Some(ipv6_name(&format!("[{address}]"))),
        other => Some(other.to_string()).filter(|name| name.bytes().all(is_name_byte)),
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
}

/// An IPv6 address in brackets as a name: folders cannot have colons.
fn ipv6_name(address: &str) -> String {
    address.replace(':', "-")
}

/// The chosen part of a host. A borrowed host stays borrowed.
fn narrow<'u>(host: Cow<'u, str>, part: impl Fn(&str) -> &str) -> Cow<'u, str> {
    match host {
        Cow::Borrowed(host) => Cow::Borrowed(part(host)),
        Cow::Owned(host) => Cow::Owned(part(&host).to_owned()),
    }
}

/// The host without `www.`, unless a single label would be left: `www.com` is a site. `www.` also
/// stays if the rest would begin with an empty label, because a folder whose name begins with a dot
/// is hidden.
fn without_www(host: &str) -> &str {
    let is_host = |rest: &&str| rest.contains('.') && !rest.starts_with('.');
    host.strip_prefix("www.").filter(is_host).unwrap_or(host)
}

fn registrable(host: &str) -> &str {
    let last_label = host.rsplit('.').next().unwrap_or(host);
    let is_address = host.starts_with('[') || last_label.bytes().all(|byte| byte.is_ascii_digit());
    if is_address { host } else { undust_domain::registrable(host).unwrap_or(host) }
}

/// Groups items by the site of their URL. Items keep their order; sites are in the order of their
/// first item. Items whose URL names no host are left out.
pub fn group_by_site<T>(
    things: Vec<T>,
    by: SiteBy,
    url: impl Fn(&T) -> &str,
) -> Vec<(String, Vec<T>)> {
    let mut places: FxHashMap<Box<str>, usize> = FxHashMap::default();
    let mut sites: Vec<(String, Vec<T>)> = Vec::new();
    for thing in things {
        let Some(site) = site_of(url(&thing), by) else { continue };
        let place = places.get(&*site).copied().unwrap_or_else(|| {
            places.insert(site.as_ref().into(), sites.len());
            sites.push((site.clone().into_owned(), Vec::new()));
            sites.len() - 1
        });
        sites[place].1.push(thing);
    }
    sites
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_server_is_a_host_and_nothing_else() {
        for text in [
            "a.test",
            "www.example.org:8080",
            "https://a.test/",
            "HTTP://a.test:80",
            "localhost",
            "1.2.3.4:81",
            "[2001:db8::1]",
            "[2001:db8::1]:8080",
            "bücher.example",
        ] {
            assert!(names_a_server(text), "{text}");
        }
        for text in [
            "",
            "a/b",
            "a.test/",
            "a.test?x#",
            "a.test#",
            "a.test:",
            "a.test:+80",
            "a.test:65536",
            "a.test:80:80",
            "a.test:80/x",
            "user@a.test",
            "a b.test",
            "a\ttest",
            "a\\b",
            "a%2fb",
            "::1",
            "[::1",
            "ftp://a.test",
            "https://",
            "https://a.test//",
            "https://a.test/x",
            "https://https://a.test",
            "1.2.3.4.5",
        ] {
            assert!(!names_a_server(text), "{text}");
        }
    }

    fn by_host(url: &str) -> Option<String> {
        site_of(url, SiteBy::Host).map(Cow::into_owned)
    }

    fn by_domain(url: &str) -> Option<String> {
        site_of(url, SiteBy::Domain).map(Cow::into_owned)
    }

    #[test]
    fn hosts() {
        for (url, site) in [
            ("http://example.com/a?b#c", "example.com"),
            ("https://www.example.com", "example.com"),
            ("HTTP://WWW.Example.COM./", "example.com"),
            ("http://www.com/", "www.com"),
            ("http://www.example.com:80/", "example.com"),
            ("https://example.com:443?q", "example.com"),
            ("http://example.com:/", "example.com"),
            ("http://example.com:8080/", "example.com+8080"),
            ("https://example.com:80/", "example.com+80"),
            ("http://user:secret@example.com:81/", "example.com+81"),
            ("http://a@b@example.com/", "example.com"),
            ("http://example.com\\@other.org/", "example.com"),
            ("http://example.com/x@other.org:1/", "example.com"),
            ("http://my_shop.example.com/", "my_shop.example.com"),
            ("http://bücher.example/", "xn--bcher-kva.example"),
            ("http://localhost/", "localhost"),
            ("http://127.0.0.1:3000/", "127.0.0.1+3000"),
            ("http://[2001:DB8::1]/", "[2001-db8--1]"),
            ("http://u@[2001:db8::1]:81/", "[2001-db8--1]+81"),
            ("ftp://example.com/", "example.com"),
            ("http://www..example.com/", "www..example.com"),
        ] {
            assert_eq!(by_host(url).as_deref(), Some(site), "{url}");
        }
    }

    #[test]
    fn no_host_no_site() {
        for url in [
            "",
            "example.com",
            "/path",
            "//example.com/",
            "http:/example.com",
            "http://",
            "http:///path",
            "http://?q",
            "http://user@/",
            "http://:80/",
            "mailto:a@example.com",
            "path?u=http://a.com/",
            "http://example.com:port/",
            "http://example.com:99999/",
            "http://a b/",
            "http://a\0b/",
            "http://./",
            "http://../",
            "http://.hidden/",
            "http://[::1/",
            "http://[x]/",
            "http://%2f/",
            "http://a%2e%2e%2fb/",
            "http://www..2/",
            "HTTP://A.1/",
            "http://a.1/",
            "http://xn--a/",
        ] {
            assert_eq!(by_host(url), None, "{url}");
            assert_eq!(by_domain(url), None, "{url}");
        }
        assert_eq!(by_host(&format!("http://{}/", "a".repeat(100_000))), None);
    }

    #[test]
    fn domains() {
        for (url, site) in [
            ("http://www.example.co.uk/", "example.co.uk"),
            ("http://a.b.example.com:8080/", "example.com"),
            ("http://A.Example.COM/", "example.com"),
            ("http://ann.github.io/", "ann.github.io"),
            ("http://x.ann.github.io/", "ann.github.io"),
            ("http://github.io/", "github.io"),
            ("http://localhost:1/", "localhost"),
            ("http://10.0.0.1/", "10.0.0.1"),
            ("http://[::1]/", "[--1]"),
            ("http://wiki.example.test/", "example.test"),
            ("http://shop.bücher.de/", "xn--bcher-kva.de"),
        ] {
            assert_eq!(by_domain(url).as_deref(), Some(site), "{url}");
        }
    }

    #[test]
    fn plain_hosts_are_borrowed() {
        for by in [SiteBy::Host, SiteBy::Domain] {
            let site = site_of("https://www.example.com/a", by);
            assert!(matches!(site, Some(Cow::Borrowed("example.com"))));
        }
    }

    #[test]
    fn no_path_names_a_site() {
        for name in ["", ".", "..", "../x", "a/b", "a\\b", ".git", "a b", "a\n"] {
            assert!(!names_a_site(name), "{name:?}");
        }
        assert!(names_a_site("example.com+8080") && names_a_site("[2001-db8--1]"));
    }

    proptest! {
        #[test]
        fn a_site_can_be_a_folder(url in "(https?://)?\\PC{0,40}", tail in ".*") {
            for by in [SiteBy::Host, SiteBy::Domain] {
                if let Some(site) = site_of(&format!("{url}{tail}"), by) {
                    prop_assert!(names_a_site(&site), "{}", site);
                }
            }
        }

        #[test]
        fn the_site_of_a_site_is_itself(host in "[a-z0-9-]{1,9}(\\.[a-z0-9-]{1,9}){0,3}") {
            for by in [SiteBy::Host, SiteBy::Domain] {
                let url = format!("http://{host}/");
                if let Some(site) = site_of(&url, by).filter(|site| !site.starts_with("www.")) {
                    let again = format!("http://{site}/");
                    prop_assert_eq!(site_of(&again, by), Some(site));
                }
            }
        }
    }
}
