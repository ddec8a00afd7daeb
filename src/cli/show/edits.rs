//! The accepted and the refused edits of a model, as tables.

use comfy_table::{CellAlignment, Table, presets};

use crate::edits::editor::{Editor, ToldEdit, ToldRefusal};
use crate::translation::StepEvidence;

/// Refused edits in the table; JSON has all that the model keeps.
const MOST_REFUSED: usize = 20;

/// Both tables.
pub(super) fn text(editor: &Editor) -> String {
    let (accepted, refused) = (editor.told(), editor.refusals());
    let accepted = match accepted.as_slice() {
        [] => "no edits: every URL stays as its site writes it".to_owned(),
        edits => format!("accepted edits, in the order in which they apply\n{}", table(edits)),
    };
    match refused.as_slice() {
        [] => accepted,
        refused => {
            let shown = &refused[..refused.len().min(MOST_REFUSED)];
            let more = match refused.len() - shown.len() {
                0 => String::new(),
                more => format!("\nand {more} more, which --format json lists"),
            };
            let title = "refused edits, those of most URLs first";
            format!("{accepted}\n\n{title}\n{}{more}", refusals(shown))
        }
    }
}

fn table(edits: &[ToldEdit]) -> Table {
    let mut table = new_table(["edit", "where", "tested", "saved", "lost", "bound", "example"]);
    for edit in edits {
        let details = edit.details.as_ref();
        let place = details.map_or_else(String::new, |details| match details.exceptions {
            0 => details.scope.to_owned(),
            1 => format!("{}, one exception", details.scope),
            some => format!("{}, {some} exceptions", details.scope),
        });
        let example = details.and_then(|details| details.examples.first());
        let example = example.map_or_else(String::new, |[url, form]| format!("{url}\n→ {form}"));
        let [tested, saved, lost, bound] = counts(edit.evidence.as_ref());
        table.add_row([edit.notation.clone(), place, tested, saved, lost, bound, example]);
    }
    aligned(table, 2)
}

fn refusals(refused: &[ToldRefusal]) -> Table {
    let mut table = new_table(["edit", "where", "URLs", "tested", "saved", "lost", "bound", "why"]);
    for one in refused {
        let ToldRefusal { notation, scope, urls, evidence, why } = one;
        let [tested, saved, lost, bound] = counts(Some(evidence));
        let (notation, scope, urls) = (notation.clone(), (*scope).to_owned(), urls.to_string());
        table.add_row([notation, scope, urls, tested, saved, lost, bound, why.clone()]);
    }
    aligned(table, 2)
}

fn new_table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(header);
    table
}

/// Numbers to the right: every column from the `first` on but the last.
fn aligned(mut table: Table, first: usize) -> Table {
    let columns = table.column_count();
    for column in table.column_iter_mut().take(columns.saturating_sub(1)).skip(first) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn counts(evidence: Option<&StepEvidence>) -> [String; 4] {
    let Some(StepEvidence { tested, lost, saved, bound }) = evidence else {
        return Default::default();
    };
    let saved = saved.map_or_else(String::new, |saved| saved.to_string());
    [tested.to_string(), saved, lost.to_string(), format!("{:.2} %", 100.0 * bound)]
}
