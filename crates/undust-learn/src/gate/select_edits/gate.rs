//! The gate on a crawl: what is known of it, and what was accepted so far.

use std::ops::RangeInclusive;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::JOINT;
use undust_edits::literals::Literals;
use undust_edits::refused::RefusedEdit;
use undust_url::lexicon::Lexicon;

use super::Round;
use super::accepted_edits::AcceptedEdits;
use super::evidence::Evidence;
use super::rates::Rates;
use super::second_pass::differences;
use super::values::{FoundValues, ValueSearch};
use crate::gate::rows::Texts;
use crate::observer::Observer;
use crate::training::TrainingSet;

/// The gate on a crawl: what is known of it, and what was accepted so far.
pub(crate) struct Gate<'g> {
    evidence: Evidence,
    accepted: AcceptedEdits,
    rates: Rates,
    observer: &'g dyn Observer,
}

impl<'g> Gate<'g> {
    /// Nothing is accepted yet. The observer may interrupt the gate: what was accepted until then stays.
    pub(crate) fn new(evidence: Evidence, observer: &'g dyn Observer) -> Self {
        let accepted = AcceptedEdits::none(&evidence);
        Self { evidence, accepted, rates: Rates::default(), observer }
    }

    /// Accepts until nothing more is worth it.
    ///
    /// What merges no shapes comes first: dropped arguments, then replaced pieces, then several
    /// edits as one. An edit that needs less is not pre-empted by one that saves more at once.
    pub(crate) fn run(&mut self, kinds: RangeInclusive<usize>) {
        for kind in kinds {
            while !self.observer.interrupted() && self.round(kind).run() {}
        }
    }

    /// A round with the edits of kinds up to this one.
    pub(super) fn round(&mut self, kind: usize) -> Round<'_> {
        let Self { evidence, accepted, rates, observer } = self;
        Round::new(evidence, accepted, rates, *observer, kind)
    }

    /// The edits that would still change something, and why each is refused.
    pub(crate) fn refused(&mut self) -> Vec<RefusedEdit> {
        self.round(JOINT).refused()
    }

    /// Finds the values that name one page each, where an argument makes several forms of them that no
    /// accepted edit joins: for each attribute those that save most, if these are `least` fetches or
    /// more. Marks them, so that edits are tested where they stand.
    pub(crate) fn mark_known_values(&mut self, least: usize) -> Vec<FoundValues> {
        let Self { evidence, accepted, observer, .. } = self;
        let found = ValueSearch { evidence, accepted, observer: *observer }.known_values(least);
        for values in &found {
            self.accepted.mark(&mut self.evidence, values);
        }
        if !found.is_empty() {
            // Shapes are not those that they were.
            self.rates.note_changed(0);
        }
        found
    }

    /// Takes back the losses of lists that no accepted edit asks for.
    pub(crate) fn give_back(&mut self, found: &[FoundValues]) {
        self.accepted.give_back(found);
    }

    /// Proposes the differences of pages' forms and those of their canonical URLs, as long as a URL can pay
    /// for them; whether any was not proposed before. Linear in the URLs.
    pub(crate) fn propose_again(
        &mut self,
        set: &TrainingSet<'_>,
        lexicon: &Lexicon,
        literals: &mut Literals,
        texts: &mut Texts<'_>,
    ) -> bool {
        let differences = differences(&self.evidence, &self.accepted, set, lexicon, literals);
        self.evidence.literals = texts.of(literals);
        self.evidence.propose(differences, lexicon, &self.accepted.programs)
    }

    /// Whether anything was accepted.
    pub(crate) fn has_accepted(&self) -> bool {
        !self.accepted.edits.is_empty()
    }

    /// What was accepted, in order.
    pub(crate) fn into_accepted(self) -> Vec<AcceptedEdit> {
        self.accepted.edits
    }
}
