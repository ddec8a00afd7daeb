//! The test of a candidate: what it would do to the forms that the accepted edits have made, and
//! where it does not hold.

use std::sync::Arc;

use undust_model::edit_evidence::{EditEvidence, UNKNOWN};
use undust_model::edits::accepted::AcceptedEdit;
use undust_model::edits::refused::RefusalReason;
use undust_model::edits::scope::{LEVELS, within};

use super::candidate::CandidateKey;
use super::evidence_threshold::EvidenceThreshold;
use super::gate::Gate;
use super::look::Look;
use super::page_types::wrong_on_another;
use super::rates::{CountedRate, TitleConflicts};
use super::shape_change::{AcceptedCandidate, ShapeChange};
use super::verdict::{CandidateVerdict, Refusal, is_contradicted};

/// Which effect of a candidate is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestMode {
    /// The effect of the candidate alone: a first look, to put candidates in order.
    Alone,
    /// The effect on the forms that would be served, with all accepted edits.
    Served,
}

/// A candidate that is being tested: with each narrower level of scopes, places in which it fails become
/// exceptions.
pub(super) struct CandidateTest {
    pub key: CandidateKey,
    pub mode: TestMode,
    /// The rate of the next wider scope.
    pub above: f64,
    pub threshold: EvidenceThreshold,
    pub conflicts: Arc<TitleConflicts>,
    /// The edit as it would be accepted, with the exceptions found so far.
    pub candidate: AcceptedEdit,
    /// What it changes outside these exceptions.
    pub changes: Vec<ShapeChange>,
    /// The share of URLs that go wrong on another page type, seen before there were exceptions.
    pub on_another: Option<f64>,
    /// URLs that were tested before it was suppressed where it loses clusters, if it was.
    pub tested_before: Option<u32>,
    /// The refusal of its scope as a whole.
    pub whole: Option<Refusal>,
}

/// What one look at a candidate decides.
enum LookResult {
    /// Some places are exceptions now: the rest must be looked at.
    Narrowed,
    /// The candidate is refused.
    Refused(Refusal),
    /// It holds, with this rate of loss.
    Holds(Look, f64),
}

