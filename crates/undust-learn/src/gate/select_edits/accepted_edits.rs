//! The edits that are accepted so far, what they make of the crawl, and the clusters that they lose together.

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit_evidence::EditEvidence;
use undust_edits::index::EditIndex;
use undust_edits::program::{Cell, Program};
use undust_edits::sequence::reduce;

use super::evidence::Evidence;
use super::shape_change::AcceptedCandidate;
use super::values::FoundValues;
use crate::gate::forms::Forms;

/// URLs that are noted of an edit, to explain it by the first of those that it changes in the end.
const EXAMPLES: usize = 16;

/// The edits that are accepted so far, in order, and what they make of the crawl.
pub(super) struct AcceptedEdits {
    pub(super) edits: Vec<AcceptedEdit>,
    /// Finds the edits that may change a URL.
    index: EditIndex,
    /// By shape: its form as a function of its pieces.
    pub(super) programs: Vec<Program>,
    /// The form of each URL.
    form_of: Vec<u64>,
    pub(super) forms: Forms,
    /// Clusters that they lose.
    lost: i32,
    /// Clusters that all edits together may lose.
    pub(super) most_lost: i32,
}

impl AcceptedEdits {
    /// None so far.
    pub(super) fn none(evidence: &Evidence) -> Self {
        let rows = &evidence.rows;
        let programs = rows.programs();
        let mut form_of = vec![0; rows.clusters.len()];
        for (row, program) in rows.shapes.iter().zip(&programs) {
            row.urls.iter().for_each(|url| form_of[*url as usize] = evidence.form(*url, program));
        }
        Self {
            edits: Vec::new(),
            index: EditIndex::default(),
            programs,
            forms: Forms::new(form_of.iter().copied().zip(rows.clusters.iter().copied())),
            form_of,
            lost: 0,
            most_lost: evidence.most_lost(),
        }
    }

    /// What they make of a shape.
    pub(super) fn program(&self, shape: u32) -> &Program {
        &self.programs[shape as usize]
    }

    /// The form of a URL.
    pub(super) fn form(&self, url: u32) -> u64 {
        self.form_of[url as usize]
    }

    /// What they make of a program, and one more edit with them, as serving would; none where that has no end.
    pub(super) fn served(&self, program: Program, more: Option<&AcceptedEdit>) -> Option<Program> {
        let of = |program: &[Cell]| {
            let mut numbers = self.index.of(program.iter().map(|cell| cell.symbol));
            numbers.extend(more.map(|_| self.edits.len() as u32));
            numbers
        };
        let rule = |number: u32| match more {
            Some(more) if number as usize == self.edits.len() => more,
            _ => &self.edits[number as usize],
        };
        reduce(program, of, rule).map(|(program, _)| program)
    }

    /// Accepts an edit.
    pub(super) fn accept(&mut self, evidence: &Evidence, candidate: AcceptedCandidate) {
        let AcceptedCandidate { mut edit, moves, changes } = candidate;
        self.lost += edit.evidence.lost as i32;
        self.forms.apply(&moves);
        for change in changes {
            let urls = evidence.urls(change.shape);
            for url in urls {
                self.form_of[*url as usize] = evidence.form(*url, &change.program);
            }
            edit.examples.extend(urls);
            self.programs[change.shape as usize] = change.program;
        }
        edit.examples.sort_unstable();
        edit.examples.truncate(EXAMPLES);
        self.index.add(self.edits.len() as u32, &edit.edit);
        self.edits.push(edit);
    }

    /// Marks known values, so that edits are tested where they stand.
    pub(super) fn mark(&mut self, evidence: &mut Evidence, found: &FoundValues) {
        evidence.rows.mark(found.attribute, &found.values, &mut self.programs);
        self.lost += found.lost as i32;
    }

    /// Takes back the losses of lists that no accepted edit asks for.
    pub(super) fn give_back(&mut self, found: &[FoundValues]) {
        let unused = found.iter().filter(|found| !found.is_used(&self.edits));
        self.lost -= unused.map(|found| found.lost as i32).sum::<i32>();
    }

    /// Clusters that may yet be lost.
    pub(super) fn may_lose(&self) -> usize {
        usize::try_from(self.most_lost - self.lost).unwrap_or(0)
    }

    /// Whether all edits together, with one of this evidence, would lose more clusters than they may.
    pub(super) fn would_lose_too_much(&self, evidence: &EditEvidence) -> bool {
        evidence.lost as usize > self.may_lose()
    }
}
