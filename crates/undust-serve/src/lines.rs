//! A body that comes in parts, cut into whole lines.

use std::mem;

use undust_model::queue::LONGEST;

/// Cuts a body into whole lines, however its parts come. Holds at most a line of [`LONGEST`]
/// bytes and the part that comes.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// A line whose end has not come.
    begun: Vec<u8>,
    /// Whether that line was too long to be held, and is passed on.
    passes: bool,
}

/// A piece of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BodyPart {
    /// Whole lines. Only the last one of a body may lack its end.
    Lines(Vec<u8>),
    /// The beginning of a line that is too long to be held.
    TooLong(Vec<u8>),
    /// More of that line.
    More(Vec<u8>),
}

impl Splitter {
    /// The pieces that are complete with this part of the body, in order. Takes time in the bytes
    /// of the part, and once in those of a line that begins in one and ends in another.
    pub(super) fn push(&mut self, part: &[u8]) -> Vec<BodyPart> {
        let mut pieces = Vec::new();
        let mut rest = part;
        if self.passes && !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map(|end| end + 1);
            let (more, after) = rest.split_at(end.unwrap_or(rest.len()));
            pieces.push(BodyPart::More(more.to_vec()));
            self.passes = end.is_none();
            rest = after;
        }
        let (whole, begun) = rest.split_at(memchr::memrchr(b'\n', rest).map_or(0, |at| at + 1));
        if !whole.is_empty() {
            let mut lines = mem::take(&mut self.begun);
            lines.extend_from_slice(whole);
            pieces.push(BodyPart::Lines(lines));
        }
        self.begun.extend_from_slice(begun);
        if self.begun.len() > LONGEST {
            pieces.push(BodyPart::TooLong(mem::take(&mut self.begun)));
            self.passes = true;
        }
        pieces
    }

    /// What is left at the end of the body.
    pub(super) fn finish(&mut self) -> Option<BodyPart> {
        let last = mem::take(&mut self.begun);
        (!last.is_empty()).then_some(BodyPart::Lines(last))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The lines of a body that is cut at these places, each with whether it was too long.
    fn lines(body: &[u8], cuts: &[usize]) -> Vec<(Vec<u8>, bool)> {
        let mut splitter = Splitter::default();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (body.len() + 1)).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        let mut pieces: Vec<BodyPart> = Vec::new();
        for ends in cuts.windows(2) {
            pieces.extend(splitter.push(&body[ends[0]..ends[1]]));
        }
        pieces.extend(splitter.finish());
        let mut lines: Vec<(Vec<u8>, bool)> = Vec::new();
        for piece in pieces {
            match piece {
                BodyPart::Lines(some) => {
                    let some = some.split_inclusive(|byte| *byte == b'\n');
                    lines.extend(some.map(|line| (line.to_vec(), line.len() > LONGEST)));
                }
                BodyPart::TooLong(head) => {
                    assert!(head.len() > LONGEST && !head.contains(&b'\n'));
                    lines.push((head, true));
                }
                BodyPart::More(more) => {
                    let (line, is_long) = lines.last_mut().expect("a line that has begun");
                    assert!(*is_long && !line.ends_with(b"\n"));
                    line.extend(more);
                }
            }
        }
        lines
    }

    proptest! {
        #[test]
        fn any_cuts_give_the_same_lines(
            short in prop::collection::vec("[a\r\n]{0,9}", 0..9),
            long in prop::collection::vec(LONGEST - 2..3 * LONGEST, 0..3),
            cuts in prop::collection::vec(any::<usize>(), 0..20),
        ) {
            let mut body = Vec::new();
            for (at, short) in short.iter().enumerate() {
                body.extend_from_slice(short.as_bytes());
                body.resize(body.len() + long.get(at).copied().unwrap_or(0), b'x');
            }
            let whole: Vec<_> = body
                .split_inclusive(|byte| *byte == b'\n')
                .map(|line| (line.to_vec(), line.len() > LONGEST))
                .collect();
            prop_assert_eq!(&lines(&body, &cuts), &whole);
            prop_assert_eq!(&lines(&body, &[]), &whole);
        }
    }

    #[test]
    fn a_line_without_an_end_is_not_held() {
        let mut splitter = Splitter::default();
        let part = vec![b'x'; 1 << 14];
        for _ in 0..1000 {
            splitter.push(&part);
            assert!(splitter.begun.len() <= LONGEST);
        }
        assert_eq!(splitter.push(b"x\na"), [BodyPart::More(b"x\n".to_vec())]);
        assert_eq!(splitter.push(b"\n"), [BodyPart::Lines(b"a\n".to_vec())]);
        assert_eq!(splitter.finish(), None);
    }
}
