//! The kind of a URL: what tests of one hypothesis on different URLs are pooled by.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use undust_url::query::{arguments, path_and_query};

use super::drawn::named;

/// Longest segment or name of a file that counts as a word of the site, in bytes.
pub(super) const LONGEST_WORD: usize = 24;

/// Longest value of an argument that does.
const LONGEST_VALUE: usize = 40;

/// Most arguments of a query that are looked at.
pub(super) const MOST_ARGUMENTS: usize = 24;

/// The kind of a URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kind {
    narrow: u64,
    wide: u64,
    spread: Spread,
}

/// Where URLs of one kind can be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::engine) enum Spread {
    /// In any folder of any site.
    #[default]
    Folders,
    /// In folders of one name, on any site.
    Folder,
    /// In one folder of one site.
    Site,
}

impl Kind {
    /// Wide: the first segment of the path, whether the others have digits, and the names in the
    /// query. Narrow: the second segment and the values that are words, too.
    pub fn of(url: &str) -> Self {
        let (path, query) = path_and_query(url);
        let (mut text, mut words) = (String::with_capacity(96), String::with_capacity(96));
        let mut is_of_folder = true;
        for (place, segment) in path.split('/').skip(1).enumerate() {
            let has_digit = segment.bytes().any(|byte| byte.is_ascii_digit());
            let is_word = !has_digit && segment.len() <= LONGEST_WORD;
            // One folder alone is spelled so. `a` stands for all names that are no words.
            let is_folder = is_word && !segment.is_empty() && segment != "a";
            let names_folder = path == "/" || is_folder && !segment.contains(';');
            is_of_folder &= place > 0 || names_folder;
            text.push_str(match place {
                0 if is_word => segment,
                _ if has_digit => "1",
                _ if segment.is_empty() => "",
                _ => "a",
            });
            text.push('/');
            if place == 1 && is_word {
                words.push_str(segment);
            }
        }
        add_arguments(query, &mut text, &mut words);
        let wide = xxh3_64(text.as_bytes());
        let spread = if is_of_folder { Spread::Folder } else { Spread::Folders };
        Self { wide, narrow: xxh3_64_with_seed(words.as_bytes(), wide), spread }
    }

    /// Of what changes, in a text.
    pub fn named(text: &str) -> Self {
        let wide = xxh3_64(text.as_bytes());
        Self { wide, narrow: wide.rotate_left(1), spread: Spread::Folders }
    }

    /// Of URLs of one folder of one site, in a text.
    pub(super) fn of_folder(text: &str) -> Self {
        Self { spread: Spread::Site, ..Self::named(text) }
    }

    /// What tests of a hypothesis on URLs of this kind are pooled by, from the narrowest on.
    pub(in crate::engine) fn chain(&self, hypothesis: u64, sort: u64) -> [u64; 4] {
        [hypothesis ^ self.narrow, hypothesis ^ self.wide, hypothesis, sort]
    }

    /// Where URLs of this kind can be.
    pub(in crate::engine) fn spread(&self) -> Spread {
        self.spread
    }

    /// The wide kind alone.
    pub(in crate::engine) fn wide(&self) -> u64 {
        self.wide
    }
}

/// Appends the names, and the values that are words. A query that is too long has no argument: it
/// is one text.
fn add_arguments(query: &str, text: &mut String, words: &mut String) {
    if query.is_empty() {
        return;
    }
    let mut all: SmallVec<[(&str, &str); 8]> = arguments(query)
        .take(MOST_ARGUMENTS)
        .map(|argument| (named(argument.key()), argument.value().unwrap_or_default()))
        .collect();
    all.sort_unstable();
    for (name, value) in all {
        text.push('&');
        text.push_str(name);
        words.push('=');
        words.push_str(if is_word(value) { value } else { "1" });
    }
}

/// Whether a value has no digit, but in escapes.
fn is_word(value: &str) -> bool {
    let mut parts = value.split('%');
    let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    value.len() <= LONGEST_VALUE
        && !parts.next().is_some_and(has_digit)
        && !parts.any(|part| has_digit(part.get(2..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_words_and_names() {
        let [log, other_log, tree, paged] = [
            "http://a.test/flask/log/1?id=7&h=x1",
            "http://a.test/flask/log/2?h=x2&id=8",
            "http://a.test/flask/tree/2?h=x2&id=8",
            "http://a.test/flask/log/1?id=7&h=x1&page=2",
        ]
        .map(Kind::of);
        assert_eq!(log, other_log);
        assert!(log.wide == tree.wide && log.narrow != tree.narrow);
        assert_ne!(log.wide, paged.wide);
        let [shown, sorted] =
            ["http://a.test/?a=show&n=1", "http://a.test/?a=sort&n=1"].map(Kind::of);
        assert!(shown.wide == sorted.wide && shown.narrow != sorted.narrow);
        let words = ["", "show", "has:check%20AND%20x", "%"].map(is_word);
        assert_eq!(words, [true; 4]);
        assert_eq!(["7", "a1", "%207", "a%C3%A91"].map(is_word), [false; 4]);
    }
}
