//! A rule of this learner.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::parameter::Parameter;
use super::text_substitution::TextSubstitution;
use super::tokens::words;
use crate::feature::{Feature, Kinds};

/// A DUST rule: for a text, or for a parameter (Bar-Yossef, Keidar, Schonfeld, WWW 2007,
/// section 3).
///
/// As JSON: `{"text": {"from": "/index.html", "to": "/", "at_end": true}}`,
/// `{"parameter": {"name": "sid"}}`, `{"parameter": {"name": "lang", "value": "en"}}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Substitution {
    /// One run of tokens for another.
    Text(TextSubstitution),
    /// One value of a parameter for any other, or its removal.
    Parameter(Parameter),
}

impl Substitution {
    /// The image of `url`; nothing if the rule does not apply or changes nothing.
    /// Linear in both.
    pub fn apply(&self, url: &str) -> Option<String> {
        match self {
            Self::Text(rule) => rule.apply(url),
            Self::Parameter(rule) => rule.apply(url),
        }
    }

    /// Whether the rule is meaningful; the reason if it is not.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Text(rule) => rule.check(),
            Self::Parameter(rule) => rule.check(),
        }
    }

    /// The length, in tokens, of what the rule looks for.
    pub(crate) fn specificity(&self) -> usize {
        match self {
            Self::Text(rule) => rule.specificity(),
            Self::Parameter(rule) => rule.specificity(),
        }
    }

    /// What a URL must have for the rule to apply: the runs of letters and digits in the text that
    /// the rule looks for.
    pub(crate) fn features(&self) -> Vec<Feature> {
        words(self.needs()).map(|run| Feature::text(run, Kinds::RUN)).collect()
    }

    /// A text without which the rule does not apply; empty if there is none.
    pub(super) fn needs(&self) -> &str {
        match self {
            Self::Text(rule) => &rule.from,
            Self::Parameter(rule) => &rule.name,
        }
    }
}

/// Shows `take` the hashes of a URL's features.
pub(crate) fn each_feature(url: &str, take: &mut impl FnMut(u64)) {
    words(url).for_each(|run| take(Feature::text(run, Kinds::RUN).hash));
}

impl fmt::Display for Substitution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(rule) => rule.fmt(f),
            Self::Parameter(rule) => rule.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_can_edit_the_json() {
        for json in [
            r#"{"text":{"from":"/index.html","to":"/","at_end":true}}"#,
            r#"{"text":{"from":"story?id=","to":"story_"}}"#,
            r#"{"parameter":{"name":"sid"}}"#,
            r#"{"parameter":{"name":"lang","value":"en"}}"#,
        ] {
            let rule: Substitution = serde_json::from_str(json).unwrap();
            assert_eq!(rule.check(), Ok(()));
            assert_eq!(serde_json::to_string(&rule).unwrap(), json);
        }
    }

    #[test]
    fn a_misspelt_field_is_an_error() {
        for json in [
            r#"{"text":{"from":"a","to":"b","at_ende":true}}"#,
            r#"{"text":{"from":"a"}}"#,
            r#"{"parameter":{"nome":"sid"}}"#,
            r#"{"texts":{}}"#,
        ] {
            assert!(serde_json::from_str::<Substitution>(json).is_err(), "{json}");
        }
    }
}
