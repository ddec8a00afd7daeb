//! A URL as the values of its keys, deep tokens included.

use undust_url::deep::pattern::DeepPattern;
use undust_url::keyed_url::KeyedUrl;

use super::conventions::Conventions;
use super::place::{Component, ComponentKey, Spot, ValuePlace};

/// Most segments, and most arguments, of a URL that is learned from.
const MAX_COMPONENTS: usize = 32;
/// Most deep tokens of a component; a component with more is left whole.
const MAX_TOKENS: usize = 32;

/// One component with its value.
#[derive(Debug, Clone)]
pub(super) struct ComponentValue<'a> {
    pub component: Component<'a>,
    pub text: &'a str,
    /// The value's pattern, and its tokens; empty without a pattern.
    pub pattern: Option<&'a DeepPattern>,
    pub tokens: Vec<&'a str>,
}

impl<'a> ComponentValue<'a> {
    fn new(component: Component<'a>, text: &'a str, pattern: Option<&'a DeepPattern>) -> Self {
        let tokens = pattern.and_then(|pattern| pattern.tokens(text)).unwrap_or_default();
        match tokens.len() <= MAX_TOKENS {
            true => Self { component, text, pattern, tokens },
            false => Self { component, text, pattern: None, tokens: Vec::new() },
        }
    }

    /// The place of a deep token.
    pub(super) fn token(&self, at: usize) -> Option<ValuePlace<'a>> {
        let spot = Spot::new(at, self.tokens.len());
        Some(ValuePlace { component: self.component, token: Some((spot, self.pattern?)) })
    }
}

/// A URL taken apart.
#[derive(Debug, Clone)]
pub(super) struct UrlComponents<'a> {
    pub scheme: &'a str,
    pub host: &'a str,
    pub segments: Vec<ComponentValue<'a>>,
    pub arguments: Vec<ComponentValue<'a>>,
}

impl<'a> UrlComponents<'a> {
    /// Takes a URL apart by the conventions of its host; nothing if the text is no URL or has more
    /// than 32 segments or arguments. Linear in the URL.
    pub(super) fn parse(url: &'a str, conventions: &'a Conventions<'_>) -> Option<Self> {
        let url = KeyedUrl::parse(url)?;
        if url.segments.len().max(url.query().len()) > MAX_COMPONENTS {
            return None;
        }
        let of = url.segments.len();
        let segment = |(place, text): (usize, &&'a str)| {
            let pattern = conventions.of_segment(url.host, place, of, text);
            ComponentValue::new(Component::Segment(Spot::new(place, of)), text, pattern)
        };
        let segments = url.segments.iter().enumerate().map(segment).collect();
        let mut arguments: Vec<ComponentValue<'a>> = Vec::with_capacity(url.query().len());
        for argument in url.query() {
            let (name, bare) = (argument.key(), argument.value().is_none());
            let text = argument.value().unwrap_or_default();
            let is_same = |other: &&ComponentValue<'_>| matches!(other.component, Component::Argument { name: n, bare: b, .. } if (n, b) == (name, bare));
            let nth = arguments.iter().filter(is_same).count() as u16;
            let pattern = conventions.of_argument(url.host, name, text);
            arguments.push(ComponentValue::new(
                Component::Argument { name, nth, bare },
                text,
                pattern,
            ));
        }
        Some(Self { scheme: url.scheme, host: url.host, segments, arguments })
    }

    /// The segments and arguments.
    pub(super) fn values(&self) -> impl Iterator<Item = &ComponentValue<'a>> {
        self.segments.iter().chain(&self.arguments)
    }

    /// An argument.
    pub(super) fn argument(&self, component: Component<'_>) -> Option<&ComponentValue<'a>> {
        self.arguments.iter().find(|value| value.component == component)
    }

    /// The segment or argument at an address; nothing for scheme and host.
    pub(super) fn value(&self, component: ComponentKey<'_>) -> Option<&ComponentValue<'a>> {
        match component {
            ComponentKey::Scheme | ComponentKey::Host => None,
            ComponentKey::Start(place) => self.segments.get(usize::from(place)),
            ComponentKey::End(place) => {
                self.segments.get(self.segments.len().checked_sub(usize::from(place) + 1)?)
            }
            ComponentKey::Argument { name, nth, bare } => {
                self.argument(Component::Argument { name, nth, bare })
            }
        }
    }

    /// The text at an address.
    pub(super) fn text(&self, component: ComponentKey<'_>) -> Option<&'a str> {
        match component {
            ComponentKey::Scheme => Some(self.scheme),
            ComponentKey::Host => Some(self.host),
            component => self.value(component).map(|value| value.text),
        }
    }
}
