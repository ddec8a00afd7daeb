//! URLs from bytes of any kind, as a [`Response`](super::response::Response) holds them.

use std::borrow::Cow;
use std::fmt::Write as _;

use url::Url;

use undust_url::normal::is_route;

/// Bytes of a URL as text. Bytes that are not UTF-8 are percent-encoded, as they are when a
/// browser sends them.
pub fn url_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        // Writing to a string cannot fail.
        chunk.invalid().iter().for_each(|byte| _ = write!(text, "%{byte:02X}"));
    }
    text
}

/// The URL up to its `#`: a fragment is never sent to a server. One that is a [route](is_route) stays: a
/// crawler that runs scripts saw another page under each.
pub fn without_fragment(mut url: String) -> String {
    let at = url.find('#').unwrap_or(url.len());
    if !is_route(&url[at..]) {
        url.truncate(at);
    }
    url
}

/// The URLs that the `Location` of a redirect may mean, in the order in which a crawl is searched for them: as it is,
/// without its fragment, and as clients ask for it. Servers may write it otherwise than clients do
/// (`http://A.test:80/`).
pub fn redirect_targets(location: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let without_fragment = location.split_once('#').map(|(url, _)| Cow::Borrowed(url));
    let requested = std::iter::once_with(|| as_requested(location)).flatten().map(Cow::Owned);
    std::iter::once(Cow::Borrowed(location)).chain(without_fragment).chain(requested)
}

/// The URL as clients ask for it, if it is written in another way: its scheme and host in lower case, without
/// the port that its scheme has anyway, its path without `..`, what is no ASCII escaped.
pub fn as_requested(url: &str) -> Option<String> {
    let mut parsed = Url::parse(url).ok()?;
    parsed.set_fragment(None);
    Some(String::from(parsed)).filter(|requested| requested != url)
}

/// The URL with its control characters percent-encoded: each of them would end a line, or be a
/// terminal's command, where URLs are listed.
pub fn without_controls(url: String) -> String {
    if !url.contains(|letter: char| letter.is_ascii_control()) {
        return url;
    }
    let mut text = String::with_capacity(url.len() + 16);
    for letter in url.chars() {
        match letter.is_ascii_control() {
            // Writing to a string cannot fail.
            true => _ = write!(text, "%{:02X}", u32::from(letter)),
            false => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_may_mean_what_clients_ask_for() {
        let targets =
            |location| redirect_targets(location).map(Cow::into_owned).collect::<Vec<_>>();
        assert_eq!(
            targets("http://A.test:80/b/../c#top"),
            ["http://A.test:80/b/../c#top", "http://A.test:80/b/../c", "http://a.test/c"]
        );
        assert_eq!(targets("http://a.test/b"), ["http://a.test/b"]);
        assert_eq!(targets("/b#c"), ["/b#c", "/b"]);
    }

    #[test]
    fn a_fragment_stays_if_it_is_a_route() {
        for (url, expected) in [
            ("http://a.test/b#top", "http://a.test/b"),
            ("http://a.test/b#", "http://a.test/b"),
            ("http://a.test/b?c#!/d?e#f", "http://a.test/b?c#!/d?e#f"),
            ("http://a.test/#/d", "http://a.test/#/d"),
            ("http://a.test/b", "http://a.test/b"),
        ] {
            assert_eq!(without_fragment(url.to_owned()), expected);
        }
    }
}
