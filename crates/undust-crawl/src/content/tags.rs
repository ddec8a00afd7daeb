//! HTML cut into text and tags, as browsers cut it (WHATWG HTML, 13.2.5), in one
//! pass and without copies.
//!
//! Written by hand because reading a crawl spends most of its time here. HTML parsers build a tree
//! or rewrite the page, at a tenth of the speed; this scanner only borrows parts of the page.

use memchr::memmem;

use undust_util::op_counter;

/// Elements whose content is text to the parser. No browser that runs scripts shows it.
const HIDDEN: [&str; 7] = ["script", "style", "noscript", "iframe", "noembed", "noframes", "xmp"];
/// Elements whose content is text to the parser, with entities.
const TEXT_ONLY: [&str; 2] = ["title", "textarea"];

/// A piece of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HtmlToken<'h> {
    /// Text, entities not decoded, never empty.
    Text(&'h str),
    /// `<name …>`: the name, and the text between it and `>`.
    Open(&'h str, Attributes<'h>),
    /// `</name>`.
    Close(&'h str),
}

/// Cuts a page into pieces. Comments, doctypes and the content of scripts, styles and similar
/// elements are left out, and so is a tag that the page does not finish.
///
/// Total: any text is HTML.
#[derive(Debug)]
pub(super) struct HtmlTokens<'h> {
    html: &'h str,
    at: usize,
    /// The element whose content is read next without looking for tags.
    text_only: Option<&'h str>,
    /// Number of open `<svg>` and `<math>` elements. Inside them no element has text-only content.
    foreign: usize,
}

impl<'h> HtmlTokens<'h> {
    /// Starts at the beginning of the page.
    pub(super) fn new(html: &'h str) -> Self {
        HtmlTokens { html, at: 0, text_only: None, foreign: 0 }
    }

    /// Whether the last piece is inside a drawing or a formula.
    pub(super) fn in_foreign(&self) -> bool {
        self.foreign > 0
    }

    /// Takes the text before the next markup.
    fn text(&mut self) -> Option<HtmlToken<'h>> {
        let start = self.at;
        let end = match self.text_only.take() {
            Some(name) => content_end(self.html, start, name),
            None => markup(self.html.as_bytes(), start),
        };
        op_counter::count(end - start);
        self.at = end;
        (end > start).then(|| HtmlToken::Text(&self.html[start..end]))
    }

    /// Takes the markup at this position: a piece, or `None` if it is left out.
    fn markup(&mut self) -> Option<HtmlToken<'h>> {
        let bytes = self.html.as_bytes();
        let start = self.at;
        let is_end_tag = bytes[start + 1] == b'/';
        let name_start = start + 1 + usize::from(is_end_tag);
        if !bytes.get(name_start).is_some_and(u8::is_ascii_alphabetic) {
            self.at = comment_end(self.html, start);
            op_counter::count(self.at - start);
            return None;
        }
        let name_length = bytes[name_start..].iter().position(ends_name);
        let name_end = name_length.map_or(bytes.len(), |length| name_start + length);
        let name = &self.html[name_start..name_end];
        let mut attributes = Attributes { rest: &self.html[name_end..] };
        let length = attributes.length();
        op_counter::count(length.unwrap_or(bytes.len() - name_end));
        let Some(length) = length else {
            self.at = bytes.len();
            return None;
        };
        attributes.rest = &self.html[name_end..name_end + length];
        self.at = name_end + length + 1;
        if is_end_tag {
            self.foreign = self.foreign.saturating_sub(usize::from(is_foreign(name)));
            return Some(HtmlToken::Close(name));
        }
        self.open(name);
        Some(HtmlToken::Open(name, attributes))
    }

    fn open(&mut self, name: &'h str) {
        if is_foreign(name) {
            self.foreign += 1;
        } else if self.foreign > 0 {
            // Inside a drawing, `script` and `title` are elements like any other.
        } else if is_one_of(name, &HIDDEN) {
            let end = content_end(self.html, self.at, name);
            op_counter::count(end - self.at);
            self.at = end;
        } else if is_one_of(name, &TEXT_ONLY) || name.eq_ignore_ascii_case("plaintext") {
            self.text_only = Some(name);
        }
    }
}

impl<'h> Iterator for HtmlTokens<'h> {
    type Item = HtmlToken<'h>;

