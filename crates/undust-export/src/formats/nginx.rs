//! Maps for nginx, one an edit, each over what the one before it left, and a redirect.
//!
//! The maps read `$request_uri`, which is what the client sent; `$uri` and `$args` are decoded and merged. Maps are
//! used because `set` encodes `&` once the address holds escapes.

use std::fmt::Write;

use super::{identifier, on_one_line, written};
use crate::regexes::Chain;

/// The maps of a site, and the redirect for its server in comments.
pub(crate) fn text(site: &str, chain: &Chain) -> String {
    let name = identifier(site);
    let last = format!("$undust_{name}_{}", chain.rules.len());
    let mut text = format!("# URLs of {site} that show one page, as undust learned them.\n");
    if chain.rules.is_empty() {
        text += "# No edit of the model can be said here.\n";
        return text;
    }
    text += "# These maps belong to the http block. In the server of the site:\n";
    let _ = writeln!(text, "#     if ($undust_{name}_moves) {{ return 301 {last}; }}\n");
    let mut before = "$request_uri".to_owned();
    for (place, rule) in (1..).zip(&chain.rules) {
        let _ = writeln!(text, "# edit {}: {}", rule.number, on_one_line(&rule.notation));
        let _ = writeln!(text, "map {before} $undust_{name}_{place} {{\n    default {before};");
        for line in &rule.lines {
            let to = written(&line.written, |group| format!("${group}"));
            let _ = writeln!(text, "    \"~^{}\" \"{to}\";", line.regex);
        }
        text += "}\n";
        before = format!("$undust_{name}_{place}");
    }
    let _ = writeln!(
        text,
        "\nmap \"$request_uri {last}\" $undust_{name}_moves {{\n    default 1;\n    \"~^(\\S+) \\1$\" 0;\n}}"
    );
    text
}
