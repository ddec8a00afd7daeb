//! What an edit throws away.

use undust_edits::edit::Edit;
use undust_edits::program::{Cell, FRONT, TextSource, arguments, path_end};
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
            || any(&swaps_a_folder)
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

/// Whether a folder gets another name, and nothing else changes.
fn swaps_a_folder(before: &[Cell], after: &[Cell]) -> bool {
    let is_changed = |place: &usize| before[*place].symbol != after[*place].symbol;
    let changed = || (FRONT..before.len()).filter(is_changed);
    if before.len() != after.len() || changed().count() != 1 {
        return false;
    }
    let is_slash = |cell: &Cell| Some(cell.symbol) == Lexicon::delimiter("/");
    changed().next().is_some_and(|place| {
        place + 1 < path_end(before)
            && [before, after].iter().all(|program| is_word(program[place].symbol))
            && [place - 1, place + 1].iter().all(|place| is_slash(&before[*place]))
    })
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
