//! Paths in whose case a server sees no difference: `/Forum/Topic.aspx` is `/forum/topic.aspx`.
//!
//! A server that takes any case for its folders and pages may still have an application behind it
//! that distinguishes `/v/dQw4` from `/v/DQW4`. So what pairs of URLs show in one place holds in that place
//! alone: below one first folder, at one depth, of one kind of segment.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_url::normal::are_normal_escapes;

use super::convention_evidence::ConventionEvidence;
use super::hosts::Origin;
use super::in_order;
use super::normalization_step::NormalizationStep;
use super::pairs::Pairs;

/// Deepest segment that is put in lower case.
pub const DEEPEST: u8 = 31;

/// Capitals of words are at least this number of letters apart, taken together.
const LETTERS_A_CAPITAL: usize = 3;

/// Where paths are written in lower case: by host, without `www.`, and first folder in lower case,
/// which is empty for paths without one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PathCase(#[serde(serialize_with = "in_order")] pub FxHashMap<Box<str>, Extent>);

/// By depth: the training URLs that differ in the case of their paths, and do so there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// Segments that are words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<u8, Pairs>,
    /// Segments that [look like tokens](is_token).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tokens: BTreeMap<u8, Pairs>,
}

impl Extent {
    fn kind(&self, is_token: bool) -> &BTreeMap<u8, Pairs> {
        if is_token { &self.tokens } else { &self.words }
    }
}

impl PathCase {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any of this text, a URL or a part of one, might be written otherwise. What stands
    /// behind a `?` is no path.
    pub(super) fn may_change(&self, text: &[u8]) -> bool {
        let mut path = text.iter().take_while(|byte| !matches!(**byte, b'?' | b'#'));
        !self.is_empty() && path.any(u8::is_ascii_uppercase)
    }

    /// `url`, which is normal, with its path in lower case where that is known to show the same;
    /// nothing where it is so.
    pub(super) fn normalize(
        &self,
        url: &str,
        steps: &mut Vec<NormalizationStep>,
    ) -> Option<String> {
        if !self.may_change(url.as_bytes()) {
            return None;
        }
        let path = Path::of(url).filter(|path| self.may_change(path.text.as_bytes()))?;
        let key = path.extent();
        let extent = self.0.get(&*key)?;
        let folded = path
            .folded_where(|depth, segment| extent.kind(is_token(segment)).contains_key(&depth))?;
        steps.push(NormalizationStep::LowerCase(key));
        Some(path.image(url, &folded))
    }

    /// Paths in this extent keep their case.
    pub(super) fn forget(&mut self, extent: &str) {
        self.0.remove(extent);
    }

    /// What speaks for lower case in this extent, in the place for which least does.
    pub(super) fn evidence(&self, extent: &str) -> Option<ConventionEvidence> {
        let Extent { words, tokens } = self.0.get(extent)?;
        let places = words.values().chain(tokens.values());
        Some(ConventionEvidence::pairs(*places.min_by_key(|pairs| pairs.same)?))
    }
}

/// The host and the first folder of a URL, below which a server may read all paths alike; none on a host
/// with a port or a user.
pub(super) fn extent(url: &str) -> Option<String> {
    Path::of(url).map(Path::extent)
}

/// The path of a URL whose host has neither port nor user information.
#[derive(Clone, Copy)]
pub struct Path<'u> {
    host: &'u str,
    /// Where it begins.
    from: usize,
    /// With its first `/`.
    text: &'u str,
}

impl<'u> Path<'u> {
    /// Of a normal URL.
    pub fn of(url: &'u str) -> Option<Self> {
        let Origin { host, rest, .. } = Origin::of(url)?;
        let end = memchr::memchr2(b'?', b'#', rest.as_bytes()).unwrap_or(rest.len());
        Some(Self { host, from: url.len() - rest.len(), text: &rest[..end] })
    }

    /// Its segments.
    pub fn segments(self) -> impl Iterator<Item = &'u str> {
        self.text.split('/').skip(1)
    }

    /// The key of the extent. A folder that may be a list has none, because sorting would change
    /// its name.
    pub fn extent(self) -> String {
        let folder = self.text[1..].split_once('/').map_or("", |(folder, _)| folder);
        let is_list = folder.contains(',') || folder.contains("%2C");
        [self.host, "/", &lower(if is_list { "" } else { folder })].concat()
    }

    /// The path in lower case; none if it already is.
    pub fn folded(self) -> Option<String> {
        self.folded_where(|_, _| true)
    }

    /// These segments, by depth, in lower case; nothing where they are.
    fn folded_where(self, is_folded: impl Fn(u8, &str) -> bool) -> Option<String> {
        let mut folded = String::new();
        let mut is_changed = false;
        for (depth, segment) in self.segments().enumerate() {
            folded.push('/');
            let depth = u8::try_from(depth).ok().filter(|depth| *depth <= DEEPEST);
            match lower(segment) {
                Cow::Owned(lower) if depth.is_some_and(|depth| is_folded(depth, segment)) => {
                    folded.push_str(&lower);
                    is_changed = true;
                }
                _ => folded.push_str(segment),
            }
        }
        is_changed.then_some(folded)
    }

    /// The URL with another path.
    pub fn image(self, url: &str, path: &str) -> String {
        [&url[..self.from], path, &url[self.from + self.text.len()..]].concat()
    }
}

/// A segment with its letters, but not the digits of its escapes, in lower case. ASCII alone. One
/// whose escapes are not normal stays as it is.
fn lower(segment: &str) -> Cow<'_, str> {
    let has_capital = || runs(segment).any(|run| run.iter().any(u8::is_ascii_uppercase));
    if !are_normal_escapes(segment.as_bytes()) || !has_capital() {
        return Cow::Borrowed(segment);
    }
    let mut in_escape = 0;
    let lower = |letter: char| {
        in_escape = if letter == '%' { 3 } else { in_escape - i32::from(in_escape > 0) };
        if in_escape > 0 { letter } else { letter.to_ascii_lowercase() }
    };
    Cow::Owned(segment.chars().map(lower).collect())
}

/// Whether a segment may be an identifier in which case counts: a run of letters and digits has a
/// capital and a digit, or more capitals than words have.
pub fn is_token(segment: &str) -> bool {
    runs(segment).any(|run| {
        let letters = run.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let is_capital = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        let capitals = 1 + run.windows(2).filter(|pair| is_capital(pair)).count();
        let has_capital = run.iter().any(u8::is_ascii_uppercase);
        let is_mixed = has_capital && run.iter().any(u8::is_ascii_lowercase);
        has_capital && letters < run.len() || is_mixed && letters < LETTERS_A_CAPITAL * capitals
    })
}

/// The letters and digits between other characters; escapes are such.
fn runs(segment: &str) -> impl Iterator<Item = &[u8]> {
    segment.split('%').enumerate().flat_map(|(place, part)| {
        let from = if place == 0 { 0 } else { part.len().min(2) };
        part.as_bytes()[from..].split(|byte| !byte.is_ascii_alphanumeric())
    })
}
