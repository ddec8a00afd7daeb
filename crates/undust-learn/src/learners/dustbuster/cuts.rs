//! Every URL's tokens as rolling hashes: envelopes are found without the strings.

use std::ops::Range;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use undust_rules::dustbuster::tokens::{path_start, token_ends};

/// Most tokens of a URL that are distinguished. The rest is one more token, out of reach of any
/// rule. So a URL of any length costs memory and time in proportion to its bytes.
const MAX_TOKENS: usize = 250;

/// Odd, so that multiplying by it is invertible and loses nothing of a hash.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

const START: u64 = 0x5851_f42d_4c95_7f2d;
const END: u64 = 0x1405_7b7e_f767_814f;

/// A substring in its URL: from one cut to another. Cut 0 is before `^`, cut 1 after it, and
/// the last cut after `$`; the prefix and the suffix around it are its envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Substring {
    pub url: u32,
    pub start: u8,
    pub end: u8,
}

/// For every URL and every cut, the hash of the tokens from there to the end, a polynomial
/// modulo 2⁶⁴ over hashes of tokens. Any substring's hash follows from two of them.
///
/// Among 250 million substrings (a million URLs) two different ones share a hash with a
/// probability of 0.2 %. The support of a rule is then wrong, but validation compares strings.
pub(super) struct Cuts {
    /// Where the hashes of each URL begin, and the end.
    starts: Vec<usize>,
    suffixes: Vec<u64>,
    /// By URL: the first cut after `^` at which a substring may begin.
    free: Vec<u8>,
    /// By URL: the last cut that a substring may reach.
    reach: Vec<u8>,
    powers: [u64; MAX_TOKENS + 3],
}

impl Cuts {
    /// Linear in the bytes; some 8 bytes a token.
    pub(super) fn new<'u>(urls: impl Iterator<Item = &'u str>) -> Self {
        let mut cuts = Self {
            starts: vec![0],
            suffixes: Vec::new(),
            free: Vec::new(),
            reach: Vec::new(),
            powers: [1; MAX_TOKENS + 3],
        };
        for power in 1..cuts.powers.len() {
            cuts.powers[power] = cuts.powers[power - 1].wrapping_mul(BASE);
        }
        urls.for_each(|url| cuts.push(url));
        cuts
    }

    fn push(&mut self, url: &str) {
        let first = self.suffixes.len();
        self.suffixes.push(START);
        let (path, mut free, mut at, mut count) = (path_start(url), 1, 0, 0);
        for end in token_ends(url).take(MAX_TOKENS) {
            self.suffixes.push(xxh3_64(&url.as_bytes()[at..end]));
            (at, count) = (end, count + 1);
            free += u8::from(end <= path);
        }
        let is_whole = at == url.len();
        let rest = &url.as_bytes()[at..];
        self.suffixes.push(if is_whole { END } else { xxh3_64_with_seed(rest, END) });
        self.suffixes.push(0);
        let hashes = &mut self.suffixes[first..];
        for cut in (0..hashes.len() - 1).rev() {
            hashes[cut] = hashes[cut].wrapping_add(BASE.wrapping_mul(hashes[cut + 1]));
        }
        self.starts.push(self.suffixes.len());
        self.free.push(free);
        self.reach.push(count + 1 + u8::from(is_whole));
    }

    /// The number of URLs.
    pub(super) fn len(&self) -> usize {
        self.free.len()
    }

    /// The number of cuts of all URLs.
    pub(super) fn total(&self) -> usize {
        self.suffixes.len()
    }

    /// The hash of what follows each cut of a URL.
    pub(super) fn suffixes(&self, url: u32) -> &[u64] {
        &self.suffixes[self.starts[url as usize]..self.starts[url as usize + 1]]
    }

    /// The hash of the token after a cut; none after the last.
    pub(super) fn token(&self, url: u32, cut: usize) -> Option<u64> {
        let suffixes = self.suffixes(url);
        let after = *suffixes.get(cut + 1)?;
        Some(suffixes[cut].wrapping_sub(BASE.wrapping_mul(after)))
    }

    /// The hash of a substring.
    pub(super) fn hash(&self, place: Substring) -> u64 {
        let suffixes = self.suffixes(place.url);
        self.difference(suffixes, place.start.into(), place.end.into())
    }

    fn difference(&self, suffixes: &[u64], start: usize, end: usize) -> u64 {
        suffixes[start].wrapping_sub(self.powers[end - start].wrapping_mul(suffixes[end]))
    }

    /// The cuts at which a substring from `start` may end, with at most `most` tokens between;
    /// `start` itself included. None inside scheme and host, where no substring may start.
    pub(super) fn ends(&self, url: u32, start: usize, most: usize) -> Range<usize> {
        let (free, reach) = (self.free[url as usize].into(), self.reach[url as usize].into());
        if start > reach || start > 0 && start < free {
            return 0..0;
        }
        start..start.saturating_add(most).min(reach) + 1
    }

    /// The hashes of all substrings of a URL with at most `most` tokens.
    pub(super) fn substrings(&self, url: u32, most: usize) -> impl Iterator<Item = u64> + '_ {
        let suffixes = self.suffixes(url);
        (0..suffixes.len()).flat_map(move |start| {
            self.ends(url, start, most).map(move |end| self.difference(suffixes, start, end))
        })
    }
}

