//! The edits of a model with their evidence, and the regexes of those that regexes can say.

use serde_json::json;

use undust_edits::editor::Editor;

use super::limit;
use crate::LeftOut;
use crate::regexes::{Chain, written};

/// One object, which has a list of edits in the order in which they are applied. Regexes are applied one after another,
/// those of some edits more than once.
pub(crate) fn text(site: &str, editor: &Editor, chain: &Chain, left_out: &[LeftOut]) -> String {
    let edits = (1..).zip(editor.rules()).map(|(number, edit)| {
        let rule = chain.rules.iter().find(|rule| rule.number == number);
        let lines = rule.into_iter().flat_map(|rule| &rule.lines);
        let regexes: Vec<_> = lines
            .map(|line| {
                json!({
                    "origins": line.origins,
                    "pattern": format!("^{}", line.regex),
                    "substitution": written(&line.written, |group| format!("${group}")),
                })
            })
            .collect();
        let left = left_out.iter().find(|left| left.number == number);
        json!({
            "edit": number,
            "notation": edit.notation,
            "where": edit.scope,
            "evidence": edit.accepted.evidence,
            "examples": edit.examples,
            "regexes": regexes,
            "no_regex": left.map(|left| left.why.to_string()),
        })
    });
    let order: Vec<usize> = chain.rules.iter().map(|rule| rule.number).collect();
    let all = json!({
        "site": site,
        "note": limit(),
        "order_of_regexes": order,
        "edits": edits.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
