//! The edits of a model as a table.

use std::fmt::Write;

use undust_edits::editor::Editor;

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

/// A field as RFC 4180 has it. One that a spreadsheet would compute is kept a text.
fn quoted(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let front = if is_formula { "'" } else { "" };
    if is_formula || field.contains([',', '"', '\n', '\r']) {
        format!("\"{front}{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must() {
        assert_eq!(quoted("a"), "a");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "\"'=1+1\"");
    }
}
