//! The accepted and the refused edits of a model, as tables.

use std::cmp::Reverse;

use undust_model::edits::editor::{EditDescription, Editor, RefusalDescription};
use undust_model::translation::{StepEvidence, spelled_out};
use undust_util::plural::counted;

use crate::cli::table::{SafeTable, new_table, numbers, safe_line, word};

/// Refused edits in the table; JSON has all that the model keeps.
const MOST_REFUSED: usize = 20;

/// Both tables.
pub(super) fn text(editor: &Editor, pages: usize) -> String {
    let (accepted, refused) = (editor.describe(), editor.refusals());
    let accepted = match accepted.as_slice() {
        [] => "no edits: every URL stays as its site writes it".to_owned(),
        edits => format!(
            "accepted edits, those that save most first; # is the order in which they apply\n{}",
            table(edits, pages)
        ),
    };
    match refused.as_slice() {
        [] => accepted,
        refused => {
            let shown = &refused[..refused.len().min(MOST_REFUSED)];
            let more = match refused.len() - shown.len() {
                0 => String::new(),
                more => format!("\nand {more} more, which --format json lists"),
            };
            let is_taken_back = shown.iter().any(|one| one.urls.is_none());
            let first = if is_taken_back { "those that were taken back, then " } else { "" };
            let title = format!("refused edits, {first}those of most URLs first");
            format!("{accepted}\n\n{title}\n{}{more}", refusals(shown))
        }
    }
}

fn table(edits: &[EditDescription], pages: usize) -> SafeTable {
    let mut table =
        new_table(["#", "edit", "where", "tested", "saved", "lost", "bound", "example"]);
    let saved = |edit: &EditDescription| edit.evidence.as_ref().and_then(|evidence| evidence.saved);
    let mut sorted: Vec<(usize, &EditDescription)> = (1..).zip(edits).collect();
    sorted.sort_by_key(|(number, edit)| (Reverse(saved(edit)), *number));
    for (number, edit) in sorted {
        let details = edit.details.as_ref();
        let place = details.map_or_else(String::new, |details| match details.exceptions {
            0 => details.scope.to_string(),
            1 => format!("{}, one exception", details.scope),
            some => format!("{}, {some} exceptions", details.scope),
        });
        let example = details.and_then(|details| details.examples.first());
        let example = example.map_or_else(String::new, |[url, form]| {
            format!("{}\n→ {}", word(&safe_line(url)), word(&safe_line(form)))
        });
        let [tested, saved, lost, bound] = counts(edit.evidence.as_ref());
        let notation = word(&safe_line(&spelled_out(&edit.notation)));
        table.add_row([number.to_string(), notation, place, tested, saved, lost, bound, example]);
    }
    let sum = |count: fn(&StepEvidence) -> i64| {
        let counts = edits.iter().filter_map(|edit| edit.evidence.as_ref()).map(count);
        counts.sum::<i64>().to_string()
    };
    let [tested, saved, lost] = [
        sum(|one| one.tested as i64),
        sum(|one| one.saved.unwrap_or(0)),
        sum(|one| one.lost as i64),
    ];
    let (all, of) = (format!("{} in all", edits.len()), format!("of {}", counted(pages, "page")));
    table.add_row([String::new(), all, of, tested, saved, lost, String::new(), String::new()]);
    numbers(&mut table, [0, 3, 4, 5, 6]);
    table
}

fn refusals(refused: &[RefusalDescription]) -> SafeTable {
    let mut table = new_table(["edit", "where", "URLs", "tested", "saved", "lost", "bound", "why"]);
    for one in refused {
        let RefusalDescription { notation, scope, urls, evidence, why } = one;
        let [tested, saved, lost, bound] = counts(Some(evidence));
        let urls = urls.map_or_else(String::new, |urls| urls.to_string());
        let (scope, notation) = (scope.to_string(), word(&safe_line(&spelled_out(notation))));
        table.add_row([notation, scope, urls, tested, saved, lost, bound, why.clone()]);
    }
    numbers(&mut table, 2..7);
    table
}

fn counts(evidence: Option<&StepEvidence>) -> [String; 4] {
    let Some(StepEvidence { tested, lost, saved, bound, .. }) = evidence else {
        return Default::default();
    };
    let saved = saved.map_or_else(String::new, |saved| saved.to_string());
    [tested.to_string(), saved, lost.to_string(), format!("{:.2} %", 100.0 * bound)]
}
