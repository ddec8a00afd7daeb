//! Reads the shapes of URLs one after another. Queues are sorted or in the order of a crawl, so a
//! URL often begins like the one before it, and half of its pieces are known.

use super::lexicon::{Lexicon, Symbol};
use super::pieces::{Pieces, Span, UrlPart, pieces};

/// The URL that was read last, and its shape. The pieces that the next URL has in common with it
/// are not read again.
#[derive(Debug)]
pub struct LastShape {
    /// The pieces as symbols.
    pub shape: Vec<Symbol>,
    /// The end of each piece; the next piece begins there.
    pub ends: Vec<PieceEnd>,
    url: Vec<u8>,
    /// The end of its authority; the length of the URL if it has none.
    authority_end: usize,
    /// The number of the lexicon by which the shape was read.
    reader: u64,
}

/// The end of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceEnd {
    /// Its position in the URL, in bytes.
    pub at: u32,
    /// The part of the URL after it.
    part: UrlPart,
}

impl Default for LastShape {
    fn default() -> Self {
        Self::new()
    }
}

impl LastShape {
    /// Nothing read yet.
    pub const fn new() -> Self {
        Self { shape: Vec::new(), ends: Vec::new(), url: Vec::new(), authority_end: 0, reader: 0 }
    }

    /// Reads `url`. `reader` is the number of the lexicon, not 0: no two lexicons may share one.
    /// Linear, without allocation once buffers have grown.
    pub fn read(&mut self, reader: u64, lexicon: &Lexicon, url: &str) {
        let known = if reader == self.reader { common(&self.url, url.as_bytes()) } else { 0 };
        self.reader = reader;
        let mut pieces = self.rest(url, known);
        self.url.truncate(known);
        self.url.extend_from_slice(&url.as_bytes()[known..]);
        let mut from = self.ends.last().map_or(0, |end| end.at as usize);
        while let Some(Span { end, part, what }) = pieces.next_span() {
            self.shape.push(lexicon.symbol_of(&url.as_bytes()[from..end], part, what));
            self.ends.push(PieceEnd { at: end as u32, part: pieces.part() });
            from = end;
        }
    }

    /// The pieces of `url` that must be read. `url` begins with `known` bytes of the last URL.
    /// Pieces before a delimiter after the authority do not depend on what follows and are kept;
    /// all others are dropped.
    fn rest<'u>(&mut self, url: &'u str, known: usize) -> Pieces<'u> {
        let common = self.ends.partition_point(|end| end.at as usize <= known);
        let is_kept = |end: &PieceEnd| {
            end.at as usize > self.authority_end && Pieces::ends_before(&self.url, end.at as usize)
        };
        let kept = self.ends[..common].iter().rposition(is_kept).map_or(0, |last| last + 1);
        self.shape.truncate(kept);
        self.ends.truncate(kept);
        if let Some(end) = self.ends.last() {
            return Pieces::from(url, end.at as usize, end.part);
        }
        let pieces = pieces(url);
        self.authority_end = pieces.authority_end().unwrap_or(url.len());
        pieces
    }
}

/// The length in bytes of the common beginning of two texts.
fn common(a: &[u8], b: &[u8]) -> usize {
    const WIDTH: usize = 16;
    let blocks = a.as_chunks::<WIDTH>().0.iter().zip(b.as_chunks::<WIDTH>().0);
    let same = WIDTH * blocks.take_while(|(a, b)| a == b).count();
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexicon::FrequencyThresholds;

    proptest! {
        /// The result does not depend on URLs that were read before.
        #[test]
        fn every_url_is_read_as_if_it_were_the_first(
            urls in proptest::collection::vec(
                ("(http|a|)(:|)[/]{0,3}[a1é.:?=&#;/_-]{0,4}", "(/aa|/a_1|/1-a|\\?a=|&a|b|é|:|#){0,5}"), 1..20
            ),
            long in "/[a-z/]{0,40}",
        ) {
            let urls: Vec<String> = urls
                .into_iter()
                .flat_map(|(a, b)| [format!("http://a.b{long}{b}{a}"), format!("{a}{b}"), format!("{a}{long}")])
                .collect();
            let shares = FrequencyThresholds { word: 0.1, key: 0.1 };
            let lexicons = [
                Lexicon::default(),
                Lexicon::learn(urls.iter().map(String::as_str), shares),
            ];
            let mut last = LastShape::new();
            let (mut shape, mut texts) = (Vec::new(), Vec::new());
            for (number, url) in urls.iter().chain(urls.iter().rev()).enumerate() {
                let lexicon = number / 7 % 2;
                last.read(lexicon as u64 + 1, &lexicons[lexicon], url);
                lexicons[lexicon].read(url, &mut shape, &mut texts);
                let ends: Vec<u32> = texts
                    .iter()
                    .scan(0, |end, text| { *end += text.len() as u32; Some(*end) })
                    .collect();
                let read: Vec<u32> = last.ends.iter().map(|end| end.at).collect();
                prop_assert_eq!((&last.shape, &read), (&shape, &ends), "{}", url);
            }
        }
    }
}
