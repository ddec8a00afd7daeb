//! Pieces of a URL, finer than [tokens](super::tokens): every delimiter is a separate piece, and
//! none is implied. So an edit can delete or insert each of them. The concatenated pieces of any
//! string give that string.

use super::traits::Traits;

/// The part of the URL that a piece belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UrlPart {
    /// The scheme.
    Scheme,
    /// Host, port and user, uncut.
    Authority,
    /// The path.
    Path,
    /// A name in the query.
    Key,
    /// A value in the query.
    Value,
    /// After `#`.
    Fragment,
}

/// A piece of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'u> {
    /// Its bytes.
    pub text: &'u str,
    /// The part of the URL that it belongs to; a delimiter belongs to the part that it ends.
    pub part: UrlPart,
    /// Whether it is a delimiter: one character, or `://`.
    pub delimiter: bool,
}

/// A piece, given by its end; it begins at the end of the piece before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub end: usize,
    pub part: UrlPart,
    pub what: What,
}

/// Whether a piece is a delimiter, and which sorts of bytes it has if it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Delimiter,
    Word(Traits),
}

/// The pieces of `url`, which may be any string. Linear, allocates nothing.
pub fn pieces(url: &str) -> Pieces<'_> {
    let authority = super::tokens::authority(url);
    let part = if authority.is_empty() { UrlPart::Path } else { UrlPart::Scheme };
    Pieces { url, at: 0, word_end: 0, authority, part }
}

/// Iterator over the pieces of one URL; see [`pieces`].
#[derive(Debug, Clone)]
pub struct Pieces<'u> {
    url: &'u str,
    at: usize,
    /// The end of the word from which a piece was cut off: it is looked for once, not from each piece on.
    word_end: usize,
    authority: std::ops::Range<usize>,
    part: UrlPart,
}

impl<'u> Pieces<'u> {
    /// The pieces from a position after the authority on, where a piece of `part` begins.
    pub(super) fn from(url: &'u str, at: usize, part: UrlPart) -> Self {
        Self { url, at, word_end: 0, authority: 0..0, part }
    }

    /// Where the authority ends; none without one.
    pub(super) fn authority_end(&self) -> Option<usize> {
        (!self.authority.is_empty()).then_some(self.authority.end)
    }

    /// The part of the URL that the next piece belongs to.
    pub(super) fn part(&self) -> UrlPart {
        self.part
    }

    /// Whether the pieces of a URL before `end` are the same whatever follows. `end` must be after
    /// the authority and at the end of a piece. The cut of a word depends on the whole word.
    pub(super) fn ends_before(url: &[u8], end: usize) -> bool {
        Traits::of_byte(url[end - 1]).has(Traits::DELIMITER)
    }

    fn take(&mut self, end: usize, part: UrlPart, what: What) -> Span {
        self.at = end;
        Span { end, part, what }
    }

    /// A word up to `end`, which may hold any byte.
    fn take_any(&mut self, end: usize, part: UrlPart) -> Span {
        let traits = Traits::of(&self.url.as_bytes()[self.at..end]);
        self.take(end, part, What::Word(traits))
    }

    /// Scheme, `://` and authority come first, if there are any.
    fn front(&mut self) -> Option<Span> {
        let colon = self.authority.start.checked_sub(3)?;
        if self.at < colon {
            return Some(self.take_any(colon, UrlPart::Scheme));
        }
        if self.at == colon {
            return Some(self.take(self.authority.start, UrlPart::Scheme, What::Delimiter));
        }
        if self.at == self.authority.start && !self.authority.is_empty() {
            self.part = UrlPart::Path;
            return Some(self.take_any(self.authority.end, UrlPart::Authority));
        }
        None
    }

    fn delimiter(&mut self, byte: u8) -> Span {
        let part = self.part;
        self.part = match (part, byte) {
            (UrlPart::Fragment, _) | (_, b'#') => UrlPart::Fragment,
            (_, b'?') | (UrlPart::Key | UrlPart::Value, b'&' | b';') => UrlPart::Key,
            (UrlPart::Key, b'=') => UrlPart::Value,
            (part, _) => part,
        };
        self.take(self.at + 1, part, What::Delimiter)
    }

    /// The next piece, given by its end; the text itself is not needed.
    #[inline]
    pub(super) fn next_span(&mut self) -> Option<Span> {
        if self.at <= self.authority.start
            && let Some(span) = self.front()
        {
            return Some(span);
        }
        let rest = &self.url.as_bytes()[self.at..];
        let byte = *rest.first()?;
        if Traits::of_byte(byte).has(Traits::DELIMITER) {
            return Some(self.delimiter(byte));
        }
        if self.at < self.word_end {
            return Some(self.marked(self.word_end - self.at, None));
        }
        let (mut length, mut traits) = (0, Traits::default());
        for byte in rest {
            let of_byte = Traits::of_byte(*byte);
            if of_byte.has(Traits::DELIMITER) {
                break;
            }
            traits |= of_byte;
            length += 1;
        }
        if traits.has(Traits::JOINT) {
            self.word_end = self.at + length;
            return Some(self.marked(length, Some(traits)));
        }
        Some(self.take(self.at + length, self.part, What::Word(traits)))
    }