    fn next(&mut self) -> Option<HtmlToken<'h>> {
        while self.at < self.html.len() {
            let text = self.text();
            // After a text-only element without content the page may be at its end.
            if text.is_some() || self.at == self.html.len() {
                return text;
            }
            let markup = self.markup();
            if markup.is_some() {
                return markup;
            }
        }
        None
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn is_foreign(name: &str) -> bool {
    is_one_of(name, &["svg", "math"])
}

/// Whether the name of a tag ends before a byte.
fn ends_name(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
}

/// The position of the next `<` that begins a tag or a comment, or the end.
fn markup(bytes: &[u8], from: usize) -> usize {
    let begins = |at: &usize| match bytes.get(at + 1) {
        Some(b'/') => bytes.get(at + 2).is_some(),
        Some(byte) => byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?'),
        None => false,
    };
    memchr::memchr_iter(b'<', &bytes[from..])
        .map(|at| from + at)
        .find(begins)
        .unwrap_or(bytes.len())
}

/// The position where the content of a text-only element ends: at its end tag.
fn content_end(html: &str, from: usize, name: &str) -> usize {
    let bytes = html.as_bytes();
    let is_end = |at: &usize| {
        let after = at + 2 + name.len();
        bytes.get(at + 2..after).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
            && bytes.get(after).is_none_or(ends_name)
    };
    if name.eq_ignore_ascii_case("plaintext") {
        return bytes.len();
    }
    memmem::find_iter(&bytes[from..], b"</").map(|at| from + at).find(is_end).unwrap_or(bytes.len())
}

/// The end of the comment, doctype or invalid markup that begins at `start`.
fn comment_end(html: &str, start: usize) -> usize {
    let rest = &html.as_bytes()[start..];
    let end = match rest.strip_prefix(b"<!--") {
        None | Some([b'>', ..] | [b'-', b'>', ..]) => memchr::memchr(b'>', rest).map(|at| at + 1),
        Some(comment) => memmem::find_iter(comment, b"--").find_map(|at| match &rest[at + 6..] {
            [b'>', ..] => Some(at + 7),
            [b'!', b'>', ..] => Some(at + 8),
            _ => None,
        }),
    };
    end.map_or(html.len(), |end| start + end)
}

/// The attributes of a tag: names and values, entities not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attributes<'h> {
    rest: &'h str,
}

impl<'h> Attributes<'h> {
    /// The value of the first attribute of that name.
    pub(super) fn get(mut self, name: &str) -> Option<&'h str> {
        op_counter::count(self.rest.len());
        self.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Bytes up to the `>` that ends the tag; `None` if there is none.
    fn length(self) -> Option<usize> {
        let whole = self.rest.len();
        let mut attributes = self;
        while attributes.next().is_some() {}
        attributes.rest.starts_with('>').then(|| whole - attributes.rest.len())
    }

    fn take_until(&mut self, is_end: impl Fn(u8) -> bool) -> &'h str {
        let end = self.rest.bytes().position(is_end).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn value(&mut self) -> &'h str {
        self.rest = self.rest.trim_ascii_start();
        let Some(after) = self.rest.strip_prefix('=') else { return "" };
        self.rest = after.trim_ascii_start();
        let Some(quote @ (b'"' | b'\'')) = self.rest.bytes().next() else {
            return self.take_until(|byte| byte.is_ascii_whitespace() || byte == b'>');
        };
        let quoted = &self.rest[1..];
        let end = memchr::memchr(quote, quoted.as_bytes());
        // Without a closing quote the value takes the rest of the page, and there is no tag.
        self.rest = end.map_or("", |end| &quoted[end + 1..]);
        &quoted[..end.unwrap_or(quoted.len())]
    }
}

impl<'h> Iterator for Attributes<'h> {
    type Item = (&'h str, &'h str);

    fn next(&mut self) -> Option<(&'h str, &'h str)> {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if self.rest.is_empty() || self.rest.starts_with('>') {
            return None;
        }
        // The standard allows a name to begin with `=`.
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let start = self.rest;
        self.rest = &self.rest[first..];
        let more = self
            .take_until(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'='));
        let name = &start[..first + more.len()];
        Some((name, self.value()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(html: &str) -> String {
        let show = |piece| match piece {
            HtmlToken::Text(text) => format!("[{text}]"),
            HtmlToken::Open(name, attributes) => {
                let attributes: Vec<_> =
                    attributes.map(|(name, value)| format!(" {name}={value}")).collect();
                format!("<{name}{}>", attributes.concat())
            }
            HtmlToken::Close(name) => format!("</{name}>"),
        };
        HtmlTokens::new(html).map(show).collect()
    }

    #[test]
    fn pieces() {
        for (html, expected) in [
            ("a<b>c</b >d", "[a]<b>[c]</b>[d]"),
            ("<a href=x/y title='>' data-x=\"a>b\" c>t", "<a href=x/y title=> data-x=a>b c=>[t]"),
            ("<br/><p/id = 1>", "<br><p id=1>"),
            ("1 < 2 <3", "[1 < 2 <3]"),
            ("a<!-- <b> --!>c<!-->d<!--->e<!-- x", "[a][c][d][e]"),
            ("<!DOCTYPE html><?xml ?></ x><![CDATA[y]]>z", "[z]"),
            ("<script>a</b><b></SCRIPT >x", "<script></SCRIPT>[x]"),
            ("<title>a<b></title>c", "<title>[a<b>]</title>[c]"),
            ("<svg><title>a<b></title></svg>", "<svg><title>[a]<b></title></svg>"),
            ("<title></title><textarea>", "<title></title><textarea>"),
            ("<plaintext></plaintext><b>", "<plaintext>[</plaintext><b>]"),
            ("a<b c='", "[a]"),
            ("a<", "[a<]"),
            ("a</", "[a</]"),
            ("é<ü><bé ü=ö>", "[é<ü>]<bé ü=ö>"),
        ] {
            assert_eq!(cut(html), expected, "{html}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_cut(html in "([<>/!='\" a-cé-]|<!--|-->|</?(script|title|svg|p)|&amp;){0,60}") {
            HtmlTokens::new(&html).for_each(|piece| drop(format!("{piece:?}")));
        }
    }
}
