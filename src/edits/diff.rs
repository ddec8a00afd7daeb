//! The difference of a URL and its canonical form, as edits.

use rustc_hash::FxHashSet;

use super::edit::{Edit, Piece, WORD, any_kind};
use super::literals::Literals;
use crate::url::lexicon::{EDGE, Lexicon, Symbol};
use crate::url::pieces::pieces;

/// A URL as symbols and texts.
#[derive(Debug, Default, Clone)]
pub(crate) struct Read<'u> {
    /// Its shape.
    pub shape: Vec<Symbol>,
    /// The texts of its pieces.
    pub texts: Vec<&'u str>,
}

impl<'u> Read<'u> {
    /// Reads a URL.
    pub(crate) fn of(url: &'u str, lexicon: &Lexicon) -> Self {
        let mut read = Self::default();
        lexicon.read(url, &mut read.shape, &mut read.texts);
        read
    }

    /// What is compared: a name in the query is no piece of a path, though it be spelled alike.
    fn pieces(&self) -> Vec<(Symbol, &'u str)> {
        self.shape.iter().copied().zip(self.texts.iter().copied()).collect()
    }
}

/// Pieces of the source that are replaced by pieces of the target.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    source: std::ops::Range<usize>,
    target: std::ops::Range<usize>,
}

/// The edits that make `target` of `source`; nothing where the target holds an argument that the
/// source lacks. Quadratic in the pieces of one URL.
pub(crate) fn difference(
    source: &Read<'_>,
    target: &Read<'_>,
    literals: &mut Literals,
) -> Option<Vec<Edit>> {
    let hunks = joined(hunks(&source.pieces(), &target.pieces()), source, target);
    of_hunks(hunks, source, target, literals)
}

