//! The edits that the gate refused, tested once more against all that it accepted: they answer why a
//! URL stays as it is.

use std::cmp::Reverse;

use undust_model::edits::edit::BY_NETWORK;
use undust_model::edits::gate_record::shape_hash;
use undust_model::edits::refused::{RefusalReason, RefusedEdit};
use undust_model::edits::scope::CONTEXT_LEVEL;

use super::candidate::CandidateKey;
use super::candidate_test::TestMode;
use super::gate::Gate;
use super::verdict::Refusal;
use crate::gate::network_proposals::NetworkProposals;

/// Refused edits that are kept, the network's apart.
const MOST_KEPT: usize = 200;

/// So many candidates are tested: those that would change most URLs.
const MOST_TESTED: usize = 1000;

/// Refused edits of the network that are kept.
const MOST_BY_NETWORK: usize = 50;

/// Shapes that are kept with them, for all of them together.
const MOST_SHAPES: usize = 1000;

impl Gate<'_> {
    /// The edits that would still change something, where they would change most first: as widely
    /// as each was proposed, and narrower where too much would be lost. What the network proposed is
    /// reported as widely as that alone.
    pub(crate) fn refused(&mut self) -> Vec<RefusedEdit> {
        self.kinds = BY_NETWORK;
        self.enlist_all();
        let keys = self.widest_first();
        let is_by_network = |edit: u32| self.proposals.edit(edit).kind() == BY_NETWORK;
        let (by_network, others): (Vec<_>, Vec<_>) =
            keys.into_iter().partition(|(_, (edit, _))| is_by_network(*edit));
        let tested = others.into_iter().take(MOST_TESTED);
        let refused = tested.filter_map(|(urls, key)| self.refused_by(urls, key));
        let mut refused: Vec<RefusedEdit> = refused.take(MOST_KEPT).collect();
        refused.extend(self.refused_of_network(by_network));
        refused.sort_by_key(|one| Reverse(one.urls));
        refused
    }

    /// The candidates, and how many URLs each would change; those that would change most first. Of
    /// scopes that hold the same shapes the widest, and none that one word makes.
    fn widest_first(&self) -> Vec<(usize, CandidateKey)> {
        let mut keys: Vec<(usize, CandidateKey)> = Vec::new();
        for (key, candidate) in &self.candidates {
            let wider = candidate.above.and_then(|above| self.candidates.get(&above));
            if candidate.level != CONTEXT_LEVEL
                && wider.is_none_or(|wider| wider.shapes.len() > candidate.shapes.len())
            {
                let urls = |shape: &u32| self.rows.shapes[*shape as usize].urls.len();
                keys.push((candidate.shapes.iter().map(urls).sum(), *key));
            }
        }
        keys.sort_unstable_by_key(|(urls, key)| (Reverse(*urls), *key));
        keys
    }

    /// Each edit that the network proposed, once, with the shapes for which it proposed it: a model whose
    /// edits ask no network is saved without the network, and could not find these shapes again.
    fn refused_of_network(&mut self, keys: Vec<(usize, CandidateKey)>) -> Vec<RefusedEdit> {
        let widest = keys.into_iter().filter(|(_, key)| self.candidates[key].above.is_none());
        let tested: Vec<(usize, CandidateKey)> = widest.take(MOST_TESTED).collect();
        let mut left = MOST_SHAPES;
        let refused = tested.into_iter().filter_map(|(urls, key)| {
            let refused = self.refused_by(urls, key)?;
            let shapes = self.candidates[&key].shapes.iter().take(left);
            let lexicon = self.network.as_ref().map(NetworkProposals::lexicon)?;
            let shape = |shape: &u32| &self.rows.shapes[*shape as usize].shape;
            let mut shapes: Vec<u64> = shapes.map(|one| shape_hash(shape(one), lexicon)).collect();
            left -= shapes.len();
            // A shape some of whose values are known stands twice.
            shapes.sort_unstable();
            shapes.dedup();
            (!shapes.is_empty()).then_some(RefusedEdit { shapes, ..refused })
        });
        refused.take(MOST_BY_NETWORK).collect()
    }

    /// A candidate that is refused, and the reason; none if it is accepted or not worth a report. Narrower
    /// candidates are reported only if they lose pages.
    fn refused_by(&mut self, urls: usize, key: CandidateKey) -> Option<RefusedEdit> {
        let Refusal { why, evidence, rate } = self.test(key, TestMode::Served).refused()?;
        let candidate = &self.candidates[&key];
        let is_reported =
            candidate.above.is_none() && evidence.tested > 0 || why == RefusalReason::Loses;
        if !is_reported {
            return None;
        }
        let edit = self.proposals.edit(candidate.edit).clone();
        let scope = self.scope(key, &self.changes(key))?;
        let rate = self.reported_rate(key, &evidence, rate);
        let (only, shapes) = (None, Vec::new());
        Some(RefusedEdit { edit, scope, only, urls, evidence, rate, why, shapes })
    }
}
