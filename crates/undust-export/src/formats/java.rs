//! Regexes of Java, over a whole URL.

use std::fmt::Write;

use super::{in_xml_comment, limit};
use crate::comments::Comments;
use crate::regexes::piece::literal;
use crate::regexes::{Chain, Line, written};

/// A regex and what is written for it.
pub(super) struct JavaRule {
    number: usize,
    pub pattern: String,
    pub substitution: String,
}

/// The rules of a chain, in the order in which they are applied, with groups written as a program wants them.
pub(super) fn rules(chain: &Chain, group: fn(usize) -> String) -> impl Iterator<Item = JavaRule> {
    chain.rules.iter().flat_map(move |rule| {
        rule.lines.iter().map(move |line| JavaRule {
            number: rule.number,
            pattern: pattern(line),
            // The origin is the first group.
            substitution: group(1) + &written(&line.written, |number| group(number + 1)),
        })
    })
}

fn pattern(line: &Line) -> String {
    let origins = line.origins.iter().filter_map(|origin| literal(origin));
    format!("^({}){}", origins.collect::<Vec<_>>().join("|"), line.regex)
}

/// Rules as elements of XML, behind this margin, with comments before those of each edit.
pub(super) fn in_xml(
    rules: impl Iterator<Item = JavaRule>,
    comments: &Comments,
    margin: &str,
    element: fn(&str, &str) -> String,
) -> String {
    let mut text = format!("{margin}<!-- {} -->\n", limit());
    let mut last = 0;
    for rule in rules {
        if rule.number != last {
            for line in comments.lines(rule.number) {
                let _ = writeln!(text, "{margin}<!-- {} -->", in_xml_comment(&line));
            }
            last = rule.number;
        }
        text += &element(&escaped(&rule.pattern), &escaped(&rule.substitution));
    }
    text
}

/// A text in XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
