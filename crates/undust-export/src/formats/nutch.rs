//! `regex-normalize.xml` of Apache Nutch's plugin `urlnormalizer-regex`.

use std::fmt::Write;

use super::{in_xml_comment, java, limit, written};
use crate::regexes::Chain;

/// The file.
pub(crate) fn text(chain: &Chain) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<regex-normalize>\n".to_owned();
    let _ = writeln!(text, "<!-- {} -->", limit());
    let mut last = 0;
    for rule in java::rules(chain) {
        if rule.number != last {
            let notation = in_xml_comment(rule.notation);
            let _ = writeln!(text, "<!-- edit {}: {notation} -->", rule.number);
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
