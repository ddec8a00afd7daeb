//! Access logs in Apache's and nginx's common and combined formats, also with the
//! virtual host in front (Apache's `vhost_combined`).

use undust_pages::agent::AgentClass;
use undust_pages::response::Response;
use undust_pages::url_text::{url_text, without_controls};
use undust_util::address::shown;

use super::input::{Found, InputContext};
use super::source::Source;
use super::took;
use crate::error::{CrawlReason, Error, Result};

const MONTHS: [&[u8]; 12] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// The longest name that DNS has, and a port.
const LONGEST_HOST: usize = 253 + ":65535".len();

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
        bad_line(number, context);
        return Ok(());
    };
    let Some((method, target)) = entry.request() else {
        bad_line(number, context);
        return Ok(());
    };
    let LogLine { host, status, length, agent, took, .. } = entry;
    let time = time(entry.time);
    emit(&LoggedRequest { method, host, target, status, length, time, agent, took }, context)
}

/// A request in a log.
pub(super) struct LoggedRequest<'l> {
    pub method: &'l [u8],
    /// `host`, `host:port` or `scheme://host`, where the log has it.
    pub host: Option<&'l [u8]>,
    /// Path and query, or a whole URL.
    pub target: &'l [u8],
    pub status: u16,
    pub length: Option<u64>,
    pub time: Option<String>,
    pub agent: Option<AgentClass>,
    /// Microseconds.
    pub took: Option<u64>,
}

/// Passes a request on, if it asks for a page.
pub(super) fn emit(request: &LoggedRequest<'_>, context: &mut InputContext<'_>) -> Result<()> {
    if !matches!(request.method, b"GET" | b"HEAD") {
        context.report.other_methods += 1;
        return Ok(());
    }
    let Some(url) = request.url(context.options.host.as_deref()) else {
        return Err(no_host(context));
    };
    let has_path = request.target.starts_with(b"/");
    context.report.hosts_given += u64::from(request.host.is_none() && has_path);
    let response = Response {
        url,
        status: request.status,
        length: request.length,
        time: request.time.clone(),
        is_listed: true,
        agent: request.agent,
        took: request.took,
        ..Response::default()
    };
    (context.emit)(Found::Response(Box::new(response)))
}

impl LoggedRequest<'_> {
    /// The URL requested; `None` if the host is not known. What stands behind a `#` asked for nothing, not even for a
    /// route: a client that sends it is broken.
    fn url(&self, default_host: Option<&str>) -> Option<String> {
        let requested = self.target.split(|byte| *byte == b'#').next().unwrap_or_default();
        let target = without_controls(url_text(requested));
        if !target.starts_with('/') {
            return Some(target);
        }
        let origin = match self.host {
            Some(host) => origin(&without_controls(url_text(host))),
            None => origin(default_host?),
        };
        Some(format!("{origin}{target}"))
    }
}

pub(super) fn bad_line(number: u64, context: &mut InputContext<'_>) {
    bad_line_because(number, "is not a line of the log", context);
}

pub(super) fn bad_line_because(number: u64, reason: &str, context: &mut InputContext<'_>) {
    context.report.bad_log_lines += 1;
    context.report.note(|| format!("{}:{number}: {reason}", shown(&context.path)));
}

pub(super) fn no_host(context: &InputContext<'_>) -> Error {
    context.unusable(CrawlReason::NoHost)
}

/// One line of a log.
#[derive(Debug, PartialEq, Eq)]
struct LogLine<'l> {
    host: Option<&'l [u8]>,
    time: &'l [u8],
    request: Vec<u8>,
    status: u16,
    length: Option<u64>,
    agent: Option<AgentClass>,
    took: Option<u64>,
}

impl<'l> LogLine<'l> {
    fn parse(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii();
        let close = memchr::memmem::find(line, b"] \"")?;
        // The last `[`: a host may be an IPv6 address.
        let open = memchr::memrchr(b'[', &line[..close])?;
        let (request, rest) = quoted(&line[close + 3..])?;
        let mut words = rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let status = number(words.next()?)?;
        Some(LogLine {
            host: host(&line[..open])?,
            time: &line[open + 1..close],
            request,
            status: u16::try_from(status).ok()?,
            length: words.next().and_then(number),
            agent: second_quoted(rest).map(AgentClass::of),
            took: took::of_line(rest),
        })
    }

    /// Method and target of the request.
    fn request(&self) -> Option<(&[u8], &[u8])> {
        request(&self.request)
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

fn is_address(field: &[u8]) -> bool {
    std::str::from_utf8(field).is_ok_and(|field| field.parse::<std::net::IpAddr>().is_ok())
}

/// The text up to the closing quote, with escapes decoded, and the rest of the line.
pub(super) fn quoted(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (mut text, mut rest) = (Vec::new(), bytes);
    loop {
        match rest {
            [b'"', after @ ..] => return Some((text, after)),
            [b'\\', b'x', high, low, after @ ..]
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                text.push(hex_value(*high) << 4 | hex_value(*low));
                rest = after;
            }
            [b'\\', byte, after @ ..] if let Some(meant) = escaped(*byte) => {
                text.push(meant);
                rest = after;
            }
            [byte, after @ ..] => {
                text.push(*byte);
                rest = after;
            }
            [] => return None,
        }
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

fn hex_value(digit: u8) -> u8 {
    char::from(digit).to_digit(16).map_or(0, |value| value as u8)
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// `17/May/2015:10:05:03 +0000` as RFC 3339; `None` in any other format.
pub(super) fn time(text: &[u8]) -> Option<String> {
    let &[
        d1,
        d2,
        b'/',
        m1,
        m2,
        m3,
        b'/',
        y1,
        y2,
        y3,
        y4,
        b':',
        ref clock @ ..,
        b' ',
        sign,
        z1,
        z2,
        z3,
        z4,
    ] = text
    else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == [m1, m2, m3])? + 1;
    let is_clock = matches!(clock, [_, _, b':', _, _, b':', _, _]);
    let digits = [d1, d2, y1, y2, y3, y4, z1, z2, z3, z4];
    let is_time = is_clock && matches!(sign, b'+' | b'-') && digits.iter().all(u8::is_ascii_digit);
    is_time.then(|| {
        // In one piece: a log has millions of these.
        let mut text = String::with_capacity("2015-05-17T10:05:03+00:00".len());
        text.extend([y1, y2, y3, y4, b'-'].map(char::from));
        text.extend([b'0' + (month / 10) as u8, b'0' + (month % 10) as u8, b'-'].map(char::from));
        text.extend([d1, d2, b'T'].map(char::from));
        text.push_str(&String::from_utf8_lossy(clock));
        text.extend([sign, z1, z2, b':', z3, z4].map(char::from));
        text
    })
}
