//! Regexes of Java, over a whole URL.

use crate::regexes::piece::literal;
use crate::regexes::{Chain, Line, Written};

/// A regex and what is written for it.
pub(super) struct JavaRule {
    pub number: usize,
    pub pattern: String,
    pub written: Vec<Written>,
}

/// The rules of a chain, in the order in which they are applied.
pub(super) fn rules(chain: &Chain) -> impl Iterator<Item = JavaRule> {
    chain.rules.iter().flat_map(|rule| {
        rule.lines.iter().map(|line| JavaRule {
            number: rule.number,
            pattern: pattern(line),
            written: shifted(&line.written),
        })
    })
}

/// The origin is the first group.
fn pattern(line: &Line) -> String {
    let origins = line.origins.iter().filter_map(|origin| literal(origin));
    format!("^({}){}", origins.collect::<Vec<_>>().join("|"), line.regex)
}

fn shifted(written: &[Written]) -> Vec<Written> {
    let shift = |part: &Written| match part {
        Written::Group(group) => Written::Group(group + 1),
        text => text.clone(),
    };
    std::iter::once(Written::Group(1)).chain(written.iter().map(shift)).collect()
}
