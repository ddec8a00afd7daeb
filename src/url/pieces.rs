//! Pieces of a URL, finer than [tokens](super::tokens): every delimiter is a piece of its own,
//! none is implied. So an edit can delete or insert any of them, and the pieces of any string,
//! one after the other, are that string.

/// Where a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
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
    /// Where it stands; a delimiter stands where what it ends stood.
    pub part: Part,
    /// Whether it is a delimiter: one character, or `://`.
    pub delimiter: bool,
}

/// What a byte is for the cutting of a URL behind its authority.
const CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let (delimiters, marks) = (b"/?=&;:#.,~", b"-_");
    let mut place = 0;
    while place < delimiters.len() {
        table[delimiters[place] as usize] = DELIMITER;
        place += 1;
    }
    table[marks[0] as usize] = MARK;
    table[marks[1] as usize] = MARK;
    table
};
/// It cuts.
const DELIMITER: u8 = 1;
/// It may join a word and a number.
const MARK: u8 = 2;

/// The pieces of `url`, which may be any string. Linear, allocates nothing.
pub fn pieces(url: &str) -> Pieces<'_> {
    let authority = super::tokens::authority(url);
    let part = if authority.is_empty() { Part::Path } else { Part::Scheme };
    Pieces { url, at: 0, authority, part }
}

/// Iterator over the pieces of one URL; see [`pieces`].
#[derive(Debug, Clone)]
pub struct Pieces<'u> {
    url: &'u str,
    at: usize,
    authority: std::ops::Range<usize>,
    part: Part,
}

impl<'u> Pieces<'u> {
    /// Those from a place behind the authority on, where a piece of `part` begins.
    pub(super) fn from(url: &'u str, at: usize, part: Part) -> Self {
        Self { url, at, authority: 0..0, part }
    }

    /// Where the authority ends; none without one.
    pub(super) fn authority_end(&self) -> Option<usize> {
        (!self.authority.is_empty()).then_some(self.authority.end)
    }

    /// The part of the URL that the next piece is of.
    pub(super) fn part(&self) -> Part {
        self.part
    }

    /// Whether the pieces of a URL before `end`, which is behind the authority and where a piece
    /// ends, are the same whatever follows. Where a word is cut depends on all of it.
    pub(super) fn ends_before(url: &[u8], end: usize) -> bool {
        CLASSES[usize::from(url[end - 1])] == DELIMITER
    }

    fn take(&mut self, end: usize, part: Part, delimiter: bool) -> Piece<'u> {
        let text = &self.url[self.at..end];
        self.at = end;
        Piece { text, part, delimiter }
    }

    /// Scheme, `://` and authority come first, if there are any.
    fn front(&mut self) -> Option<Piece<'u>> {
        let colon = self.authority.start.checked_sub(3)?;
        if self.at < colon {
            return Some(self.take(colon, Part::Scheme, false));
        }
        if self.at == colon {
            return Some(self.take(self.authority.start, Part::Scheme, true));
        }
        if self.at == self.authority.start && !self.authority.is_empty() {
            self.part = Part::Path;
            return Some(self.take(self.authority.end, Part::Authority, false));
        }
        None
    }

    fn delimiter(&mut self, byte: u8) -> Piece<'u> {
        let part = self.part;
        self.part = match (part, byte) {
            (Part::Fragment, _) | (_, b'#') => Part::Fragment,
            (_, b'?') | (Part::Key | Part::Value, b'&' | b';') => Part::Key,
            (Part::Key, b'=') => Part::Value,
            (part, _) => part,
        };
        self.take(self.at + 1, part, true)
    }
}

impl<'u> Iterator for Pieces<'u> {
    type Item = Piece<'u>;

    fn next(&mut self) -> Option<Piece<'u>> {
        if self.at <= self.authority.start
            && let Some(piece) = self.front()
        {
            return Some(piece);
        }
        let rest = &self.url.as_bytes()[self.at..];
        let byte = *rest.first()?;
        if CLASSES[usize::from(byte)] == DELIMITER {
            return Some(self.delimiter(byte));
        }
        let (mut length, mut classes) = (0, 0);
        for byte in rest {
            let class = CLASSES[usize::from(*byte)];
            if class == DELIMITER {
                break;
            }
            classes |= class;
            length += 1;
        }
        let word = &self.url[self.at..self.at + length];
        let end = self.at + if classes == MARK { number_cut(word) } else { length };
        if end == self.at {
            return Some(self.take(self.at + 1, self.part, true));
        }
        Some(self.take(end, self.part, false))
    }
}

/// Where a word is cut that has a number at one end: `112-green-shoes` after the number,
/// `green-shoes_112` before it; at 0 where it begins with the mark that joined the two.
fn number_cut(word: &str) -> usize {
    let bytes = word.as_bytes();
    let is_mark = |byte: u8| matches!(byte, b'-' | b'_');
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if bytes.len() > 1 && is_mark(bytes[0]) && bytes[1] != b'-' && bytes[1] != b'_' {
        return 0;
    }
    let first = bytes.iter().position(|byte| is_mark(*byte));
    if let Some(at) = first.filter(|at| is_number(&bytes[..*at])) {
        return at;
    }
    let last = bytes.iter().rposition(|byte| is_mark(*byte));
    match last.filter(|at| is_number(&bytes[at + 1..])) {
        Some(at) if at > 0 => at,
        _ => word.len(),
    }
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
        use Part::*;
        assert_eq!(parts, [Path, Path, Key, Key, Value, Value, Fragment]);
    }

    #[test]
    fn a_number_at_the_end_of_a_word_is_apart() {
        assert_eq!(texts("112-green-shoes"), ["112", "-", "green-shoes"]);
        assert_eq!(texts("green-shoes_112"), ["green-shoes", "_", "112"]);
        assert_eq!(texts("2018-07"), ["2018", "-", "07"]);
        for whole in ["green-shoes", "-", "--", "112", "a-1-b"] {
            assert_eq!(texts(whole), [whole]);
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
