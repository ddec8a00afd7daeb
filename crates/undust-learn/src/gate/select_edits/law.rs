//! The law of evidence: what must be known of an edit before it is accepted in a scope.
//!
//! 1. *Pages are the observations.* URLs that show one page are one observation, however many they are. Where a word of
//!    the URL [names](super::named_pages) the page, as that of a log-in page does, each URL is one.
//! 2. *The rate of loss* in a scope is shrunk towards that outside it, in the next wider scope ([`rate`]): a mean
//!    of both, in which the outside counts as much as three pages (an empirical Bayes estimate; Efron and Morris,
//!    JASA 1975). What the wider scope knows from this one alone is not counted a second time ([`outside`]).
//! 3. *Like edits share their luck*: outside the widest scope stands what is known of the edit's
//!    [family](super::family), which also vouches for members of which little was tested ([`Threshold::shared_with`]).
//! 4. *What throws more away needs more* ([`RiskClass`]): an edit that drops an argument of the path, which is often all
//!    that a page is, needs six times as much as one that drops an argument of the query.
//! 5. The first of the [faults](Look::fault) that an edit has is why it is refused.
//!
//! Where an accepted edit then holds is the matter of its [reach](crate::gate::reach).

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit_evidence::EditEvidence;
use undust_edits::refused::RefusalReason;
use undust_edits::scope::PAGE_TYPE;
use undust_edits::shrinkage::{UNKNOWN, shrunk};

use super::limits::LossLimits;
use super::shape_change::Look;
use crate::gate::forms::{Move, MoveEffect};
use crate::ordered::distinct;

/// URLs, each of a form of its own, that an edit must be tested on.
pub(crate) const LEAST_FORMS: u32 = 5;

/// Pages that must show it: what one page shows may be of that page.
const LEAST_PAGES: u32 = 2;

/// Pages that must show an edit that drops an argument of the path.
const LEAST_PAGES_OF_PATH: u32 = 15;

/// The largest rate that is believed of a scope because of what is outside it.
const LARGEST: f64 = 0.2;

/// Share of the URLs that an edit moves from folder to folder which must test it.
const MOVED: f64 = 0.5;

/// Decimals of a rate are cut to so many parts: a text holds these exactly, so that a model that was read back is
/// the one that was written, to the last bit.
const PARTS: f64 = 1e12;

/// How much an edit throws away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RiskClass {
    /// Names and values of the query, or nothing.
    Usual,
    /// It writes one value or one segment of the path for another, or no value, or drops an argument for a value of
    /// several pieces: a few lists are equal in two orders by chance, or with a filter and without, and a few products
    /// stand in two folders.
    Values,
    /// An argument of the path that has no name.
    PathArgument,
    /// Nothing, but it moves pages to another first folder, which may be another author's: who copies five pages of a
    /// neighbour may not take the others.
    Moves,
}

/// What an edit needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Threshold {
    /// URLs of a form of their own that it was tested on, at least.
    forms: u32,
    /// Pages that show it, at least.
    pages: u32,
    /// Share of the URLs that it changes which must test it.
    share: f64,
    /// The largest rate of loss.
    rate: f64,
}

impl RiskClass {
    /// What an edit of this class needs. If a word names most of its pages, an argument of the path that it
    /// drops is not all that they are.
    pub(super) fn threshold(self, look: &Look, limits: &LossLimits) -> Threshold {
        let (times, pages) = match self {
            Self::PathArgument if look.named * 2 < look.effect.counts.pages => {
                (6, LEAST_PAGES_OF_PATH)
            }
            Self::Usual | Self::PathArgument | Self::Moves => (1, LEAST_PAGES),
            Self::Values => (3, LEAST_PAGES),
        };
        let share = if self == Self::Moves { MOVED } else { 0.0 };
        Threshold { forms: LEAST_FORMS * times, pages, share, rate: limits.rate / f64::from(times) }
    }
}

impl Threshold {
    /// What is left of it for an edit whose family meets it, if nothing speaks against the family.
    pub(super) fn shared_with(self, family: &MoveEffect) -> Self {
        let MoveEffect { counts, tested_forms, .. } = family;
        let is_met = *tested_forms >= self.forms && counts.pages >= self.pages;
        if is_met && !counts.is_contradicted() {
            Self { forms: LEAST_FORMS, pages: LEAST_PAGES, ..self }
        } else {
            self
        }
    }
}

