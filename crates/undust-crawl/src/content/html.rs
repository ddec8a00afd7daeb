//! Title, labels and visible words of a page, in one pass over its HTML.

use htmlize::{unescape, unescape_attribute};

use undust_pages::labels::MOST_ALTERNATES;
use undust_pages::simhash::{Shingles, Simhash};
use undust_pages::text_hash::TextHash;

use super::tags::{Attributes, HtmlToken, HtmlTokens};

/// Largest size in bytes of a title that is the first line of a text.
const TITLE: usize = 1024;

/// The visible content of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HtmlPage {
    /// The first `<title>`, entities decoded, white space collapsed; never empty.
    pub title: Option<String>,
    /// The first `<link rel=canonical>` before the body, as written.
    pub canonical: Option<String>,
    /// The first `<meta property=og:url>` before the body, as written.
    pub og_url: Option<String>,
    /// The first 64 `<link rel=alternate hreflang>` before the body, as written.
    pub alternates: Vec<String>,
    /// The first `<base href>`, as written: the URLs above are relative to it.
    pub base: Option<String>,
    /// Fingerprint of the visible words; `None` if there are none.
    pub simhash: Option<Simhash>,
    /// Hash of the visible words, runs of digits masked; `None` if there are none.
    pub text_hash: Option<TextHash>,
    /// Number of visible words.
    pub words: u64,
}

impl HtmlPage {
    /// Reads a page. Total: anything that is not HTML is text.
    ///
    /// All text is visible, except in the title, in comments and in `script`, `style`,
    /// `noscript`, `template`, `iframe`, `noembed`, `noframes` and `xmp`. A tag ends a word.
    pub fn parse(html: &str) -> HtmlPage {
        let (mut reader, mut pieces) = (HtmlReader::default(), HtmlTokens::new(html));
        while let Some(piece) = pieces.next() {
            match piece {
                HtmlToken::Text(text) => reader.text(text),
                HtmlToken::Open(name, attributes) => {
                    reader.open(name, attributes, pieces.in_foreign())
                }
                HtmlToken::Close(name) => reader.close(name),
            }
        }
        reader.finish()
    }

    /// Reads text that another program extracted from a page. Its first line is the title, because
    /// such texts begin with the title of their page.
    pub(crate) fn of_text(text: &str) -> HtmlPage {
        let mut reader = HtmlReader::default();
        reader.shingles.push_text(text);
        let title = text.lines().map(str::trim).find(|line| !line.is_empty());
        reader.page.title = title.map(|title| title[..title.floor_char_boundary(TITLE)].to_owned());
        reader.finish()
    }
}

/// The content found so far.
#[derive(Default)]
struct HtmlReader {
    page: HtmlPage,
    shingles: Shingles,
    in_title: bool,
    title_ended: bool,
    /// Open `<template>`s.
    templates: usize,
    /// Labels that come later are content, which anyone may have written.
    head_ended: bool,
}

impl HtmlReader {
    fn text(&mut self, text: &str) {
        if !self.in_title && self.templates == 0 {
            self.shingles.push_text(&unescape(text));
        } else if self.in_title && !self.title_ended {
            self.page.title = title_of(&unescape(text));
        }
    }

    fn open(&mut self, name: &str, attributes: Attributes<'_>, in_foreign: bool) {
        // Comparing lengths first is fast: few names matter, and most others have another length.
        match name.len() {
            // The title of a drawing is ordinary text.
            5 if name.eq_ignore_ascii_case("title") => self.in_title = !in_foreign,
            4 if name.eq_ignore_ascii_case("body") => self.head_ended = true,
            4 if name.eq_ignore_ascii_case("link") => self.link(attributes),
            4 if name.eq_ignore_ascii_case("meta") => self.meta(attributes),
            4 if name.eq_ignore_ascii_case("base") && self.page.base.is_none() => {
                self.page.base = attribute(attributes, "href");
            }
            8 if name.eq_ignore_ascii_case("template") => self.templates += 1,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if self.in_title && name.eq_ignore_ascii_case("title") {
            (self.in_title, self.title_ended) = (false, true);
        } else if self.templates > 0 && name.eq_ignore_ascii_case("template") {
            self.templates -= 1;
        } else if name.eq_ignore_ascii_case("head") {
            self.head_ended = true;
        }
    }

    fn link(&mut self, attributes: Attributes<'_>) {
        if self.head_ended {
            return;
        }
        let relation = attributes.get("rel").unwrap_or_default();
        let is = |relation_name: &str| {
            relation.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(relation_name))
        };
        if is("canonical") && self.page.canonical.is_none() {
            self.page.canonical = attribute(attributes, "href");
        } else if self.page.alternates.len() < MOST_ALTERNATES
            && is("alternate")
            && attributes.get("hreflang").is_some()
        {
            self.page.alternates.extend(attribute(attributes, "href"));
        }
    }

