//! The verdicts of fetches on the rules of a model: `validated.json` of its folder.

use std::fmt;

use serde::{Deserialize, Serialize};

use undust_model::operation::{OfModel, OperationName, OperationRecord};

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

impl OperationRecord for ValidatedOperation {
    const FILE: &str = "validated.json";
    const WITHOUT: &str = "no rule is validated";
}

/// What was validated of a model, in the order of the notations.
pub type Validated = OfModel<ValidatedOperation>;

/// Adds the results of later fetches. A rule that was decided changes only by another decision.
pub fn add_verdicts(known: &mut Vec<ValidatedOperation>, later: Vec<ValidatedOperation>) {
    for one in later {
        match known.iter_mut().find(|known| known.name == one.name) {
            Some(known)
                if one.verdict != FetchVerdict::Open || known.verdict == FetchVerdict::Open =>
            {
                *known = one;
            }
            Some(_) => {}
            None => known.push(one),
        }
    }
    known.sort_by(|a, b| a.name.cmp(&b.name));
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
        let mut known = vec![one("b", 3, FetchVerdict::Open)];
        add_verdicts(&mut known, vec![one("a", 90, FetchVerdict::Valid)]);
        add_verdicts(
            &mut known,
            vec![one("b", 5, FetchVerdict::Open), one("a", 2, FetchVerdict::Open)],
        );
        let counts: Vec<u64> = known.iter().map(|one| one.same).collect();
        assert_eq!(counts, [90, 5]);
        add_verdicts(&mut known, vec![one("a", 1, FetchVerdict::Refuted)]);
        assert_eq!(known[0].verdict, FetchVerdict::Refuted);
    }
}
