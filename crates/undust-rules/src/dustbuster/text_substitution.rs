//! The substring substitution: α → β.

use std::fmt;

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

use super::tokens::{is_border, path_start, token_ends};

/// Places at which α is looked for by itself, before it is searched in time linear in the URL: a searcher takes longer
/// to build than most URLs to read.
const FEW: usize = 16;

/// Replaces one run of tokens, α, by another, β (Bar-Yossef, Keidar, Schonfeld, WWW 2007,
/// section 3), at the first place where α stands between borders of tokens. `ab` does not stand
/// in `cab`, which is one token.
///
/// Scheme and host are left alone unless α begins at the URL's start: a word of the path may
/// also be one of the host.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextSubstitution {
    /// α.
    pub from: String,
    /// β.
    pub to: String,
    /// Whether α stands at the beginning of the URL, the paper's `^`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_start: bool,
    /// Whether α stands at the end of the URL, the paper's `$`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_end: bool,
}

impl TextSubstitution {
    /// The image of `url`; nothing if the rule does not apply or changes nothing.
    /// Linear in both strings.
    pub fn apply(&self, url: &str) -> Option<String> {
        let at = self.place(url)?;
        let image = [&url[..at], &self.to, &url[at + self.from.len()..]].concat();
        (image != url).then_some(image)
    }

    /// Where α stands first, in bytes.
    fn place(&self, url: &str) -> Option<usize> {
        let last = url.len().checked_sub(self.from.len())?;
        let at = match (self.at_start, self.at_end) {
            (true, true) => (url == self.from).then_some(0),
            (true, false) => url.starts_with(&self.from).then_some(0),
            (false, true) => (url.ends_with(&self.from) && last >= path_start(url)).then_some(last),
            (false, false) => return self.first_aligned(url),
        }?;
        self.is_aligned(url, at).then_some(at)
    }

    fn is_aligned(&self, url: &str, at: usize) -> bool {
        is_border(url.as_bytes(), at) && is_border(url.as_bytes(), at + self.from.len())
    }

    fn first_aligned(&self, url: &str) -> Option<usize> {
        let (text, alpha) = (url.as_bytes(), self.from.as_bytes());
        let start = path_start(url);
        let mut places = memchr_iter(*alpha.first()?, &text[start..]).map(|at| start + at);
        let is_here = |at: &usize| text[*at..].starts_with(alpha) && self.is_aligned(url, *at);
        if let Some(at) = places.by_ref().take(FEW).find(is_here) {
            return Some(at);
        }
        let next = places.next()?;
        occurrences(&text[next..], alpha).map(|at| next + at).find(|at| self.is_aligned(url, *at))
    }

    /// Whether the rule is meaningful; the reason if it is not.
    pub fn check(&self) -> Result<(), String> {
        if self.from == self.to {
            return Err("replaces a text by itself".into());
        }
        if self.from.is_empty() {
            return Err("replaces an empty text, which would make a URL grow without end".into());
        }
        if let Some(text) =
            [&self.from, &self.to].into_iter().find(|text| text.contains(char::is_control))
        {
            return Err(format!("{text:?} holds a control character"));
        }
        Ok(())
    }

    /// The length of α in tokens, `^` and `$` included.
    pub(crate) fn specificity(&self) -> usize {
        token_ends(&self.from).count() + usize::from(self.at_start) + usize::from(self.at_end)
    }
}

/// `"/index.html$" → "/$"`; a `^` or `$` of the text itself has a backslash.
impl fmt::Display for TextSubstitution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |text: &str| {
            let text: String = text.chars().map(escaped).collect();
            let (start, end) =
                (if self.at_start { "^" } else { "" }, if self.at_end { "$" } else { "" });
            format!("\"{start}{text}{end}\"")
        };
        write!(f, "{} → {}", side(&self.from), side(&self.to))
    }
}

fn escaped(character: char) -> String {
    match character {
        '^' | '$' => format!("\\{character}"),
        _ => character.escape_debug().collect(),
    }
}

/// Every place of a text, overlapping ones too, ascending; the text must not be empty. Knuth,
/// Morris and Pratt's algorithm is linear; searching anew after each place would not be.
fn occurrences<'t>(text: &'t [u8], sought: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let borders = borders(sought);
    let mut matched = 0;
    (0..text.len()).filter_map(move |at| {
        while matched == sought.len() || matched > 0 && text[at] != sought[matched] {
            matched = borders[matched - 1];
        }
        matched += usize::from(text[at] == sought[matched]);
        (matched == sought.len()).then(|| at + 1 - matched)
    })
}

