//! The steps by which a URL is written as its site would write it.

use std::fmt;

use super::respellings::Respelling;
use crate::translation::Applied;

/// What was done to write a URL as its site would.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum NormalizationStep {
    /// Its normal form.
    Normal,
    /// The arguments of these names dropped, as the settings want.
    Dropped(String),
    /// `https` for `http`, or the other way round.
    Https(bool),
    /// `www.` put before the host's name, or taken away.
    Www(bool),
    /// The path put in lower case, below this host and first folder.
    LowerCase(String),
    /// The items of this list put in order: `?name`, or `key:` of a path segment.
    List(String),
    /// This place, an argument or the paths below a folder, written in this way.
    Respelled(Respelling, String),
    /// Arguments put in order.
    Order,
    /// The parameters of these names are unknown: set aside, and reattached to the answer.
    UnknownParams(String),
}

impl Applied for NormalizationStep {
    fn is_learned_convention(&self) -> bool {
        self.is_learned()
    }

    fn is_normalization(&self) -> bool {
        true
    }
}

impl NormalizationStep {
    /// Whether it was learned from a crawl, so that another may refute it.
    pub fn is_learned(&self) -> bool {
        !matches!(self, Self::Normal | Self::Dropped(_) | Self::UnknownParams(_))
    }
}

impl fmt::Display for NormalizationStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal => f.write_str("normal form"),
            Self::Dropped(names) => write!(f, "drop ?{names}, by the settings"),
            Self::Https(true) => f.write_str("scheme http → https"),
            Self::Https(false) => f.write_str("scheme https → http"),
            Self::Www(true) => f.write_str("host → www."),
            Self::Www(false) => f.write_str("host www. → none"),
            Self::LowerCase(extent) => write!(f, "path in lower case: {extent}"),
            Self::List(name) => write!(f, "list {name} in order"),
            Self::Respelled(Respelling::Unescaped, place) => {
                write!(f, "escaped delimiters as themselves: {place}")
            }
            Self::Respelled(Respelling::Composed, place) => {
                write!(f, "accents composed (NFC): {place}")
            }
            Self::Respelled(Respelling::Space, place) => write!(f, "+ → %20 in {place}"),
            Self::Respelled(Respelling::Repeated, place) => write!(f, "repeated {place} once"),
            Self::Respelled(Respelling::ValueOrder, place) => {
                write!(f, "values of {place} in order")
            }
            Self::Order => f.write_str("order of arguments"),
            Self::UnknownParams(names) => write!(f, "set aside: {names}"),
        }
    }
}
