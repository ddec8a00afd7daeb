//! The edits of a model as a table.

use std::fmt::Write;

use undust_edits::editor::Editor;
use undust_util::csv::quoted;

/// A row an edit, in the order in which they are applied, with its evidence and its first example.
pub(crate) fn text(editor: &Editor) -> String {
    let mut text =
        "edit,notation,where,tested,lost,saved,pages,forms,answered,redirected,url,canonical\r\n"
            .to_owned();
    for (number, edit) in (1..).zip(editor.rules()) {
        let evidence = edit.accepted.evidence;
        let known = |count: Option<u32>| count.map_or(String::new(), |count| count.to_string());
        let forms = [evidence.forms, evidence.answered, evidence.redirected].map(known).join(",");
        let none = [String::new(), String::new()];
        let [url, canonical] = edit.examples.first().unwrap_or(&none);
        let _ = write!(
            text,
            "{number},{},{},{},{},{},{},{forms},{},{}\r\n",
            quoted(&edit.notation),
            quoted(&edit.scope),
            evidence.tested,
            evidence.lost,
            evidence.saved,
            evidence.pages,
            quoted(url),
            quoted(canonical),
        );
    }
    text
}
