//! By which marks a site parts its values and the segments of its paths: `/my-title-12.html`.
//!
//! A method may copy a part of a value and drop the rest, as training showed it: `/12`. Where a value is
//! parted in a way that training never saw, nobody knows which of its parts make the page: of
//! `?title=../../secret` a network would take the last, as if it were all.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_url::tokens::authority;

/// So many ways that differ only in how often a mark follows itself (`a-b`, `a-b-c`, `a-b-c-d`) say that
/// it may follow itself as often as it likes.
const SEVERAL: usize = 3;

/// Ways that are known of one place, and places: more are hostile, and count as never seen.
const MOST: usize = 4096;

/// Parts of one URL that are looked at; where more are unknown, nothing is copied.
const MOST_PARTS: usize = 64;

/// The ways in which values are parted, by place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Parting {
    /// Of segments of paths.
    path: Ways,
    /// Of values, by the argument's name.
    arguments: BTreeMap<String, Ways>,
}

/// The marks of parted texts, one behind the other: by what is left of them where each counts once in a row,
/// the first [`SEVERAL`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Ways(BTreeMap<String, Vec<String>>);

impl Ways {
    fn see(&mut self, Way { all, shape }: &Way) {
        if let Some(known) = self.0.get_mut(shape) {
            if known.len() < SEVERAL && !known.contains(all) {
                known.push(all.clone());
            }
        } else if self.0.len() < MOST {
            self.0.insert(shape.clone(), vec![all.clone()]);
        }
    }

    fn know(&self, Way { all, shape }: &Way) -> bool {
        let is_known = |known: &Vec<String>| known.len() == SEVERAL || known.contains(all);
        self.0.get(shape).is_some_and(is_known)
    }
}

impl Parting {
    /// Of the URLs of a crawl. Linear in them.
    pub(super) fn learn<'u>(urls: impl Iterator<Item = &'u str>) -> Self {
        let (mut parting, mut way) = (Self::default(), Way::default());
        for url in urls {
            for (name, part) in parts(url) {
                if way.read(part) {
                    parting.see(name, &way);
                }
            }
        }
        parting
    }

    fn see(&mut self, name: Option<&str>, way: &Way) {
        let Some(name) = name else { return self.path.see(way) };
        if let Some(ways) = self.arguments.get_mut(name) {
            ways.see(way);
        } else if self.arguments.len() < MOST {
            self.arguments.entry(name.to_owned()).or_default().see(way);
        }
    }

    fn know(&self, name: Option<&str>, way: &Way) -> bool {
        match name {
            None => self.path.know(way),
            Some(name) => self.arguments.get(name).is_some_and(|ways| ways.know(way)),
        }
    }

    /// Whether `form` has a part of a value or segment of `url`, and not all of it, where training saw none
    /// that is parted so. Linear in both, but for the first [`MOST_PARTS`] such values, each of which is looked for.
    pub(super) fn is_copied_in_part(&self, url: &str, form: &str) -> bool {
        let mut way = Way::default();
        let unknown = parts(url).filter(|(name, part)| way.read(part) && !self.know(*name, &way));
        let mut torn: Vec<&str> = unknown.map(|(_, part)| part).take(MOST_PARTS + 1).collect();
        if torn.len() > MOST_PARTS {
            return true;
        }
        let [url, form] = [url, form].map(|text| &text[authority(text).end..]);
        torn.retain(|part| !holds_whole(form, part));
        !torn.is_empty() && takes_words(&torn, url, form)
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
fn parts(url: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let rest = &url[authority(url).end..];
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let values = query.split(['&', ';']).map(|argument| {
        let (name, value) = argument.split_once('=').unwrap_or(("", argument));
        (Some(name), value)
    });
    path.split('/').map(|segment| (None, segment)).chain(values)
}

/// The marks of a text; and the same where each counts once in a row.
#[derive(Debug, Default)]
struct Way {
    all: String,
    shape: String,
}

impl Way {
    /// Reads those of another text; whether there are any.
    fn read(&mut self, part: &str) -> bool {
        self.all.clear();
        self.shape.clear();
        for mark in part.bytes().map(char::from).filter(|c| is_mark(*c)) {
            if !self.all.ends_with(mark) {
                self.shape.push(mark);
            }
            self.all.push(mark);
        }
        !self.all.is_empty()
    }
}

/// Characters that may part a text. Letters of all scripts and digits do not.
fn is_mark(c: char) -> bool {
    c.is_ascii() && !c.is_ascii_alphanumeric()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_mark).filter(|word| !word.is_empty())
}

/// Whether a text has all of a part, between marks or its own ends.
fn holds_whole(text: &str, part: &str) -> bool {
    let is_apart = |(at, found): (usize, &str)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        before.chars().next_back().is_none_or(is_mark) && after.chars().next().is_none_or(is_mark)
    };
    text.match_indices(part).any(is_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn torn(training: &[&str], url: &str, form: &str) -> bool {
        let urls: Vec<String> = training.iter().map(|url| format!("http://a.b{url}")).collect();
        let parting = Parting::learn(urls.iter().map(String::as_str));
        let json = serde_json::to_string(&parting).expect("JSON");
        assert_eq!(serde_json::from_str::<Parting>(&json).expect("parting"), parting);
        parting.is_copied_in_part(&format!("http://a.b{url}"), &format!("http://a.b{form}"))
    }

    #[test]
    fn what_is_parted_as_never_seen_is_copied_whole_or_not_at_all() {
        let wiki = ["/i.php?title=A", "/i.php/A", "/name-7.html"];
        for (url, form, is_torn) in [
            ("/i.php?title=../../../secret", "/i.php/secret", true),
            ("/i.php?title=A/B", "/i.php/A", true),
            ("/i.php?title=A/B", "/i.php/B", true),
            ("/i.php?title=A/B", "/i.php/A/B", false),
            ("/i.php?title=A/B", "/i.php", false),
            ("/i.php?title=/A", "/i.php/A", true),
            ("/i.php?title=A.B", "/i.php/A.", true),
            ("/i.php?name=QUI=", "/i.php?id=QUI", true),
            ("/u/A&/3", "/u/A/3", true),
            // As training saw it.
            ("/title-12.html", "/12", false),
            ("/title-1.2.html", "/1", true),
            ("/my-title-12.html", "/12", true),
            // The other title stays what it was, and is not taken from this one.
            ("/A?title=A.B", "/A", false),
            ("/A?title=A.B", "/A/A", true),
            ("/A?x=A.A", "/A/A", true),
        ] {
            assert_eq!(torn(&wiki, url, form), is_torn, "{url} → {form}");
        }
    }

    /// Titles have as many words as they like.
    #[test]
    fn a_mark_that_follows_itself_in_several_ways_may_do_so_in_any() {
        let two = ["/a-b_1", "/a-b-c_1"];
        let three = ["/a-b_1", "/a-b-c_1", "/a-b-c-d_1"];
        let (url, form) = ("/a-b-c-d-e-f_7", "/7");
        assert_eq!([torn(&two, url, form), torn(&three, url, form)], [true, false]);
        assert!(torn(&three, "/a-b-c_7.html", form));
    }

    #[test]
    fn hostile_urls_cost_what_they_are_long() {
        let url =
            format!("/x?{}", (0..MOST_PARTS).map(|n| format!("a{n}=b.c&")).collect::<String>());
        assert!(!torn(&[], &url, "/x"));
        assert!(torn(&[], &format!("{url}z=b.c"), "/x"), "too many to be looked at");
    }
}
