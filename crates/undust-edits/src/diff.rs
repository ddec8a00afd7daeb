//! The difference of a URL and its canonical form, as edits.

mod hunks;
mod read;
#[cfg(test)]
mod tests;

use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use self::hunks::{Hunk, hunks, joined, of_whole_arguments};
pub use self::read::ReadUrl;
use self::read::value_of;
use super::edit::Edit;
use super::literals::Literals;
use super::program::FRONT;
use super::replacement::{ReplacementPiece, WORD, any_kind, is_word};

/// The edits that make `target` of `source`; none if the target has an argument that the source
/// lacks. Quadratic in the pieces of one URL.
pub fn difference(
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
    literals: &mut Literals,
) -> Option<Vec<Edit>> {
    let hunks = joined(hunks(&source.pieces(), &target.pieces()), source, target);
    of_hunks(hunks, source, target, literals)
}

fn of_hunks(
    hunks: Vec<Hunk>,
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
    literals: &mut Literals,
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for hunk in hunks.into_iter().map(|hunk| of_whole_arguments(hunk, source)) {
        if hunk.target.is_empty()
            && let Some(keys) = dropped_keys(&hunk, source)
            && !keys.iter().any(|key| target.shape.contains(key))
        {
            edits.extend(keys.into_iter().map(Edit::DropKey));
            continue;
        }
        if let Some(edit) = other_value(&hunk, source, target, literals) {
            edits.push(edit);
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
        edits.push(replaced(&hunk, source, target, literals)?);
    }
    edits.dedup();
    Some(edits)
}

/// One value of an argument for another, where both are function words.
fn other_value(
    hunk: &Hunk,
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
    literals: &mut Literals,
) -> Option<Edit> {
    let (at, to) = (hunk.source.start, hunk.target.start);
    let is_one = hunk.source.len() == 1 && hunk.target.len() == 1;
    if !is_one || at < 3 || source.texts[at - 1] != "=" {
        return None;
    }
    let begins = matches!(source.texts[at - 3], "?" | "&" | ";");
    let ends = source.texts.get(at + 1).is_none_or(|text| matches!(*text, "&" | ";" | "#"));
    let words = [source.shape[at - 2], source.shape[at], target.shape[to]];
    if !begins || !ends || source.question()? > at || !words.iter().all(|word| is_word(*word)) {
        return None;
    }
    let from = source.shape[at - 2..=at].into();
    let literal = ReplacementPiece::Literal(target.shape[to], literals.number(target.texts[to])?);
    Some(Edit::Replace {
        from,
        to: [ReplacementPiece::Keep(0), ReplacementPiece::Keep(1), literal].into(),
    })
}

/// Whether a hunk replaces a part of one value of the query. Two values may show the same only for now:
/// for example, while both ask for lists that are empty.
fn changes_a_value(hunk: &Hunk, source: &ReadUrl<'_>) -> bool {
    let Some(question) = source.question() else { return false };
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
fn names_an_argument(hunk: &Hunk, source: &ReadUrl<'_>) -> bool {
    let Some(question) = source.question() else { return false };
    hunk.source.clone().any(|place| {
        let begins = place > question && matches!(source.texts[place - 1], "?" | "&" | ";");
        begins && source.shape.get(place).is_some_and(|symbol| Lexicon::is_argument(*symbol))
    })
}

/// What stands in a place next to a hunk.
fn around(source: &ReadUrl<'_>, place: usize) -> Symbol {
    match source.shape.get(place) {
        Some(symbol) if !Lexicon::is_delimiter(*symbol) => WORD,
        Some(symbol) => *symbol,
        None => EDGE,
    }
}

/// An insertion, or a replacement of pieces without a name, is identified by the pieces around it.
/// One that begins the path with what an argument says is identified by the host: a piece next to
/// it may stand anywhere.
fn between(
    hunk: &Hunk,
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
    literals: &mut Literals,
) -> Option<Edit> {
    let within = hunk.source.clone();
    let mut written = Vec::new();
    let mut place = hunk.target.start;
    let mut moves = false;
    while place < hunk.target.end {
        let text = target.texts[place];
        let (piece, length) =
            if let Some(offset) = within.clone().position(|at| source.texts[at] == text) {
                (ReplacementPiece::Keep(offset as u16), 1)
            } else if let Some((key, length)) = moved_value(source, target, place) {
                moves = true;
                (ReplacementPiece::Value(key), length)
            } else if Lexicon::is_argument(target.shape[place]) {
                return None;
            } else {
                (ReplacementPiece::Literal(target.shape[place], literals.number(text)?), 1)
            };
        written.push(piece);
        place += length;
    }
    let kinds = source.shape[within.clone()].iter().copied().map(any_kind);
    let right = around(source, within.end);
    let (mut from, after) = if moves && within.start == FRONT {
        // A rare host is data, by which no edit can name a place.
        if !is_word(source.shape[FRONT - 2]) {
            return None;
        }
        (source.shape[FRONT - 2..FRONT].to_vec(), None)
    } else {
        (vec![around(source, within.start.checked_sub(1)?)], Some(right))
    };
    let before = from.len() as u16;
    from.extend(kinds.chain(after));
    let mut to: Vec<ReplacementPiece> = (0..before).map(ReplacementPiece::Keep).collect();
    to.extend(written.into_iter().map(|piece| match piece {
        ReplacementPiece::Keep(offset) => ReplacementPiece::Keep(offset + before),
        piece => piece,
    }));
    if after.is_some_and(|after| after != EDGE) {
        to.push(ReplacementPiece::Keep(from.len() as u16 - 1));
    }
    Some(Edit::Replace { from: from.into(), to: to.into() })
}

/// The argument that goes from the query and whose value the path of the target has from `place` on, and its length.
fn moved_value(
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
    place: usize,
) -> Option<(Symbol, usize)> {
    let in_path = target.question().is_none_or(|question| place < question);
    let (key, length) = value_of(source, target, place).filter(|_| in_path)?;
    let ends = matches!(target.texts.get(place + length), None | Some(&"/" | &"?"));
    let goes = !target.shape.contains(&key);
    let begins = place.checked_sub(1).is_some_and(|before| target.texts[before] == "/");
    (begins && ends && goes).then_some((key, length))
}

/// The arguments that a deletion drops, if it drops whole ones.
fn dropped_keys(hunk: &Hunk, source: &ReadUrl<'_>) -> Option<Vec<Symbol>> {
    let texts = &source.texts[hunk.source.clone()];
    let before = hunk.source.start.checked_sub(1).map(|at| source.texts[at]);
    let after = source.texts.get(hunk.source.end).copied();
    let question = source.question()?;
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

/// What stands left of a hunk that writes something in the place of a delimiter: `/?article=` → `/article/` says
/// nothing of `index.php?article=`. None behind the host, which is no part of what edits replace.
fn left_of(hunk: &Hunk, source: &ReadUrl<'_>) -> Option<Symbol> {
    let first = source.shape.get(hunk.source.start)?;
    let depends = Lexicon::is_delimiter(*first) && !hunk.target.is_empty();
    (depends && hunk.source.start >= FRONT).then(|| around(source, hunk.source.start - 1))
}

fn replaced(
    hunk: &Hunk,
    source: &ReadUrl<'_>,
    target: &ReadUrl<'_>,
    literals: &mut Literals,
) -> Option<Edit> {
    let pieces = source.shape[hunk.source.clone()].iter().copied().map(any_kind);
    let left = left_of(hunk, source);
    let from: Box<[Symbol]> = left.into_iter().chain(pieces).collect();
    let before = usize::from(left.is_some());
    let mut to: Vec<ReplacementPiece> =
        left.map(|_| ReplacementPiece::Keep(0)).into_iter().collect();
    let mut is_kept = vec![false; hunk.source.len()];
    let mut place = hunk.target.start;
    while place < hunk.target.end {
        let (symbol, text) = (target.shape[place], target.texts[place]);
        let is_argument = Lexicon::is_argument(symbol);
        // A name in the query is no word of a path.
        let is_same = |offset: &usize| {
            let at = hunk.source.start + offset;
            source.texts[at] == text
                && (is_argument || source.shape[at] == symbol)
                && !Lexicon::is_delimiter(symbol)
        };
        // Equal pieces go to different places.
        let same = (0..is_kept.len()).filter(is_same);
        let kept = same.min_by_key(|offset| is_kept[*offset]);
        let (piece, length) = if let Some(offset) = kept {
            is_kept[offset] = true;
            (ReplacementPiece::Keep((offset + before) as u16), 1)
        } else if let Some((key, length)) =
            is_argument.then(|| value_of(source, target, place)).flatten()
        {
            (ReplacementPiece::Value(key), length)
        } else {
            (ReplacementPiece::Literal(symbol, literals.number(text)?), 1)
        };
        to.push(piece);
        place += length;
    }
    Some(Edit::Replace { from, to: to.into() })
}
