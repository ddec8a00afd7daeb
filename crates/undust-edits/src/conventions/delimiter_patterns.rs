//! By which delimiters a site divides its values and the segments of its paths: `/my-title-12.html`.
//!
//! A method may copy a part of a value and drop the rest, as training showed it: `/12`. Where a value is
//! divided in a way that training never saw, nobody knows which of its parts make the page: of
//! `?title=../../secret` a network would take the last, as if it were all.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_url::query::{arguments, path_and_query};
use undust_url::tokens::authority;

/// So many patterns that differ only in how often a delimiter follows itself (`a-b`, `a-b-c`, `a-b-c-d`) say that
/// it may follow itself as often as it likes.
pub const ANY_NUMBER: usize = 3;

/// Parts of one URL that are looked at; where more are unknown, nothing is copied.
pub const MOST_PARTS: usize = 64;

/// The delimiter patterns of values, by place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DelimiterPatterns {
    /// Of segments of paths.
    pub path: PatternSet,
    /// Of values, by the argument's name.
    pub arguments: BTreeMap<String, PatternSet>,
}

/// Delimiter patterns of texts, by what is left of each where a delimiter counts once in a row:
/// the first [`ANY_NUMBER`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PatternSet(pub BTreeMap<String, Vec<String>>);

impl PatternSet {
    fn know(&self, DelimiterPattern { all, shape }: &DelimiterPattern) -> bool {
        let is_known = |known: &Vec<String>| known.len() == ANY_NUMBER || known.contains(all);
        self.0.get(shape).is_some_and(is_known)
    }
}

impl DelimiterPatterns {
    fn know(&self, name: Option<&str>, pattern: &DelimiterPattern) -> bool {
        match name {
            None => self.path.know(pattern),
            Some(name) => self.arguments.get(name).is_some_and(|patterns| patterns.know(pattern)),
        }
    }

    /// Whether `form` has a part of a value or segment of `url`, and not all of it, where training saw none
    /// that is delimited so. Linear in both, but for the first [`MOST_PARTS`] such values, each of which is looked for.
    pub fn is_copied_in_part(&self, url: &str, form: &str) -> bool {
        let mut pattern = DelimiterPattern::default();
        let unknown =
            parts(url).filter(|(name, part)| pattern.read(part) && !self.know(*name, &pattern));
        let mut values: Vec<&str> = unknown.map(|(_, part)| part).take(MOST_PARTS + 1).collect();
        if values.len() > MOST_PARTS {
            return true;
        }
        let [url, form] = [url, form].map(|text| &text[authority(text).end..]);
        values.retain(|part| !holds_whole(form, part));
        !values.is_empty() && takes_words(&values, url, form)
    }
}

/// Whether a form has a word of these parts of a URL more often than the rest of the URL has it.
fn takes_words(parts: &[&str], url: &str, form: &str) -> bool {
    let of_parts = || parts.iter().flat_map(|part| words(part));
    let mut left: FxHashMap<&str, usize> = of_parts().map(|word| (word, 0)).collect();
    for word in words(url) {
        left.entry(word).and_modify(|left| *left += 1);
    }
    for word in of_parts() {
        left.entry(word).and_modify(|left| *left = left.saturating_sub(1));
    }
    words(form).any(|word| match left.get_mut(word) {
        Some(0) => true,
        Some(left) => {
            *left -= 1;
            false
        }
        None => false,
    })
}

/// The segments of a URL's path, and its values, each with the name of its argument.
pub fn parts(url: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let (path, query) = path_and_query(url);
    let values = arguments(query).map(|argument| {
        (Some(argument.name.unwrap_or("")), argument.value().unwrap_or(argument.text))
    });
    path.split('/').map(|segment| (None, segment)).chain(values)
}

/// The delimiters of a text, one behind the other; and the same where each counts once in a row.
#[derive(Debug, Default)]
pub struct DelimiterPattern {
    /// All of them.
    pub all: String,
    /// Each once in a row.
    pub shape: String,
}

impl DelimiterPattern {
    /// Reads those of another text; whether there are any.
    pub fn read(&mut self, part: &str) -> bool {
        self.all.clear();
        self.shape.clear();
        for delimiter in part.bytes().map(char::from).filter(|c| is_delimiter(*c)) {
            if !self.all.ends_with(delimiter) {
                self.shape.push(delimiter);
            }
            self.all.push(delimiter);
        }
        !self.all.is_empty()
    }
}

/// Characters that may divide a text. Letters of all scripts and digits do not.
fn is_delimiter(c: char) -> bool {
    c.is_ascii() && !c.is_ascii_alphanumeric()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_delimiter).filter(|word| !word.is_empty())
}

/// Whether a text has all of a part, between delimiters or its own ends.
fn holds_whole(text: &str, part: &str) -> bool {
    let is_apart = |(at, found): (usize, &str)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        before.chars().next_back().is_none_or(is_delimiter)
            && after.chars().next().is_none_or(is_delimiter)
    };
    text.match_indices(part).any(is_apart)
}
