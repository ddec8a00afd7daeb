//! Exports as text, a file a format.

pub(crate) mod clean_param;
pub(crate) mod csv;
pub(crate) mod dud;
pub(crate) mod heritrix;
mod java;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod nginx;
pub(crate) mod nutch;
pub(crate) mod stormcrawler;

use crate::regexes::Written;

/// What is written, with groups as a format names them.
fn written(parts: &[Written], group: impl Fn(usize) -> String) -> String {
    let part = |part: &Written| match part {
        Written::Group(number) => group(*number),
        Written::Text(text) => text.clone(),
    };
    parts.iter().map(part).collect()
}

/// A text as a comment of one line: an edit's notation may hold anything.
fn on_one_line(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars().map(plain).collect()
}
