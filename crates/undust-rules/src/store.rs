//! `rules.json`: a set of rules as a file that a person can read and edit.

use serde::{Deserialize, Serialize};

use super::kind::learns;
use super::measured::MeasuredRule;
use super::set::RuleSet;
use crate::error::RulesReason;
use undust_util::json;

/// What the file holds.
#[derive(Serialize)]
struct RulesFile<'f> {
    method: &'f str,
    /// In the order in which they are tried.
    rules: Vec<SavedRule<'f>>,
}

/// A rule as the file holds it. The notation is for people and is not read back.
#[derive(Serialize)]
struct SavedRule<'f> {
    notation: String,
    #[serde(flatten)]
    learned: &'f MeasuredRule,
}

/// The file as it is read. The rules are parsed one by one, so that an error can name its rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    method: String,
    rules: Vec<serde_json::Value>,
}

/// The rules of a learner as `rules.json` holds them.
pub fn to_json(learner: &str, set: &RuleSet) -> serde_json::Result<Vec<u8>> {
    let rules =
        set.rules().map(|learned| SavedRule { notation: learned.rule.to_string(), learned });
    let file = RulesFile { method: learner, rules: rules.collect() };
    json::pretty(&file)
}

/// Reads `rules.json`, which may have been edited by hand.
///
/// # Errors
///
/// Another learner's rules, and the first meaningless rule with its place and its notation.
pub fn parse(json: &[u8], method: &str) -> Result<RuleSet, RulesReason> {
    let unknown = || RulesReason::UnknownLearner { method: method.to_owned() };
    let is_learned = learns(method).ok_or_else(unknown)?;
    let raw: Raw = serde_json::from_slice(json).map_err(|source| RulesReason::Json { source })?;
    if raw.method != method {
        let expected = method.to_owned();
        return Err(RulesReason::OtherLearner { found: raw.method, expected });
    }
    let rules = (1..).zip(raw.rules).map(|(number, rule)| match read_rule(number, rule)? {
        (learned, _) if is_learned(&learned.rule) => Ok(learned),
        (_, notation) => {
            Err(RulesReason::ForeignRule { number, notation, method: method.to_owned() })
        }
    });
    Ok(RuleSet::new(rules.collect::<Result<_, _>>()?))
}

/// A rule, and its notation in the file.
fn read_rule(
    number: usize,
    mut json: serde_json::Value,
) -> Result<(MeasuredRule, Option<String>), RulesReason> {
    let notation = json.as_object_mut().and_then(|fields| fields.remove("notation"));
    let notation = notation.as_ref().and_then(serde_json::Value::as_str).map(str::to_owned);
    let wrong = |detail: String| RulesReason::Rule { number, notation: notation.clone(), detail };
    let learned: MeasuredRule =
        serde_json::from_value(json).map_err(|error| wrong(error.to_string()))?;
    learned.rule.check().map_err(wrong)?;
    Ok((learned, notation))
}
