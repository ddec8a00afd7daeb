//! Exceptions: the places in the scope of a candidate where it does not hold.

use rustc_hash::FxHashMap;

use undust_edits::edit_evidence::EditEvidence;
use undust_edits::scope::{ContextFeature, EXCEPTIONS, LEVELS, Scope, WORDS, context_scopes};
use undust_edits::shrinkage::{UNKNOWN, shrunk};

use super::Round;
use super::candidate_test::{CandidateTest, TestMode};
use super::law::{self, RiskClass, count_pages};
use super::shape_change::Look;
use crate::gate::forms::Move;
use crate::gate::replay::MOST_SUPPRESSED;
use crate::ordered::{Ordered, distinct};

/// Largest share of places, shrunk as a rate is, in which a candidate may fail where the others are to say something of
/// places that were not seen: of eight subcategories of which seven are exceptions, the ninth would be one, too.
pub(super) const MOST_REFUTED: f64 = 0.3;

/// The same for an edit that drops an argument of the path, no more than is expected of an edit of which nothing is
/// known: of files that are one in most versions, those that were seen in one alone differ as often as the others.
const MOST_REFUTED_OF_PATH: f64 = UNKNOWN;

/// Places in which a candidate must fail before a word that they share is to blame. With two, more pages of shapes that were
/// not seen are lost (`evaluate --hold-out shape`: 933 instead of 843).
const LEAST_PLACES: usize = 3;

impl RiskClass {
    /// The largest share of places that may become exceptions.
    fn most_refuted(self) -> f64 {
        if self == Self::PathArgument { MOST_REFUTED_OF_PATH } else { MOST_REFUTED }
    }
}

