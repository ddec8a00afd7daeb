//! Addresses that may hold a secret: `s3://KEY:SECRET@bucket/models`, `https://host/crawl.warc?token=…`.
//! Whatever prints one prints its scheme, host and path.

use std::fmt;
use std::path::Path;

use percent_encoding::percent_decode_str;

/// Bytes in a row that a message may share with a secret by chance.
const BY_CHANCE: usize = 3;

/// Where parameters may begin: `?token=…`, `/;token=…`.
const PARAMETERS: [char; 3] = ['?', '#', ';'];

/// Parameters whose values say where something is.
const PUBLIC: [&str; 3] = ["region", "scheme", "endpoint_override"];

/// An address. Its text is had by [`Self::reveal`] alone: neither `Display` nor `Debug` shows it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Address {
    text: Box<str>,
}

impl Address {
    /// Of any text; a path has no secret.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into() }
    }

    /// Whether it names something elsewhere: a text with a scheme, and no path of this machine.
    pub fn is_elsewhere(&self) -> bool {
        split(&self.text).is_some()
    }

    /// The whole text, for whoever connects.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// A message of another program without what it may quote of the secrets: where it shares more with
    /// one than chance does, none of it is left.
    pub fn quiet<'m>(&self, message: &'m str) -> Option<&'m str> {
        let message_bytes = lower(message);
        let quotes = |secret: &String| {
            let secret = lower(secret);
            let length = secret.len().min(BY_CHANCE + 1);
            length > 0
                && secret
                    .windows(length)
                    .any(|piece| message_bytes.windows(length).any(|part| part == piece))
        };
        let is_quoted = self.secrets().iter().any(quotes);
        (!is_quoted).then_some(message)
    }

    /// What must not be shown, as it stands there and without its escapes.
    fn secrets(&self) -> Vec<String> {
        let Some((_, rest)) = split(&self.text) else { return Vec::new() };
        let mut raw: Vec<&str> = Vec::new();
        if let Some((login, _)) = rest.rsplit_once('@') {
            // Who asks is no secret, unless it is all that there is.
            raw.push(login.split_once(':').map_or(login, |(_, secret)| secret));
        } else if shown_rest(rest).is_none() {
            raw.push(rest);
        }
        let after = rest.find(PARAMETERS).map_or("", |at| &rest[at + 1..]);
        for pair in after.split(['&', ';', '?', '#']) {
            let (name, value) = pair.split_once('=').unwrap_or(("", pair));
            // A version or a page is no secret.
            if !PUBLIC.contains(&name) && value.len() > BY_CHANCE {
                raw.push(value);
            }
        }
        // What parts parameters here may be a sign of the secret that its owner has not escaped.
        if after.contains(['?', ';', '#'])
            && let Some((_, values)) = after.split_once('=')
            && values.len() > BY_CHANCE
        {
            raw.push(values);
        }
        let both = |secret: &str| [secret.to_owned(), unescaped(secret)];
        raw.into_iter().flat_map(both).collect()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match split(&self.text) {
            Some((scheme, rest)) => write!(f, "{scheme}{}", shown_rest(rest).unwrap_or("…")),
            None => f.write_str(&self.text),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

/// A path as messages show it. It may be an address that somebody gave in its place.
pub fn shown(path: impl AsRef<Path>) -> impl fmt::Display {
    Address::new(path.as_ref().to_string_lossy())
}

/// The scheme of an address with what ends it, and the rest; none of a path. Libraries for paths take one of
/// two slashes away: `s3:/key:secret@bucket`.
fn split(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(":/")?;
    // fsspec chains schemes: `simplecache::s3://…`.
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.:".contains(&byte);
    let name = scheme.trim_start();
    // One letter is a disk.
    let is_scheme = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(is_part);
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    is_scheme.then(|| text.split_at(text.len() - rest.len()))
}

/// The host and the path, where it is certain where these begin and end. A secret may have any sign that
/// its owner has not escaped.
fn shown_rest(rest: &str) -> Option<&str> {
    let (before, after) = rest.split_at(rest.find(PARAMETERS).unwrap_or(rest.len()));
    // Whether the secret goes on behind the `?`, or an `@` is in a parameter, nobody knows.
    if after.contains('@') {
        return None;
    }
    if let Some((_, shown)) = before.rsplit_once('@') {
        return Some(shown);
    }
    let host = before.split('/').next().unwrap_or_default();
    // `key:secret/bucket`, whose `@` is missing.
    let port = host.rsplit_once(':').map_or("", |(_, port)| port);
    let is_host = host.ends_with(']') || port.bytes().all(|byte| byte.is_ascii_digit());
    is_host.then_some(before)
}

fn unescaped(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

fn lower(text: &str) -> Vec<u8> {
    text.to_ascii_lowercase().into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> String {
        Address::new(text).to_string()
    }

    #[test]
    fn what_is_shown() {
        for (address, expected) in [
            ("s3://key:secret@bucket/m.undust?region=eu", "s3://bucket/m.undust"),
            ("s3://key:sec/ret@bucket/m.undust", "s3://bucket/m.undust"),
            ("s3://key:s@e/c@ret@bucket/m", "s3://bucket/m"),
            ("s3://key:12/34@bucket/m", "s3://bucket/m"),
            ("s3:/key:secret@bucket/m", "s3:/bucket/m"),
            ("https://user:p%40w@h.test:80/a?token=x#y", "https://h.test:80/a"),
            ("https://h.test/a?X-Amz-Signature=abc", "https://h.test/a"),
            ("sc://host:15002/;token=abc;user_id=me", "sc://host:15002/"),
            (" s3://key:secret@bucket/m", " s3://bucket/m"),
            ("simplecache::s3://key:secret@bucket/m", "simplecache::s3://bucket/m"),
            ("http://[::1]:7/a", "http://[::1]:7/a"),
            ("http://[::1]/a", "http://[::1]/a"),
            // Where the secret ends nobody knows.
            ("s3://key:se?cret@bucket/m", "s3://…"),
            ("s3://key:s@e#cret@bucket/m", "s3://…"),
            ("https://h.test/a?token=b@c", "https://…"),
            ("s3://key:secret/bucket/m", "s3://…"),
            ("https://token@h.test/", "https://h.test/"),
            ("hdfs:///user/me/crawl", "hdfs:///user/me/crawl"),
            ("crawls/a@b?c.jsonl", "crawls/a@b?c.jsonl"),
            ("C:\\crawl@home", "C:\\crawl@home"),
            ("C:/crawl@home", "C:/crawl@home"),
            ("", ""),
        ] {
            assert_eq!(name(address), expected, "{address}");
            assert_eq!(format!("{:?}", Address::new(address)), format!("Address({expected})"));
            assert_eq!(Address::new(address).reveal(), address);
        }
    }

    #[test]
    fn messages_lose_what_quotes_a_secret() {
        let address =
            Address::new("s3://AKIA:pass%2Fword@bucket/m?sig=0123456789&region=us-east-1");
        for quoted in [
            "nonnumeric port: 'pass%2Fword@bucket'",
            "port pass/word",
            "signature 0123456789 is wrong",
            "cannot parse PASS%2FWO",
            "…word@bucket",
        ] {
            assert_eq!(address.quiet(quoted), None, "{quoted}");
        }
        assert_eq!(Address::new("https://h/a?v=2").quiet("HTTP 502"), Some("HTTP 502"));
        assert_eq!(Address::new("https://h/a?sig=4\\#W)#").quiet("sig=4\\#W)#"), None);
        for kept in ["no such object", "bucket in us-east-1, access key AKIA", ""] {
            assert_eq!(address.quiet(kept), Some(kept));
        }
        assert_eq!(Address::new("s3://k:ab@b/m").quiet("about ab"), None);
        assert_eq!(Address::new("/path/to@x").quiet("/path/to@x"), Some("/path/to@x"));
    }

    /// Signs of secrets: none of these is in hosts and paths below.
    const SECRET: &str = "[A-Z0-9/@:%?#&=+;,!$'()*~ \\[\\]|\\\\é-]{1,24}";

    proptest! {
        /// Whatever is in a login and in parameters, no sign of it is shown.
        #[test]
        fn no_secret_is_shown(
            scheme in "(s3|gs|https?|abfs|hdfs)", user in "[A-Z]{0,8}", secret in SECRET,
            host in "[a-z]{1,8}(\\.[a-z]{1,5})?", path in "(/[a-z]{0,6}){0,3}",
            parameter in prop::option::of((
                prop::sample::select(vec!["X-Amz-Signature", "token", "sig", "AWSAccessKeyId"]), SECRET,
            )),
            has_login in any::<bool>(),
        ) {
            let login = if has_login { format!("{user}:{secret}@") } else { String::new() };
            let query = parameter.map_or_else(String::new, |(name, value)| format!("?{name}={value}"));
            let address = format!("{scheme}://{login}{host}{path}{query}");
            let hidden = format!("{scheme}://…");
            let printed = [name(&address), format!("{:?}", Address::new(&*address))];
            let plain = format!("{scheme}://{host}{path}");
            prop_assert!(printed[0] == plain || printed[0] == hidden, "{} of {}", printed[0], address);
            prop_assert_eq!(&printed[1], &format!("Address({})", printed[0]));
            prop_assert_eq!(shown(Path::new(&address)).to_string(), printed[0].clone());
            let quoted = format!("cannot read {address}");
            prop_assert!(!has_login || Address::new(&*address).quiet(&quoted).is_none());
        }

        /// Nor in messages, however a program cuts an address into pieces.
        #[test]
        fn no_message_quotes_a_secret(
            secret in "[a-zA-Z0-9/@:%?#&=+]{6,24}", begin in 0..20_usize, length in 4..24_usize,
            in_query in any::<bool>(),
        ) {
            let address = match in_query {
                true => format!("https://h/p?token={secret}"),
                false => format!("s3://user:{secret}@bucket/p"),
            };
            let piece: String = secret.chars().skip(begin).take(length).collect();
            let value = secret.split(['&', ';', '?', '#']).any(|part| {
                part.split_once('=').map_or(part, |(_, value)| value).contains(&piece)
            });
            prop_assume!(piece.len() > BY_CHANCE && (value || !in_query));
            let message = format!("bad '{piece}'");
            prop_assert_eq!(Address::new(&*address).quiet(&message), None);
        }

        #[test]
        fn any_text_is_taken(text in "\\PC{0,40}", message in "\\PC{0,20}") {
            let address = Address::new(&*text);
            let _ = (address.to_string(), address.quiet(&message).is_some());
        }
    }
}
