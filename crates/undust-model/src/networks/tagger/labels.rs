//! The tags of a source: which of its pieces stay, and what is written before them (Malmi et al.,
//! *Encode, Tag, Realize*, EMNLP 2019).

/// What becomes of one piece of a source. Behind the last piece stands one more tag, which only
/// inserts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// Whether the piece stays.
    pub keep: bool,
    /// What is inserted before it: nothing for 0, else the phrase of this number, from 1.
    pub insert: u16,
}

impl Tag {
    /// Changes nothing.
    pub const KEEP: Self = Self { keep: true, insert: 0 };
}

/// Applies the tags of a source to the texts of its pieces. Linear.
pub(crate) fn apply(texts: &[&str], tags: &[Tag], phrases: &[String]) -> String {
    let mut written = String::with_capacity(texts.iter().map(|text| text.len()).sum());
    for (place, tag) in tags.iter().enumerate() {
        let phrase = usize::from(tag.insert).checked_sub(1).and_then(|n| phrases.get(n));
        written.push_str(phrase.map_or("", String::as_str));
        if tag.keep {
            written.push_str(texts.get(place).unwrap_or(&""));
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use undust_url::pieces::pieces;

    use super::*;
    use crate::networks::alignment::align;

    fn cut(url: &str) -> Vec<&str> {
        pieces(url).map(|piece| piece.text).collect()
    }

    proptest! {
        #[test]
        fn the_edits_of_a_pair_make_its_target(
            source in "(http://h|)[/ab1.?=&-]{0,16}",
            target in "(http://h|)[/ab1.?=&-]{0,16}",
        ) {
            let texts = cut(&source);
            let edits = align(&texts, &target, &cut(&target));
            let phrases: Vec<String> = edits.insert.iter().map(|(_, text)| (*text).to_owned()).collect();
            let mut tags: Vec<Tag> = edits.keep.iter().map(|keep| Tag { keep: *keep, insert: 0 }).collect();
            tags.push(Tag::KEEP);
            for (number, (place, _)) in (1..).zip(&edits.insert) {
                prop_assert_eq!(tags[*place].insert, 0);
                tags[*place].insert = number;
            }
            prop_assert_eq!(apply(&texts, &tags, &phrases), target);
        }
    }
}