impl Round<'_> {
    /// Makes exceptions of the scopes of a level in which too much is lost; whether the rest of the
    /// scope still says something.
    pub(super) fn except_refuted(
        &self,
        test: &mut CandidateTest,
        look: &Look,
        level: usize,
        rate: f64,
    ) -> bool {
        let (scopes, tested) = self.refuted(test, look, level, rate);
        if shrunk(scopes.len() as f64, tested as f64, UNKNOWN) > test.risk.most_refuted() {
            return false;
        }
        self.except(test, &scopes, level);
        true
    }

    /// Makes exceptions of the words under which too much is lost; whether there are any.
    pub(super) fn except_words(&self, test: &mut CandidateTest, look: &Look, rate: f64) -> bool {
        let (places, tested) = self.refuted(test, look, WORDS, rate);
        if shrunk(places.len() as f64, tested as f64, UNKNOWN) > test.risk.most_refuted() {
            return false;
        }
        let words = self.refuted_words(test, look, rate);
        if words.is_empty() {
            return false;
        }
        let CandidateTest { candidate, changes, .. } = test;
        let is_one = |(_, number): &(_, u64)| words.iter().any(|word| word.number() == *number);
        changes.retain(|change| {
            !context_scopes(&candidate.edit, self.before(change)).iter().any(is_one)
        });
        candidate.except(words);
        true
    }

    /// The words under which too much is lost, the worst first. Where files of one name are in many folders, a place is
    /// a folder and a name. If an edit fails in several places of one folder, the folder is to blame, and with it names
    /// that were not tested there. What one word is to blame for counts against no other.
    fn refuted_words(&self, test: &CandidateTest, look: &Look, above: f64) -> Vec<Scope> {
        let own = self.scopes_of(&test.candidate.edit, &test.changes, WORDS);
        let mut words = self.tested_words(test, look);
        let rate = |moves: &[&Move]| {
            let lost = moves.iter().filter(|one| one.collides.is_some());
            let places = distinct(lost.map(|one| own[one.tag as usize])).len();
            let mut known = EditEvidence::default();
            count_pages(&mut known, moves.iter().copied());
            let rate = law::rate(&known, above);
            (places >= LEAST_PLACES && rate > self.evidence.limits.rate).then_some(Ordered(rate))
        };
        let mut refuted = Vec::new();
        loop {
            let rates = words.iter().filter_map(|(word, (_, moves))| Some((rate(moves)?, *word)));
            let worst = rates.max().and_then(|(_, word)| words.remove(&word));
            let Some((scope, moves)) = worst else { return refuted };
            let blamed = distinct(moves.iter().map(|one| one.tag));
            for (_, moves) in words.values_mut() {
                moves.retain(|one| blamed.binary_search(&one.tag).is_err());
            }
            refuted.push(scope);
        }
    }

    /// The words with which a candidate was tested and met another page, by the numbers of their scopes, each with its
    /// moves.
    fn tested_words<'m>(
        &self,
        test: &CandidateTest,
        look: &'m Look,
    ) -> FxHashMap<u64, (Scope, Vec<&'m Move>)> {
        let edit = &test.candidate.edit;
        let mut words: FxHashMap<u64, (Scope, Vec<&Move>)> = FxHashMap::default();
        for one in look.moves.iter().filter(|one| one.tested) {
            let before = self.before(&test.changes[one.tag as usize]);
            for (word, number) in context_scopes(edit, before) {
                // What is known of values is known of each apart.
                if !matches!(word, ContextFeature::Known(_)) {
                    let new = || (Scope::of_word(edit, word, before), Vec::new());
                    words.entry(number).or_insert_with(new).1.push(one);
                }
            }
        }
        words.retain(|_, (_, moves)| moves.iter().any(|one| one.collides.is_some()));
        words
    }

    /// Whether the candidate loses more than all edits may, and so little more that the places where
    /// it loses may become exceptions.
    pub(super) fn may_be_suppressed(&self, test: &CandidateTest, evidence: &EditEvidence) -> bool {
        test.mode == TestMode::Served
            && test.tested_before.is_none()
            && self.accepted.would_lose_too_much(evidence)
            && evidence.lost as i32 <= MOST_SUPPRESSED as i32 * self.accepted.most_lost
    }

    /// Makes exceptions of the narrowest scopes in which something is lost.
    pub(super) fn suppress(&self, test: &mut CandidateTest, look: &Look) {
        test.tested_before = Some(look.effect.counts.tested);
        let own = self.scopes_of(&test.candidate.edit, &test.changes, EXCEPTIONS);
        let lost = look.moves.iter().filter(|one| one.lost);
        let mut lossy: Vec<u64> = lost.map(|one| own[one.tag as usize]).collect();
        lossy.sort_unstable();
        self.except(test, &lossy, EXCEPTIONS);
    }

    /// Applies the accepted edits to what the candidate makes of each shape, as serving would. A shape
    /// for which this does not end becomes an exception.
    pub(super) fn serve(&self, test: &mut CandidateTest) {
        let CandidateTest { candidate, changes, .. } = test;
        let mut endless = Vec::new();
        changes.retain_mut(|change| {
            let program = self.accepted.program(change.shape);
            let edited = candidate.edit.apply(program);
            match edited.and_then(|edited| self.accepted.served(edited, Some(&*candidate))) {
                Some(served) => {
                    change.program = served;
                    true
                }
                None => {
                    endless.push(Scope::of(&candidate.edit, LEVELS - 1, program));
                    false
                }
            }
        });
        candidate.except(endless);
    }

    /// Makes exceptions of scopes of a level, given by their numbers, ascending.
    fn except(&self, test: &mut CandidateTest, scopes: &[u64], level: usize) {
        let CandidateTest { candidate, changes, .. } = test;
        let mut excepted: Vec<Option<Scope>> = vec![None; scopes.len()];
        let mut own = self.scopes_of(&candidate.edit, changes, level).into_iter();
        changes.retain(|one| {
            let scope = own.next().unwrap_or_default();
            let Ok(place) = scopes.binary_search(&scope) else { return true };
            let scope = || Scope::of(&candidate.edit, level, self.before(one));
            excepted[place].get_or_insert_with(scope);
            false
        });
        candidate.except(excepted.into_iter().flatten());
    }

    /// The scopes of a level in which too much is lost, by their numbers, ascending; and in how many it was tested.
    fn refuted(
        &self,
        test: &CandidateTest,
        look: &Look,
        level: usize,
        above: f64,
    ) -> (Vec<u64>, usize) {
        let mut places: FxHashMap<u64, Vec<&Move>> = FxHashMap::default();
        let own = self.scopes_of(&test.candidate.edit, &test.changes, level);
        for one in &look.moves {
            places.entry(own[one.tag as usize]).or_default().push(one);
        }
        let (mut scopes, mut tested) = (Vec::new(), 0);
        for (scope, moves) in places {
            let mut known = EditEvidence::default();
            count_pages(&mut known, moves.into_iter());
            tested += usize::from(known.pages > 0);
            if known.is_contradicted() && law::rate(&known, above) > self.evidence.limits.rate {
                scopes.push(scope);
            }
        }
        scopes.sort_unstable();
        (scopes, tested)
    }
}
