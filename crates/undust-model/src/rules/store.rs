//! `rules.json`: a set of rules as a file that a person can read and edit.

use serde::{Deserialize, Serialize};

use super::kind::RuleKind;
use super::measured::MeasuredRule;
use super::set::RuleSet;

/// What the file holds.
#[derive(Serialize)]
struct File<'f> {
    method: &'f str,
    /// In the order in which they are tried.
    rules: Vec<Entry<'f>>,
}

/// A rule as the file holds it. The notation is for people and is not read back.
#[derive(Serialize)]
struct Entry<'f> {
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
pub fn to_json(learner: &str, set: &RuleSet) -> Result<Vec<u8>, String> {
    let rules = set.rules().map(|learned| Entry { notation: learned.rule.to_string(), learned });
    let file = File { method: learner, rules: rules.collect() };
    let mut json = serde_json::to_vec_pretty(&file).map_err(|error| error.to_string())?;
    json.push(b'\n');
    Ok(json)
}

/// Reads `rules.json`, which may have been edited by hand.
///
/// # Errors
///
/// A sentence that names the first meaningless rule by its place and its notation.
pub fn parse(json: &[u8], method: &str) -> Result<RuleSet, String> {
    let kind = RuleKind::of_method(method)
        .ok_or_else(|| format!("is of `{method}`, which is not a rule learner of this version"))?;
    let raw: Raw = serde_json::from_slice(json)
        .map_err(|error| format!("cannot be read as rules: {error}"))?;
    if raw.method != method {
        let (found, expected) = (&raw.method, method);
        return Err(format!("holds rules of `{found}`, but model.json says `{expected}`"));
    }
    let rules = (1..).zip(raw.rules).map(|(number, rule)| read_rule(number, rule, method, kind));
    Ok(RuleSet::new(rules.collect::<Result<_, _>>()?))
}

fn read_rule(
    number: usize,
    mut json: serde_json::Value,
    method: &str,
    kind: RuleKind,
) -> Result<MeasuredRule, String> {
    let notation = json.as_object_mut().and_then(|fields| fields.remove("notation"));
    let notation = notation.as_ref().and_then(serde_json::Value::as_str);
    let named = notation.map_or_else(String::new, |notation| format!(" ({notation})"));
    let wrong = |reason: String| format!("rule {number}{named}: {reason}");
    let learned: MeasuredRule =
        serde_json::from_value(json).map_err(|error| wrong(error.to_string()))?;
    learned.rule.check().map_err(wrong)?;
    if learned.rule.kind() != kind {
        return Err(wrong(format!("is not a rule that `{method}` learns")));
    }
    Ok(learned)
}
