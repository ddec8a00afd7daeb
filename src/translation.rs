//! What becomes of a URL: the trait that every method is, and what a translator says.

use std::borrow::Cow;
use std::fmt;

/// A map from a URL to its canonical form: the simulator, the translator and the table of
/// results treat a neural network and a rule set alike.
///
/// Total: it never fails and never panics, whatever the string; what it cannot judge comes
/// back as it came. Deterministic: the same URL gives the same answer at any time.
pub trait Canonicalizer: Send + Sync {
    /// The canonical form of `url`.
    fn canonicalize<'u>(&self, url: &'u str) -> Cow<'u, str>;
}

/// A URL's canonical form, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation<'u> {
    /// The canonical form.
    pub canonical: Cow<'u, str>,
    /// How it was found.
    pub how: How,
}

/// How a canonical form was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum How {
    /// The URL's template had been decoded for a URL before it.
    Memo,
    /// The network decoded the URL's template.
    Network,
    /// By rules.
    Rules,
    /// The URL came back as it came.
    Unchanged(Reason),
}

/// Why a URL came back as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// No model for its site.
    NoModel,
    /// No URL with a host, or no text at all.
    NoUrl,
    /// More tokens, or bytes, than are translated.
    TooLong,
    /// More arguments than there are placeholders.
    TooManyArguments,
    /// Decoding reached no end.
    NoEnd,
    /// The network named an argument that the URL lacks.
    MissingArgument,
    /// The answer would be translated again.
    Unstable,
    /// No rule changes it.
    NoRule,
    /// The answer is a URL of another site.
    OtherSite,
    /// The scheme or host was not seen in training, and the answer would not keep it.
    OtherHost,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 10] = [
        Self::NoModel,
        Self::NoUrl,
        Self::TooLong,
        Self::TooManyArguments,
        Self::NoEnd,
        Self::MissingArgument,
        Self::Unstable,
        Self::NoRule,
        Self::OtherSite,
        Self::OtherHost,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoModel => "no model",
            Self::NoUrl => "no URL",
            Self::TooLong => "too long",
            Self::TooManyArguments => "too many arguments",
            Self::NoEnd => "no end",
            Self::MissingArgument => "missing argument",
            Self::Unstable => "unstable",
            Self::NoRule => "no rule",
            Self::OtherSite => "other site",
            Self::OtherHost => "other host",
        })
    }
}
