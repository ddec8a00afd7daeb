//! What is known of a candidate: what it would do to the forms that are accepted so far, and where it
//! does not hold.

use rustc_hash::FxHashMap;

use undust_model::edit_evidence::{EditEvidence, UNKNOWN};
use undust_model::edits::accepted::AcceptedEdit;
use undust_model::edits::program::Cell;
use undust_model::edits::refused::RefusalReason;
use undust_model::edits::scope::{LEVELS, Scope, within};
use undust_model::edits::sequence::reduce;

use super::candidate::CandidateKey;
use super::gate::Gate;
use super::look::Look;
use super::page_types::wrong_on_another;
use super::rates::CountedRate;
use super::shape_change::{JudgedCandidate, ShapeChange};
use super::verdict::{CandidateVerdict, Refusal, is_contradicted};
use crate::gate::forms::MoveResult;
use crate::gate::replay::MOST_SUPPRESSED;

/// One in so many narrower scopes may be an exception; with more, the wider scope says nothing
/// of those that are not known.
const MOST_EXCEPTIONS: u32 = 2;

/// What a candidate is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// What it does itself: a first look, to put candidates in order.
    Itself,
    /// What the URLs end as, with all that is accepted.
    Serving,
}

impl Gate<'_> {
    /// Whether a candidate is accepted as things are now, without the parts of it in which it does not hold.
    pub(super) fn judge(&mut self, key: CandidateKey, by: By) -> CandidateVerdict {
        let above = self.rate_above(key);
        let apart = self.apart(key);
        let mut changes = self.changes(key);
        let Some(mut candidate) = self.candidate(key, &changes) else {
            return CandidateVerdict::Refused(self.changes_nothing((key, above), by));
        };
        let threshold = self.evidence_threshold(&candidate.edit, &changes);
        let (mut suppressed, mut on_another, mut whole) = (None, None, None);
        let levels = within(candidate.scope.level());
        for narrower in levels.chain([LEVELS]) {
            if by == By::Serving {
                self.serve(&mut changes, &mut candidate);
            }
            let look = self.look(&changes, &apart);
            let evidence = look.evidence;
            if by == By::Serving && on_another.is_none() {
                // Nothing is an exception yet.
                on_another = Some(wrong_on_another(&changes, &look.effect.tags));
            }
            let rate = self.shrunk((key, above), &evidence, look.new_forms);
            let fault = self.fault(&candidate, threshold, &look, rate);
            if whole.is_none() && by == By::Itself {
                self.note_rate(key, (evidence, rate), (look.moves.len(), look.new_forms));
            }
            let refusal = *whole.get_or_insert_with(|| self.refusal(fault, evidence, rate));
            if look.has_too_little_evidence(threshold) || is_contradicted(&candidate, &evidence) {
                return CandidateVerdict::Refused(refusal);
            }
            if narrower < LEVELS && evidence.is_contradicted() {
                let (refuted, tested) = self.refuted(&changes, &look.effect.tags, narrower, rate);
                if tested * MOST_EXCEPTIONS > evidence.tested && rate > self.limits.rate {
                    return CandidateVerdict::Refused(refusal);
                }
                self.except(&refuted, narrower, &mut changes, &mut candidate);
            } else if by == By::Serving && suppressed.is_none() && self.may_be_suppressed(&evidence)
            {
                suppressed = Some(evidence.tested);
                let lossy = lossy(&changes, &look.effect.tags);
                self.except(&lossy, LEVELS - 1, &mut changes, &mut candidate);
            } else {
                // What holds in the smaller part says nothing of other places.
                let is_most = suppressed.is_none_or(|all| evidence.tested * 2 > all);
                if fault.is_some() || !is_most {
                    return CandidateVerdict::Refused(refusal);
                }
                if by == By::Serving && self.is_over_budget(&evidence) {
                    return CandidateVerdict::Refused(Refusal {
                        why: RefusalReason::Budget,
                        ..refusal
                    });
                }
                let rate = self.reported_rate(key, (&evidence, rate));
                let accepted = AcceptedEdit { evidence, rate, ..candidate };
                let judged = self.judged(accepted, changes, look, on_another);
                return CandidateVerdict::Accepted(Box::new(judged));
            }
        }
        CandidateVerdict::Refused(
            whole.unwrap_or_else(|| self.refusal(None, EditEvidence::default(), above)),
        )
    }

    /// The rate of the next wider scope, as a whole. It is counted anew when enough has changed: were it
    /// counted at every edit that is accepted, each would have all URLs counted.
    pub(super) fn rate_above(&mut self, key: CandidateKey) -> f64 {
        let Some(above) = self.candidates[&key].above else { return UNKNOWN };
        self.rate(above)
    }

    /// The rate of a scope as a whole. One that holds all shapes of the next wider one has the same URLs
    /// as that, which are not counted again. Once an edit is accepted, a scope may list shapes that have
    /// left it.
    pub(super) fn rate(&mut self, key: CandidateKey) -> f64 {
        if let Some(known) = self.rates.of(key) {
            return known.rate;
        }
        if !self.rates.is_stale
            && let Some(wider) = self.as_wide_as(key)
        {
            let above = self.rate(wider);
            if let Some(known) = self.rates.of(wider) {
                let rate = self.shrunk((key, above), &known.evidence, known.new_forms);
                self.rates.note(key, CountedRate { rate, ..known });
                return rate;
            }
        }
        self.judge(key, By::Itself);
        self.rates.of(key).map_or(UNKNOWN, |known| known.rate)
    }

    /// Why a candidate is refused that no longer changes any shape.
    fn changes_nothing(&mut self, (key, above): (CandidateKey, f64), by: By) -> Refusal {
        let evidence = EditEvidence::default();
        let rate = self.shrunk((key, above), &evidence, 0);
        if by == By::Itself {
            self.note_rate(key, (evidence, rate), (0, 0));
        }
        Refusal { why: RefusalReason::Untested, evidence, rate }
    }

    /// A candidate that holds, kept to the kinds of pages of which it is known if it fails on others.
    fn judged(
        &self,
        accepted: AcceptedEdit,
        changes: Vec<ShapeChange>,
        Look { moves, effect, .. }: Look,
        on_another: Option<f64>,
    ) -> JudgedCandidate {
        let mut judged = JudgedCandidate { accepted, moves, changes };
        if let Some(wrong) = on_another {
            self.keep_to_known_kinds(&mut judged, &effect.tags, wrong);
        }
        judged
    }

    /// Whether more is lost than may be lost yet, and so little more that the places where it is lost
    /// may be exceptions.
    fn may_be_suppressed(&self, evidence: &EditEvidence) -> bool {
        self.is_over_budget(evidence)
            && evidence.lost as i32 <= MOST_SUPPRESSED as i32 * self.budget
    }

    /// A candidate as it would be accepted, were nothing wrong with it; none that changes nothing.
    fn candidate(&self, key: CandidateKey, changes: &[ShapeChange]) -> Option<AcceptedEdit> {
        Some(AcceptedEdit {
            edit: self.proposals.edit(self.candidates[&key].edit).clone(),
            scope: self.scope(key, changes)?,
            only: None,
            exceptions: Vec::new(),
            evidence: EditEvidence::default(),
            rate: UNKNOWN,
            examples: Vec::new(),
        })
    }

    /// Carries changes on to where serving would: what an edit leaves, earlier ones may change.
    /// Where there is no end, the candidate does not hold.
    fn serve(&mut self, changes: &mut Vec<ShapeChange>, candidate: &mut AcceptedEdit) {
        let last = self.accepted.len() as u32;
        let mut endless = Vec::new();
        changes.retain_mut(|change| {
            let edited = {
                let program = &self.rows.shapes[change.shape as usize].program;
                candidate.edit.apply(program)
            };
            let of = |program: &[Cell]| {
                let mut numbers = self.index.of(program.iter().map(|cell| cell.symbol));
                numbers.push(last);
                numbers
            };
            let rule = |number: u32| self.accepted.get(number as usize).unwrap_or(&*candidate);
            let proposed = |program: &[Cell]| match &mut self.tagged {
                Some(tagged) => tagged.edits(program, &mut self.proposals),
                None => Vec::new(),
            };
            match edited.and_then(|edited| reduce(edited, of, rule, proposed)) {
                Some((program, _)) => {
                    change.program = program;
                    true
                }
                None => {
                    let program = &self.rows.shapes[change.shape as usize].program;
                    endless.push(Scope::of(&candidate.edit, LEVELS - 1, program));
                    false
                }
            }
        });
        candidate.except(endless);
    }

    /// Makes scopes of a level, given by their numbers, ascending, exceptions of a candidate.
    fn except(
        &self,
        scopes: &[u64],
        level: usize,
        changes: &mut Vec<ShapeChange>,
        candidate: &mut AcceptedEdit,
    ) {
        let mut excepted: Vec<Option<Scope>> = vec![None; scopes.len()];
        changes.retain(|one| {
            let Ok(place) = scopes.binary_search(&one.scopes[level]) else { return true };
            let scope = || Scope::of(&candidate.edit, level, self.before(one));
            excepted[place].get_or_insert_with(scope);
            false
        });
        candidate.except(excepted.into_iter().flatten());
    }

    /// The scopes of a level in which too much is lost, and how many URLs are tested there.
    fn refuted(
        &self,
        changes: &[ShapeChange],
        tags: &[MoveResult],
        level: usize,
        above: f64,
    ) -> (Vec<u64>, u32) {
        let mut counts: FxHashMap<u64, EditEvidence> = FxHashMap::default();
        for tag in tags {
            let scope = changes[tag.tag as usize].scopes[level];
            let one = EditEvidence {
                tested: u32::from(tag.tested),
                lost: u32::from(tag.lost),
                mixed: u32::from(tag.mixed),
                saved: 0,
            };
            *counts.entry(scope).or_default() += one;
        }
        counts.retain(|_, known| {
            known.lost > 0 && known.rate(above) > self.limits.rate
                || known.mixed > 0
                    && known.collision_rate(self.limits.collision_rate) > self.limits.collision_rate
        });
        let tested = counts.values().map(|known| known.tested).sum();
        let mut refuted: Vec<u64> = counts.into_keys().collect();
        refuted.sort_unstable();
        (refuted, tested)
    }
}

/// The narrowest scopes in which something is lost.
fn lossy(changes: &[ShapeChange], tags: &[MoveResult]) -> Vec<u64> {
    let lost = tags.iter().filter(|tag| tag.lost);
    let mut scopes: Vec<u64> =
        lost.map(|tag| changes[tag.tag as usize].scopes[LEVELS - 1]).collect();
    scopes.sort_unstable();
    scopes.dedup();
    scopes
}
