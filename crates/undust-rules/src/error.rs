//! Why a file of rules cannot be used.

/// Why the rules of a model cannot be used. A person may have edited them. Arises when a
/// model is loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesReason {
    /// The method learns no rules.
    #[error("is of `{method}`, which is not a rule learner of this version")]
    UnknownLearner {
        /// The method.
        method: String,
    },
    /// `rules.json` is not JSON, or its fields are others.
    #[error("cannot be read as rules: {source}")]
    Json {
        /// What the decoder says.
        source: serde_json::Error,
    },
    /// `rules.json` belongs to another method.
    #[error("holds rules of `{found}`, but model.json says `{expected}`")]
    OtherLearner {
        /// The method that `rules.json` names.
        found: String,
        /// The method that `model.json` names.
        expected: String,
    },
    /// A rule cannot be read, or has no meaning.
    #[error("rule {number}{}: {detail}", in_brackets(notation.as_deref()))]
    Rule {
        /// Its place, from 1 on.
        number: usize,
        /// Its notation, if the file has it.
        notation: Option<String>,
        /// What the decoder says, or the rule itself.
        detail: String,
    },
    /// A rule is not one of the method's.
    #[error(
        "rule {number}{}: is not a rule that `{method}` learns",
        in_brackets(notation.as_deref())
    )]
    ForeignRule {
        /// Its place, from 1 on.
        number: usize,
        /// Its notation, if the file has it.
        notation: Option<String>,
        /// The method.
        method: String,
    },
}

fn in_brackets(notation: Option<&str>) -> String {
    notation.map_or_else(String::new, |notation| format!(" ({notation})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_named_by_its_place_and_notation() {
        let (method, notation) = ("tree".into(), Some("a → b".into()));
        let foreign = RulesReason::ForeignRule { number: 2, notation, method };
        assert_eq!(foreign.to_string(), "rule 2 (a → b): is not a rule that `tree` learns");
        let detail = "has no meaning".into();
        let rule = RulesReason::Rule { number: 1, notation: None, detail };
        assert_eq!(rule.to_string(), "rule 1: has no meaning");
    }
}
