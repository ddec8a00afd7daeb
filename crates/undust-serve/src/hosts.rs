//! Whether a request was meant for this service, and by whom it was made.
//!
//! A page in a browser can have it send requests to any address. Two headers show this: `Origin`
//! names the page's own host, and `Host` the name under which the service was asked. A name that is
//! the attacker's and leads to this machine (DNS rebinding) is in `Host`. So no name is ours but
//! those that nobody else can have, and those that the user gave.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};

use super::failure::Failure;
use crate::error::{Error, ServiceReason};

/// A host by its name or its address, without a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName(Name);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Address(IpAddr),
    /// In small letters.
    Text(Box<str>),
}

impl FromStr for HostName {
    type Err = Error;

    /// Of `name.example`, `192.0.2.1` or `::1`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let address = text.parse::<IpAddr>().ok().map(Name::Address);
        let name = address.or_else(|| Name::of(text));
        name.map(HostName).ok_or_else(|| ServiceReason::HostName.into())
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Name::Address(address) => address.fmt(f),
            Name::Text(text) => f.write_str(text),
        }
    }
}

impl Name {
    /// As headers have it: an address of version 6 is in brackets.
    fn of(text: &str) -> Option<Self> {
        if let Some(address) = text.strip_prefix('[') {
            let address: Ipv6Addr = address.strip_suffix(']')?.parse().ok()?;
            return Some(Self::Address(IpAddr::V6(address)));
        }
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            return Some(Self::Address(IpAddr::V4(address)));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_name = !name.is_empty() && name.len() <= 253 && name.bytes().all(is_part);
        is_name.then(|| Self::Text(name.to_ascii_lowercase().into()))
    }

    fn is_loopback(&self) -> bool {
        match self {
            Self::Address(address) => address.to_canonical().is_loopback(),
            Self::Text(name) => &**name == "localhost",
        }
    }
}

/// A host and its port.
#[derive(Debug, PartialEq, Eq)]
struct Authority {
    name: Name,
    port: Option<u16>,
}

impl Authority {
    fn of(text: &str) -> Option<Self> {
        let after_brackets = text.rfind(']').map_or(0, |end| end + 1);
        let (name, port) = match text[after_brackets..].find(':') {
            Some(at) => (&text[..after_brackets + at], Some(&text[after_brackets + at + 1..])),
            None => (text, None),
        };
        let digits =
            |port: &&str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let port = match port {
            Some(port) => Some(Some(port).filter(digits)?.parse().ok()?),
            None => None,
        };
        Some(Self { name: Name::of(name)?, port })
    }
}

/// Lets a request pass that was meant for us, and that no page of another host made.
///
/// `local` is the address at which the connection came.
pub(super) fn check(
    headers: &HeaderMap,
    uri: &Uri,
    local: Option<IpAddr>,
    allowed: &[HostName],
) -> Result<(), Failure> {
    let is_local = |name: &Name| match name {
        Name::Address(address) => {
            local.is_some_and(|local| local.to_canonical() == address.to_canonical())
        }
        Name::Text(_) => false,
    };
    let is_allowed = |name: &Name| allowed.iter().any(|host| host.0 == *name);
    let is_ours = |name: &Name| name.is_loopback() || is_local(name) || is_allowed(name);

    let host = the_only(headers, HOST).and_then(Authority::of);
    let host = host.filter(|host| is_ours(&host.name));
    // A target that names a host counts for more than the header.
    let target = uri.authority().map(|authority| Authority::of(authority.as_str()));
    let (Some(host), None | Some(Some(_))) = (host, &target) else { return Err(foreign_host()) };
    if target.flatten().is_some_and(|target| target != host) {
        return Err(foreign_host());
    }
    if !headers.contains_key(ORIGIN) {
        return Ok(());
    }
    let is_known = |(origin, default): (Authority, u16)| {
        let port = |authority: &Authority| authority.port.unwrap_or(default);
        let is_same = origin.name == host.name && port(&origin) == port(&host);
        is_same || is_allowed(&origin.name)
    };
    match the_only(headers, ORIGIN).and_then(origin).is_some_and(is_known) {
        true => Ok(()),
        false => {
            Err(refusal("a page of another host made this request (its Origin), and none may"))
        }
    }
}

/// The value of a header that there is once.
fn the_only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    first.to_str().ok().filter(|_| all.next().is_none())
}

/// Where a page is from, and the port of its scheme.
fn origin(text: &str) -> Option<(Authority, u16)> {
    let (scheme, authority) = text.split_once("://")?;
    let default = match () {
        () if scheme.eq_ignore_ascii_case("http") => 80,
        () if scheme.eq_ignore_ascii_case("https") => 443,
        () => return None,
    };
    Some((Authority::of(authority)?, default))
}

fn foreign_host() -> Failure {
    refusal(
        "this service is not the host that was asked for; start it with `--allow-host NAME` if \
         NAME leads to it",
    )
}

fn refusal(sentence: &str) -> Failure {
    Failure::new(StatusCode::FORBIDDEN, sentence)
}

#[cfg(test)]
mod tests;