/// For each prefix of a text, the length of its longest proper prefix that also ends it.
fn borders(text: &[u8]) -> Vec<usize> {
    let mut borders = vec![0; text.len()];
    for at in 1..text.len() {
        let mut length = borders[at - 1];
        while length > 0 && text[at] != text[length] {
            length = borders[length - 1];
        }
        borders[at] = length + usize::from(text[at] == text[length]);
    }
    borders
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A rule in the paper's notation, for texts without `^` and `$` of their own.
    pub(crate) fn text(from: &str, to: &str) -> TextSubstitution {
        let bare = |text: &str| text.trim_start_matches('^').trim_end_matches('$').to_owned();
        let (at_start, at_end) = (from.starts_with('^'), from.ends_with('$'));
        TextSubstitution { from: bare(from), to: bare(to), at_start, at_end }
    }

    #[track_caller]
    fn check(rule: &TextSubstitution, url: &str, image: Option<&str>) {
        assert_eq!(rule.apply(url).as_deref(), image, "{rule} on {url}");
    }

    #[test]
    fn the_papers_rules() {
        check(&text("/index.html$", "/$"), "http://x.com/a/index.html", Some("http://x.com/a/"));
        check(&text("/index.html$", "/$"), "http://x.com/index.html/a", None);
        check(
            &text("story?id=", "story_"),
            "http://x.com/story?id=4",
            Some("http://x.com/story_4"),
        );
        check(&text("/$", "$"), "http://x.com/a/", Some("http://x.com/a"));
        check(&text("$", "/$"), "http://x.com", Some("http://x.com/"));
        check(
            &text("^http://x.com/", "^http://www.x.com/"),
            "http://x.com/a",
            Some("http://www.x.com/a"),
        );
    }

    #[test]
    fn a_prefix_that_ends_a_text_is_found_in_shorter_ones() {
        assert_eq!(borders(b"aabaaab"), [0, 1, 0, 1, 2, 2, 3]);
        assert_eq!(borders(b"abacabad"), [0, 0, 1, 0, 1, 2, 3, 0]);
        assert_eq!(occurrences(b"aabaaabaaab", b"aabaaab").collect::<Vec<_>>(), [0, 4]);
    }

    #[test]
    fn only_whole_tokens_are_replaced() {
        check(&text("ab", "x"), "/cab/abc/ab", Some("/cab/abc/x"));
        check(&text("a/a", "x"), "/ba/a/a", Some("/ba/x"));
        check(&text("/index.html$", "$"), "x/index.html", Some("x"));
        check(&text("index.html$", "$"), "/myindex.html", None);
        check(&text("^ht", "^x"), "http://x.com", None);
    }

    #[test]
    fn the_host_is_left_alone() {
        check(&text("blog", "b"), "http://blog.com/blog", Some("http://blog.com/b"));
        check(&text("blog", "b"), "http://blog.com/", None);
        check(&text("blog$", "b$"), "http://blog", None);
        check(
            &text("^http://blog", "^http://b"),
            "http://blog.com/blog",
            Some("http://b.com/blog"),
        );
    }

    #[test]
    fn rules_that_mean_nothing_are_refused() {
        assert!(text("a", "a").check().is_err());
        assert!(text("", "a").check().is_err());
        assert!(text("$", "/$").check().is_err());
        assert!(text("a", "\n").check().is_err());
        check(&text("", "a"), "/b", None);
    }

    #[test]
    fn the_notation() {
        assert_eq!(text("/index.html$", "/$").to_string(), "\"/index.html$\" → \"/$\"");
        let own =
            TextSubstitution {
                from: "a$".into(), to: "\"é".into(), at_start: true, at_end: false
            };
        assert_eq!(own.to_string(), "\"^a\\$\" → \"^\\\"é\"");
        assert_eq!(text("/index.html$", "/$").specificity(), 5);
    }

    proptest! {
        #[test]
        fn total_on_any_string(
            from in any::<String>(), to in any::<String>(), ends: (bool, bool), url in any::<String>()
        ) {
            let rule = TextSubstitution { from, to, at_start: ends.0, at_end: ends.1 };
            let image = rule.apply(&url);
            prop_assert_ne!(image.as_deref(), Some(url.as_str()));
        }

        #[test]
        fn the_first_aligned_place_is_found(from in "[ab/]{1,5}", url in "[ab/]{0,40}") {
            let rule = text(&from, "#");
            let places = 0..(url.len() + 1).saturating_sub(from.len());
            let plain = places
                .filter(|&at| url[at..].starts_with(&from))
                .find(|&at| rule.is_aligned(&url, at))
                .map(|at| format!("{}#{}", &url[..at], &url[at + from.len()..]));
            prop_assert_eq!(rule.apply(&url), plain);
        }
    }
}
