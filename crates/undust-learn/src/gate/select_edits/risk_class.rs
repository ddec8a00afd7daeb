//! What an edit throws away.

use undust_edits::edit::Edit;
use undust_edits::program::{Cell, TextSource, arguments, path_end};
use undust_edits::replacement::is_word;
use undust_edits::restriction::first_segment;
use undust_url::lexicon::{Lexicon, Symbol};

use super::Round;
use super::law::RiskClass;
use super::shape_change::ShapeChange;

impl Round<'_> {
    /// The class of an edit that makes these changes.
    pub(super) fn risk_class(&self, edit: &Edit, changes: &[ShapeChange]) -> RiskClass {
        let any = |is: &dyn Fn(&[Cell], &[Cell]) -> bool| {
            changes.iter().any(|change| is(self.before(change), &change.program))
        };
        let asked = edit.needs();
        if edit.swaps_a_value()
            || asks_for_an_expression(edit)
            || any(&empties_a_value)
            || any(&swaps_a_segment)
        {
            RiskClass::Values
        } else if any(&|before, after| drops_from_path(&asked, before, after)) {
            RiskClass::PathArgument
        } else if any(&moves) {
            RiskClass::Moves
        } else {
            RiskClass::Usual
        }
    }
}

/// Whether it drops an argument for a value of several pieces, as `?q=state:translated`: such a filter leaves out nothing
/// where a list is short, and so for now. The default `?near=0.0` has more to show for it.
fn asks_for_an_expression(edit: &Edit) -> bool {
    matches!(edit, Edit::DropArgument(_, value) if value.len() > 1)
}

/// Whether the first segment of the path is another word.
fn moves(before: &[Cell], after: &[Cell]) -> bool {
    let [before, after] = [before, after].map(|program| first_segment(program).first());
    let (Some(before), Some(after)) = (before, after) else { return false };
    is_word(after.symbol)
        && !matches!(after.text, TextSource::Source(_))
        && before.symbol != after.symbol
}

/// Whether a folder or a file gets another name, and nothing else changes: `1.0` is `latest`.
fn swaps_a_segment(before: &[Cell], after: &[Cell]) -> bool {
    let (path, new_path) = (path_end(before), path_end(after));
    let is_same =
        |(one, other): (&Cell, &Cell)| one.symbol == other.symbol && one.text == other.text;
    let same = |one: &[Cell], other: &[Cell]| {
        one.len() == other.len() && one.iter().zip(other).all(is_same)
    };
    if !same(&before[path..], &after[new_path..]) {
        return false;
    }
    let is_slash = |cell: &Cell| Some(cell.symbol) == Lexicon::delimiter("/");
    let [old, new] =
        [&before[..path], &after[..new_path]].map(|path| path.split(is_slash).collect::<Vec<_>>());
    let mut changed = old.iter().zip(&new).filter(|(old, new)| !same(old, new));
    let (Some((old_name, new_name)), None, true) =
        (changed.next(), changed.next(), old.len() == new.len())
    else {
        return false;
    };
    let is_named = |name: &[Cell]| {
        name.iter().any(|cell| is_word(cell.symbol))
            && !name.iter().any(|cell| Lexicon::is_argument(cell.symbol))
    };
    is_named(old_name)
        && is_named(new_name)
        && !new_name.iter().any(|cell| matches!(cell.text, TextSource::Source(_)))
}

/// Whether the path loses a piece that the edit does not ask for: an argument, or whatever word stands there. One behind
/// a `=` has a name, as those of the query have.
fn drops_from_path(asked: &[Symbol], before: &[Cell], after: &[Cell]) -> bool {
    let is_kept = |text: TextSource| after.iter().any(|cell| cell.text == text);
    before[..path_end(before)].windows(2).any(|pair| {
        !Lexicon::is_delimiter(pair[1].symbol)
            && !asked.contains(&pair[1].symbol)
            && matches!(pair[1].text, TextSource::Source(_))
            && Some(pair[0].symbol) != Lexicon::delimiter("=")
            && !is_kept(pair[1].text)
    })
}

/// Whether an argument has no value any more.
fn empties_a_value(before: &[Cell], after: &[Cell]) -> bool {
    empty_values(after) > empty_values(before)
}

/// Arguments that have a name and `=`, and no value.
fn empty_values(program: &[Cell]) -> usize {
    let equals = Lexicon::delimiter("=");
    let is_empty =
        |(start, end): &(usize, usize)| end - start == 2 && Some(program[end - 1].symbol) == equals;
    arguments(program).iter().filter(|argument| is_empty(argument)).count()
}
