//! A subroutine for Varnish, to be called in `vcl_recv`.

use std::fmt::Write;

use super::{on_one_line, written};
use crate::regexes::Chain;

/// The subroutine. It changes what the cache asks the server for, and what it keeps it under.
pub(crate) fn text(site: &str, chain: &Chain) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = site.chars().map(letter).collect();
    let mut text = format!("sub undust_{name} {{\n");
    for rule in &chain.rules {
        let _ = writeln!(text, "    # edit {}: {}", rule.number, on_one_line(&rule.notation));
        for line in &rule.lines {
            let to = written(&line.written, |group| format!("\\{group}"));
            let _ = writeln!(
                text,
                "    set req.url = regsub(req.url, {{\"^{}\"}}, {{\"{to}\"}});",
                line.regex
            );
        }
    }
    text + "}\n"
}
