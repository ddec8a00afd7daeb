//! `regex-normalize.xml` of Apache Nutch's plugin `urlnormalizer-regex`.

use super::java;
use crate::comments::Comments;
use crate::regexes::Chain;

/// The file.
pub(crate) fn text(chain: &Chain, comments: &Comments) -> String {
    let regex = |from: &str, to: &str| {
        format!(
            "<regex>\n  <pattern>{from}</pattern>\n  <substitution>{to}</substitution>\n</regex>\n"
        )
    };
    let rules = java::rules(chain, |group| format!("${group}"));
    let regexes = java::in_xml(rules, comments, "", regex);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<regex-normalize>\n{regexes}</regex-normalize>\n"
    )
}
