//! The test of a candidate: what it would do to the forms that the accepted edits have made, and
//! where it does not hold.

use std::mem;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit_evidence::EditEvidence;
use undust_edits::refused::RefusalReason;
use undust_edits::scope::{LEVELS, PAGE_TYPE, within};
use undust_edits::shrinkage::UNKNOWN;

use super::Round;
use super::candidate::CandidateKey;
use super::law::{self, RiskClass, is_contradicted};
use super::rates::CountedRate;
use super::shape_change::{AcceptedCandidate, Look, ShapeChange};

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
    /// Whether words under which it fails are exceptions.
    pub is_split_by_words: bool,
    /// What the first look showed of its scope as a whole.
    pub whole: Option<(RefusalReason, CountedRate)>,
}

/// What a test says of a candidate: what it does if it is accepted, else why it is refused; and what was counted of its
/// scope as a whole.
pub(super) struct Tested {
    pub verdict: Verdict,
    pub whole: CountedRate,
}

/// What a candidate does if it is accepted, else why it is refused: what is wrong with its scope as a whole; where
/// nothing is, with what is left of it.
pub(super) type Verdict = Result<Box<AcceptedCandidate>, RefusalReason>;

impl Round<'_> {
    /// Tests whether a candidate can be accepted now, without the parts of its scope in which it
    /// does not hold.
    pub(super) fn test(&mut self, key: CandidateKey, mode: TestMode) -> Tested {
        self.count_above(key);
        let tested = self.tested(key, mode);
        if mode == TestMode::Alone {
            self.rates.note(key, tested.whole);
        }
        tested
    }

    /// What a test says, once the rate above the candidate is counted. It changes nothing, so several can run at once.
    pub(super) fn tested(&self, key: CandidateKey, mode: TestMode) -> Tested {
        let mut test = self.begin_test(key, mode);
        let levels = within(test.candidate.scope.level());
        let mut levels = levels.filter(|level| *level != LEVELS - 1).chain([LEVELS]);
        let decision = levels.find_map(|level| self.test_level(&mut test, level));
        let (why, whole) = test.whole.unwrap_or((RefusalReason::Untested, CountedRate::default()));
        let verdict = decision.unwrap_or(Err(why)).map(|Look { moves, effect, .. }| {
            let edit = AcceptedEdit { evidence: effect.counts, ..test.candidate };
            Box::new(AcceptedCandidate { edit, moves, changes: test.changes })
        });
        Tested { verdict, whole }
    }

    fn begin_test(&self, key: CandidateKey, mode: TestMode) -> CandidateTest {
        let changes = self.changes(key);
        let candidate = AcceptedEdit {
            edit: self.evidence.edit(self.candidates.get(key).edit).clone(),
            scope: self.scope(key, &changes),
            only: None,
            exceptions: Vec::new(),
            evidence: EditEvidence::default(),
            rate: UNKNOWN,
            examples: Vec::new(),
        };
        let risk = self.risk_class(&candidate.edit, &changes);
        CandidateTest {
            key,
            mode,
            risk,
            candidate,
            changes,
            tested_before: None,
            is_split_by_words: false,
            whole: None,
        }
    }

    /// Looks at what is left of a candidate, and decides that it holds, or why it is refused. Where it fails, its scopes of
    /// `level` that fail become exceptions, and nothing is decided: the rest must be looked at. At [`LEVELS`], the last
    /// look, none do.
    fn test_level(
        &self,
        test: &mut CandidateTest,
        level: usize,
    ) -> Option<Result<Look, RefusalReason>> {
        let is_served = test.mode == TestMode::Served;
        if is_served {
            self.serve(test);
        }
        let look = self.look(&test.changes);
        let evidence = &look.effect.counts;
        let outside = self.outside(test.key, evidence);
        let rate = law::rate(evidence, outside);
        test.candidate.rate = rate;
        let limits = &self.evidence.limits;
        let threshold = test.risk.threshold(&look, limits);
        let threshold = match self.families.get(&test.key) {
            Some(family) => threshold.shared_with(family),
            None => threshold,
        };
        let fault = look.fault(&test.candidate, rate, threshold, limits);
        let loses_too_much = self.accepted.would_lose_too_much(evidence);
        let (why, _) = *test.whole.get_or_insert_with(|| {
            let left =
                if loses_too_much { RefusalReason::LossLimit } else { RefusalReason::InPart };
            let urls = look.moves.len().max(self.candidates.get(test.key).shapes.len());
            let counted = CountedRate { rate, evidence: *evidence, outside, urls, changed: 0 };
            (fault.unwrap_or(left), counted)
        });
        if evidence.saved <= 0
            || look.is_too_little(threshold)
            || is_contradicted(&test.candidate, evidence)
        {
            return Some(Err(why));
        }
        if level < LEVELS && evidence.is_contradicted() {
            // Words are narrower than pages with one ending, and wider than all else.
            let is_first = level > PAGE_TYPE && !mem::replace(&mut test.is_split_by_words, true);
            if is_first && self.except_words(test, &look, rate) {
                return self.test_level(test, level);
            }
            let is_narrowed = self.except_refuted(test, &look, level, rate);
            return (!is_narrowed).then_some(Err(why));
        }
        if self.may_be_suppressed(test, evidence) {
            self.suppress(test, &look);
            return None;
        }
        // What holds in the smaller part says nothing of other places.
        let is_most = test.tested_before.is_none_or(|all| evidence.tested * 2 > all);
        Some(if fault.is_some() || !is_most {
            Err(why)
        } else if is_served && loses_too_much {
            Err(RefusalReason::LossLimit)
        } else if is_served && self.is_refuted_by_words(test) {
            Err(RefusalReason::InPart)
        } else {
            Ok(look)
        })
    }

    /// Counts the rate of the next wider scope as a whole. It is counted again when enough has changed; counting it at
    /// every accepted edit would count all URLs each time.
    pub(super) fn count_above(&mut self, key: CandidateKey) {
        if let Some(above) = self.candidates.get(key).above {
            self.count(above);
        }
    }

    /// Counts the rate of a scope as a whole, if it is not known. A scope with all shapes of the next wider one has the
    /// same URLs, which are not counted again. After an edit was accepted, a scope may list shapes that have left it.
    pub(super) fn count(&mut self, key: CandidateKey) {
        if self.rates.of(key).is_some() {
            return;
        }
        if !self.rates.is_stale()
            && let Some(wider) = self.candidates.as_wide_as(key)
        {
            self.count(wider);
            if let Some(known) = self.rates.of(wider) {
                return self.rates.note(key, known);
            }
        }
        self.test(key, TestMode::Alone);
    }

    /// The rate outside a candidate's scope, given what it would do there: shrunk towards that of the next wider scope,
    /// or what is known of its family.
    pub(super) fn outside(&self, key: CandidateKey, evidence: &EditEvidence) -> f64 {
        let Some(above) = self.candidates.get(key).above else {
            let family = self.families.get(&key);
            return law::outside(evidence, family.map(|family| (&family.counts, UNKNOWN)));
        };
        let wider = self.rates.of(above);
        law::outside(evidence, wider.as_ref().map(|wider| (&wider.evidence, wider.outside)))
    }
}
