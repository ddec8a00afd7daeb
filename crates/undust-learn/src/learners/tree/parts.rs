//! A URL as the values of its keys, deep tokens included.

use undust_url::deep::pattern::DeepPattern;
use undust_url::keyed_url::KeyedUrl;

use super::conventions::Conventions;
use super::place::{Part, PartKey, Place, Spot};

/// Most segments, and most arguments, of a URL that is learned from.
const MAX_PARTS: usize = 32;
/// Most deep tokens of a part; a part with more is left whole.
const MAX_TOKENS: usize = 32;

/// One part with its value.
#[derive(Debug, Clone)]
pub(super) struct PartValue<'a> {
    pub part: Part<'a>,
    pub text: &'a str,
    /// The value's pattern, and its tokens; empty without a pattern.
    pub pattern: Option<&'a DeepPattern>,
    pub tokens: Vec<&'a str>,
}

impl<'a> PartValue<'a> {
    fn new(part: Part<'a>, text: &'a str, pattern: Option<&'a DeepPattern>) -> Self {
        let tokens = pattern.and_then(|pattern| pattern.tokens(text)).unwrap_or_default();
        match tokens.len() <= MAX_TOKENS {
            true => Self { part, text, pattern, tokens },
            false => Self { part, text, pattern: None, tokens: Vec::new() },
        }
    }

    /// The place of a deep token.
    pub(super) fn token(&self, at: usize) -> Option<Place<'a>> {
        let spot = Spot::new(at, self.tokens.len());
        Some(Place { part: self.part, token: Some((spot, self.pattern?)) })
    }
}

/// A URL taken apart.
#[derive(Debug, Clone)]
pub(super) struct Parts<'a> {
    pub scheme: &'a str,
    pub host: &'a str,
    pub segments: Vec<PartValue<'a>>,
    pub arguments: Vec<PartValue<'a>>,
}

impl<'a> Parts<'a> {
    /// Takes a URL apart by the conventions of its host; nothing if the text is no URL or has more
    /// than 32 segments or arguments. Linear in the URL.
    pub(super) fn parse(url: &'a str, conventions: &'a Conventions<'_>) -> Option<Self> {
        let url = KeyedUrl::parse(url)?;
        if url.segments.len().max(url.query().len()) > MAX_PARTS {
            return None;
        }
        let of = url.segments.len();
        let segment = |(place, text): (usize, &&'a str)| {
            let pattern = conventions.of_segment(url.host, place, of, text);
            PartValue::new(Part::Segment(Spot::new(place, of)), text, pattern)
        };
        let segments = url.segments.iter().enumerate().map(segment).collect();
        let mut arguments: Vec<PartValue<'a>> = Vec::with_capacity(url.query().len());
        for argument in url.query() {
            let (name, bare) = (argument.name, argument.value.is_none());
            let text = argument.value.unwrap_or_default();
            let is_same = |other: &&PartValue<'_>| matches!(other.part, Part::Argument { name: n, bare: b, .. } if (n, b) == (name, bare));
            let nth = arguments.iter().filter(is_same).count() as u16;
            let pattern = conventions.of_argument(url.host, name, text);
            arguments.push(PartValue::new(Part::Argument { name, nth, bare }, text, pattern));
        }
        Some(Self { scheme: url.scheme, host: url.host, segments, arguments })
    }

    /// The segments and arguments.
    pub(super) fn values(&self) -> impl Iterator<Item = &PartValue<'a>> {
        self.segments.iter().chain(&self.arguments)
    }

    /// An argument.
    pub(super) fn argument(&self, part: Part<'_>) -> Option<&PartValue<'a>> {
        self.arguments.iter().find(|value| value.part == part)
    }

    /// The segment or argument at an address; nothing for scheme and host.
    pub(super) fn value(&self, part: PartKey<'_>) -> Option<&PartValue<'a>> {
        match part {
            PartKey::Scheme | PartKey::Host => None,
            PartKey::Start(place) => self.segments.get(usize::from(place)),
            PartKey::End(place) => {
                self.segments.get(self.segments.len().checked_sub(usize::from(place) + 1)?)
            }
            PartKey::Argument { name, nth, bare } => {
                self.argument(Part::Argument { name, nth, bare })
            }
        }
    }

    /// The text at an address.
    pub(super) fn text(&self, part: PartKey<'_>) -> Option<&'a str> {
        match part {
            PartKey::Scheme => Some(self.scheme),
            PartKey::Host => Some(self.host),
            part => self.value(part).map(|value| value.text),
        }
    }
}