/// Counts the effective sample of an edit, what counts as an observation: the different pages that tested URLs show, and
/// those that come to share a form with another page. A page that a word names counts once for each of its URLs; how
/// many these are is the answer.
pub(super) fn count_pages<'m>(
    counts: &mut EditEvidence,
    moves: impl Iterator<Item = &'m Move> + Clone,
) -> u32 {
    let tested = moves.filter(|one| one.tested);
    let of_page = tested.clone().filter(|one| !one.is_named).map(|one| one.cluster);
    let met = tested.clone().filter_map(|one| one.collides);
    let named = tested.clone().filter(|one| one.is_named).map(|one| (one.to, one.from));
    let named = distinct(named).len() as u32;
    let collisions = tested.filter_map(|one| Some([one.cluster, one.collides?]));
    counts.pages = distinct(of_page.chain(met)).len() as u32 + named;
    counts.collisions = distinct(collisions.flatten()).len() as u32;
    named
}

/// The rate of loss in a scope, given that outside it.
pub(crate) fn rate(evidence: &EditEvidence, outside: f64) -> f64 {
    (shrunk(evidence.collisions.into(), evidence.pages.into(), outside.min(LARGEST)) * PARTS)
        .round()
        / PARTS
}

/// The rate outside a scope, in the next wider one, given the evidence of both and the rate outside the wider one. Of
/// the widest scope nothing is known outside.
pub(crate) fn outside(evidence: &EditEvidence, wider: Option<(&EditEvidence, f64)>) -> f64 {
    let Some((wider, beyond)) = wider else { return UNKNOWN };
    let rest = (f64::from(wider.pages) - f64::from(evidence.pages)).max(0.0);
    shrunk(
        (f64::from(wider.collisions) - f64::from(evidence.collisions)).clamp(0.0, rest),
        rest,
        beyond.min(LARGEST),
    )
}

impl Look {
    /// What is wrong with an edit that has this rate of loss in its scope; none if nothing is. Of several faults the first
    /// in this order is reported.
    pub(super) fn fault(
        &self,
        edit: &AcceptedEdit,
        rate: f64,
        threshold: Threshold,
        limits: &LossLimits,
    ) -> Option<RefusalReason> {
        let MoveEffect { counts, outside, .. } = &self.effect;
        let wrong = shrunk((*outside).into(), counts.tested.into(), UNKNOWN);
        let is_too_much = rate > threshold.rate || *outside > 0 && wrong > limits.wrong;
        if self.is_too_little(threshold) || is_too_much && counts.collisions == 0 {
            Some(RefusalReason::Untested)
        } else if is_too_much {
            Some(RefusalReason::Loses)
        } else if is_contradicted(edit, counts) {
            Some(RefusalReason::Contradicted)
        } else if counts.gain(limits.loss_cost) <= 0.0 {
            Some(RefusalReason::SavesNothing)
        } else {
            None
        }
    }

    /// Whether it was tested on too few URLs or pages.
    pub(super) fn is_too_little(&self, threshold: Threshold) -> bool {
        let MoveEffect { counts, tested_forms, .. } = &self.effect;
        *tested_forms < threshold.forms
            || counts.pages < threshold.pages
            || f64::from(counts.tested) < threshold.share * self.moves.len() as f64
    }
}

/// Whether an edit says that one value stands for another, and anything speaks against it, or it is asked
/// of narrower places than pages with one ending and the same names in the query. Two lists of a few
/// things are equal in any order, and so are empty ones: in some places, and not for long.
pub(super) fn is_contradicted(edit: &AcceptedEdit, evidence: &EditEvidence) -> bool {
    let is_narrow = edit.scope.level() > PAGE_TYPE;
    edit.edit.swaps_a_value() && (is_narrow || evidence.is_contradicted())
}

#[cfg(test)]
mod tests {
    use undust_edits::edit::Edit;
    use undust_edits::scope::Scope;

    use super::*;

    fn evidence(tested: u32, pages: u32, collisions: u32) -> EditEvidence {
        EditEvidence { tested, pages, collisions, ..EditEvidence::default() }
    }

    /// A look at URLs of so many pages, each of a form of its own.
    fn of_pages(pages: u32) -> Look {
        let effect =
            MoveEffect { counts: evidence(pages, pages, 0), tested_forms: pages, outside: 0 };
        Look { moves: vec![Move::default(); pages as usize], effect, named: 0 }
    }

    fn is(rate: f64, expected: f64) {
        assert!((rate - expected).abs() < 1e-9, "{rate} is not {expected}");
    }