/// Hunks of which one writes an argument that another takes away are one, with all between them: what is moved
/// is copied within it. So are all hunks that write what they take away, in another order. A value of the query is
/// found by its name.
fn joined(hunks: Vec<Hunk>, source: &Read<'_>, target: &Read<'_>) -> Vec<Hunk> {
    let holds = |hunk: &Hunk, text: &str| source.texts[hunk.source.clone()].contains(&text);
    let is_order = hunks.len() > 1 && {
        let [mut taken, mut written] = [Vec::new(), Vec::new()];
        for hunk in &hunks {
            taken.extend(hunk.source.clone().map(|at| (source.shape[at], source.texts[at])));
            written.extend(hunk.target.clone().map(|at| (target.shape[at], target.texts[at])));
        }
        for pieces in [&mut taken, &mut written] {
            pieces.retain(|(symbol, _)| !Lexicon::is_delimiter(*symbol));
            pieces.sort_unstable();
        }
        !taken.is_empty() && taken == written
    };
    // By hunk: the last that is one with it.
    let mut last: Vec<usize> = (0..hunks.len()).collect();
    for (number, hunk) in hunks.iter().enumerate() {
        for place in hunk.target.clone() {
            let text = target.texts[place];
            let is_moved = Lexicon::is_argument(target.shape[place])
                && !holds(hunk, text)
                && value_of(source, target, place).is_none();
            if let Some(from) = hunks.iter().position(|other| is_moved && holds(other, text)) {
                let first = from.min(number);
                last[first] = last[first].max(from.max(number));
            }
        }
    }
    if let Some(first) = last.first_mut().filter(|_| is_order) {
        *first = hunks.len() - 1;
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

/// The edits that tags make of a shape: for each piece whether it stays, and what is inserted
/// before it, and so at the end.
pub(crate) fn of_tags<'t>(
    shape: &'t [Symbol],
    tags: impl Iterator<Item = (bool, &'t str)>,
    lexicon: &'t Lexicon,
    literals: &mut Literals,
) -> Option<Vec<Edit>> {
    let spelled: Vec<_> = shape.iter().map(|symbol| lexicon.spell(*symbol)).collect();
    let source = Read { shape: shape.to_vec(), texts: spelled.iter().map(AsRef::as_ref).collect() };
    let (mut target, mut found) = (Read::default(), Vec::new());
    let mut open: Option<Hunk> = None;
    for (place, (keep, phrase)) in tags.enumerate() {
        let keep = keep || place == shape.len();
        if !phrase.is_empty() || !keep {
            let start = target.shape.len();
            open.get_or_insert(Hunk { source: place..place, target: start..start });
        }
        for piece in pieces(phrase) {
            target.shape.push(lexicon.symbol(piece));
            target.texts.push(piece.text);
        }
        if keep {
            if let Some(hunk) = open.take() {
                let (from, to) = (hunk.source.start, hunk.target.start);
                found.push(Hunk { source: from..place, target: to..target.shape.len() });
            }
            target.shape.extend(shape.get(place));
            target.texts.extend(source.texts.get(place));
        }
    }
    of_hunks(found, &source, &target, literals)
}

fn of_hunks(
    hunks: Vec<Hunk>,
    source: &Read<'_>,
    target: &Read<'_>,
    literals: &mut Literals,
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for hunk in hunks {
        if hunk.target.is_empty()
            && let Some(keys) = dropped_keys(&hunk, source)
        {
            edits.extend(keys.into_iter().map(Edit::DropKey));
            continue;
        }
        if names_an_argument(&hunk, source) || changes_a_value(&hunk, source) {
            return None;
        }
        let nameless = hunk.source.clone().all(|place| !Lexicon::is_word(source.shape[place]));
        if nameless {
            edits.push(between(&hunk, source, target, literals)?);
            continue;
        }
        edits.push(replaced(&hunk, (source, target), literals)?);
    }
    edits.dedup();
    Some(edits)
}

/// Whether a hunk writes something for a part of one value of the query. That two values show the
/// same is so today, while the lists that they ask for are empty, say.
fn changes_a_value(hunk: &Hunk, source: &Read<'_>) -> bool {
    let Some(question) = source.texts.iter().position(|text| *text == "?") else { return false };
    let whole = |place: usize| matches!(source.texts[place], "?" | "&" | ";" | "=");
    !hunk.target.is_empty()
        && hunk.source.start > question
        && !hunk.source.clone().any(whole)
        && source.texts[..hunk.source.start]
            .iter()
            .rev()
            .find(|text| matches!(**text, "?" | "&" | ";" | "="))
            == Some(&"=")
}

/// Whether a hunk holds a name of the query that is no function word: nobody knows what it means.
fn names_an_argument(hunk: &Hunk, source: &Read<'_>) -> bool {
    let Some(question) = source.texts.iter().position(|text| *text == "?") else { return false };
    hunk.source.clone().any(|place| {
        let begins = place > question && matches!(source.texts[place - 1], "?" | "&" | ";");
        begins && source.shape.get(place).is_some_and(|symbol| Lexicon::is_argument(*symbol))
    })
}

/// Maximal ranges that differ, by a longest common subsequence of texts. Where several are
/// longest, the source's last piece is kept rather than an earlier one of the same text, which
/// leaves what is deleted in one run more often.
fn hunks(source: &[(Symbol, &str)], target: &[(Symbol, &str)]) -> Vec<Hunk> {
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

/// What stands in a place beside a hunk.
fn around(source: &Read<'_>, place: usize) -> Symbol {
    match source.shape.get(place) {
        Some(symbol) if !Lexicon::is_delimiter(*symbol) => WORD,
        Some(symbol) => *symbol,
        None => EDGE,
    }
}

/// What takes the place of nothing, or of what has no name, is told by what stands around it.
fn between(
    hunk: &Hunk,
    source: &Read<'_>,
    target: &Read<'_>,
    literals: &mut Literals,
) -> Option<Edit> {
    let left = around(source, hunk.source.start.checked_sub(1)?);
    let right = around(source, hunk.source.end);
    let within = source.shape[hunk.source.clone()].iter().copied().map(any_kind);
    let from: Box<[Symbol]> = std::iter::once(left).chain(within).chain([right]).collect();
    let mut to = vec![Piece::Keep(0)];
    for place in hunk.target.clone() {
        let text = target.texts[place];
        if let Some(offset) = hunk.source.clone().position(|at| source.texts[at] == text) {
            to.push(Piece::Keep(offset as u16 + 1));
            continue;
        }
        if Lexicon::is_argument(target.shape[place]) {
            return None;
        }
        to.push(Piece::Literal(target.shape[place], literals.number(target.texts[place])?));
    }
    if right != EDGE {
        to.push(Piece::Keep(from.len() as u16 - 1));
    }
    Some(Edit::Replace { from, to: to.into() })
}

/// The arguments that a deletion drops, if it drops whole ones.
fn dropped_keys(hunk: &Hunk, source: &Read<'_>) -> Option<Vec<Symbol>> {
    let texts = &source.texts[hunk.source.clone()];
    let before = hunk.source.start.checked_sub(1).map(|at| source.texts[at]);
    let after = source.texts.get(hunk.source.end).copied();
    let question = source.texts.iter().position(|text| *text == "?")?;
    if hunk.source.start < question {
        return None;
    }
    let separators = ["&", ";"];
    let leading = texts.first().is_some_and(|text| *text == "?" || separators.contains(text));
    let trailing = texts.last().is_some_and(|text| separators.contains(text));
    let whole = if leading {
        !trailing
            && (after.is_none()
                || after.is_some_and(|text| separators.contains(&text)) && texts[0] != "?")
    } else {
        trailing && before.is_some_and(|text| text == "?" || separators.contains(&text))
    };
    if !whole {
        return None;
    }
    let mut keys = Vec::new();
    let mut expects = !leading;
    for (text, symbol) in texts.iter().zip(&source.shape[hunk.source.clone()]) {
        if *text == "?" || separators.contains(text) {
            expects = true;
        } else if std::mem::take(&mut expects) {
            if !Lexicon::is_word(*symbol) {
                return None;
            }
            keys.push(*symbol);
        }
    }
    (!keys.is_empty()).then_some(keys)
}

fn replaced(
    hunk: &Hunk,
    (source, target): (&Read<'_>, &Read<'_>),
    literals: &mut Literals,
) -> Option<Edit> {
    let pieces = source.shape[hunk.source.clone()].iter().copied().map(any_kind);
    // What takes the place of a delimiter depends on what stands before it: `/?article=` → `/article/`
    // says nothing of `index.php?article=`.
    let begins = source.shape.get(hunk.source.start).is_some_and(|one| Lexicon::is_delimiter(*one));
    let left = (begins && !hunk.target.is_empty())
        .then(|| hunk.source.start.checked_sub(1).map(|place| around(source, place)))
        .flatten();
    let from: Box<[Symbol]> = left.into_iter().chain(pieces).collect();
    let before = usize::from(left.is_some());
    let mut to: Vec<Piece> = left.map(|_| Piece::Keep(0)).into_iter().collect();
    let mut place = hunk.target.start;
    while place < hunk.target.end {
        let (symbol, text) = (target.shape[place], target.texts[place]);
        // A name in the query is no word of a path.
        let is_same = |at: usize| {
            source.texts[at] == text && (Lexicon::is_argument(symbol) || source.shape[at] == symbol)
        };
        let kept = hunk.source.clone().position(is_same);
        if let Some(offset) = kept.filter(|_| !Lexicon::is_delimiter(symbol)) {
            to.push(Piece::Keep((offset + before) as u16));
            place += 1;
            continue;
        }
        if !Lexicon::is_argument(symbol) {
            to.push(Piece::Literal(symbol, literals.number(text)?));
            place += 1;
            continue;
        }
        if let Some((key, length)) = value_of(source, target, place) {
            to.push(Piece::Value(key));
            place += length;
            continue;
        }
        to.push(Piece::Literal(symbol, literals.number(text)?));
        place += 1;
    }
    Some(Edit::Replace { from, to: to.into() })
}

/// The argument of the source whose value the target has from `place` on, and its length.
fn value_of(source: &Read<'_>, target: &Read<'_>, place: usize) -> Option<(Symbol, usize)> {
    let question = source.texts.iter().position(|text| *text == "?")?;
    let mut seen = FxHashSet::default();
    for at in question + 1..source.texts.len() {
        let named = source.texts[at] == "=" && Lexicon::is_word(source.shape[at - 1]);
        if !named || !seen.insert(source.shape[at - 1]) {
            continue;
        }
        let ends = |text: &&&str| !matches!(**text, "&" | ";" | "#");
        let length = source.texts[at + 1..].iter().take_while(ends).count();
        let value = &source.texts[at + 1..at + 1 + length];
        if length > 0 && target.texts[place..].starts_with(value) {
            return Some((source.shape[at - 1], length));
        }
    }
    None
}

#[cfg(test)]
mod tests;
