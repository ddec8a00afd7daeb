//! The verdicts of fetches on the rules of a model: `validated.json` of its folder.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use undust_model::folder::disabled::{identity, read_json, write_json};
use undust_model::folder::names::VALIDATED;
use undust_model::operation::OperationName;
use undust_util::error::Result;

/// The verdict of fetches on a rule (Bar-Yossef, Keidar, Schonfeld, WWW 2007, Figure 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FetchVerdict {
    /// Too many pairs show two pages, or their second URL shows none.
    Refuted,
    /// Too few pairs came back.
    Open,
    /// Enough pairs came back, and few enough speak against it.
    Valid,
}

impl fmt::Display for FetchVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Refuted => "refuted",
            Self::Open => "open",
            Self::Valid => "valid",
        })
    }
}

/// A rule, and the pairs of URLs that were fetched to test it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidatedOperation {
    /// The rule.
    #[serde(flatten)]
    pub name: OperationName,
    /// Pairs that showed one page.
    pub same: u64,
    /// Pairs that showed two pages, or whose second URL failed.
    pub different: u64,
    /// The verdict.
    pub verdict: FetchVerdict,
}

/// What was validated of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validated {
    /// The [`identity`] of the model. It holds for no other.
    pub model: String,
    /// In the order of their notations.
    pub operations: Vec<ValidatedOperation>,
}

impl Validated {
    /// Of the model in this folder.
    ///
    /// # Errors
    ///
    /// A file that is there and cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let model = identity(folder)?;
        let read: Option<Self> = read_json(&folder.join(VALIDATED), "no rule is validated")?;
        let none = || Self { model: model.clone(), operations: Vec::new() };
        Ok(read.filter(|validated| validated.model == model).unwrap_or_else(none))
    }

    /// Adds the results of later fetches. A rule that was decided changes only by another decision.
    pub fn add(&mut self, later: Vec<ValidatedOperation>) {
        for one in later {
            match self.operations.iter_mut().find(|known| known.name == one.name) {
                Some(known)
                    if one.verdict != FetchVerdict::Open || known.verdict == FetchVerdict::Open =>
                {
                    *known = one;
                }
                Some(_) => {}
                None => self.operations.push(one),
            }
        }
        self.operations.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Writes it into the folder, whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<()> {
        write_json(&folder.join(VALIDATED), self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(notation: &str, same: u64, verdict: FetchVerdict) -> ValidatedOperation {
        let name = OperationName { notation: notation.into(), scope: None };
        ValidatedOperation { name, same, different: 0, verdict }
    }

    #[test]
    fn a_decision_is_replaced_by_a_decision_alone() {
        let mut validated = Validated::default();
        validated.add(vec![one("b", 3, FetchVerdict::Open), one("a", 90, FetchVerdict::Valid)]);
        validated.add(vec![one("b", 5, FetchVerdict::Open), one("a", 2, FetchVerdict::Open)]);
        let counts: Vec<u64> = validated.operations.iter().map(|one| one.same).collect();
        assert_eq!(counts, [90, 5]);
        validated.add(vec![one("a", 1, FetchVerdict::Refuted)]);
        assert_eq!(validated.operations[0].verdict, FetchVerdict::Refuted);
    }
}