    fn meta(&mut self, attributes: Attributes<'_>) {
        if self.head_ended || self.page.og_url.is_some() {
            return;
        }
        // Some sites write `name` for `property`.
        let property = attributes.get("property").or_else(|| attributes.get("name"));
        if property.is_some_and(|property| property.trim().eq_ignore_ascii_case("og:url")) {
            self.page.og_url = attribute(attributes, "content");
        }
    }

    fn finish(self) -> HtmlPage {
        HtmlPage {
            simhash: self.shingles.simhash(),
            text_hash: self.shingles.text_hash(),
            words: self.shingles.words(),
            ..self.page
        }
    }
}

fn attribute(attributes: Attributes<'_>, name: &str) -> Option<String> {
    let value = unescape_attribute(attributes.get(name)?);
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// A title as it counts, with one space for any white space; none of white space alone.
pub(crate) fn title_of(text: &str) -> Option<String> {
    let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(title).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use undust_pages::simhash::simhash;

    use super::*;

    fn words_of(html: &str) -> Option<Simhash> {
        HtmlPage::parse(html).simhash
    }

    #[test]
    fn title_canonical_and_base() {
        let page = HtmlPage::parse(
            "<!doctype html><head><title>\n A &amp; B\t&#8211; caf&eacute; </title><base href=' /x/ '>\
             <link rel='ALTERNATE Canonical' href='/p?a=1&amp;b=2'><link rel=canonical href=/q></head>\
             <body><svg><title>drawn</title></svg><title>second</title>",
        );
        assert_eq!(page.title.as_deref(), Some("A & B – café"));
        assert_eq!(page.canonical.as_deref(), Some("/p?a=1&b=2"));
        assert_eq!(page.base.as_deref(), Some("/x/"));
    }

    #[test]
    fn labels_after_the_head_are_content() {
        for start in ["<body>", "<head></head>"] {
            let page = HtmlPage::parse(&format!(
                "{start}<link rel=canonical href=/spam><meta property=og:url content=/spam>\
                 <link rel=alternate hreflang=de href=/spam>"
            ));
            let labels = (page.canonical, page.og_url, page.alternates);
            assert_eq!(labels, (None, None, Vec::new()), "{start}");
        }
    }

    #[test]
    fn og_url_and_alternates() {
        let page = HtmlPage::parse(
            "<meta property=' OG:url ' content=' /p?a=1&amp;b=2 '><meta property=og:url content=/q>\
             <link rel=canonical href=/c><link rel=Alternate hreflang=de href=/de>\
             <link rel=alternate type=application/rss+xml href=/feed>\
             <link hreflang=x-default rel='alternate' href=/><link rel=alternate hreflang=fr href=''>",
        );
        assert_eq!(page.og_url.as_deref(), Some("/p?a=1&b=2"));
        assert_eq!(page.alternates, ["/de", "/"]);
        let many = "<link rel=alternate hreflang=de href=/de>".repeat(2 * MOST_ALTERNATES);
        assert_eq!(HtmlPage::parse(&many).alternates.len(), MOST_ALTERNATES);
    }

    #[test]
    fn only_visible_text_counts() {
        let html = "<head><title>no</title><style>no{}</style></head><body>One<!-- no --><b>two</b>\
            <script>if (a < b) no()</script><noscript>no</noscript><template>no<p>no</p></template>\
            th&#114;ee&nbsp;<textarea>FOUR</textarea><p title=no>five<i hidden style='display: none'>six\
            <wbr>seven</i><svg><style>eight</style><template>no</template></svg>";
        let words = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        assert_eq!(words_of(html), simhash(words));
        assert_eq!(HtmlPage::parse(html).words, 8);
    }

    #[test]
    fn odd_pages_are_read_as_far_as_they_go() {
        assert_eq!(HtmlPage::parse(""), HtmlPage::default());
        assert_eq!(HtmlPage::parse("<title> </title>").title, None);
        assert_eq!(words_of("plain words only"), simhash(["plain", "words", "only"]));
        assert_eq!(words_of("a <b c d"), simhash(["a"]));
        assert_eq!(words_of("a &bogus; b\0c"), simhash(["a", "bogus", "b", "c"]));
        let deep = "<div>".repeat(200_000) + "end";
        assert!(HtmlPage::parse(&deep).words <= 1);
    }

    #[test]
    fn a_long_text_node_is_one_text() {
        let long = "word ".repeat(100_000) + "x";
        assert_eq!(HtmlPage::parse(&long).words, 100_001);
    }
}
