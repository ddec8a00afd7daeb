//! How the canonical URL of a pair is written from its source: what is copied, and what is inserted.

use std::ops::Range;

use undust_decoder::alignment::align;
use undust_learn::training::Pair;
use undust_url::pieces::{Piece, pieces};

/// A step of writing, before phrases have numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step<'t> {
    /// The piece in this place of the source.
    Copy(u16),
    /// A text of the target.
    Insert(&'t str),
}

/// How the target of a pair is written: its pieces are copied where the source has them in the same
/// order, then where it has them anywhere, and else inserted, as many at once as there are.
pub(crate) fn draft<'c>(pair: &Pair<'c>, longest: usize) -> Option<Vec<Step<'c>>> {
    let (source, target): (Vec<Piece<'_>>, Vec<Piece<'_>>) =
        (pieces(pair.source).collect(), pieces(pair.target).collect());
    if source.len().max(target.len()) > longest {
        return None;
    }
    let texts =
        |pieces: &[Piece<'c>]| -> Vec<&'c str> { pieces.iter().map(|piece| piece.text).collect() };
    let edits = align(&texts(&source), pair.target, &texts(&target));
    let mut steps = Vec::with_capacity(target.len());
    let mut inserted = edits.insert.iter().peekable();
    let mut at = 0;
    for place in 0..=source.len() {
        if let Some((_, text)) = inserted.next_if(|(before, _)| *before == place) {
            insert(pair.target, at..at + text.len(), &source, &edits.keep, &mut steps);
            at += text.len();
        }
        if edits.keep.get(place) == Some(&true) {
            at += source[place].text.len();
            steps.push(Step::Copy(place as u16));
        }
    }
    Some(steps)
}

/// Words and arguments in a part of `target` are copied where the source has them, from a place that
/// is not kept if there is one; what lies between is inserted.
fn insert<'t>(
    target: &'t str,
    part: Range<usize>,
    source: &[Piece<'_>],
    keep: &[bool],
    steps: &mut Vec<Step<'t>>,
) {
    let mut open = part.start;
    let mut end = 0;
    for piece in pieces(target) {
        let start = end;
        end += piece.text.len();
        if start < part.start || end > part.end || piece.delimiter {
            continue;
        }
        let same = |place: &usize| source[*place].text == piece.text;
        let mut free = (0..source.len()).filter(|place| !keep[*place]);
        let Some(place) = free.find(same).or_else(|| (0..source.len()).find(same)) else {
            continue;
        };
        if open < start {
            steps.push(Step::Insert(&target[open..start]));
        }
        steps.push(Step::Copy(place as u16));
        open = end;
    }
    if open < part.end {
        steps.push(Step::Insert(&target[open..part.end]));
    }
}

/// A pair and how it is written.
pub(crate) type Draft<'c> = (Pair<'c>, Vec<Step<'c>>);
