//! The test of a candidate: what it would do to the forms that the accepted edits have made, and
//! where it does not hold.

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit_evidence::EditEvidence;
use undust_edits::refused::RefusalReason;
use undust_edits::scope::{LEVELS, within};
use undust_edits::shrinkage::UNKNOWN;

use super::Round;
use super::candidate::CandidateKey;
use super::law::{self, RiskClass, is_contradicted};
use super::look::Look;
use super::rates::CountedRate;
use super::shape_change::{AcceptedCandidate, ShapeChange};
use super::verdict::{CandidateVerdict, Refusal};

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
    pub risk: RiskClass,
    /// The edit as it would be accepted, with the exceptions found so far.
    pub candidate: AcceptedEdit,
    /// What it changes outside these exceptions.
    pub changes: Vec<ShapeChange>,
    /// URLs that were tested before it was suppressed where it loses clusters, if it was.
    pub tested_before: Option<u32>,
    /// The refusal of its scope as a whole.
    pub whole: Option<Refusal>,
    /// What a test alone counts of its scope as a whole.
    pub counted: Option<CountedRate>,
}

impl CandidateTest {
    /// The candidate, which holds.
    fn accepted(self, look: Look, rate: f64) -> AcceptedCandidate {
        let Look { moves, evidence, .. } = look;
        let edit = AcceptedEdit { evidence, rate, ..self.candidate };
        AcceptedCandidate { edit, moves, changes: self.changes }
    }
}

/// What a test says of a candidate, and the rate of its scope, if it counted that.
pub(super) struct Tested {
    pub verdict: CandidateVerdict,
    pub counted: Option<CountedRate>,
}

/// What one look at a candidate decides: that it holds, with this rate of loss, or that it is refused. Nothing where some
/// places became exceptions: the rest must be looked at.
type Decision = Option<Result<(Look, f64), Refusal>>;