    #[test]
    fn urls_of_one_page_are_one_observation_unless_a_word_names_it() {
        let url = |from: u64, cluster: u32, is_named: bool| Move {
            to: cluster.into(),
            from,
            cluster,
            tag: 0,
            is_named,
            tested: true,
            ..Move::default()
        };
        let moves = [
            url(1, 1, false),
            url(2, 1, false),
            url(3, 2, false),
            url(4, 3, true),
            url(5, 3, true),
        ];
        let mut counts = EditEvidence::default();
        assert_eq!(count_pages(&mut counts, moves.iter()), 2);
        assert_eq!(counts, evidence(0, 4, 0));
        let untested = moves.map(|one| Move { tested: false, ..one });
        assert_eq!(count_pages(&mut counts, untested.iter()), 0);
        assert_eq!(counts, EditEvidence::default());
    }

    #[test]
    fn forty_urls_of_one_page_say_less_than_forty_pages() {
        is(rate(&evidence(40, 1, 0), UNKNOWN), 0.3 / 4.0);
        is(rate(&evidence(40, 40, 0), UNKNOWN), 0.3 / 43.0);
        is(rate(&evidence(40, 20, 4), UNKNOWN), (4.0 + 0.3) / 23.0);
    }

    /// A scope that is nearly all of the wider one has little to learn from it.
    #[test]
    fn what_a_wider_scope_knows_from_a_narrower_one_is_not_counted_twice() {
        let (wide, narrow) = (evidence(60, 16, 0), evidence(50, 12, 0));
        let outside = outside(&narrow, Some((&wide, UNKNOWN)));
        is(outside, 0.3 / 7.0);
        is(rate(&narrow, outside), 3.0 * outside / 15.0);
        is(super::outside(&wide, Some((&wide, UNKNOWN))), UNKNOWN);
        is(super::outside(&wide, None), UNKNOWN);
        // Losses inside are none outside.
        is(super::outside(&evidence(10, 10, 5), Some((&evidence(20, 20, 5), UNKNOWN))), 0.3 / 13.0);
    }

    /// Two pages that collide cost sixteen fetches.
    #[test]
    fn what_saves_less_than_it_costs_is_told_as_that() {
        let limits = LossLimits::of(&crate::config::GateConfig::default());
        let threshold = RiskClass::Usual.threshold(&Look::default(), &limits);
        let edit = AcceptedEdit {
            edit: Edit::DropPath,
            scope: Scope::of(&Edit::DropPath, 0, &[]),
            only: None,
            exceptions: Vec::new(),
            evidence: EditEvidence::default(),
            rate: UNKNOWN,
            examples: Vec::new(),
        };
        let fault = |saved| {
            let mut look = of_pages(100);
            look.effect.counts = EditEvidence { saved, ..evidence(100, 100, 2) };
            look.fault(&edit, 0.03, threshold, &limits)
        };
        assert_eq!(fault(16), Some(RefusalReason::SavesNothing));
        assert_eq!(fault(17), None);
    }

    #[test]
    fn what_throws_away_more_needs_more() {
        let limits = LossLimits::of(&crate::config::GateConfig::default());
        let few = of_pages(10);
        let [usual, risky, of_path] =
            [RiskClass::Usual, RiskClass::Values, RiskClass::PathArgument]
                .map(|class| class.threshold(&few, &limits));
        assert!(usual.forms < risky.forms && risky.forms < of_path.forms);
        assert!(usual.rate > risky.rate && risky.rate > of_path.rate);
        assert!(of_path.pages > usual.pages);
        let named = Look { named: 5, ..few };
        assert_eq!(RiskClass::PathArgument.threshold(&named, &limits), usual);
    }

    #[test]
    fn a_family_vouches_if_nothing_speaks_against_it() {
        let limits = LossLimits::of(&crate::config::GateConfig::default());
        let threshold = RiskClass::PathArgument.threshold(&Look::default(), &limits);
        let family = |pages, lost| MoveEffect {
            counts: evidence(40, pages, lost),
            tested_forms: 40,
            outside: 0,
        };
        let shared = threshold.shared_with(&family(20, 0));
        assert_eq!((shared.forms, shared.pages), (LEAST_FORMS, LEAST_PAGES));
        assert_eq!(shared.rate, threshold.rate);
        for none in [family(20, 1), family(3, 0)] {
            assert_eq!(threshold.shared_with(&none), threshold);
        }
    }
}
