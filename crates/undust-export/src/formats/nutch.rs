//! `regex-normalize.xml` of Apache Nutch's plugin `urlnormalizer-regex`.

use std::fmt::Write;

use super::{java, on_one_line, written};
use crate::regexes::Chain;

/// The file.
pub(crate) fn text(chain: &Chain) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<regex-normalize>\n".to_owned();
    let mut last = 0;
    for rule in java::rules(chain) {
        if rule.number != last {
            let notation = on_one_line(rule.notation).replace("--", "- -");
            let _ = writeln!(text, "<!-- edit {}: {} -->", rule.number, escaped(&notation));
            last = rule.number;
        }
        let to = written(&rule.written, |group| format!("${group}"));
        let _ = writeln!(
            text,
            "<regex>\n  <pattern>{}</pattern>\n  <substitution>{}</substitution>\n</regex>",
            escaped(&rule.pattern),
            escaped(&to)
        );
    }
    text + "</regex-normalize>\n"
}

/// A text in XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
