//! Access logs in Apache's and nginx's common and combined formats, also with the
//! virtual host in front (Apache's `vhost_combined`).

use std::net::IpAddr;
use std::str::FromStr;

use undust_pages::agent::AgentClass;
use undust_pages::response::Response;
use undust_pages::url_text::{url_text, without_controls};

use super::input::{Found, InputContext};
use super::lines::words;
use super::source::Source;
use super::stamp::begins_like;
use super::took;
use crate::error::{CrawlReason, Result};

/// The months as logs name them, and their numbers at the same places.
const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
const NUMBERS: &str = "01 02 03 04 05 06 07 08 09 10 11 12";

/// The longest name that DNS has, and a port.
const LONGEST_HOST: usize = 253 + ":65535".len();

/// Why a line cannot be read.
pub(super) const BAD: &str = "is not a line of the log";

/// Whether a line could be one of an access log.
pub(super) fn looks_like(line: &[u8]) -> bool {
    LogLine::parse(line).is_some()
}

/// Reads a log. `GET` and `HEAD` requests become responses without content; all other lines
/// are counted. A log that names no host is an error without
/// [`host`](super::options::ReadOptions::host).
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    context.each_line(source, take)
}

fn take(line: Option<&[u8]>, number: u64, context: &mut InputContext<'_>) -> Result<()> {
    let Some(entry) = line.and_then(LogLine::parse) else {
        return context.bad_log_line(number, BAD);
    };
    let Some((method, target)) = request(&entry.request) else {
        return context.bad_log_line(number, BAD);
    };
    if !matches!(method, b"GET" | b"HEAD") {
        context.report.other_methods += 1;
        return Ok(());
    }
    let Some(url) = url(target, entry.host, context.options.host.as_deref()) else {
        return Err(context.unusable(CrawlReason::NoHost));
    };
    context.report.hosts_given += u64::from(entry.host.is_none() && target.starts_with(b"/"));
    let response = Response {
        url,
        status: entry.status,
        length: entry.length,
        time: time(entry.time),
        is_listed: true,
        agent: entry.agent,
        took: entry.took,
        ..Response::default()
    };
    (context.emit)(Found::Response(Box::new(response)))
}

/// The URL requested; `None` if the host is not known. What stands behind a `#` asked for nothing, not even for a
/// route: a client that sends it is broken.
fn url(target: &[u8], host: Option<&[u8]>, default_host: Option<&str>) -> Option<String> {
    let requested = target.split(|byte| *byte == b'#').next().unwrap_or_default();
    let target = without_controls(url_text(requested));
    if !target.starts_with('/') {
        return Some(target);
    }
    let origin = match host {
        Some(host) => origin(&without_controls(url_text(host))),
        None => origin(default_host?),
    };
    Some(format!("{origin}{target}"))
}

/// One line of a log.
#[derive(Debug, PartialEq, Eq)]
struct LogLine<'l> {
    /// `host`, `host:port` or `scheme://host`, where the log has it.
    host: Option<&'l [u8]>,
    time: &'l [u8],
    request: Vec<u8>,
    status: u16,
    length: Option<u64>,
    agent: Option<AgentClass>,
    /// Microseconds.
    took: Option<u64>,
}

impl<'l> LogLine<'l> {
    fn parse(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let close = memchr::memmem::find(line, b"] \"")?;
        // The last `[`: a host may be an IPv6 address.
        let open = memchr::memrchr(b'[', &line[..close])?;
        let (request, rest) = quoted(&line[close + 3..])?;
        let mut words = words(rest);
        Some(LogLine {
            status: parsed(words.next()?)?,
            host: host(&line[..open])?,
            time: &line[open + 1..close],
            request,
            length: words.next().and_then(parsed),
            agent: second_quoted(rest).map(AgentClass::of),
            took: took::of_line(rest),
        })
    }
}

/// Method and target of `GET /path HTTP/1.1`. A target may contain spaces.
pub(super) fn request(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = memchr::memchr(b' ', line)?;
    let (method, target) = (&line[..space], line[space + 1..].trim_ascii());
    let end = memchr::memmem::rfind(target, b" HTTP/").unwrap_or(target.len());
    // Only pages matter, so only GET and HEAD need a target that makes a URL.
    let is_target = target.starts_with(b"/") || scheme_and_rest(target).is_some();
    let is_method = !method.is_empty() && method.iter().all(u8::is_ascii_uppercase);
    (is_method && (is_target || !matches!(method, b"GET" | b"HEAD")))
        .then_some((method, &target[..end]))
}

/// Scheme, host and port of a URL whose host stands in a field of its own; `http` if nothing says otherwise.
pub(super) fn origin_of(scheme: Option<&str>, host: &str, port: Option<&str>) -> String {
    let Some(scheme) = scheme.filter(|_| !host.contains("://")) else { return origin(host) };
    let default = if scheme == "https" { "443" } else { "80" };
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| !port.contains(']'));
    match port.filter(|port| !has_port && *port != default) {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => {
            let port = host.rsplit_once(':').filter(|(_, port)| *port == default);
            format!("{scheme}://{}", port.map_or(host, |(host, _)| host))
        }
    }
}

