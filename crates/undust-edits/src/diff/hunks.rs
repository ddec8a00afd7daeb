//! Where a URL and its canonical form differ.

use std::ops::Range;

use undust_url::lexicon::{Lexicon, Symbol};

use super::read::{ReadUrl, value_of};

/// Pieces of the source that are replaced by pieces of the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    pub source: Range<usize>,
    pub target: Range<usize>,
}

/// Maximal ranges that differ, by a longest common subsequence of texts. Where several are
/// longest, the source's last piece is kept rather than an earlier one of the same text, which
/// leaves what is deleted in one run more often.
pub(super) fn hunks(source: &[(Symbol, &str)], target: &[(Symbol, &str)]) -> Vec<Hunk> {
    let same = source.iter().zip(target).take_while(|(a, b)| a == b).count();
    let (s, t) = (&source[same..], &target[same..]);
    let width = t.len() + 1;
    let mut common = vec![0_u16; (s.len() + 1) * width];
    for i in (0..s.len()).rev() {
        for j in (0..t.len()).rev() {
            common[i * width + j] = if s[i] == t[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut found, mut i, mut j) = (Vec::new(), 0, 0);
    let mut open: Option<(usize, usize)> = None;
    while i < s.len() || j < t.len() {
        let keeps = i < s.len()
            && j < t.len()
            && s[i] == t[j]
            && common[(i + 1) * width + j + 1] + 1 == common[i * width + j]
            && (i + 1 >= s.len() || common[(i + 1) * width + j] < common[i * width + j]);
        if keeps {
            if let Some((from, to)) = open.take() {
                found.push(Hunk { source: same + from..same + i, target: same + to..same + j });
            }
            (i, j) = (i + 1, j + 1);
            continue;
        }
        open.get_or_insert((i, j));
        let skip_source = i < s.len()
            && (j >= t.len() || common[(i + 1) * width + j] >= common[i * width + j + 1]);
        if skip_source { i += 1 } else { j += 1 }
    }
    if let Some((from, to)) = open {
        found.push(Hunk { source: same + from..source.len(), target: same + to..target.len() });
    }
    found
}

/// The same deletion moved to the left, where it then takes whole arguments of the query: between two arguments
/// of one name, `2&v=` is `v=2&`.
pub(super) fn of_whole_arguments(hunk: Hunk, source: &ReadUrl<'_>) -> Hunk {
    if !hunk.target.is_empty() || hunk.source.is_empty() {
        return hunk;
    }
    let question = source.question().unwrap_or(source.texts.len());
    let is_separator = |place: usize| matches!(source.texts[place], "?" | "&" | ";");
    let Range { mut start, mut end } = hunk.source;
    while start > question {
        if is_separator(start - 1) && is_separator(end - 1) {
            return Hunk { source: start..end, ..hunk };
        }
        if source.texts[start - 1] != source.texts[end - 1] {
            break;
        }
        (start, end) = (start - 1, end - 1);
    }
    hunk
}

/// Hunks of which one writes an argument that another takes away are one, with all between them: what is moved
/// is copied within it. So are all hunks that write what they take away, in another order. All this of paths: the
/// order of arguments is not the business of edits, and their values are found by their names. Quadratic in the pieces
/// of one URL.
pub(super) fn joined(hunks: Vec<Hunk>, source: &ReadUrl<'_>, target: &ReadUrl<'_>) -> Vec<Hunk> {
    let path_end = source.question().unwrap_or(source.texts.len());
    let in_path = &hunks[..hunks.partition_point(|hunk| hunk.source.end <= path_end)];
    // By hunk: the last that is one with it.
    let mut last: Vec<usize> = (0..hunks.len()).collect();
    for (number, hunk) in in_path.iter().enumerate() {
        let moved = |place: usize| moved_from(place, hunk, in_path, source, target);
        for from in hunk.target.clone().filter_map(moved) {
            let first = from.min(number);
            last[first] = last[first].max(from.max(number));
        }
    }
    if in_path.len() == hunks.len() && is_other_order(&hunks, source, target) {
        last[0] = hunks.len() - 1;
    }
    let (mut joined, mut until): (Vec<Hunk>, usize) = (Vec::new(), 0);
    for (number, (hunk, last)) in hunks.into_iter().zip(last).enumerate() {
        match joined.last_mut() {
            Some(open) if number <= until => {
                (open.source.end, open.target.end) = (hunk.source.end, hunk.target.end);
            }
            _ => joined.push(hunk),
        }
        until = until.max(last);
    }
    joined
}

/// The hunk that takes away the argument which `hunk` writes at this place of the target, if another does.
fn moved_from(
    place: usize,
    hunk: &Hunk,
    hunks: &[Hunk],
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
) -> Option<usize> {
    let text = target.texts[place];
    let takes = |hunk: &Hunk| source.texts[hunk.source.clone()].contains(&text);
    let is_moved = Lexicon::is_argument(target.shape[place])
        && !takes(hunk)
        && value_of(source, target, place).is_none();
    is_moved.then(|| hunks.iter().position(takes)).flatten()
}

/// Whether several hunks write what they take away, in another order.
fn is_other_order(hunks: &[Hunk], source: &ReadUrl<'_>, target: &ReadUrl<'_>) -> bool {
    let taken = words(hunks.iter().flat_map(|hunk| hunk.source.clone()), source);
    let written = words(hunks.iter().flat_map(|hunk| hunk.target.clone()), target);
    hunks.len() > 1 && !taken.is_empty() && taken == written
}

/// The pieces in these places without delimiters, sorted.
fn words<'u>(places: impl Iterator<Item = usize>, read: &ReadUrl<'u>) -> Vec<(Symbol, &'u str)> {
    let places = places.filter(|place| !Lexicon::is_delimiter(read.shape[*place]));
    let mut words: Vec<(Symbol, &str)> =
        places.map(|place| (read.shape[place], read.texts[place])).collect();
    words.sort_unstable();
    words
}
