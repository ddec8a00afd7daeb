//! `regex-normalize.xml` of Apache Nutch's plugin `urlnormalizer-regex`.

use std::fmt::Write;

use super::{in_xml_comment, java, limit, written};
use crate::comments::Comments;
use crate::regexes::Chain;

/// The file.
pub(crate) fn text(chain: &Chain, comments: &Comments) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<regex-normalize>\n".to_owned();
    let _ = writeln!(text, "<!-- {} -->", limit());
    let mut last = 0;
    for rule in java::rules(chain) {
        if rule.number != last {
            for line in comments.lines(rule.number) {
                let _ = writeln!(text, "<!-- {} -->", in_xml_comment(&line));
            }
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