impl Gate<'_> {
    /// Tests whether a candidate can be accepted now, without the parts of its scope in which it
    /// does not hold.
    pub(super) fn test(&mut self, key: CandidateKey, mode: TestMode) -> CandidateVerdict {
        let above = self.rate_above(key);
        let Some(mut test) = self.begin_test(key, above, mode) else {
            return CandidateVerdict::Refused(self.changes_nothing(key, above, mode));
        };
        for level in within(test.candidate.scope.level()).chain([LEVELS]) {
            match self.test_level(&mut test, level) {
                LookResult::Narrowed => {}
                LookResult::Refused(refusal) => return CandidateVerdict::Refused(refusal),
                LookResult::Holds(look, rate) => {
                    let accepted = self.accepted_candidate(test, look, rate);
                    return CandidateVerdict::Accepted(Box::new(accepted));
                }
            }
        }
        let as_untested = || self.refusal(None, EditEvidence::default(), above);
        CandidateVerdict::Refused(test.whole.unwrap_or_else(as_untested))
    }

    /// Nothing where the candidate no longer changes any shape.
    fn begin_test(
        &mut self,
        key: CandidateKey,
        above: f64,
        mode: TestMode,
    ) -> Option<CandidateTest> {
        let conflicts = self.title_conflicts(key);
        let changes = self.changes(key);
        let candidate = AcceptedEdit {
            edit: self.proposals.edit(self.candidates[&key].edit).clone(),
            scope: self.scope(key, &changes)?,
            only: None,
            exceptions: Vec::new(),
            evidence: EditEvidence::default(),
            rate: UNKNOWN,
            examples: Vec::new(),
        };
        Some(CandidateTest {
            key,
            mode,
            above,
            threshold: self.evidence_threshold(&candidate.edit, &changes),
            conflicts,
            candidate,
            changes,
            on_another: None,
            tested_before: None,
            whole: None,
        })
    }

    /// Looks at what is left of a candidate. Where it fails, its scopes of `level` that fail become
    /// exceptions; at [`LEVELS`], the last look, none do.
    fn test_level(&mut self, test: &mut CandidateTest, level: usize) -> LookResult {
        let is_served = test.mode == TestMode::Served;
        if is_served {
            self.serve(test);
        }
        let look = self.look(&test.changes, &test.conflicts);
        if is_served && test.on_another.is_none() {
            test.on_another = Some(wrong_on_another(&test.changes, &look.effect.tags));
        }
        let evidence = look.evidence;
        let rate = self.shrunk(test.key, test.above, &evidence, look.new_forms, look.witnesses);
        let fault = self.fault(&test.candidate, test.threshold, &look, rate);
        let refusal = self.refusal_as_a_whole(test, &look, rate, fault);
        if look.has_too_little_evidence(test.threshold)
            || is_contradicted(&test.candidate, &evidence)
        {
            return LookResult::Refused(refusal);
        }
        if level < LEVELS && evidence.is_contradicted() {
            return match self.except_refuted(test, &look, level, rate) {
                true => LookResult::Narrowed,
                false => LookResult::Refused(refusal),
            };
        }
        if self.may_be_suppressed(test, &evidence) {
            self.suppress(test, &look);
            return LookResult::Narrowed;
        }
        // What holds in the smaller part says nothing of other places.
        let is_most = test.tested_before.is_none_or(|all| evidence.tested * 2 > all);
        if fault.is_some() || !is_most {
            LookResult::Refused(refusal)
        } else if is_served && self.accepted.would_lose_too_much(&evidence) {
            LookResult::Refused(Refusal { why: RefusalReason::LossLimit, ..refusal })
        } else {
            LookResult::Holds(look, rate)
        }
    }

    /// The refusal that the first look gives, before any place is an exception. The first look at a
    /// candidate alone also counts the rate of its scope.
    fn refusal_as_a_whole(
        &mut self,
        test: &mut CandidateTest,
        look: &Look,
        rate: f64,
        fault: Option<RefusalReason>,
    ) -> Refusal {
        if let Some(whole) = test.whole {
            return whole;
        }
        let evidence = look.evidence;
        if test.mode == TestMode::Alone {
            let (urls, new_forms, witnesses) = (look.moves.len(), look.new_forms, look.witnesses);
            self.note_rate(test.key, CountedRate { rate, evidence, new_forms, witnesses, above: test.above, urls, changed: 0 });
        }
        let whole = self.refusal(fault, evidence, rate);
        test.whole = Some(whole);
        whole
    }

    /// A candidate that holds, restricted to the page types on which it was tested if it fails on
    /// others.
    fn accepted_candidate(&self, test: CandidateTest, look: Look, rate: f64) -> AcceptedCandidate {
        let Look { moves, effect, evidence, .. } = look;
        let rate = self.reported_rate(test.key, &evidence, rate);
        let edit = AcceptedEdit { evidence, rate, ..test.candidate };
        let _ = effect;
        AcceptedCandidate { edit, moves, changes: test.changes }
    }

    /// The rate of the next wider scope, as a whole. It is counted again when enough has changed;
    /// counting it at every accepted edit would count all URLs each time.
    pub(super) fn rate_above(&mut self, key: CandidateKey) -> f64 {
        let Some(above) = self.candidates[&key].above else { return UNKNOWN };
        self.rate(above)
    }

    /// The rate of a scope as a whole. A scope with all shapes of the next wider one has the same URLs,
    /// which are not counted again. After an edit was accepted, a scope may list shapes that have left
    /// it.
    pub(super) fn rate(&mut self, key: CandidateKey) -> f64 {
        if let Some(known) = self.rates.of(key) {
            return known.rate;
        }
        if !self.rates.is_stale
            && let Some(wider) = self.as_wide_as(key)
        {
            let above = self.rate(wider);
            if let Some(known) = self.rates.of(wider) {
                let rate = self.shrunk(key, above, &known.evidence, known.new_forms, known.witnesses);
                self.rates.note(key, CountedRate { rate, ..known });
                return rate;
            }
        }
        self.test(key, TestMode::Alone);
        self.rates.of(key).map_or(UNKNOWN, |known| known.rate)
    }

    /// The refusal of a candidate that no longer changes any shape.
    fn changes_nothing(&mut self, key: CandidateKey, above: f64, mode: TestMode) -> Refusal {
        let evidence = EditEvidence::default();
        let rate = self.shrunk(key, above, &evidence, 0, 0);
        if mode == TestMode::Alone {
            let counted = CountedRate { rate, evidence, new_forms: 0, witnesses: 0, above, urls: 0, changed: 0 };
            self.note_rate(key, counted);
        }
        Refusal { why: RefusalReason::Untested, evidence, rate }
    }
}
