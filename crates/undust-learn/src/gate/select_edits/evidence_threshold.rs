//! How much evidence an edit needs.

use undust_model::edits::edit::Edit;
use undust_model::edits::program::{Cell, arguments};
use undust_url::lexicon::Lexicon;

use super::gate::Gate;
use super::shape_change::ShapeChange;

/// Forms that an edit must be tested on.
const LEAST_TESTED: u32 = 5;

/// How many times the evidence of others some edits need.
const TIMES: u32 = 3;

/// How much evidence an edit needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvidenceThreshold {
    /// Forms that it must be tested on, at least.
    pub forms: u32,
    /// The largest share of lost URLs that it may have.
    pub rate: f64,
    pub pages: u32,
}

impl Gate<'_> {
    /// What an edit needs that makes these changes. Three times as much of what a network proposes, since it picks
    /// the URLs that are like those it knows, so that a few of them promise too much. And of what writes one value
    /// for another, or none: a few lists are equal in two orders by chance, or with a filter and without.
    pub(super) fn evidence_threshold(
        &self,
        edit: &Edit,
        changes: &[ShapeChange],
    ) -> EvidenceThreshold {
        let is_risky = matches!(edit, Edit::ByNetwork(_))
            || edit.swaps_a_value()
            || self.empties_a_value(changes);
        let times = if is_risky { TIMES } else { 1 };
        if !is_risky && self.drops_from_path(changes) {
            let f = crate::gate::x::x("p2f", 30.0) as u32;
            let r = self.limits.rate / crate::gate::x::x("p2r", 6.0);
            return EvidenceThreshold { forms: f, rate: r, pages: crate::gate::x::x("p2p", 0.0) as u32 };
        }
        if !is_risky && self.keeps_all(changes) {
            return EvidenceThreshold { forms: crate::gate::x::x("p0f", 5.0) as u32, rate: self.limits.rate, pages: 0 };
        }
        EvidenceThreshold { pages: 0,  forms: LEAST_TESTED * times, rate: self.limits.rate / f64::from(times) }
    }

    /// Whether an argument of the path is dropped.
    fn drops_from_path(&self, changes: &[ShapeChange]) -> bool {
        changes.iter().any(|change| {
            let before = &self.rows.shapes[change.shape as usize].program;
            let path = &before[..undust_model::edits::program::path_end(before)];
            path.iter().any(|cell| Lexicon::is_argument(cell.symbol) && matches!(cell.text, undust_model::edits::program::TextSource::Source(_)) && !change.program.iter().any(|one| one.text == cell.text))
        })
    }

    /// Whether every argument is kept.
    fn keeps_all(&self, changes: &[ShapeChange]) -> bool {
        changes.iter().all(|change| {
            let before = &self.rows.shapes[change.shape as usize].program;
            before.iter().all(|cell| !Lexicon::is_argument(cell.symbol) || change.program.iter().any(|one| one.text == cell.text))
        })
    }

    fn empties_a_value(&self, changes: &[ShapeChange]) -> bool {
        changes.iter().any(|change| {
            let before = &self.rows.shapes[change.shape as usize].program;
            empty_values(&change.program) > empty_values(before)
        })
    }
}

/// Arguments that have a name and `=`, and no value.
fn empty_values(program: &[Cell]) -> usize {
    let equals = Lexicon::delimiter("=");
    let is_empty =
        |(start, end): &(usize, usize)| end - start == 2 && Some(program[end - 1].symbol) == equals;
    arguments(program).iter().filter(|argument| is_empty(argument)).count()
}
