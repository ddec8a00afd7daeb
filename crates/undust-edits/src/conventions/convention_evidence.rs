//! What training saw of a way to write URLs, for those who ask why a URL is written so.

use std::fmt;

use serde::Serialize;

use undust_util::plural::counted;

use super::pairs::Pairs;

/// The evidence for a step of normalisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConventionEvidence {
    /// All training URLs that it concerns were written in this way.
    OneWay {
        /// How many these are.
        urls: u32,
    },
    /// Training saw these arguments in no other order.
    OneOrder,
    /// Pairs of training URLs differ in this alone, and each pair shows one page.
    Pairs {
        /// How many these are.
        pairs: u32,
    },
    /// Training saw no such arguments.
    Never,
    /// Training saw at least one of these arguments, but behind a `;` it may be a part of a value.
    BehindSemicolon,
}

impl fmt::Display for ConventionEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneWay { urls } => {
                write!(
                    f,
                    "training saw {} written like this and none otherwise",
                    counted(*urls, "URL")
                )
            }
            Self::OneOrder => f.write_str("training saw them in no other order"),
            Self::Pairs { pairs } => write!(
                f,
                "training saw {} of URLs that differ only in this and show one page",
                counted(*pairs, "pair"),
            ),
            Self::Never => f.write_str("training saw no such arguments"),
            Self::BehindSemicolon => {
                f.write_str("after a `;` they may be parts of a value, so they are not changed")
            }
        }
    }
}

impl ConventionEvidence {
    pub(super) fn pairs(pairs: Pairs) -> Self {
        Self::Pairs { pairs: pairs.same }
    }
}
