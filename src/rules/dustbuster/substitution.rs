//! A rule of this learner.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Substitution {}

impl Substitution {
    /// What it makes of `url`; nothing where it does not apply or changes nothing.
    pub fn apply(&self, _url: &str) -> Option<String> {
        None
    }

    /// Whether it means anything; the reason where it does not.
    pub fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

impl fmt::Display for Substitution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("→")
    }
}
