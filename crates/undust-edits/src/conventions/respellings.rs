//! Ways to write a URL that a server may take for one: `?q=a+b` and `?q=a%20b`, `f[]` and `f%5B%5D`, an argument that
//! is given twice, the values of one name in any order, `é` as one character or as two.
//!
//! Other servers show two pages. So pairs of URLs that differ in one such way alone decide, place
//! by place: an argument, or the paths below one folder. A server reads all arguments with one
//! parser, so if the pairs of two places or more suffice together and none refutes, the respelling
//! holds in all places. Only the order of values is decided name by name.

mod composed;
mod escapes;
mod numbered;
pub mod place;
mod repeated;
mod values;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::convention_evidence::ConventionEvidence;
use super::normalization_step::NormalizationStep;
use super::pairs::Pairs;

/// A way to write a URL that is replaced by another. They are applied in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Respelling {
    /// A delimiter as itself in place of its escape: `%5B` as `[`, `%2C` as `,`. In paths and in arguments.
    Unescaped,
    /// A letter and its accents as one character, where there is one: `e%CC%81` as `%C3%A9` (NFC, Unicode
    /// Standard Annex 15). In paths and in values of arguments.
    Composed,
    /// A `+` in the value of an argument as `%20`, which is a space on every server.
    Space,
    /// An argument that stands several times with the same value, once.
    Repeated,
    /// Several values of one name in order; `f[0]` and `f[1]` are one name.
    ValueOrder,
}

/// A URL that is written otherwise, and the places where it is.
pub struct Respelled {
    /// As it is written.
    pub url: String,
    /// The places.
    pub places: Vec<Box<str>>,
}

impl Respelling {
    /// In the order in which they are learned and applied.
    pub const ALL: [Self; 5] =
        [Self::Unescaped, Self::Composed, Self::Space, Self::Repeated, Self::ValueOrder];

    /// Whether any of this text, a URL or a part of one, might be written otherwise.
    fn may_change(self, text: &[u8]) -> bool {
        match self {
            Self::Unescaped => escapes::may_change(text),
            Self::Composed => composed::may_change(text),
            Self::Space => memchr::memchr(b'+', text).is_some(),
            Self::Repeated | Self::ValueOrder => repeated::has_name_twice(text),
        }
    }

    /// `url` respelled in all places where that holds; none if nothing changes.
    pub fn respelled(self, url: &str, holds: &dyn Fn(&str) -> bool) -> Option<Respelled> {
        if !self.may_change(url.as_bytes()) {
            return None;
        }
        match self {
            Self::Unescaped => values::respelled(url, escapes::unescaped, holds),
            Self::Composed => values::respelled(url, composed::composed, holds),
            Self::Space => values::respelled(url, values::with_spaces_escaped, holds),
            Self::Repeated => repeated::once(url, holds),
            Self::ValueOrder => repeated::in_order(url, holds),
        }
    }

    /// Whether the server's parser decides, not the meaning of an argument.
    pub fn is_of_the_server(self) -> bool {
        self != Self::ValueOrder
    }
}

/// Which respellings hold on a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Respellings(pub BTreeMap<Respelling, Extent>);

/// Where a respelling holds, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// The places that enough pairs show.
    pub places: BTreeMap<Box<str>, Pairs>,
    /// The pairs of all places together, if it holds in all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub everywhere: Option<Pairs>,
}

impl Extent {
    fn holds(&self, place: &str) -> bool {
        self.everywhere.is_some() || self.places.contains_key(place)
    }
}

impl Respellings {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any of this text, a URL or a part of one, might be written otherwise.
    pub(super) fn may_change(&self, text: &[u8]) -> bool {
        self.0.keys().any(|respelling| respelling.may_change(text))
    }

    /// `url`, which must be in normal form, respelled; none if nothing changes.
    pub fn written(&self, respelling: Respelling, url: &str) -> Option<Respelled> {
        let extent = self.0.get(&respelling)?;
        respelling.respelled(url, &|place| extent.holds(place))
    }

    /// `url`, which is normal, written in this way, with the steps; nothing where it is so.
    pub(super) fn normalize(
        &self,
        respelling: Respelling,
        url: &str,
        steps: &mut Vec<NormalizationStep>,
    ) -> Option<String> {
        let Respelled { url, places } = self.written(respelling, url)?;
        let step = |place: Box<str>| NormalizationStep::Respelled(respelling, place.into());
        for step in places.into_iter().map(step) {
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        Some(url)
    }

    /// Whether arguments of a URL would go, or change places.
    pub(super) fn change_arguments(&self, url: &str) -> bool {
        [Respelling::Repeated, Respelling::ValueOrder]
            .into_iter()
            .any(|respelling| self.written(respelling, url).is_some())
    }

    /// It no longer holds in this place. What one place refutes does not hold in all.
    pub(super) fn forget(&mut self, respelling: Respelling, place: &str) {
        let Some(extent) = self.0.get_mut(&respelling).filter(|extent| extent.holds(place)) else {
            return;
        };
        extent.places.remove(place);
        extent.everywhere = None;
        if extent.places.is_empty() {
            self.0.remove(&respelling);
        }
    }

    /// What speaks for it in this place.
    pub(super) fn evidence(
        &self,
        respelling: Respelling,
        place: &str,
    ) -> Option<ConventionEvidence> {
        let extent = self.0.get(&respelling)?;
        let pairs = extent.places.get(place).copied().or(extent.everywhere)?;
        Some(ConventionEvidence::pairs(pairs))
    }
}

#[cfg(test)]
mod tests;