    /// The next piece, if the next word contains a mark or a `T`, or did before pieces were cut off; and the word's
    /// traits, if they are known.
    fn marked(&mut self, length: usize, traits: Option<Traits>) -> Span {
        let word = &self.url.as_bytes()[self.at..self.at + length];
        if self.part == UrlPart::Value
            && let Some(day) = time_cut(word)
        {
            return self.take_any(self.at + day, self.part);
        }
        match number_cut(word) {
            0 => self.take(self.at + 1, self.part, What::Delimiter),
            cut if cut < length => self.take_any(self.at + cut, self.part),
            _ => match traits {
                Some(traits) => self.take(self.at + length, self.part, What::Word(traits)),
                None => self.take_any(self.at + length, self.part),
            },
        }
    }
}

impl<'u> Iterator for Pieces<'u> {
    type Item = Piece<'u>;

    fn next(&mut self) -> Option<Piece<'u>> {
        let from = self.at;
        let Span { end, part, what } = self.next_span()?;
        let delimiter = what == What::Delimiter;
        Some(Piece { text: &self.url[from..end], part, delimiter })
    }
}

/// The position at which a word with a number at one end is cut: `112-green-shoes` after the
/// number, `green-shoes_112` before it; 0 if the word begins with the mark that joined the two.
fn number_cut(word: &[u8]) -> usize {
    let is_mark = |byte: u8| matches!(byte, b'-' | b'_');
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let (first, last) = (word[0], word[word.len() - 1]);
    // Most words neither begin nor end so that there is anything to look for.
    if !is_mark(first) && !first.is_ascii_digit() && !last.is_ascii_digit() {
        return word.len();
    }
    if word.len() > 1 && is_mark(first) && !is_mark(word[1]) {
        return 0;
    }
    let first = word.iter().position(|byte| is_mark(*byte));
    if let Some(at) = first.filter(|at| is_number(&word[..*at])) {
        return at;
    }
    let last = word.iter().rposition(|byte| is_mark(*byte));
    last.filter(|at| is_number(&word[at + 1..])).unwrap_or(word.len())
}

/// The end of the day in a time as ISO 8601 writes it: `01T20%3A25`, `20241201T202500Z`. Only for
/// values of the query, each of which may be cut.
fn time_cut(word: &[u8]) -> Option<usize> {
    let digits = |part: &[u8]| part.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let day = digits(word);
    let time = word[day..].strip_prefix(b"T")?;
    let length = digits(time);
    let is_time = matches!(day, 2 | 8)
        && matches!(length, 2 | 4 | 6)
        && time.get(length).is_none_or(|byte| matches!(byte, b'%' | b'Z' | b'+' | b'-'));
    is_time.then_some(day)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(url: &str) -> Vec<&str> {
        pieces(url).map(|piece| piece.text).collect()
    }

    #[test]
    fn every_delimiter_is_a_piece() {
        let url = "http://x.com:80/a/b.php?k=v&l";
        let cut = [
            "http", "://", "x.com:80", "/", "a", "/", "b", ".", "php", "?", "k", "=", "v", "&", "l",
        ];
        assert_eq!(texts(url), cut);
        let parts: Vec<_> = pieces("a?k=v#f").map(|piece| piece.part).collect();
        use UrlPart::*;
        assert_eq!(parts, [Path, Path, Key, Key, Value, Value, Fragment]);
    }

    #[test]
    fn a_number_at_the_end_of_a_word_is_apart() {
        assert_eq!(texts("112-green-shoes"), ["112", "-", "green-shoes"]);
        assert_eq!(texts("green-shoes_112"), ["green-shoes", "_", "112"]);
        assert_eq!(texts("2018-07"), ["2018", "-", "07"]);
        for whole in ["green-shoes", "-", "--", "112", "a-1-b", "01T20"] {
            assert_eq!(texts(whole), [whole]);
        }
        assert_eq!(
            texts("1-2_3-a-4/5-"),
            ["1", "-", "2", "_", "3", "-", "a", "-", "4", "/", "5", "-"]
        );
    }

    #[test]
    fn a_day_is_apart_from_its_time() {
        let value = |text: &str| texts(&format!("?a={text}"))[3..].join(" ");
        assert_eq!(value("2024-12-01T20%3A25Z"), "2024 - 12 - 01 T20%3A25Z");
        assert_eq!(value("12-01T20:25"), "12 - 01 T20 : 25");
        assert_eq!(value("20241201T202500+01"), "20241201 T202500+01");
        for whole in ["01Tx", "1T20", "01T2", "01T20x", "T20", "12T"] {
            assert_eq!(value(whole), whole);
        }
    }

    proptest! {
        #[test]
        fn pieces_are_the_string(url in "\\PC*") {
            prop_assert_eq!(texts(&url).concat(), url);
        }

        #[test]
        fn pieces_of_urls_are_the_string(url in "(http|a.b|)(:|)[/]{0,3}[a1.:?=&#;/_-]{0,24}") {
            prop_assert_eq!(texts(&url).concat(), url.clone());
            prop_assert!(pieces(&url).all(|piece| !piece.text.is_empty()));
        }
    }
}