impl Substring {
    /// The text of the substring, without `^` and `$`, and whether it includes them.
    pub(super) fn text(self, url: &str) -> (&str, bool, bool) {
        let ends: Vec<usize> = std::iter::once(0).chain(token_ends(url)).collect();
        let last = ends.len() - 1;
        let byte = |cut: u8| ends[usize::from(cut).saturating_sub(1).min(last)];
        let text = &url[byte(self.start)..byte(self.end)];
        (text, self.start == 0, usize::from(self.end) == last + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(url: u32, start: u8, end: u8) -> Substring {
        Substring { url, start, end }
    }

    #[test]
    fn places_name_the_papers_substrings() {
        let url = "http://www.site.com/index.html";
        assert_eq!(place(0, 10, 15).text(url), ("/index.html", false, true));
        assert_eq!(place(0, 10, 14).text(url), ("/index.html", false, false));
        assert_eq!(place(0, 0, 1).text(url), ("", true, false));
        assert_eq!(place(0, 14, 15).text(url), ("", false, true));
        assert_eq!(place(0, 14, 14).text(url), ("", false, false));
        assert_eq!(place(0, 0, 15).text(url), (url, true, true));
        assert_eq!(place(0, 0, 2).text(""), ("", true, true));
    }

    #[test]
    fn equal_substrings_have_equal_hashes() {
        let cuts = Cuts::new(["http://x.com/a/b", "http://y.org/q/a/b/c"].into_iter());
        assert_eq!(cuts.hash(place(0, 8, 12)), cuts.hash(place(1, 10, 14)));
        assert_ne!(cuts.hash(place(0, 8, 13)), cuts.hash(place(1, 10, 15)), "$ is no /");
        assert_eq!(cuts.hash(place(0, 8, 8)), 0);
    }

    #[test]
    fn no_substring_begins_inside_the_host() {
        let cuts = Cuts::new(["http://x.com/a"].into_iter());
        let starts: Vec<_> = (0..12).filter(|&start| !cuts.ends(0, start, 35).is_empty()).collect();
        assert_eq!(starts, [0, 8, 9, 10, 11]);
    }

    #[test]
    fn a_long_url_has_a_rest_to_which_no_substring_reaches() {
        let urls = ["/a".repeat(10_000), "/a".repeat(10_000) + "b"];
        let cuts = Cuts::new(urls.iter().map(String::as_str));
        assert_eq!(cuts.suffixes(0).len(), 253);
        assert_eq!(cuts.ends(0, 240, 35), 240..252);
        assert_ne!(cuts.suffixes(0)[251], cuts.suffixes(1)[251]);
        assert!(!place(0, 240, 251).text(&urls[0]).2);
    }
}