/// Scheme and host of `host`, `host:port` or `scheme://host`, without the scheme's default port.
fn origin(host: &str) -> String {
    if host.contains("://") {
        return host.trim_end_matches('/').to_owned();
    }
    match host.strip_suffix(":443") {
        Some(host) => format!("https://{host}"),
        None => format!("http://{}", host.strip_suffix(":80").unwrap_or(host)),
    }
}

/// The virtual host before `client identity user`, if there is one. `None` if these three
/// fields are missing.
fn host(fields: &[u8]) -> Option<Option<&[u8]>> {
    let fields: Vec<&[u8]> =
        fields.split(|&byte| byte == b' ').filter(|field| !field.is_empty()).collect();
    match fields.as_slice() {
        [] | [_] | [_, _] => None,
        // A user's name may contain spaces, so the client's address decides.
        [host, client, b"-", _, ..] if is_address(client) || !is_address(host) => {
            names_host(host).then_some(Some(host))
        }
        // lighttpd has the host where others have the name that the client's own machine gives its user.
        [client, host, _] if is_address(client) && host.contains(&b'.') && !is_address(host) => {
            Some(names_host(host).then_some(host))
        }
        _ => Some(None),
    }
}

/// Whether a virtual host, with or without its scheme, is valid. A character that ends the host in
/// a URL would change the URL of the line.
pub(super) fn names_host(field: &[u8]) -> bool {
    let host = scheme_and_rest(field).map_or(field, |(_, host)| host);
    let host = host.strip_suffix(b"/").unwrap_or(host);
    let is_foreign = |byte: &u8| b"/?#@\\\"<>,".contains(byte) || *byte <= b' ' || *byte == 0x7f;
    let is_short = host.len() <= LONGEST_HOST;
    is_short && !host.starts_with(b":") && is_no_number(host) && !host.iter().any(is_foreign)
}

/// Whether a host has a letter, or is an address: a number stands there by mistake.
fn is_no_number(host: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let dots = memchr::memchr_iter(b'.', host).count();
    host.iter().any(is_letter) || dots == 3 || host.starts_with(b"[")
}

/// Whether a text is a URL with its scheme and its host.
pub(super) fn is_whole_url(text: &str) -> bool {
    let scheme_and_rest = scheme_and_rest(text.trim_start_matches(' ').as_bytes());
    scheme_and_rest
        .is_some_and(|(_, rest)| !matches!(rest.first(), None | Some(b'/' | b'?' | b'#')))
}

/// The scheme of a URL, and the text after its `://`; none without a scheme.
fn scheme_and_rest(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memmem::find(url, b"://")?;
    let (scheme, rest) = (&url[..at], &url[at + 3..]);
    (!scheme.is_empty() && scheme.iter().all(u8::is_ascii_alphabetic)).then_some((scheme, rest))
}

pub(super) fn is_address(field: &[u8]) -> bool {
    parsed::<IpAddr>(field).is_some()
}

/// The text up to the closing quote, with escapes decoded, and the rest of the line.
pub(super) fn quoted(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (mut text, mut rest) = (Vec::new(), bytes);
    loop {
        let (byte, after) = match rest {
            [b'"', after @ ..] => return Some((text, after)),
            [b'\\', b'x', high, low, after @ ..] if let Some(byte) = hex_byte(*high, *low) => {
                (byte, after)
            }
            [b'\\', byte, after @ ..] if let Some(meant) = escaped(*byte) => (meant, after),
            [byte, after @ ..] => (*byte, after),
            [] => return None,
        };
        text.push(byte);
        rest = after;
    }
}

/// The second text in quotes, its escapes as they are: after the request, the referrer and the agent.
fn second_quoted(bytes: &[u8]) -> Option<&[u8]> {
    let (_, rest) = raw_quoted(bytes)?;
    raw_quoted(rest).map(|(text, _)| text)
}

/// The next text in quotes, its escapes as they are, and what follows.
pub(super) fn raw_quoted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = &bytes[memchr::memchr(b'"', bytes)? + 1..];
    let is_end = |&at: &usize| {
        let backslashes = text[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        backslashes % 2 == 0
    };
    let end = memchr::memchr_iter(b'"', text).find(is_end)?;
    Some((&text[..end], &text[end + 1..]))
}

/// The character that a letter after a backslash stands for: Apache writes control characters as in
/// C.
fn escaped(letter: u8) -> Option<u8> {
    Some(match letter {
        b'"' | b'\\' => letter,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        _ => return None,
    })
}

/// The byte that two hexadecimal digits stand for.
pub(super) fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}

/// What a text is parsed to, such as a number.
pub(super) fn parsed<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// `17/May/2015:10:05:03 +0000` as RFC 3339; `None` in any other format.
pub(super) fn time(text: &[u8]) -> Option<String> {
    let shape = b"00/aaa/0000:00:00:00 +0000";
    let text = std::str::from_utf8(text).ok()?;
    if text.len() != shape.len() || !begins_like(text.as_bytes(), shape) {
        return None;
    }
    let month = MONTHS.find(&text[3..6]).filter(|at| at % 3 == 0)?;
    let (day, month, year) = (&text[..2], NUMBERS.get(month..month + 2)?, &text[7..11]);
    let (clock, hours, minutes) = (&text[12..20], &text[21..24], &text[24..]);
    // In one piece: a log has millions of these.
    Some([year, "-", month, "-", day, "T", clock, hours, ":", minutes].concat())
}