impl Round<'_> {
    /// Tests whether a candidate can be accepted now, without the parts of its scope in which it
    /// does not hold.
    pub(super) fn test(&mut self, key: CandidateKey, mode: TestMode) -> CandidateVerdict {
        let above = self.rate_above(key);
        let Tested { verdict, counted } = self.tested(key, mode, above);
        if let Some(counted) = counted {
            self.note_rate(key, counted);
        }
        verdict
    }

    /// What a test says, given the rate above the candidate. It changes nothing, so several can run at once.
    pub(super) fn tested(&self, key: CandidateKey, mode: TestMode, above: f64) -> Tested {
        let Some(mut test) = self.begin_test(key, mode) else {
            return self.changes_nothing(key, mode);
        };
        let levels = within(test.candidate.scope.level());
        let mut levels = levels.filter(|level| *level != LEVELS - 1).chain([LEVELS]);
        let decision = levels.find_map(|level| self.test_level(&mut test, level));
        let as_untested = || self.refusal(None, EditEvidence::default(), above);
        let decision = decision.unwrap_or_else(|| Err(test.whole.unwrap_or_else(as_untested)));
        let counted = test.counted;
        let verdict = decision.map(|(look, rate)| Box::new(test.accepted(look, rate)));
        Tested { verdict, counted }
    }

    /// Nothing where the candidate no longer changes any shape.
    fn begin_test(&self, key: CandidateKey, mode: TestMode) -> Option<CandidateTest> {
        let changes = self.changes(key);
        let candidate = AcceptedEdit {
            edit: self.evidence.edit(self.candidates.get(key).edit).clone(),
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
            risk: self.risk_class(&candidate.edit, &changes),
            candidate,
            changes,
            tested_before: None,
            whole: None,
            counted: None,
        })
    }

    /// Looks at what is left of a candidate. Where it fails, its scopes of `level` that fail become
    /// exceptions; at [`LEVELS`], the last look, none do.
    fn test_level(&self, test: &mut CandidateTest, level: usize) -> Decision {
        let is_served = test.mode == TestMode::Served;
        if is_served {
            self.serve(test);
        }
        let look = self.look(&test.changes);
        let evidence = look.evidence;
        let outside = self.outside(test.key, &evidence);
        let rate = law::rate(&evidence, outside);
        let known = law::Evidence {
            counts: &evidence,
            urls: look.moves.len(),
            outside: look.effect.outside,
            tested_forms: look.effect.tested_forms,
            rate,
        };
        let threshold = test.risk.threshold(look.sample, &self.evidence.limits);
        let threshold = match self.families.get(&test.key) {
            Some(family) => threshold.shared_with(family),
            None => threshold,
        };
        let fault = known.fault(&test.candidate, threshold, &self.evidence.limits);
        let refusal = self.refusal_as_a_whole(test, &look, rate, fault);
        if evidence.saved <= 0
            || known.is_too_little(threshold)
            || is_contradicted(&test.candidate, &evidence)
        {
            return Some(Err(refusal));
        }
        if level < LEVELS && evidence.is_contradicted() {
            let is_narrowed = self.except_refuted(test, &look, level, rate);
            return (!is_narrowed).then_some(Err(refusal));
        }
        if self.may_be_suppressed(test, &evidence) {
            self.suppress(test, &look);
            return None;
        }
        // What holds in the smaller part says nothing of other places.
        let is_most = test.tested_before.is_none_or(|all| evidence.tested * 2 > all);
        Some(if fault.is_some() || !is_most {
            Err(refusal)
        } else if is_served && self.accepted.would_lose_too_much(&evidence) {
            Err(Refusal { why: RefusalReason::LossLimit, ..refusal })
        } else if is_served && self.is_refuted_by_words(test) {
            Err(Refusal { why: RefusalReason::InPart, ..refusal })
        } else {
            Ok((look, rate))
        })
    }

    /// The refusal that the first look gives, before any place is an exception. The first look at a
    /// candidate alone also counts the rate of its scope.
    fn refusal_as_a_whole(
        &self,
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
            let (urls, outside) = (look.moves.len(), self.outside(test.key, &evidence));
            test.counted = Some(CountedRate { rate, evidence, outside, urls, changed: 0 });
        }
        let whole = self.refusal(fault, evidence, rate);
        test.whole = Some(whole);
        whole
    }

    /// The rate of the next wider scope, as a whole. It is counted again when enough has changed;
    /// counting it at every accepted edit would count all URLs each time.
    pub(super) fn rate_above(&mut self, key: CandidateKey) -> f64 {
        let Some(above) = self.candidates.get(key).above else { return UNKNOWN };
        self.rate(above)
    }

    /// The rate of a scope as a whole. A scope with all shapes of the next wider one has the same URLs,
    /// which are not counted again. After an edit was accepted, a scope may list shapes that have left
    /// it.
    pub(super) fn rate(&mut self, key: CandidateKey) -> f64 {
        if let Some(known) = self.rates.of(key) {
            return known.rate;
        }
        if !self.rates.is_stale()
            && let Some(wider) = self.candidates.as_wide_as(key)
        {
            self.rate(wider);
            if let Some(known) = self.rates.of(wider) {
                let rate = law::rate(&known.evidence, self.outside(key, &known.evidence));
                self.rates.note(key, CountedRate { rate, ..known });
                return rate;
            }
        }
        let _ = self.test(key, TestMode::Alone);
        self.rates.of(key).map_or(UNKNOWN, |known| known.rate)
    }

    /// The refusal of a candidate that no longer changes any shape.
    fn changes_nothing(&self, key: CandidateKey, mode: TestMode) -> Tested {
        let evidence = EditEvidence::default();
        let outside = self.outside(key, &evidence);
        let rate = law::rate(&evidence, outside);
        let counted = CountedRate { rate, evidence, outside, urls: 0, changed: 0 };
        let refusal = Refusal { why: RefusalReason::Untested, evidence, rate };
        Tested { verdict: Err(refusal), counted: (mode == TestMode::Alone).then_some(counted) }
    }
}
